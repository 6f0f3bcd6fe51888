"""A read is limited to what was said, or says what of it was not followed."""

from collections.abc import AsyncIterator

import pytest

from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour

pytestmark = pytest.mark.xdist_group("vessel-alone")  # one worker learns it, once

BEN = Principal(user="ben", tenant_id="default", roles=("engineer",))
NOBODY = Principal(user="zed", tenant_id="default", roles=("engineer",))


@pytest.fixture
async def vessel(open_harbour: OpenHarbour) -> AsyncIterator[Harbour]:
    async with open_harbour(("vessel",), embedder="none") as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "action", "slot"),
    [
        ("show my tasks", "show_tasks", "assignee"),
        ("which tasks are assigned to me", "show_tasks", "assignee"),
        ("which jobs are assigned to me", "show_work_orders", "assignee"),
        ("my work orders", "show_work_orders", "assignee"),
        ("my open jobs on the port generator", "show_work_orders", "assignee"),
        ("show my hours of rest", "show_hours_of_rest", "crew"),
    ],
)
async def test_mine_are_those_of_whoever_asks(vessel: Harbour, text, action, slot) -> None:
    record = await vessel.says(text, BEN)
    assert (record.outcome, record.action) == ("executed", action)
    assert (record.arguments or {})[slot] == "Ben Okafor"
    assert "I can't do this part" not in (record.text or "")


@pytest.mark.parametrize("text", ["show my tasks", "which jobs are assigned to me"])
async def test_who_is_nobody_on_board_is_told_that_mine_was_not_followed(
    vessel: Harbour, text: str
) -> None:
    record = await vessel.says(text, NOBODY)
    assert "assignee" not in (record.arguments or {})
    assert "I can't do this part: “" in (record.text or "")


@pytest.mark.parametrize(
    "text", ["list the overdue jobs for me", "show all work orders but mine", "my team's tasks"]
)
async def test_a_courtesy_an_exception_and_others_are_not_mine(vessel: Harbour, text: str) -> None:
    assert "assignee" not in ((await vessel.says(text, BEN)).arguments or {})


@pytest.mark.parametrize(
    ("text", "action", "given"),
    [
        ("urgent jobs please", "show_work_orders", {"priority": "urgent"}),
        ("show me all safety jobs", "show_work_orders", {"priority": "safety"}),
        ("jobs due tomorrow", "show_work_orders", {"due_by": "2026-06-15"}),
        ("closed jobs this month", "show_work_orders", {"due_in": "this month", "ended": "closed"}),
        ("tasks due next week", "show_tasks", {"due_in": "next week"}),
        ("show TSK-103", "show_tasks", {"task": "TSK-103"}),
        ("what expires next month", "show_expiring_certificates", {"expires_in": "next month"}),
        ("the previous handover", "view_handover", {"which": "previous"}),
        ("show yesterday's handover", "view_handover", {"which": "yesterday's"}),
    ],
)
async def test_a_limit_that_the_action_has_is_kept(vessel: Harbour, text, action, given) -> None:
    record = await vessel.says(text, BEN)
    assert (record.outcome, record.action) == ("executed", action)
    assert given.items() <= (record.arguments or {}).items()
    assert "I can't do this part" not in (record.text or "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ana's certificates", "Ana's"),
        ("show last week's handover", "last week's"),
        ("closed jobs last month", "last month"),
        ("history of the radar last year", "last year"),
    ],
)
async def test_a_limit_that_it_has_not_is_told(vessel: Harbour, text: str, told: str) -> None:
    record = await vessel.says(text, BEN)
    assert record.outcome == "executed"
    assert f"I can't do this part: “{told}”." in (record.text or "")
