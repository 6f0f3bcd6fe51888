"""The same asked for twice, in words: one question a person, and one run for all of them."""

import shutil
from pathlib import Path

import pytest

from state.errors import Conflict
from tests.safety.benches import CAPTAIN, migrated_once, sql, yes
from tests.safety.executives import opened_executive
from tests.safety.valves import effects, write_valves

WAYS = ("open valve V-101", "please open valve V-101", "Open valve V-101!")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return shutil.copytree(migrated_once(), tmp_path / "data")


async def test_in_other_words_it_is_the_question_that_is_open(data_dir: Path, tmp_path: Path):
    async with opened_executive(data_dir, write_valves(tmp_path)) as opened:
        first = await opened.asked(WAYS[0])
        for number, text in enumerate(WAYS):
            again = await opened.ask(text, f"again-{number}")
            assert (again.outcome, again.reason) == ("spoke", "already_asked")
            assert again.action_id == first.action_id
            assert (
                "already requested less than a minute ago; it is still waiting for approval"
                in again.text
            )
        done = await opened.executive.approvals.answer(first.action_id, yes(first), CAPTAIN)
        assert done.state == "succeeded"
        assert sql(data_dir, "select count(*) from ledger_action") == [(1,)]
        once_more = await opened.asked(WAYS[1], "once-more")
        assert [one.action_id for one in once_more.duplicates] == [first.action_id]
        assert len(effects(data_dir)) == 1
        ended = await opened.executive.approvals.answer(
            once_more.action_id, yes(once_more), CAPTAIN
        )
        assert ended.state == "succeeded"
        assert len(effects(data_dir)) == 2


async def test_of_two_who_ask_the_second_is_told_that_it_was_done(data_dir: Path, tmp_path: Path):
    async with opened_executive(data_dir, write_valves(tmp_path)) as opened:
        mine = await opened.asked(WAYS[0])
        theirs = await opened.asked(WAYS[1], "e-2", user="olav", session_id="deck")
        told = opened.executive.approvals.show(theirs).dialog
        assert told is not None
        assert any("requested elsewhere, too" in line for line in told.lines)
        await opened.executive.approvals.answer(mine.action_id, yes(mine), CAPTAIN)
        await opened.recover()
        record = (await opened.executive.records.trace(theirs.decision_id, "aurora")).record
        assert (record.outcome, record.reason) == ("refused", "approval_stale")
        assert "the same action ran in the meantime, requested by amir" in record.text
        assert len(effects(data_dir)) == 1


async def test_asked_again_in_another_session_the_question_moves_there(
    data_dir: Path, tmp_path: Path
) -> None:
    async with opened_executive(data_dir, write_valves(tmp_path)) as opened:
        first = await opened.asked(WAYS[0])
        second = await opened.asked(WAYS[1], "elsewhere", session_id="deck")
        states = dict(sql(data_dir, "select action_id, state from ledger_action"))
        assert states == {first.action_id: "stale", second.action_id: "pending"}
        with pytest.raises(Conflict, match="asked again in another session"):
            await opened.executive.approvals.answer(first.action_id, yes(first), CAPTAIN)
        done = await opened.executive.approvals.answer(second.action_id, yes(second), CAPTAIN)
        assert (done.state, len(effects(data_dir))) == ("succeeded", 1)
