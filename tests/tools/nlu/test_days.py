"""Which day fills which slot, and which must be asked about."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tools.nlu.conftest import Routed
from tests.tools.nlu.filling import SUNDAY, Filling, Timing, filling_of_own, timing_of
from tools.nlu.intents.router import Router
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.values.date_offsets import DateDirection
from tools.nlu.values.views import date_spans_in

# Which day a slot takes of those that were said, and which it has to ask about; a Sunday.


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("due the day after tomorrow", "2026-06-16"),
        ("due a week from tomorrow", "2026-06-22"),
        ("due tomorrow week", "2026-06-22"),
        ("due Friday week", "2026-06-26"),
        ("to a week on Friday", "2026-06-26"),
        ("due two days after tomorrow", "2026-06-17"),
        ("two weeks from tomorrow", "2026-06-29"),
        ("due a week after 2026-12-01", "2026-12-08"),
        ("due the first Friday after 2026-12-01", "2026-12-04"),
        ("due two days before 2026-12-01", "2026-11-29"),
        ("due not tomorrow but Friday", "2026-06-19"),
        ("due Friday, not tomorrow", "2026-06-19"),
        ("to 2026-12-05 instead of 2026-12-01", "2026-12-05"),
        ("from 2026-12-01 to 2026-12-09", "2026-12-09"),
        ("from tomorrow to Friday", "2026-06-19"),
        ("from Monday to Friday", "2026-06-19"),
        ("from the 3rd to the 5th", "2026-07-05"),
        ("to Monday", "2026-06-15"),
        ("until Friday", "2026-06-19"),
        ("due the 19th", "2026-06-19"),
        ("to the 5th please", "2026-07-05"),
        ("due the 3rd of next month", "2026-07-03"),
        ("due 5.12.2026", "2026-12-05"),
        ("due 13/05/2027", "2027-05-13"),
        ("due 05/13/2027", "2027-05-13"),
        ("due 5/5/2027", "2027-05-05"),
        ("due 2026/12/05", "2026-12-05"),
        ("due the 5th of December 2026", "2026-12-05"),
        ("due the 5th of December", "2026-12-05"),
        ("due first of July", "2026-07-01"),
        ("due the end of June", "2026-06-30"),
        ("due December the first, 2026", "2026-12-01"),
        ("due the twenty-first of December 2026", "2026-12-21"),
        ("due December 5th, 2026", "2026-12-05"),
        ("due:2026-12-05", "2026-12-05"),
        ("due the end of December 2026", "2026-12-31"),
        ("due on or before Friday", "2026-06-19"),
        ("to Friday rather than Monday", "2026-06-19"),
        ("out to Friday", "2026-06-19"),
        ("on Friday", "2026-06-19"),
        ("on Fri", "2026-06-19"),
        ("due Weds", "2026-06-17"),
    ],
)
def test_a_day_that_lies_ahead_is_the_longest_and_the_newest_said(fill: Filling, said, due):
    filled = fill("update_work_order", f"move WO-1042 {said}")

    assert filled.values == {"work_order": "WO-1042", "due": due}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("due tomorrow or Friday", "tomorrow or friday"),
        ("due 2026-12-05 or 2026-12-09", "2026-12-05 or 2026-12-09"),
        ("due between Monday and Friday", "monday or friday"),
        ("due tomorrow, no, Friday", "tomorrow or friday"),
        ("due tomorrow, I mean Friday", "tomorrow or friday"),
        ("due after tomorrow", "tomorrow"),
        ("due Friday or so", "due friday"),
        ("due in 2 weeks or 3", "2 weeks"),
        ("due before the weekend", "the weekend"),
        ("due the Friday after next", "the friday after next"),
        ("due Friday next week", "friday next week"),
        ("due every Friday", "every friday"),
        ("to next Friday", "next friday"),
        ("to Sunday", "sunday"),  # which it is today
        ("from 2026-12-01 to next Friday", "next friday"),
        ("next week", "next week"),
        ("to next month", "next month"),
        ("to December", "december"),
        ("due soon", "soon"),
        ("due half a week from tomorrow", "half a week from tomorrow"),
        ("due two weeks after the survey", "two weeks after the survey"),
        ("due 12/05/2026", "12/05/2026"),
        ("due 5/12", "5/12"),
        ("due 5.12.", "5.12"),
        ("due 5/12/26", "5/12/26"),
        ("due 12/2026", "12/2026"),
        ("due week 27", "week 27"),
        ("due Christmas", "christmas"),
        ("due the end of May", "due the end of may"),  # just over, or eleven months off
        ("due 31 June", "31 june"),
        ("to 31.06.2026", "31.06.2026"),
        ("due the 20th of December", "the 20th of december"),  # more than half a year off
        ("due the day before yesterday", "the day before yesterday"),
    ],
)
def test_a_day_that_cannot_be_told_is_asked_about(fill: Filling, said: str, asked: str):
    filled = fill("update_work_order", f"move WO-1042 {said}")

    assert (filled.values, filled.not_found) == ({"work_order": "WO-1042"}, {"due": asked})


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("WO-1042 was due 2026-12-01, make it 2026-12-09", "2026-12-09"),
        ("WO-1042 is due 2026-12-01, make it 2026-12-09", "2026-12-09"),
        ("change the due date of WO-1042 from 2026-12-01 to 2026-12-05", "2026-12-05"),
        ("make WO-1042 due 2026-12-05, I am away on 2026-12-09", "2026-12-05"),
    ],
)
def test_of_two_days_the_new_one_is_taken(fill: Filling, text: str, due: str):
    assert fill("update_work_order", text).values["due"] == due


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("postpone WO-1042 two weeks", "+2 weeks"),
        ("postpone WO-1042 by two weeks from its current date", "+2 weeks"),
        ("postpone WO-1042 two weeks from tomorrow", None),
        ("postpone WO-1042 to two weeks after the survey", None),
    ],
)
def test_what_is_counted_from_another_day_is_no_move(fill: Filling, text: str, moved: str | None):
    assert fill("update_work_order", text).values.get("due_moved") == moved


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("create a task wash the deck on Friday", "wash the deck on Friday"),
        ("create a task change the rota to Monday", "change the rota to Monday"),
        ("create a task polish the silver before Friday", "polish the silver before Friday"),
        (
            "create a task change the rota from Sunday to Monday",
            "change the rota from Sunday to Monday",
        ),
        ("create a task: tell Ben, we leave in December", "tell Ben, we leave in December"),
    ],
)
def test_a_day_that_may_be_of_what_is_told_stays_there(fill: Filling, text: str, title: str):
    filled = fill("create_task", text)

    assert filled.values.get("due") is None
    assert not filled.not_found
    assert str(filled.values["title"]) == title


_PIECES = (
    *(
        "due",
        "due:",
        "by",
        "to",
        "from",
        "on",
        "the",
        "a",
        "two",
        "weeks",
        "day",
        "after",
        "before",
    ),
    *("tomorrow", "x'tomorrow", "friday", "fri", "next", "last", "week", "night", "31st", "ago"),
    *("2026-12-01", "9999-12-31", "0000-00-00", "5.12.", "12/05/2026", "december", "may", "or"),
    *("first of", "end of", "999", "fortnights", ",", "(", "'", "_", "\n"),
)


@given(
    pieces=st.lists(st.sampled_from(_PIECES), max_size=12),
    between=st.sampled_from([" ", ""]),
    toward=st.sampled_from(DateDirection),
)
@example(pieces=["due", "_"], between=" ", toward=DateDirection.AHEAD)
@example(pieces=["friday", "after", "9999-12-31"], between=" ", toward=DateDirection.AHEAD)
@example(pieces=["due:", "2026-12-01"], between="", toward=DateDirection.AHEAD)
def test_whatever_is_said_no_two_days_share_what_says_them(
    pieces: list[str], between: str, toward: DateDirection
):
    normal = normalise(between.join(pieces))
    places = [
        place for one in date_spans_in(normal, SUNDAY, toward) for place in range(one.core, one.end)
    ]

    assert len(places) == len(set(places))
    assert set(places) <= set(range(len(normal.tokens)))


# Which day a slot of what was takes, and which it has to ask about; said on a Sunday.


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("log 9 hours of rest for Ana the day before yesterday", "2026-06-12"),
        ("put down 8 hours rest for Tom on Monday", "2026-06-08"),
        ("log 8 hours rest for Tom on Saturday", "2026-06-13"),
        ("log 8 hours rest for Tom for Friday", "2026-06-12"),
        ("log 8 hours rest for Tom on Mon", "2026-06-08"),
        ("book 12 hours rest for Priya Saturday", "2026-06-13"),
        ("log 8 hours of rest for Tom on the 10th", "2026-06-10"),
        ("log 8 hours of rest for Tom on the 19th", "2026-05-19"),
        ("log 8 hours of rest for Tom on the 31st", "2026-05-31"),
        ("Ana had 9 hours of rest on Saturday, log it", "2026-06-13"),
        ("log 8 hours rest for Ana last night", "2026-06-13"),
        ("enter last night's rest of Hugo, 8 hours", "2026-06-13"),
        ("log Tom's rest for Monday, 8 hours", "2026-06-08"),
        ("log 8 hours of rest for Tom on the 3rd of May", "2026-05-03"),
        ("log 8 hours of rest for Tom, the audit is on Friday", None),
        ("log 8 hours of rest for Tom", None),
    ],
)
def test_of_what_was_a_day_of_the_week_is_the_last_one(fill: Filling, text: str, day: str | None):
    filled = fill("log_hours_of_rest", text)

    assert filled.values.get("day") == day
    assert not filled.not_found


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("log 8 hours of rest for Tom on Sunday", "sunday"),  # which it is today
        ("log 8 hours of rest for Tom on 5 December", "5 december"),  # more than half a year ago
        ("log Tom's rest for next Monday, 8 hours", "next monday"),
        ("log 8 hours of rest for Tom last week", "last week"),
        ("log 8 hours of rest for Tom the other day", "the other day"),
        ("log 8 hours of rest for Tom two nights ago", "two nights ago"),
        ("log 8 hours of rest for Tom on Fri and Sat", "fri or sat"),
        ("log 8 hours of rest for Tom on Monday or Tuesday", "monday or tuesday"),
        ("log 8 hours of rest for Tom from Monday to Friday", "monday or friday"),
        ("log 8 hours of rest for Tom on 12/05/2026", "12/05/2026"),
        ("log 8 hours of rest for Tom on 12/5", "12/5"),
        ("log 8 hours of rest for Tom on Friday 12", "friday 12"),
    ],
)
def test_a_day_of_what_was_that_cannot_be_told_never_becomes_today(fill: Filling, text, asked):
    filled = fill("log_hours_of_rest", text)

    assert "day" not in filled.values
    assert filled.not_found == {"day": asked}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("class certificate expires the day after tomorrow", {"expires": "2026-06-16"}),
        (
            "change the expiry of the class certificate from 2026-12-01 to 2027-12-01",
            {"expires": "2027-12-01"},
        ),
        (
            "change the issue date of the class certificate from 2020-01-01 to 2020-02-01",
            {"issued": "2020-02-01"},
        ),
        (
            "the class certificate was issued 2026-01-01 and expires 2027-01-01, update it",
            {"expires": "2027-01-01", "issued": "2026-01-01"},
        ),
    ],
)
def test_each_day_goes_to_the_slot_that_it_is_named_for(fill: Filling, text, values):
    filled = fill("update_certificate_metadata", text)

    assert filled.values == {"certificate": "class certificate", **values}


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("show hours of rest from 2026-06-01 to 2026-06-10", "2026-06-01"),
        ("show hours of rest since the 8th", "2026-06-08"),
        ("did Ben get any rest on Friday", None),
    ],
)
def test_where_a_time_begins_is_its_first_day(fill: Filling, text: str, since: str | None):
    assert fill("show_hours_of_rest", text).values.get("since") == since


# Days of slots whose names say nothing of where they lie: the examples tell; said on a Sunday.

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
def test_a_day_lies_where_those_of_the_examples_do(at_clinic: Filling, action, text, day):
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
):
    filled = at_clinic(action, text)

    assert (filled.values.get("day"), filled.not_found) == (None, {"day": asked})


# Days told by their place in the week or the month, on a Sunday and at the ends of a year.

NEW_YEARS_EVE = date(2026, 12, 31)


@pytest.mark.parametrize(
    ("text", "today", "day"),
    [
        ("wash the tender by Friday", SUNDAY, "2026-06-19"),
        ("due Friday", SUNDAY, "2026-06-19"),
        ("no later than Monday", SUNDAY, "2026-06-15"),
        ("by Sunday", SUNDAY, "2026-06-14"),
        ("this coming Thursday", SUNDAY, "2026-06-18"),
        ("by Friday 26 June 2026", SUNDAY, "2026-06-26"),
        ("since Friday", SUNDAY, "2026-06-12"),
        ("last Sunday", SUNDAY, "2026-06-07"),
        ("by the end of the month", SUNDAY, "2026-06-30"),
        ("end of next week", SUNDAY, "2026-06-21"),
        ("by Friday", NEW_YEARS_EVE, "2027-01-01"),
        ("end of next month", NEW_YEARS_EVE, "2027-01-31"),
        ("by the end of the year", NEW_YEARS_EVE, "2026-12-31"),
        ("on Friday", SUNDAY, None),
        ("next Friday", SUNDAY, None),
        ("the Friday list", SUNDAY, None),
        ("the end of the mooring line", SUNDAY, None),
    ],
)
def test_a_day_is_read_where_its_direction_is_said(text: str, today: date, day: str | None):
    found = [str(one.value) for one in date_spans_in(normalise(text), today) if one.value]

    assert found == ([day] if day else [])


@pytest.mark.parametrize("text", ["yesterday", "three days ago", "last Friday", "since Monday"])
def test_what_lies_behind_is_marked(text: str):
    (found,) = date_spans_in(normalise(text), SUNDAY)

    assert found.is_over


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("update WO-1042 due last Friday", "last friday"),
        ("postpone WO-1042 to yesterday", "yesterday"),
        ("create a task check the pump for Ben due on 3 days ago", "3 days ago"),
        ("create a work order for the radar: it failed last Friday", None),
        ("update WO-1042, which was due last Friday, to high priority", None),
        ("update WO-1042 due Friday", None),
    ],
)
def test_what_is_said_to_be_due_on_a_day_gone_by_is_asked_about(both: Router, text, day):
    routing = both.route(text, today=SUNDAY)

    assert routing.not_found.get("due") == day
    assert day is None or "due" not in routing.slots


# Two days that a summary puts as one span: each of them is one end of it.

INN_ACTIONS = """
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
INN_HANDLERS = """
def book_room(context, *, room, arrival, departure): ...
"""
ENTITIES = "entities: {room: {list: [attic, blue room]}}"


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    return filling_of_own(
        tmp_path_factory.mktemp("packs") / "inn", INN_ACTIONS, ENTITIES, INN_HANDLERS
    )


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
def test_each_day_is_one_end(inn: Filling, text: str, arrival: str | None, departure: str | None):
    values = inn("book_room", text).values

    assert (values.get("arrival"), values.get("departure")) == (arrival, departure)


