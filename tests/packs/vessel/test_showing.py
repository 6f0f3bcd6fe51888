"""What is shown, and within which limits."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from packs.vessel import handlers
from packs.vessel.hours_of_rest import RestDay, breaches, periods_in_words, read_periods
from state.action import ActionResult, HandlerContext
from state.errors import AgentError, BadInput, NotFound

Answer = Callable[..., ActionResult]
Contents = Callable[[], dict[str, list[tuple[object, ...]]]]


def test_an_overview_tells_state_service_and_open_work(context: HandlerContext):
    result = handlers.show_equipment_overview(context, equipment="port generator")

    assert "port generator: running" in result.text
    assert "overdue by 2 h" in result.text
    assert "WO-1042 Replace oil filter on port generator: open" in result.text
    assert result.changed == ()


def test_an_overview_without_equipment_lists_everything_on_board(context: HandlerContext):
    result = handlers.show_equipment_overview(context)

    assert "40 pieces of equipment" in result.text
    assert "forward bilge pump: standby, 322 h (WO-1032)" in result.text
    assert re.search(r"aft bilge pump: standby, 455 h \(.*WO-1036.*alarm F-404\)", result.text)


def test_a_family_name_means_all_its_members(context: HandlerContext):
    result = handlers.show_equipment_history(context, equipment="Generator")

    assert "starboard generator: Load test" in result.text
    assert "emergency generator: Starter battery replaced" in result.text
    assert "watermaker" not in result.text


def test_history_is_newest_first_and_starts_at_a_day(context: HandlerContext):
    result = handlers.show_equipment_history(
        context, equipment="port generator", since="2026-03-28"
    )

    lines = result.text.splitlines()[1:]
    assert [line[:10] for line in lines] == ["2026-06-09", "2026-03-28"]


def test_history_of_nothing_recorded_says_so(context: HandlerContext):
    result = handlers.show_equipment_history(context, equipment="radar", since="2026-06-01")

    assert result.text == "Nothing is recorded for radar since 2026-06-01."


@pytest.mark.parametrize("said", ["DG1", "port genset", "PORT  GENERATOR", "port-generator"])
def test_equipment_answers_to_the_names_people_use(context: HandlerContext, said: str):
    result = handlers.show_equipment_overview(context, equipment=said)

    assert result.text.startswith("port generator: ")


def test_search_finds_a_document_by_words_of_its_text(context: HandlerContext):
    result = handlers.search_documents(context, query="what to do when the coolant is running hot")

    assert result.text.splitlines()[1].startswith("DOC-001 generator service manual")


def test_search_knows_word_forms_and_small_words(context: HandlerContext):
    result = handlers.search_documents(context, query="find me the bunker procedures")

    assert result.text.splitlines()[1].startswith("DOC-007 bunkering procedure")


def test_search_leaves_archived_documents_out(context: HandlerContext):
    result = handlers.search_documents(context, query="charter brochure crew profiles")

    assert "DOC-021" not in result.text


def test_check_stock_tells_number_place_and_minimum(context: HandlerContext):
    result = handlers.check_stock(context, part="flt-2104")

    assert result.text == (
        "oil filter (FLT-2104): 3 in stock (minimum 4), below the minimum, engine room shelf A2"
    )


def test_check_stock_counts_what_is_on_order(context: HandlerContext):
    assert "1 on order" in handlers.check_stock(context, part="stabiliser seal kit").text


def test_check_stock_without_a_part_lists_what_runs_low(context: HandlerContext):
    result = handlers.check_stock(context)

    assert "16 parts are below their minimum" in result.text
    assert "bilge float switch" in result.text
    assert "carbon filter" not in result.text


def test_the_newest_handover_is_shown_unless_a_day_is_given(context: HandlerContext):
    newest = handlers.view_handover(context)
    earlier = handlers.view_handover(context, day="2026-06-13")

    assert "Handover HO-313" in newest.text
    assert "Handover HO-312" in earlier.text
    assert "(Tom Becker)" in earlier.text


def test_a_diagnosis_ranks_causes_and_names_parts_in_stock(context: HandlerContext):
    result = handlers.diagnose_fault(context, equipment="port generator", symptom="running hot")

    lines = result.text.splitlines()
    assert lines[0].startswith("F-117 High coolant temperature")
    assert lines[1].startswith("1. raw water impeller worn")
    assert "generator impeller IMP-3310, 5 in stock" in lines[1]
    assert "Alarm F-117 on port generator raised 2026-06-13 20:05 UTC, cleared." in lines


def test_a_diagnosis_of_equipment_alone_begins_with_its_alarms(context: HandlerContext):
    result = handlers.diagnose_fault(context, equipment="aft bilge pump")

    assert result.text.startswith("F-404 Bilge pump cycles too often")
    assert "still standing" in result.text


def test_a_diagnosis_by_code_needs_nothing_else(context: HandlerContext):
    result = handlers.diagnose_fault(context, fault_code="f 301")

    assert result.text.startswith("F-301 Product water too salty")


def test_a_symptom_that_fits_no_fault_of_the_equipment_says_so(context: HandlerContext):
    result = handlers.diagnose_fault(context, equipment="radar", symptom="leak")

    assert result.text == "No known fault fits radar; ask the chief engineer to look."


@pytest.mark.parametrize(
    ("handler", "arguments", "refusal"),
    [
        (handlers.show_equipment_overview, {"equipment": "warp drive"}, NotFound),
        (handlers.show_equipment_history, {"equipment": "warp drive"}, NotFound),
        (handlers.show_equipment_history, {"equipment": "radar", "since": "soon"}, BadInput),
        (handlers.search_documents, {"query": "  "}, BadInput),
        (handlers.check_stock, {"part": "flux capacitor"}, NotFound),
        (handlers.check_stock, {"part": "--"}, NotFound),
        (handlers.view_handover, {"day": "2020-01-01"}, NotFound),
        (handlers.view_handover, {"day": "yesterday-ish"}, BadInput),
        (handlers.diagnose_fault, {}, BadInput),
        (handlers.diagnose_fault, {"fault_code": "F-999"}, NotFound),
        (handlers.diagnose_fault, {"symptom": "sadness"}, NotFound),
    ],
)
def test_what_cannot_be_answered_is_refused_by_name(
    context: HandlerContext, handler: Answer, arguments: dict[str, str], refusal: type[AgentError]
):
    with pytest.raises(refusal):
        handler(context, **arguments)


@pytest.mark.parametrize(
    "text",
    [
        '" NEAR( ^ -x secret:x',
        '"',
        '""""',
        "NEAR(coolant hot, 2)",
        "^coolant",
        "-coolant",
        "coolant AND NOT (OR",
        "title:coolant",
        "{id text}: coolant",
        "coolant*",
        "coolant + hot",
        "'; DROP TABLE document; --",
        "\\ % _ ? :x @y $z",
        "coolant\x00hot",
        "\ud800coolant",
        "\u0301\u0302 \u202e\u200bcoolant",
        "🛥 ⚓",
        "(" * 5_000,
        "coolant " * 5_000,
        "x" * 60_000,
    ],
)
def test_hostile_words_are_searched_as_words(context: HandlerContext, contents: Contents, text):
    before = contents()

    assert "DOC-021" not in handlers.search_documents(context, query=text).text
    assert contents() == before


