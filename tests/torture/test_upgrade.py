"""A data folder of the release before: nothing that was approved there runs under this code.

`golden/before_0002.tar.xz` was made by the commit "Keep the first measurement" with the pack of
tests/safety: one action each that ended, waits (V-3, V-4, V-5), is approved (V-8), was started
(V-9), is half approved, and one event that was accepted and never decided (V-6).
"""

import tarfile
from pathlib import Path

import pytest

from state.errors import AgentError
from tests.safety.benches import CAPTAIN, MATE, edited, no, sql, yes
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.valves import effects

GOLDEN = Path(__file__).parent / "golden" / "before_0002.tar.xz"
STATES = "select summary, state from ledger_action order by rowid"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    with tarfile.open(GOLDEN) as archive:
        # Python before 3.11.4 has no filters; the archive is our own.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    return folder


async def test_what_was_approved_before_the_upgrade_never_runs_after_it(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        for _second in range(3):
            await opened.recover()
    assert effects(data_dir) == []
    states = dict(sql(data_dir, STATES))
    assert states["Open valve V-1 turns"] == "succeeded"
    assert states["Open valve V-2 turns"] == "rejected"
    assert states["Open valve V-8 turns"] == "stale"
    assert states["Open valve V-9 turns"] == "unknown"
    assert states["Open valve V-3 turns"] in ("pending", "stale", "expired")


async def test_a_question_of_before_the_upgrade_is_not_answered_but_asked_again(
    data_dir: Path, pack: Path
):
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        for shown in await opened.executive.approvals.list("aurora", state="pending"):
            if not shown.summary.startswith(("Open valve V-3", "Open valve V-6")):
                continue
            fresh = shown.summary.startswith("Open valve V-6")
            try:
                settled = await opened.executive.approvals.answer(
                    shown.action_id, yes(shown), CAPTAIN
                )
            except AgentError:
                assert not fresh
            else:
                assert settled.state == ("succeeded" if fresh else "stale")
        await opened.recover()
        again = await opened.asked("open valve V-3", "anew")
        done = await opened.executive.approvals.answer(again.action_id, yes(again), CAPTAIN)
        assert done.state == "succeeded"
    assert [each["arguments"]["valve"] for each in effects(data_dir)] == ["V-6", "V-3"]


async def test_a_no_and_an_edit_of_before_the_upgrade_do_no_harm(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        shown = {each.summary: each for each in await opened.executive.approvals.list("aurora")}
        refused = shown["Open valve V-4 turns"]
        assert await _state_after(opened, refused.action_id, no(refused)) in ("rejected", "stale")
        other = shown["Open valve V-5 turns"]
        await _state_after(opened, other.action_id, edited(other, valve="V-55"))
        half = shown["Shift 20 t of ballast"]
        await _state_after(opened, half.action_id, yes(half), MATE)
        await opened.recover()
        valves = {each["arguments"].get("valve") for each in effects(data_dir)}
    # An edit is a new action under today's rules, with the editor's own yes to it.
    assert valves <= {"V-55", "V-6"}


async def test_what_was_accepted_before_the_upgrade_is_decided_after_it(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        trace = await opened.executive.records.trace(
            message("open valve V-6", "accepted").decision_id, "aurora"
        )
    assert trace.record.outcome == "awaiting_approval"


async def _state_after(
    opened: Opened, action_id: str, answer: object, who: object = CAPTAIN
) -> str:
    try:
        return (await opened.executive.approvals.answer(action_id, answer, who)).state  # type: ignore[arg-type]
    except AgentError as error:
        return type(error).__name__
