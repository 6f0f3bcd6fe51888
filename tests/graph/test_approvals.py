"""A dangerous action waits for a person, and every answer ends in the record."""

import asyncio
from typing import Any

import pytest

from api.resources.approvals import answer_from_body
from state.approval import ActionState
from state.errors import Conflict, DigestMismatch, Forbidden, InvalidArguments, NotFound
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, MASTER, Harbour
from tools.gate.ledger import rows
from tools.gate.ledger.handler_runner import HandlerRunner

CLOSE = "close lock LK-12"


async def waiting(harbour: Harbour, text: str = CLOSE) -> DecisionRecord:
    record = await harbour.says(text)
    assert (record.outcome, record.execution_class) == ("awaiting_approval", "C")
    return record


async def ended(harbour: Harbour, record: DecisionRecord) -> tuple[str, str]:
    now = await harbour.record(record.decision_id)
    return now.outcome, now.reason


async def test_nothing_runs_before_the_yes(harbour: Harbour) -> None:
    record = await waiting(harbour)
    (action,) = await harbour.executive.approvals.list("default")
    assert (action.action_id, action.state) == (record.action_id, "pending")
    assert action.summary == "Close lock LK-12"
    assert record.text == "Approval required: Close lock LK-12"
    assert harbour.effects() == []


async def test_a_yes_runs_it_once(harbour: Harbour) -> None:
    record = await waiting(harbour)
    action = await harbour.answers(record.action_id)
    assert (action.state, action.decided_by) == ("succeeded", "ingrid")
    assert await ended(harbour, record) == ("executed", "class_C")
    assert harbour.effects() == ["close_lock LK-12 None"]


async def test_a_no_changes_nothing_and_says_why(harbour: Harbour) -> None:
    record = await waiting(harbour)
    action = await harbour.answers(record.action_id, "reject", reason="a boat is in it")
    assert action.state == "rejected"
    assert await ended(harbour, record) == ("refused", "approval_rejected")
    told = await harbour.record(record.decision_id)
    assert told.text == "Close lock LK-12: rejected (a boat is in it). Nothing was changed."
    assert harbour.effects() == []


async def test_an_edit_runs_exactly_what_was_edited(harbour: Harbour) -> None:
    record = await waiting(harbour)
    action = await harbour.answers(
        record.action_id, "edit", arguments={"lock": "LK-12", "minutes": 5}
    )
    assert action.state == "succeeded"
    assert harbour.effects() == ["close_lock LK-12 5"]
    assert await ended(harbour, record) == ("executed", "class_C")


async def test_an_edit_to_another_thing_is_asked_anew(harbour: Harbour) -> None:
    record = await waiting(harbour)
    asked = await harbour.answers(record.action_id, "edit", arguments={"lock": "LK-40"})
    assert (asked.state, asked.approvals, harbour.effects()) == ("pending", 0, [])
    assert (await harbour.answers(asked.action_id)).state == "succeeded"
    assert harbour.effects() == ["close_lock LK-40 None"]


async def test_the_record_of_an_edit_shows_what_ran(harbour: Harbour) -> None:
    record = await waiting(harbour)
    changed = {"lock": "LK-12", "minutes": 5}
    action = await harbour.answers(record.action_id, "edit", arguments=changed)
    told = await harbour.record(record.decision_id)
    assert told.arguments == changed
    assert told.action_id == action.action_id


async def test_an_edit_that_does_not_fit_changes_nothing(harbour: Harbour) -> None:
    record = await waiting(harbour)
    with pytest.raises(InvalidArguments):
        await harbour.answers(record.action_id, "edit", arguments={"minutes": "soon"})
    assert await ended(harbour, record) == ("awaiting_approval", "class_C")


async def test_nobody_in_time_is_a_no(harbour: Harbour) -> None:
    record = await waiting(harbour)
    harbour.alter("UPDATE ledger_action SET expires_at = 1")
    assert await harbour.executive.approvals.settle_answered() == 1
    assert await ended(harbour, record) == ("refused", "approval_expired")
    assert (await harbour.record(record.decision_id)).text == (
        "Close lock LK-12: nobody answered in time. Nothing was changed."
    )
    assert harbour.effects() == []


