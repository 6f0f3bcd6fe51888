"""Around a question: it is drawn, warned of, queued, answered otherwise, refused beforehand."""

import asyncio

import pytest

from state.errors import Forbidden
from state.reader import whole
from state.record import DecisionRecord
from state.refusal import NewRefusal
from tests.graph.harbour import KEEPER, MASTER, Harbour


async def heard(harbour: Harbour, kind: str, seconds: float = 5.0) -> dict[str, object]:
    """Turn the clock's wheel once and wait for what it tells."""
    notices = harbour.executive.notices.listen(whole("default"))
    await harbour.executive.approvals.settle_answered()
    async with asyncio.timeout(seconds):
        async for notice in notices:
            if notice.kind == kind:
                return dict(notice.data)
    raise AssertionError(kind)


async def test_a_question_is_shown_with_its_dialog(harbour: Harbour) -> None:
    record = await harbour.says("close lock LK-12")
    standing = await harbour.executive.approvals.get(record.action_id or "", "default")
    dialog = harbour.executive.approvals.show(standing).dialog
    assert dialog is not None
    assert dialog.lines[0] == dialog.title == "Close lock LK-12"
    assert (dialog.asked_by, dialog.may_answer) == ("amir (keeper)", "master")


async def words_of(harbour: Harbour, record: DecisionRecord) -> str:
    standing = await harbour.executive.approvals.get(record.action_id or "", "default")
    dialog = harbour.executive.approvals.show(standing).dialog
    assert dialog is not None
    assert dialog.words_of.startswith("amir, 20")
    assert dialog.decision_id == record.decision_id
    return dialog.words


async def test_a_question_repeats_the_words_that_led_to_it(harbour: Harbour) -> None:
    assert (await harbour.says("close the lock")).reason == "missing_slot"
    answered = await harbour.says("LK-40, please")
    assert await words_of(harbour, answered) == '"close the lock", then "LK-40, please"'
    offered = await harbour.says("maybe close lock LK-12?")
    chosen = await harbour.executive.offers.choose(offered.offer_id or "", "chip-1", KEEPER)
    assert await words_of(harbour, chosen) == '"maybe close lock LK-12?"'
    (interrupt,) = (await harbour.snapshot(chosen.decision_id)).interrupts
    assert '    request: "maybe close lock LK-12?"' in interrupt.value["description"].splitlines()


@pytest.mark.parametrize("lock", ["LК-12", "LK-1２", "ԼK-12", "LK‐12", "LK-١٢", "ꓡK-12"])
async def test_a_look_alike_of_an_id_is_not_that_id(harbour: Harbour, lock: str) -> None:
    record = await harbour.says(f"close lock {lock}")
    assert (record.arguments or {}).get("lock") != "LK-12"
    if record.action_id:
        standing = await harbour.executive.approvals.get(record.action_id, "default")
        dialog = harbour.executive.approvals.show(standing).dialog
        assert dialog is not None
        assert all("not ASCII: " in line.value for line in dialog.arguments)


async def test_people_are_told_before_a_question_runs_out(harbour: Harbour) -> None:
    record = await harbour.says("close lock LK-12")
    left = "expires_at = expires_at - 780, asked_at = asked_at - 780"
    harbour.alter(f"UPDATE ledger_action SET {left}")
    told = await heard(harbour, "approval_expiring")
    assert (told["action_id"], told["state"]) == (record.action_id, "pending")
    with pytest.raises(TimeoutError):
        await heard(harbour, "approval_expiring", seconds=0.05)


async def test_beyond_the_cap_a_question_waits_for_its_turn(harbour: Harbour) -> None:
    first = await harbour.says("close lock LK-12")
    harbour.alter("UPDATE ledger_action SET state = 'proposed', asked_at = NULL, expires_at = NULL")
    again = await harbour.says("close lock LK-40")
    assert again.outcome == "awaiting_approval"
    assert len(await harbour.executive.approvals.list("default", state="proposed")) == 2
    await harbour.executive.approvals.settle_answered()
    assert len(await harbour.executive.approvals.list("default")) == 2
    for record in (first, again):
        assert (await harbour.answers(record.action_id)).state == "succeeded"
    assert harbour.effects() == ["close_lock LK-12 None", "close_lock LK-40 None"]


async def test_words_instead_of_an_answer_are_decided_in_the_same_session(harbour: Harbour):
    record = await harbour.says("close lock LK-12")
    action = await harbour.answers(record.action_id, "respond", reason="show lock LK-40")
    assert action.state == "rejected"
    assert (await harbour.record(record.decision_id)).outcome == "refused"
    said = {each.event_id: each for each in await harbour.records()}
    response = said[f"respond-{action.action_id}"]
    assert (response.text, response.session_id) == ("Lock LK-40 is open.", record.session_id)
    assert harbour.effects() == []


async def test_what_is_refused_beforehand_is_asked_of_nobody(harbour: Harbour) -> None:
    with pytest.raises(Forbidden):
        await harbour.executive.refusals.add(NewRefusal(action="close_lock"), KEEPER)
    wanted = NewRefusal(action="close_lock", arguments={"lock": "LK-12"}, reason="divers")
    kept = await harbour.executive.refusals.add(wanted, MASTER)
    record = await harbour.says("close lock LK-12")
    assert (record.outcome, record.reason) == ("refused", "standing_refusal")
    assert "divers" in record.text
    assert await harbour.executive.approvals.list("default", state=None) == []
    assert (await harbour.says("close lock LK-40")).outcome == "awaiting_approval"
    await harbour.executive.refusals.withdraw(kept.refusal_id, MASTER)
    assert (await harbour.says("close lock LK-12")).outcome == "awaiting_approval"
