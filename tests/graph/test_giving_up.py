"""What breaks off whenever it is tried is ended, told, and never run because of it."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from graph.presenters.explanation import explain
from state.errors import Conflict, NotFound
from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.breaking import BreakingRouter, Overtaken, broken_harbour
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.graph.looking import done, write_boatyard
from tests.safety.benches import proposal

ANN = Principal(user="ann", tenant_id="default", roles=("hand", "master"))
POISONED = "show boat B-11 with poison"


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Draw no tracebacks: each takes seconds."""
    with capture_logs():
        yield


@pytest.fixture
def yard(tmp_path: Path) -> str:
    return str(write_boatyard(tmp_path))


async def _breaks(boats: Harbour, text: str = POISONED) -> str:
    event = boats.event(text, user="ann", role="hand")
    accepted = await boats.executive.accept(event)
    with pytest.raises(RuntimeError):
        await boats.executive.decide_accepted(accepted)
    return accepted.decision_id


async def _why(boats: Harbour, decision_id: str) -> str:
    trace = await boats.executive.records.trace(decision_id, "default")
    return "\n".join(line for section in explain(trace) for line in section.lines)


async def test_a_decision_that_breaks_off_every_time_ends_as_failed_and_is_told(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard]) as boats:
        named = await _breaks(boats)
        for _ in range(2):
            await boats.executive.resume_unfinished()
            with pytest.raises(NotFound):
                await boats.record(named)
        listening = boats.executive.notices.listen(boats.executive.readers.of(ANN))
        await boats.executive.resume_unfinished()

        told = await boats.record(named)
        assert (told.outcome, told.reason, told.spoke) == ("failed", "gave_up", True)
        assert told.text.startswith("I couldn't finish this: it failed 3 times (RuntimeError)")
        assert "a secret" not in told.text
        whole = await _why(boats, named)
        assert "Failed 3 times, last in decide_policy with RuntimeError" in whole
        assert "every attempt failed" in whole
        notice = await anext(aiter(listening))
        assert (notice.kind, notice.data["decision_id"]) == ("decision", named)

        assert await boats.executive.resume_unfinished() == 0
        assert await boats.executive.decide(named) == told
        assert (await boats.says("show boat B-11", ANN)).text == "This is B-11."


async def test_what_comes_again_while_it_is_given_up_starts_nothing_beside_the_record(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], attempts=1, poison="scuttle") as boats:
        named = await _breaks(boats, "scuttle B-11")
        router, records = boats.executive._box.router, boats.executive.records
        assert isinstance(router, BreakingRouter)
        assert isinstance(records, Overtaken)
        again: list[asyncio.Task[DecisionRecord]] = []

        async def resend(_decision_id: str) -> None:
            router.mended = threading.Event()  # what broke it is over, at the last moment
            again.append(asyncio.create_task(boats.executive.decide(named)))
            await asyncio.to_thread(router.reached.wait, 1)

        records.meanwhile.append(resend)
        await boats.executive.resume_unfinished()
        told = await boats.record(named)
        assert (told.outcome, told.reason) == ("failed", "gave_up")
        assert router.mended is not None
        router.mended.set()
        assert await again[0] == told
        assert await boats.executive.actions.list("default") == []
        assert await boats.executive.approvals.list("default") == []


@pytest.mark.parametrize(("action", "state"), [("sink_boat", "expired"), ("show_boat", "stale")])
async def test_what_another_process_proposes_meanwhile_is_closed_with_the_record(
    data_dir: Path, learnt_once: Path, yard: str, action: str, state: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], attempts=1) as boats:
        named = await _breaks(boats)
        records, ledger = boats.executive.records, boats.executive._box.ledger
        assert isinstance(records, Overtaken)
        proposed: list[str] = []

        async def propose(decision_id: str) -> None:
            late = proposal(action, decision_id=decision_id, requester=ANN, boat="B-11")
            proposed.append((await ledger.propose(late)).action_id)

        records.meanwhile.append(propose)
        await boats.executive.resume_unfinished()

        told = await boats.record(named)
        assert (told.outcome, told.reason, told.action_id) == ("failed", "gave_up", proposed[0])
        assert (await boats.executive.approvals.get(proposed[0], "default")).state == state
        assert ((await ledger.execute(proposed[0])).state, done(data_dir)) == (state, [])


