"""What the author of a pack is told that is no fault."""

from state.action import Action, Approvers
from tools.nlu.intents.explanation import advice_on


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


def test_a_yes_to_oneself_is_told() -> None:
    close = Action.model_validate(
        {
            "name": "close",
            "pack": "p",
            "summary": "Close",
            "verb": "close",
            "object": "shop",
            "effect": "destructive",
            "handler": "h:close",
            "examples": ("close the shop",),
        }
    )
    assert close.floor == "C"
    (told,) = advice_on({"close": close})
    assert told.startswith("close: whoever may ask for it may also say yes to it")
    for approvers in ({"roles": ("boss",)}, {"four_eyes": True}):
        other = close.model_copy(update={"approvers": Approvers.model_validate(approvers)})
        assert list(advice_on({"close": other})) == []
    assert list(advice_on({"close": close.model_copy(update={"effect": "read"})})) == []
    assert list(advice_on({"close": close.model_copy(update={"roles": ("player",)})})) == []


def test_a_pack_without_an_action_is_told() -> None:
    assert list(advice_on({})) == ["there is no action yet: nothing that is said comes to anything"]
