"""By how much something is changed is no number of what is set, unless an example says so."""

import pytest

from tests.tools.nlu.filling import Filling, filling_of_own

ACTIONS = """
actions:
  set_sleep:
    summary: "Set the sleep of {person} to {hours} hours"
    verb: update
    words: [set, correct]
    object: sleep
    slots: {person: {type: person}, hours: {type: number, minimum: 0, maximum: 24}}
    effect: write
    handler: "handlers:set_sleep"
    examples: ["set Ana's sleep to 8 hours", "replace Ana's sleep by 9 hours"]
  note_sleep:
    summary: "Note {hours} hours of sleep for {person}"
    verb: add
    words: [note, add, log]
    object: sleep
    slots: {person: {type: person}, hours: {type: number}}
    effect: write
    handler: "handlers:note_sleep"
    examples: ["note 8 hours of sleep for Ana", "add 7 hours of sleep for Ben"]
  shift_alarm:
    summary: "Move the alarm by {minutes} minutes"
    verb: update
    words: [move, snooze]
    object: alarm
    slots: {minutes: {type: integer}}
    effect: write
    handler: "handlers:shift_alarm"
    examples: ["move the alarm"]
  fill_tank:
    summary: "Fill up {litres} litres"
    verb: add
    words: [fill, add]
    object: tank
    slots: {litres: {type: number}}
    effect: write
    handler: "handlers:fill_tank"
    examples: ["add 20 litres to the tank", "fill up 30 litres"]
"""
HANDLERS = """
def set_sleep(context, *, person=None, hours=None): ...
def note_sleep(context, *, person=None, hours=None): ...
def shift_alarm(context, *, minutes=None): ...
def fill_tank(context, *, litres=None): ...
"""


@pytest.fixture(scope="module")
def in_camp(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    entities = "entities: {person: {list: [Ana, Ben]}}"
    folder = tmp_path_factory.mktemp("packs") / "camp"
    return filling_of_own(folder, ACTIONS, entities, HANDLERS)


@pytest.mark.parametrize(
    "text",
    [
        "correct Ana's sleep by 2 hours",
        "correct Ana's sleep up by 2 hours",
        "correct Ana's sleep by about 2 hours",
        "raise Ana's sleep by 2",
        "correct Ana's sleep: 2 hours less",
        "correct Ana's sleep, it was two hours less",
        "correct Ana's sleep, it was two hours longer",
        "correct Ana's sleep up 2 hours",
        "add two hours to Ana's sleep",
        "add another two hours to Ana's sleep",
        "take two hours off Ana's sleep",
        "give Ana another two hours of sleep",
        "correct Ana's sleep, half an hour less",
        "correct Ana's sleep, it is two hours too high",
        "Ana's sleep: plus 2 hours",
        "Ana had two hours of sleep less",
        "lower Ana's sleep by a dozen",
    ],
)
def test_a_change_is_no_number_of_what_is_set(in_camp: Filling, text: str) -> None:
    assert "hours" not in in_camp("set_sleep", text).values


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("set_sleep", "correct Ana's sleep to 2 hours", "hours", 2),
        ("set_sleep", "correct Ana's sleep, it was two hours", "hours", 2),
        ("set_sleep", "correct Ana's sleep down to 2 hours", "hours", 2),
        ("set_sleep", "replace Ana's sleep by 2 hours", "hours", 2),
        ("set_sleep", "put down 2 hours of sleep for Ana", "hours", 2),
        ("set_sleep", "set Ana's sleep to 2 hours, less than that is too little", "hours", 2),
        ("note_sleep", "add two hours to Ana's sleep", "hours", None),
        ("note_sleep", "note two hours less sleep for Ana", "hours", None),
        ("note_sleep", "add 2 hours of sleep for Ana", "hours", 2),
        ("note_sleep", "write down 2 hours of sleep for Ana", "hours", 2),
        ("note_sleep", "put Ana down 2 hours", "hours", 2),
        ("shift_alarm", "move the alarm by 10 minutes", "minutes", 10),
        ("shift_alarm", "snooze the alarm 10 minutes longer", "minutes", 10),
        ("shift_alarm", "move the alarm up 10 minutes", "minutes", 10),
        ("fill_tank", "add 5 litres to the tank", "litres", 5),
    ],
)
def test_a_number_that_is_meant_stays_one(
    in_camp: Filling, action: str, text: str, slot: str, value: float | None
) -> None:
    assert in_camp(action, text).values.get(slot) == value


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("correct_hours_of_rest", "correct Tom's rest yesterday by 2 hours", "hours", None),
        ("correct_hours_of_rest", "correct Tom's rest yesterday up by 2 hours", "hours", None),
        ("correct_hours_of_rest", "replace Tom's rest yesterday by 9 hours", "hours", 9),
        ("log_hours_of_rest", "add two hours to Tom's rest yesterday", "hours", None),
        ("log_hours_of_rest", "add 11 hours rest for Tom", "hours", 11),
        ("count_stock", "add 3 to the stock of oil filters", "quantity", None),
        ("count_stock", "there are 7 oil filters left", "quantity", 7),
        ("add_part_to_work_order", "add 2 oil filters to WO-1042", "quantity", 2),
        ("order_part", "order another 4 oil filters", "quantity", 4),
    ],
)
def test_our_own_numbers_are_amounts_and_not_changes(
    fill: Filling, action: str, text: str, slot: str, value: float | None
) -> None:
    assert fill(action, text).values.get(slot) == value
