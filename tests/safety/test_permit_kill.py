"""Killed between permit and outcome: the tool runs once, or what became of it is `unknown`."""

from pathlib import Path
from typing import NamedTuple

import pytest

from state.declared_tool import PermitOutcome
from state.errors import AgentError
from tests.safety.benches import sql
from tests.safety.executives import Opened, opened_executive
from tests.safety.nursery import Nursery
from tests.safety.permitting import AGENT, permitted, times_run
from tools.gate.ledger.audit import audit


class Place(NamedTuple):
    """Where it dies, whether its permit was taken by then, and how often its tool had run."""

    name: str
    nth: int
    is_taken: bool
    times: int
    is_ended: bool = False


PLACES = (
    Place("begin", 1, False, 0),
    Place("insert ledger_entry", 1, False, 0),
    Place("commit", 1, False, 0),
    Place("taken", 1, True, 0),
    Place("ran", 1, True, 1),
    Place("begin", 2, True, 1),
    Place("insert ledger_entry", 2, True, 1),
    Place("commit", 2, True, 1),
    Place("reported", 1, True, 1, is_ended=True),
)
STEPS = tuple(place for place in PLACES if place.name != "commit")
ROUNDS = 200
"""How often each step is died at under torture."""
STATE = "select state, fence from ledger_action"


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.name} {place.nth}")
async def test_killed_between_permit_and_outcome_it_is_unknown_and_never_twice(
    nursery: Nursery, data_dir: Path, pack: Path, place: Place
):
    await _kill_and_look_again(nursery, data_dir, pack, place)


@pytest.mark.torture
@pytest.mark.parametrize("place", STEPS, ids=lambda place: f"{place.name} {place.nth}")
@pytest.mark.parametrize("turn", range(ROUNDS))
async def test_killed_in_permit_mode_often(
    nursery: Nursery, data_dir: Path, pack: Path, place: Place, turn: int
):
    await _kill_and_look_again(nursery, data_dir, pack, place)


async def _kill_and_look_again(nursery: Nursery, data_dir: Path, pack: Path, place: Place) -> None:
    plan = {"data_dir": str(data_dir), "pack": str(pack), "place": place.name, "nth": place.nth}
    assert nursery.run({**plan, "story": "permit"}).is_killed
    assert times_run(data_dir) == place.times
    before = {(True, False): "started", (False, False): "approved", (True, True): "succeeded"}
    stood = (before[place.is_taken, place.is_ended], int(place.is_taken))
    assert sql(data_dir, STATE) == [stood]
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        assert sql(data_dir, STATE) == [stood]  # its agent may still be at it
        sql(data_dir, "update ledger_action set lease_until = 1 where state = 'started'")
        sql(data_dir, "update ledger_action set expires_at = 1 where state = 'approved'")
        await opened.recover()
        left = {"started": "unknown", "approved": "expired", "succeeded": "succeeded"}
        assert sql(data_dir, STATE) == [(left[stood[0]], stood[1])]
        [(proposal_id, digest)] = sql(data_dir, "select decision_id, digest from ledger_action")
        await _nothing_more_is_to_be_had(opened, proposal_id, digest)
        assert sql(data_dir, STATE) == [(left[stood[0]], stood[1])]
        assert (await audit(opened.box.database, {})).report.faults == ()


async def _nothing_more_is_to_be_had(opened: Opened, proposal_id: str, digest: str) -> None:
    permits = opened.executive.permits
    with pytest.raises(AgentError):
        await permits.take(proposal_id, digest, AGENT)
    late = PermitOutcome(permit="x" * 43, outcome="succeeded", text="vented")
    with pytest.raises(AgentError):
        await permits.report(proposal_id, late, AGENT)


async def test_an_agent_that_lives_on_reports_after_our_restart(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        view = await permitted(opened)
        assert view.permit is not None
        digest = view.permit.digest
        taken = await opened.executive.permits.take(view.proposal_id, digest, AGENT)
        assert _journalled(data_dir) == [("rejected", True)]
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        outcome = PermitOutcome(permit=taken.permit, outcome="succeeded", text="vented")
        done = await opened.executive.permits.report(view.proposal_id, outcome, AGENT)
        assert (done.status, done.result and done.result.text) == ("executed", "vented")
    assert _journalled(data_dir) == [("active", False)]


def _journalled(data_dir: Path) -> list[tuple[str, bool]]:
    """Read the entry of the action: whether it is in force, and whether its end is open."""
    rows = sql(
        data_dir, "select status, body ->> 'notes' from journal_entry where origin = 'action'"
    )
    return [(status, "has not said yet" in (notes or "")) for status, notes in rows]
