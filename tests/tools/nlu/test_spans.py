"""Two days that a summary puts as one span: each of them is one end of it."""

import pytest

from tests.tools.nlu.filling import Filling, filling_of_own

ACTIONS = """
actions:
  book_room:
    summary: "Book {room} from {arrival} to {departure}"
    verb: create
    words: [book, reserve]
    object: booking
    slots:
      room: {type: room, required: true}
      arrival: {type: date, required: true}
      departure: {type: date, required: true}
    effect: write
    handler: "handlers:book_room"
    examples: ["book the attic from tomorrow to Sunday"]
"""
HANDLERS = """
def book_room(context, *, room, arrival, departure): ...
"""
ENTITIES = "entities: {room: {list: [attic, blue room]}}"


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    return filling_of_own(tmp_path_factory.mktemp("packs") / "inn", ACTIONS, ENTITIES, HANDLERS)


@pytest.mark.parametrize(
    ("text", "arrival", "departure"),
    [
        ("book the attic from 2026-12-10 to 2026-12-12", "2026-12-10", "2026-12-12"),
        ("book the attic 2026-12-10 - 2026-12-12", "2026-12-10", "2026-12-12"),
        ("book the attic until 2026-12-12 from 2026-12-10", "2026-12-10", "2026-12-12"),
        ("book the attic between 2026-12-10 and 2026-12-12", "2026-12-10", "2026-12-12"),
        ("book the attic, arriving 2026-12-10, leaving 2026-12-12", "2026-12-10", "2026-12-12"),
        ("book the attic from 2026-12-10", "2026-12-10", None),
        ("book the attic until 2026-12-12", None, "2026-12-12"),
        ("book the attic for 2026-12-10", "2026-12-10", None),
        ("book the attic from 2026-12-12 to 2026-12-10", "2026-12-12", None),
        ("book the attic", None, None),
        ("book the attic from 2026-12-10, no, 2026-12-11 to 2026-12-12", None, None),
        ("book the attic from 2026-12-10 to 2026-12-12 and from 2026-12-20", None, None),
        ("book the attic, I need an answer by 2026-12-01", None, None),
    ],
)
def test_each_day_is_one_end(
    inn: Filling, text: str, arrival: str | None, departure: str | None
) -> None:
    values = inn("book_room", text).values

    assert (values.get("arrival"), values.get("departure")) == (arrival, departure)