async def test_nothing_new_is_proposed_in_a_decision_that_is_over(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], attempts=1) as boats:
        named = await _breaks(boats)
        await boats.executive.resume_unfinished()
        late = proposal("sink_boat", decision_id=named, requester=ANN, boat="B-11")
        with pytest.raises(Conflict, match="its decision is over"):
            await boats.executive._box.ledger.propose(late)
        assert await boats.executive.approvals.list("default") == []


async def test_a_start_tries_anew_what_an_earlier_process_had_not_given_up(
    data_dir: Path, learnt_once: Path, yard: str, open_harbour: OpenHarbour
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard]) as boats:
        named = await _breaks(boats)
        await boats.executive.resume_unfinished()
    async with open_harbour(packs=(yard,)) as mended:
        assert await mended.executive.resume_unfinished() == 1
        assert (await mended.record(named)).reason != "gave_up"


async def test_a_session_that_cannot_be_read_is_no_reason_to_go_on_for_ever(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], attempts=2) as boats:
        await boats.says("show boat B-11", ANN)
        boats.alter('UPDATE session SET state = \'{"muted_until": "never"}\'')
        asked = await boats.executive.accept(boats.event("show boat B-12", user="ann"))
        alarm = boats.event("B-12 takes in water", salience={"threat": 0.9})
        happened = await boats.executive.accept(alarm)
        for _ in range(2):
            await boats.executive.resume_unfinished()
        for accepted, spoke in ((asked, True), (happened, False)):
            told = await boats.record(accepted.decision_id)
            assert (told.outcome, told.reason, told.spoke) == ("failed", "gave_up", spoke)
        assert await boats.executive.resume_unfinished() == 0


async def _asked(boats: Harbour) -> tuple[DecisionRecord, str]:
    asked = await boats.says("sink B-11", ANN)
    assert asked.outcome == "awaiting_approval"
    assert asked.action_id is not None
    return asked, asked.action_id


async def test_an_approved_action_whose_thread_never_wakes_is_done_once_and_told(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], sleeps=True) as boats:
        asked, action_id = await _asked(boats)
        with pytest.raises(RuntimeError):
            await boats.answers(action_id, who=ANN)
        await boats.executive._box.ledger.execute(
            action_id
        )  # as the reconciler does after a minute
        for _ in range(4):
            await boats.executive.approvals.settle_answered()
        told = await boats.record(asked.decision_id)
        assert (told.outcome, told.reason) == ("executed", "gave_up")
        assert "sank B-11" in told.text
        assert done(data_dir) == ["sank B-11"]


async def test_an_approved_action_that_has_not_begun_is_closed_and_not_run(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], sleeps=True) as boats:
        asked, action_id = await _asked(boats)
        with pytest.raises(RuntimeError):
            await boats.answers(action_id, who=ANN)
        for _ in range(4):
            await boats.executive.approvals.settle_answered()
        told = await boats.record(asked.decision_id)
        assert (told.outcome, told.reason) == ("failed", "gave_up")
        assert "the decision could not be finished; ask again. Nothing was changed" in told.text
        assert (await boats.executive.approvals.get(action_id, "default")).state == "stale"
        outcome = await boats.executive._box.ledger.execute(action_id)
        assert (outcome.state, done(data_dir)) == ("stale", [])


async def test_what_has_begun_is_left_to_the_ledger_before_anything_is_given_up(
    data_dir: Path, learnt_once: Path, yard: str
) -> None:
    async with broken_harbour(data_dir, learnt_once, [yard], attempts=2, sleeps=True) as boats:
        asked, action_id = await _asked(boats)
        with pytest.raises(RuntimeError):
            await boats.answers(action_id, who=ANN)
        boats.alter("UPDATE ledger_action SET state = 'started', owner = 'gone', fence = 1")
        for _ in range(2):
            await boats.executive.approvals.settle_answered()
        assert (await boats.record(asked.decision_id)).outcome == "awaiting_approval"
        await boats.executive.approvals.reconcile()
        await boats.executive.approvals.settle_answered()
        told = await boats.record(asked.decision_id)
        assert (told.outcome, told.reason) == ("failed", "gave_up")
        assert "outcome unknown" in told.text
        assert (await boats.executive.approvals.get(action_id, "default")).state == "unknown"
        assert done(data_dir) == []
