"""A list keeps what it is limited to, and says so in its head."""

from typing import Any

import pytest

from packs.vessel import handlers
from state.action import HandlerContext
from state.errors import BadInput, NotFound

TODAY = "2026-06-14"  # a Sunday, as the context says


def test_work_orders_are_listed_by_priority(context: HandlerContext) -> None:
    result = handlers.show_work_orders(context, priority="urgent")
    orders = result.data["work_orders"]
    assert isinstance(orders, list)
    assert orders
    assert {order["priority"] for order in orders} == {"urgent"}  # type: ignore[index,call-overload]  # JSON
    assert "urgent unfinished work orders" in result.text.splitlines()[0]


def test_work_due_by_a_day_is_that_day_s_and_what_is_late(context: HandlerContext) -> None:
    result = handlers.show_work_orders(context, due_by="2026-06-15")
    assert "WO-1059" in result.text
    assert "2026-06-16" not in result.text
    assert "due by 2026-06-15" in result.text


def test_work_due_in_a_week_is_of_that_week_alone(context: HandlerContext) -> None:
    result = handlers.show_work_orders(context, due_in="next week")
    assert "due 2026-06-15 to 2026-06-21" in result.text.splitlines()[0]
    assert "WO-1042" in result.text
    assert "WO-1059" not in result.text


def test_closed_work_of_a_month_is_what_was_closed_then(context: HandlerContext) -> None:
    result = handlers.show_work_orders(context, ended="closed", due_in="this month")
    head, *lines = result.text.splitlines()
    assert "closed 2026-06-01 to 2026-06-30" in head
    assert lines
    assert all("closed 2026-06" in line for line in lines)


def test_tasks_due_by_a_day(context: HandlerContext) -> None:
    result = handlers.show_tasks(context, due_by="2026-06-15")
    assert "open tasks due by 2026-06-15:" in result.text
    assert "due 2026-06-2" not in result.text


def test_one_task_is_told_alone(context: HandlerContext) -> None:
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
) -> None:
    assert head in handlers.show_expiring_certificates(context, **given).text


def test_two_spans_at_once_are_refused(context: HandlerContext) -> None:
    with pytest.raises(BadInput):
        handlers.show_expiring_certificates(context, days=30, until="2026-07-31")
    with pytest.raises(BadInput):
        handlers.show_tasks(context, due_by=TODAY, due_in="this week")


def test_the_previous_handover_is_the_one_before_the_newest(context: HandlerContext) -> None:
    newest = handlers.view_handover(context).text.splitlines()[0]
    before = handlers.view_handover(context, which="previous").text.splitlines()[0]
    assert "HO-313" in newest
    assert "HO-312" in before


def test_yesterday_s_handover_is_of_the_day_before(context: HandlerContext) -> None:
    named = handlers.view_handover(context, which="yesterday's").text
    assert named == handlers.view_handover(context, day="2026-06-13").text


def test_what_a_list_holds_is_said_for_what_follows(context: HandlerContext) -> None:
    listed = handlers.show_alarms(context).data["listed"]
    assert isinstance(listed, dict)
    assert [*listed] == ["equipment", "fault_code"]
    assert handlers.check_stock(context, part="FLT-2104").data["listed"] == {"part": ["oil filter"]}
    assert handlers.open_document(context, document="DOC-009").data["listed"] == {
        "document": ["fire plan"]
    }


def test_a_change_says_what_it_was_about(context: HandlerContext) -> None:
    closed = handlers.close_work_order(context, work_order="wo 1042")
    assert closed.data["listed"] == {"work_order": ["WO-1042"]}


def test_a_change_is_about_what_it_made(context: HandlerContext) -> None:
    made = handlers.order_part(context, part="oil filter", quantity=2)
    listed = made.data["listed"]
    assert isinstance(listed, dict)
    assert [*listed] == ["purchase_order"]


def test_there_is_no_handover_of_a_day_that_had_none(context: HandlerContext) -> None:
    with pytest.raises(NotFound):
        handlers.view_handover(context, day="2020-01-01")