# A time to come that no slot can hold leaves a change to the person; other days do not.


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 tomorrow",
        "tomorrow, please close WO-1042",
        "close it for me, WO-1042, next week",
    ],
)
def test_a_change_at_another_time_is_never_sure(route: Routed, text: str):
    routing = route(text)

    assert routing.confidence <= 0.45
    assert any(one.startswith("no_slot_for:") for one in routing.reasons)


@pytest.mark.parametrize(
    "text",
    ["show WO-1042 tomorrow", "close WO-1042 today", "add note to WO-1042: look again tomorrow"],
)
def test_reads_today_and_told_words_are_left_alone(route: Routed, text: str):
    assert not any(one.startswith("no_slot_for:") for one in route(text).reasons)


def test_a_date_is_to_come_only_when_today_is_known(router: Router, data_dir: Path):
    (data_dir / "orders.json").write_text('{"WO-1042": []}')
    routing = router.route("close WO-1042 on 2026-05-01", data_dir=data_dir)

    assert not any(one.startswith("no_slot_for:") for one in routing.reasons)


@pytest.fixture(scope="module")
def unheld(learnt_once: Path) -> Timing:
    return timing_of(learnt_once)


@pytest.mark.parametrize(
    "when",
    [
        "in an hour",
        "in half an hour",
        "in 30 min",
        "within two hours",
        "tonight",
        "this evening",
        "in the morning",
        "at the weekend",
        "next quarter",
        "at 1800",
        "at 18:00",
        "at 6 pm",
        "at six",
        "by 6 pm",
        "before noon",
        "after lunch",
        "first thing Monday",
        "on Friday",
        "on the 19th",
        "on 5.12.2026",
        "in January",
        "the day after tomorrow",
        "a week from tomorrow",
        "from tomorrow on",
        "two weeks after the survey",
        "for a week",
        "every month",
        "every 3 weeks",
        "every second Friday",
        "monthly",
        "weekly",
        "twice a year",
        "on Mondays",
        "from now on",
        "each time we stop",
        "every time we run low",
        "after the meeting",
        "following the inspection",
        "during the audit",
        "upon delivery",
        "on completion of the survey",
        "pending the quote",
        "weather permitting",
    ],
)
def test_no_time_of_an_order_is_dropped_in_silence(unheld: Timing, when: str):
    assert unheld("approve_purchase_order", f"approve PO-1997 {when}") == when.lower()
    assert unheld("clear_library", f"empty the library {when}, please") == when.lower()


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("after lunch, approve PO-1997", "after lunch"),
        ("tonight, approve PO-1997", "tonight"),
        ("approve PO-1997, weather permitting", "weather permitting"),
        ("approve PO-1997 after the survey please", "after the survey"),
    ],
)
def test_a_time_may_stand_alone_before_the_order_or_behind_it(unheld: Timing, text: str, when: str):
    assert unheld("approve_purchase_order", text) == when


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("approve_purchase_order", "approve PO-1997 after all"),
        ("approve_purchase_order", "approve PO-1997 now"),
        ("approve_purchase_order", "approve PO-1997 today"),
        ("approve_purchase_order", "approve the following order: PO-1997"),
        ("withdraw_purchase_approval", "withdraw PO-2003, I only saw it after I'd okayed it"),
        ("withdraw_purchase_approval", "return PO-2003 to pending approval"),
        ("add_note_to_work_order", "add a note to WO-1042: ran for an hour"),
        ("add_note_to_work_order", "add a note to WO-1042: runs hot, every time"),
        ("add_note_to_work_order", "add a note to WO-1042 that it tripped after lunch"),
        ("close_work_order", 'close WO-1042 with "no leaks, after 2 h"'),
        ("delete_note", "delete my note on the radar before anyone sees it"),
        ("generate_audit_pack", "create the pack for the audit on Thursday"),
        ("submit_compliance_report", "submit the compliance report for June"),
        ("submit_compliance_report", "submit the monthly compliance report"),
        ("update_running_hours", "set the running hours of the port generator at 1350"),
        ("log_hours_of_rest", "log 8 hours of rest for Tom on Monday"),
        ("name_channel", "name it after our course"),
        ("update_work_order", "move WO-1042 to next week"),
    ],
)
def test_what_is_told_or_held_or_names_a_thing_is_no_time_of_the_order(
    unheld: Timing, action: str, text: str
):
    assert unheld(action, text) is None


def test_a_slot_for_what_was_holds_no_time_to_come(unheld: Timing):
    assert unheld("export_compliance_logs", "export the compliance logs tonight") == "tonight"
    assert unheld("export_compliance_logs", "export the compliance logs monthly") == "monthly"
