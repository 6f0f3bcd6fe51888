"""Days of slots whose names say nothing of where they lie: the examples tell; said on a Sunday."""

import pytest

from tests.tools.nlu.filling import Filling, filling_of_own

ACTIONS = """
actions:
  show_visits:
    summary: "Visits"
    verb: show
    object: visit
    slots: {day: {type: date}}
    effect: read
    handler: "handlers:show_visits"
    examples: ["show the visits", "show tomorrow's visits", "who is coming in next week"]
  show_use:
    summary: "Power used"
    verb: show
    object: use
    slots: {day: {type: date}}
    effect: read
    handler: "handlers:show_use"
    examples: ["show the power used", "power used yesterday", "what did we use last Monday"]
  book_visit:
    summary: "Book {pet} in"
    verb: create
    words: [book]
    object: visit
    slots: {pet: {type: pet}, day: {type: date}}
    effect: write
    handler: "handlers:book_visit"
    examples: ["book Bella in for tomorrow", "a visit for Max in two weeks"]
  record_weight:
    summary: "Record a weight of {pet}"
    verb: add
    words: [record]
    object: weight
    slots: {pet: {type: pet}, day: {type: date}}
    effect: write
    handler: "handlers:record_weight"
    examples: ["record the weight of Bella", "Max was weighed yesterday"]
  note_day:
    summary: "Note a day"
    verb: add
    words: [note]
    object: day
    slots: {day: {type: date}}
    effect: write
    handler: "handlers:note_day"
    examples: ["note 2026-02-07", "note the day"]
"""
HANDLERS = """
def show_visits(context, *, day=None): ...
def show_use(context, *, day=None): ...
def book_visit(context, *, pet=None, day=None): ...
def record_weight(context, *, pet=None, day=None): ...
def note_day(context, *, day=None): ...
"""


@pytest.fixture(scope="module")
def at_clinic(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    entities = "entities: {pet: {list: [Bella, Max]}}"
    folder = tmp_path_factory.mktemp("packs") / "clinic"
    return filling_of_own(folder, ACTIONS, entities, HANDLERS)


@pytest.mark.parametrize(
    ("action", "text", "day"),
    [
        ("book_visit", "book Bella in on Friday", "2026-06-19"),
        ("book_visit", "book Bella in for Friday", "2026-06-19"),
        ("book_visit", "can you book Max in on the 3rd of July", "2026-07-03"),
        ("book_visit", "book Max in on 3 July please", "2026-07-03"),
        ("book_visit", "book Max in on the 3rd", "2026-07-03"),
        ("record_weight", "record the weight of Bella on Friday", "2026-06-12"),
        ("record_weight", "record the weight of Bella on 3 May", "2026-05-03"),
        ("show_visits", "show the visits on Friday", "2026-06-19"),
        ("show_visits", "show Friday's visits", "2026-06-19"),
        ("show_visits", "show tomorrow's visits", "2026-06-15"),
        ("show_visits", "show today's visits", "2026-06-14"),
        ("show_visits", "show yesterday's visits", "2026-06-13"),
        ("show_visits", "show the visits of 3 July", "2026-07-03"),
        ("show_visits", "show the visits of 3 May", "2026-05-03"),
        ("show_use", "power used on Friday", "2026-06-12"),
        ("show_use", "show the power used on 3 May", "2026-05-03"),
        ("note_day", "note 3 July", "2026-07-03"),
        ("note_day", "note 3 May", "2026-05-03"),
    ],
)
def test_a_day_lies_where_those_of_the_examples_do(
    at_clinic: Filling, action: str, text: str, day: str
) -> None:
    filled = at_clinic(action, text)

    assert (filled.values.get("day"), filled.not_found) == (day, {})


@pytest.mark.parametrize(
    ("action", "text", "asked"),
    [
        ("book_visit", "book Bella in on next Friday", "next friday"),
        ("book_visit", "book Bella in on Sunday", "sunday"),  # which it is today
        ("book_visit", "book Bella in for last Friday", "last friday"),
        ("book_visit", "book Bella in for yesterday", "yesterday"),
        ("note_day", "note Friday", "friday"),
        ("note_day", "note 14 December", "14 december"),  # as far off on either side
    ],
)
def test_a_day_on_the_other_side_or_on_either_is_asked_about(
    at_clinic: Filling, action: str, text: str, asked: str
) -> None:
    filled = at_clinic(action, text)

    assert (filled.values.get("day"), filled.not_found) == (None, {"day": asked})