async def test_a_yes_that_comes_too_late_is_none(harbour: Harbour) -> None:
    record = await waiting(harbour)
    harbour.alter("UPDATE ledger_action SET expires_at = 1")
    with pytest.raises(Conflict) as late:
        await harbour.answers(record.action_id)
    assert late.value.standing == "expired"
    assert await ended(harbour, record) == ("refused", "approval_expired")
    assert harbour.effects() == []


@pytest.mark.parametrize(("second", "outcome"), [("approve", "executed"), ("reject", "executed")])
async def test_the_first_answer_counts(harbour: Harbour, second: str, outcome: str) -> None:
    record = await waiting(harbour)
    await harbour.answers(record.action_id)
    with pytest.raises(Conflict):
        await harbour.answers(record.action_id, second)
    assert (await ended(harbour, record))[0] == outcome
    assert len(harbour.effects()) == 1


async def test_of_many_yeses_at_once_one_counts(harbour: Harbour) -> None:
    record = await waiting(harbour)
    answers = await asyncio.gather(
        *(harbour.answers(record.action_id) for _time in range(5)), return_exceptions=True
    )
    assert sum(not isinstance(answer, BaseException) for answer in answers) == 1
    assert harbour.effects() == ["close_lock LK-12 None"]


async def test_only_an_approver_may_answer(harbour: Harbour) -> None:
    record = await waiting(harbour)
    with pytest.raises(Forbidden):
        await harbour.answers(record.action_id, who=KEEPER)
    robot = MASTER.model_copy(update={"kind": "service"})
    with pytest.raises(Forbidden):
        await harbour.answers(record.action_id, who=robot)
    stranger = MASTER.model_copy(update={"tenant_id": "other"})
    with pytest.raises(NotFound):
        await harbour.answers(record.action_id, who=stranger)
    assert harbour.effects() == []


async def test_an_answer_to_something_else_is_refused(harbour: Harbour) -> None:
    record = await waiting(harbour)
    with pytest.raises(DigestMismatch):
        await harbour.answers(record.action_id, digest="0" * 64)
    assert harbour.effects() == []


async def test_a_new_message_neither_cancels_nor_answers_a_question(harbour: Harbour) -> None:
    record = await waiting(harbour)
    await harbour.says("yes")
    await harbour.says("approve")
    other = await waiting(harbour, "close lock LK-40")
    assert harbour.effects() == []
    await harbour.answers(other.action_id)
    assert harbour.effects() == ["close_lock LK-40 None"]
    assert await ended(harbour, record) == ("awaiting_approval", "class_C")


@pytest.mark.parametrize(
    ("decision", "state", "outcome"),
    [("approve", "succeeded", "executed"), ("reject", "rejected", "refused")],
)
async def test_a_question_outlives_a_restart(
    open_harbour: OpenHarbour, decision: str, state: ActionState, outcome: str
) -> None:
    async with open_harbour() as before:
        record = await waiting(before)
    async with open_harbour() as after:
        action = await after.answers(record.action_id, decision)
        assert (action.state, (await ended(after, record))[0]) == (state, outcome)


async def test_a_question_outlives_its_checkpoints(harbour: Harbour) -> None:
    record = await waiting(harbour)
    harbour.alter("DELETE FROM checkpoints", store="checkpoints")
    harbour.alter("DELETE FROM writes", store="checkpoints")
    await harbour.answers(record.action_id)
    assert (await ended(harbour, record))[0] == "executed"
    assert harbour.effects() == ["close_lock LK-12 None"]


# How often a yes reads its ledger row, from the body of the request to the handler.


async def test_a_yes_reads_its_row_three_times_at_most(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await harbour.says("close lock LK-12")
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    reads: list[str] = []
    until_handler: list[int] = []
    to_action, run = rows.to_action, HandlerRunner.run

    def counted(row: Any, said_yes: tuple[str, ...]) -> Any:
        reads.append(row["state"])
        return to_action(row, said_yes)

    async def noted(self: HandlerRunner, *given: Any) -> Any:
        until_handler.append(len(reads))
        return await run(self, *given)

    monkeypatch.setattr(rows, "to_action", counted)
    monkeypatch.setattr(HandlerRunner, "run", noted)
    sent = {"decision": "approve", "digest": standing.digest}
    done = await answer_from_body(standing.action_id, sent, MASTER, harbour.executive)
    assert (done.state, until_handler) == ("succeeded", [3])
    assert reads[:3] == ["pending", "approved", "approved"]
