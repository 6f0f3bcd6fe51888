"""What was listed last is pointed at by `it`, by its place, or by naming nothing."""

from collections.abc import AsyncIterator

import pytest

from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import EVERY, Harbour

pytestmark = pytest.mark.xdist_group("every-pack")  # one worker learns them, once

CHIEF = Principal(user="marta", tenant_id="default", roles=("chief_engineer", "member"))
ABOARD = Principal(user="marta", tenant_id="default", roles=("chief_engineer",))
CAPTAIN = Principal(user="elena", tenant_id="default", roles=("captain",))
WHAT_FOLLOWS = [
    ("show WO-1042", "close it", "close_work_order", {"work_order": "WO-1042"}),
    ("show WO-1042", "push it back two days", "update_work_order", {"work_order": "WO-1042"}),
    ("show WO-1042", "assign to Priya", "assign_work_order", {"work_order": "WO-1042"}),
    ("show WO-1042", "cancel this one", "cancel_work_order", {"work_order": "WO-1042"}),
    ("show WO-1042", "add a note: noisy", "add_note_to_work_order", {"work_order": "WO-1042"}),
    ("show PO-1997", "approve it", "approve_purchase_order", {"purchase_order": "PO-1997"}),
    ("open the fire plan", "share it with Tom", "share_document", {"document": "fire plan"}),
    ("stock of oil filters", "order two", "order_part", {"part": "oil filter", "quantity": 2}),
    ("stock of oil filters", "order 2 of them", "order_part", {"part": "oil filter"}),
    ("show the watermaker", "add a note: noisy", "add_note", {"equipment": "watermaker"}),
    ("show alarms", "clear the first one", "clear_alarm", {"fault_code": "F-501"}),
    (
        "show overdue jobs",
        "assign the first to Ben",
        "assign_work_order",
        {"assignee": "Ben Okafor"},
    ),
    ("show tasks", "assign the second to Ben", "assign_task", {"task": "TSK-104"}),
    ("show tasks", "cancel the third", "cancel_task", {"task": "TSK-102"}),
    ("show overdue jobs", "open the first one", "show_work_order", {"work_order": "WO-1059"}),
    ("show tasks", "mark the second as done", "complete_task", {"task": "TSK-104"}),
]


@pytest.fixture
async def vessel(open_harbour: OpenHarbour) -> AsyncIterator[Harbour]:
    """Open every pack, as one person uses two of them."""
    async with open_harbour(EVERY, embedder="none") as opened:
        yield opened


@pytest.mark.parametrize(("before", "text", "action", "given"), WHAT_FOLLOWS)
async def test_what_was_listed_last_is_meant(vessel: Harbour, before, text, action, given) -> None:
    assert (await vessel.says(before, ABOARD)).outcome == "executed"
    record = await vessel.says(text, ABOARD)
    assert record.action == action
    assert given.items() <= (record.arguments or {}).items()
    is_read = action.startswith("show_")
    assert record.outcome in (["executed"] if is_read else ["offered", "awaiting_approval"])


async def test_a_dangerous_follow_up_waits_for_its_yes_and_names_the_thing(vessel: Harbour) -> None:
    await vessel.says("show WO-1042", CHIEF)
    asked = await vessel.says("close it", CHIEF)
    assert asked.outcome == "awaiting_approval"
    assert "WO-1042" in (asked.text or "")
    assert "open, due" in ((await vessel.says("show WO-1042", CHIEF)).text or "")


async def test_what_a_change_made_is_what_it_means_next(vessel: Harbour) -> None:
    asked = await vessel.says("order 4 oil filters", CHIEF)
    await vessel.answers(asked.action_id, who=CAPTAIN)
    made = (await vessel.record(asked.decision_id)).text or ""
    record = await vessel.says("cancel it", CHIEF)
    assert record.action == "cancel_purchase_order"
    assert (record.arguments or {})["purchase_order"] in made


async def test_of_several_things_none_is_taken_for_all_of_them(vessel: Harbour) -> None:
    await vessel.says("show overdue jobs", CHIEF)
    record = await vessel.says("close them", CHIEF)
    assert (record.outcome, record.arguments) == ("spoke", {})


@pytest.mark.parametrize("text", ["show all work orders", "list all jobs"])
async def test_all_of_a_kind_are_listed_again(vessel: Harbour, text: str) -> None:
    await vessel.says("show overdue jobs", ABOARD)
    record = await vessel.says(text, ABOARD)
    assert (record.outcome, record.action) == ("executed", "show_work_orders")


async def test_an_old_list_of_another_pack_is_off_the_table(vessel: Harbour) -> None:
    await vessel.says("show the library", CHIEF)
    vessel.pass_seconds(5)
    await vessel.says("show overdue jobs", CHIEF)
    assert (await vessel.says("open the first one", CHIEF)).action == "show_work_order"
    assert (await vessel.says("open the first paper", CHIEF)).arguments == {"paper": "P-1"}


async def test_what_goes_without_saying_is_what_oneself_looked_at(vessel: Harbour) -> None:
    await vessel.says("show WO-1042", CAPTAIN)
    record = await vessel.says("add a note: noisy", CHIEF)
    assert "work_order" not in (record.arguments or {})
    assert "equipment" not in (record.arguments or {})


async def test_what_is_old_is_not_pointed_at(vessel: Harbour) -> None:
    await vessel.says("show WO-1042", CHIEF)
    vessel.pass_seconds(7_200)
    record = await vessel.says("close it", CHIEF)
    assert (record.outcome, record.arguments) == ("spoke", {})


@pytest.mark.parametrize("text", ["is it raining", "it is done", "I closed it yesterday", "cancel"])
async def test_what_asks_for_nothing_is_done_to_nothing(vessel: Harbour, text: str) -> None:
    await vessel.says("show WO-1042", CHIEF)
    record = await vessel.says(text, CHIEF)
    assert record.outcome not in ("offered", "awaiting_approval", "executed")


@pytest.mark.parametrize(
    ("before", "text", "thing"),
    [
        ("show WO-1038", "same for WO-1042", "WO-1042"),
        ("show WO-1038", "do the same with WO-1042 please", "WO-1042"),
        ("show WO-1038", "WO-1042 too", "WO-1042"),
    ],
)
async def test_the_same_is_no_other_read(vessel: Harbour, before, text, thing) -> None:
    await vessel.says(before, CHIEF)
    record = await vessel.says(text, CHIEF)
    assert (record.outcome, record.action) == ("spoke", None)
    assert thing in (record.text or "")