def test_a_column_name_in_a_query_is_no_column(context: HandlerContext):
    result = handlers.search_documents(context, query='id:"DOC-009"')

    assert result.text == "No document on board has these words."


# A list keeps what it is limited to, and says so in its head.

TODAY = "2026-06-14"  # a Sunday, as the context says


def test_work_orders_are_listed_by_priority(context: HandlerContext):
    result = handlers.show_work_orders(context, priority="urgent")
    orders = result.data["work_orders"]
    assert isinstance(orders, list)
    assert orders
    assert {order["priority"] for order in orders} == {"urgent"}  # type: ignore[index,call-overload]  # JSON
    assert "urgent unfinished work orders" in result.text.splitlines()[0]


def test_work_due_by_a_day_is_that_day_s_and_what_is_late(context: HandlerContext):
    result = handlers.show_work_orders(context, due_by="2026-06-15")
    assert "WO-1059" in result.text
    assert "2026-06-16" not in result.text
    assert "due by 2026-06-15" in result.text


def test_work_due_in_a_week_is_of_that_week_alone(context: HandlerContext):
    result = handlers.show_work_orders(context, due_in="next week")
    assert "due 2026-06-15 to 2026-06-21" in result.text.splitlines()[0]
    assert "WO-1042" in result.text
    assert "WO-1059" not in result.text


def test_closed_work_of_a_month_is_what_was_closed_then(context: HandlerContext):
    result = handlers.show_work_orders(context, ended="closed", due_in="this month")
    head, *lines = result.text.splitlines()
    assert "closed 2026-06-01 to 2026-06-30" in head
    assert lines
    assert all("closed 2026-06" in line for line in lines)


def test_tasks_due_by_a_day(context: HandlerContext):
    result = handlers.show_tasks(context, due_by="2026-06-15")
    assert "open tasks due by 2026-06-15:" in result.text
    assert "due 2026-06-2" not in result.text


def test_one_task_is_told_alone(context: HandlerContext):
    result = handlers.show_tasks(context, task="TSK-101")
    assert result.text == "TSK-101 (teak wash down): open, Tom Becker, due 2026-06-15"
    assert result.data["listed"] == {"task": ["TSK-101"]}


@pytest.mark.parametrize(
    ("given", "head"),
    [
        ({"expires_in": "next month"}, "run out 2026-07-01 to 2026-07-31:"),
        ({"until": "2026-07-31"}, "run out by 2026-07-31:"),
        ({"expires_in": "next year"}, "run out 2027-01-01 to 2027-12-31:"),
    ],
)
def test_certificates_that_expire_in_a_span(
    context: HandlerContext,
    given: dict[str, Any],
    head: str,  # by slot type
):
    assert head in handlers.show_expiring_certificates(context, **given).text


def test_two_spans_at_once_are_refused(context: HandlerContext):
    with pytest.raises(BadInput):
        handlers.show_expiring_certificates(context, days=30, until="2026-07-31")
    with pytest.raises(BadInput):
        handlers.show_tasks(context, due_by=TODAY, due_in="this week")


