"""What the author of a pack is told that is no fault."""

from state.action import Action
from tools.routing.advice import advice_on


def told_of(summary: str, slots: dict[str, str], examples: tuple[str, ...] = ()) -> list[str]:
    """Give the advice on one action."""
    action = Action.model_validate(
        {
            "name": "move",
            "pack": "p",
            "summary": summary,
            "verb": "update",
            "object": "booking",
            "slots": {name: {"type": type_} for name, type_ in slots.items()},
            "effect": "write",
            "handler": "h:move",
            "examples": examples,
        }
    )
    other = action.model_copy(update={"name": "other", "slots": {}, "examples": ("shift it!",)})
    return list(advice_on({"move": action, "other": other}))


def test_an_example_of_two_actions_is_told() -> None:
    assert told_of("Move it", {}, ("Shift it",)) == [
        "'shift it!' is an example of move and of other: of neither can it be sure"
    ]
    assert told_of("Move it", {}, ("move it",)) == []


def test_two_slots_of_one_kind_that_no_side_tells_apart_are_told() -> None:
    rooms = {"old": "room", "new": "room"}
    assert told_of("Move from {old} to {new}", rooms) == []
    assert told_of("Move into {new} from {old}", rooms) == []
    (told,) = told_of("Move {old}, {new}", rooms)
    assert told.startswith("move: nothing tells old from new")
    assert told_of("Move {old}, {new}", {"old": "room", "new": "person"}) == []


def test_two_days_that_no_side_tells_apart_are_told() -> None:
    days = {"arrival": "date", "departure": "date"}
    assert told_of("Book from {arrival} to {departure}", days) == []
    assert len(told_of("Book {arrival}, {departure}", days)) == 1
    assert told_of("Show {since}, {until}", {"since": "date", "until": "date"}) == []
    assert told_of("Set {issued}, {expires}", {"issued": "date", "expires": "date"}) == []