def test_the_previous_handover_is_the_one_before_the_newest(context: HandlerContext):
    newest = handlers.view_handover(context).text.splitlines()[0]
    before = handlers.view_handover(context, which="previous").text.splitlines()[0]
    assert "HO-313" in newest
    assert "HO-312" in before


def test_yesterday_s_handover_is_of_the_day_before(context: HandlerContext):
    named = handlers.view_handover(context, which="yesterday's").text
    assert named == handlers.view_handover(context, day="2026-06-13").text


def test_what_a_list_holds_is_said_for_what_follows(context: HandlerContext):
    listed = handlers.show_alarms(context).data["listed"]
    assert isinstance(listed, dict)
    assert [*listed] == ["equipment", "fault_code"]
    assert handlers.check_stock(context, part="FLT-2104").data["listed"] == {"part": ["oil filter"]}
    assert handlers.open_document(context, document="DOC-009").data["listed"] == {
        "document": ["fire plan"]
    }


def test_a_change_says_what_it_was_about(context: HandlerContext):
    closed = handlers.close_work_order(context, work_order="wo 1042")
    assert closed.data["listed"] == {"work_order": ["WO-1042"]}


def test_a_change_is_about_what_it_made(context: HandlerContext):
    made = handlers.order_part(context, part="oil filter", quantity=2)
    listed = made.data["listed"]
    assert isinstance(listed, dict)
    assert [*listed] == ["purchase_order"]


def test_there_is_no_handover_of_a_day_that_had_none(context: HandlerContext):
    with pytest.raises(NotFound):
        handlers.view_handover(context, day="2020-01-01")


FIRST = date(2026, 6, 1)


def record(*sheets: str) -> dict[date, RestDay]:
    return {FIRST + timedelta(days=n): read_periods(sheet) for n, sheet in enumerate(sheets)}


def sums(*hours: float) -> dict[date, RestDay]:
    return {FIRST + timedelta(days=n): RestDay(one) for n, one in enumerate(hours)}


def test_ten_hours_in_every_24_and_77_in_7_days_are_enough():
    assert breaches(record(*["00:00-06:00 13:00-18:00"] * 7)) == []
    assert breaches(record("00:00-06:00 13:00-17:00")) == []


def test_half_an_hour_less_than_ten_is_a_breach():
    (breach,) = breaches(record("00:00-06:00 13:00-16:30"))

    assert (f"{breach.begins:%d %H:%M}", breach.hours) == ("01 00:00", 9.5)
    assert str(breach).startswith("9.5 h of rest in 24 hours from 2026-06-01 00:00")


def test_24_hours_count_from_any_minute_and_not_from_midnight():
    # 10 hours on either calendar day, and only 5 from seven to seven
    late = record("02:00-12:00", "07:00-12:00 19:00-24:00")

    (breach,) = breaches(late)

    assert (f"{breach.begins:%d %H:%M}", breach.hours) == ("01 07:00", 5.0)


def test_a_day_that_is_not_on_record_is_not_held_against_anybody():
    both = record("02:00-12:00", "07:00-12:00 19:00-24:00")
    both[FIRST + timedelta(days=2)] = both.pop(FIRST + timedelta(days=1))

    assert breaches(both) == []


@pytest.mark.parametrize(
    ("hours", "found"), [((11.0,) * 7, []), ((11.0,) * 6 + (10.5,), [76.5]), ((10.0,) * 6, [])]
)
def test_77_hours_in_7_days_are_the_least(hours: tuple[float, ...], found: list[float]):
    assert [breach.hours for breach in breaches(sums(*hours))] == found


def test_a_day_of_which_only_the_sum_is_known_is_judged_by_itself():
    (breach,) = breaches(sums(12, 9, 12))

    assert (f"{breach.begins:%d %H:%M}", breach.hours) == ("02 00:00", 9)


def test_a_run_of_bad_days_is_told_once_by_its_worst():
    (breach,) = breaches(sums(*[10.5] * 6, 10.0, *[10.5] * 6))

    assert breach.hours == 73.0


@pytest.mark.parametrize(
    ("text", "hours", "written"),
    [
        ("22:00-06:00", 8.0, "00:00-06:00 22:00-24:00"),
        ("0600-1200 and 13.30 - 17.00", 9.5, "06:00-12:00 13:30-17:00"),
        ("00:00-24:00", 24.0, "00:00-24:00"),
        ("20:00 to 24:00, 0:00 until 6:30", 10.5, "00:00-06:30 20:00-24:00"),
    ],
)
def test_periods_are_read_as_people_write_them(text: str, hours: float, written: str):
    rest = read_periods(text)

    assert (rest.hours, periods_in_words(rest)) == (hours, written)


@pytest.mark.parametrize(
    "text",
    ["", "ten hours", "25:00-26:00", "24:30-06:00", "06:00-06:00", "00:00-06:00 05:00-09:00"],
)
def test_what_is_no_period_is_refused(text: str):
    with pytest.raises(BadInput):
        read_periods(text)
