"""What a pack cannot look up is not checked, and nobody is asked a yes for it."""

from pathlib import Path

import pytest

from graph.presenters.explanation import explain
from state.approval import ApprovalAnswer
from state.errors import LookupFailed
from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.looking import break_lookup, done, mend_lookup, write_boatyard

ANN = Principal(user="ann", tenant_id="default", roles=("hand",))
MASTER = Principal(user="ingrid", tenant_id="default", roles=("master",))
FAILED = "no boat can be looked up now (IndexError), so nothing is done and nobody is asked"

UNOFFERED = (
    "(No boat could be looked up (IndexError), "
    "so no name of one is checked and no change of one is offered.)"
)


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    return write_boatyard(tmp_path)


@pytest.mark.parametrize("text", ["sink B-11", "paint B-11", "sink the Heron", "paint the Heron"])
async def test_a_change_whose_target_cannot_be_looked_up_is_neither_asked_nor_done(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path, text: str
) -> None:
    file = break_lookup(data_dir)
    async with open_harbour(packs=(str(yard),)) as boats:
        told = await boats.says(text, ANN)
        assert (told.outcome, told.reason) == ("spoke", "lookup_failed")
        assert told.text.startswith(FAILED)
        assert await boats.executive.approvals.list("default") == []
        trace = await boats.executive.records.trace(told.decision_id, "default")
        whole = "\n".join(
            line for section in explain(trace, verbose=True) for line in section.lines
        )
        assert "lookup_failed:boatyard:boat:IndexError" in whole
        assert "a name could not be looked up, so nobody was asked" in whole

        mend_lookup(file)
        assert (await boats.says(text, ANN)).outcome in ("awaiting_approval", "offered")
    assert done(data_dir) == []


async def test_a_change_that_names_nothing_looked_up_is_asked_as_ever(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    break_lookup(data_dir)
    async with open_harbour(packs=(str(yard),)) as boats:
        assert (await boats.says("ring the bell", ANN)).outcome == "awaiting_approval"


async def test_a_read_runs_and_says_that_its_name_was_not_checked(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    file = break_lookup(data_dir)
    async with open_harbour(packs=(str(yard),)) as boats:
        told = await boats.says("show boat B-11", ANN)
        assert told.outcome == "executed"
        assert told.text.splitlines() == [
            "This is B-11.",
            "(No boat could be looked up (IndexError), so its name is not checked.)",
        ]
        asked = await boats.says("show boat", ANN)
        assert "Which boat?" in asked.text
        assert "No boat could be looked up" in asked.text
        mend_lookup(file)
        assert (await boats.says("show boat B-11", ANN)).text == "This is B-11."


@pytest.mark.parametrize("text", ["show B-11 and paint B-12", "something with boat B-11"])
async def test_no_chip_is_offered_for_a_change_that_was_not_named_but_may_be_meant(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path, text: str
) -> None:
    file = break_lookup(data_dir)
    async with open_harbour(packs=(str(yard),)) as boats:
        told = await boats.says(text, ANN)
        assert told.outcome == "offered"
        [offer] = await boats.executive.offers.list("default")
        assert {chip.action for chip in offer.chips} == {"show_boat"}
        assert told.text.splitlines()[-1] == UNOFFERED

        mend_lookup(file)
        await boats.says(text, ANN)
        [offer, _before] = await boats.executive.offers.list("default", open_only=False)
        assert {"paint_boat", "sink_boat"} & {chip.action for chip in offer.chips}


async def test_where_only_changes_may_be_meant_it_is_told_and_nothing_is_offered(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    break_lookup(data_dir)
    async with open_harbour(packs=(str(yard),)) as boats:
        told = await boats.says("paint B-11 or sink B-12", ANN)
        assert (told.outcome, told.reason) == ("spoke", "lookup_failed")
        assert await boats.executive.offers.list("default") == []
        assert await boats.executive.approvals.list("default") == []


async def test_a_chip_is_not_done_when_the_lookup_broke_since_it_was_shown(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    async with open_harbour(packs=(str(yard),)) as boats:
        assert (await boats.says("paint B-11", ANN)).outcome == "offered"
        break_lookup(data_dir)
        told = await boats.says("yes", ANN)
        assert (told.outcome, told.reason) == ("spoke", "lookup_failed")
        assert told.text.startswith(FAILED)
    assert done(data_dir) == []


async def test_an_answer_to_a_question_is_checked_like_a_request(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    async with open_harbour(packs=(str(yard),)) as boats:
        assert (await boats.says("paint it", ANN)).reason == "missing_slot"
        break_lookup(data_dir)
        told = await boats.says("B-11", ANN)
        assert (told.outcome, told.reason) == ("spoke", "lookup_failed")
    assert done(data_dir) == []


async def test_an_edit_is_not_taken_while_its_target_cannot_be_looked_up(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    async with open_harbour(packs=(str(yard),)) as boats:
        asked = await boats.says("sink B-11", ANN)
        assert asked.action_id is not None
        standing = await boats.executive.approvals.get(asked.action_id, "default")
        break_lookup(data_dir)
        edit = ApprovalAnswer(decision="edit", digest=standing.digest, arguments={"boat": "B-12"})
        with pytest.raises(LookupFailed):
            await boats.executive.approvals.answer(asked.action_id, edit, MASTER)
        assert (await boats.executive.approvals.get(asked.action_id, "default")).state == "pending"
    assert done(data_dir) == []


async def test_a_yes_runs_nothing_once_its_thing_cannot_be_looked_up(
    open_harbour: OpenHarbour, yard: Path, data_dir: Path
) -> None:
    async with open_harbour(packs=(str(yard),)) as boats:
        await boats.says("sink B-11", ANN)
        (asked,) = await boats.executive.approvals.list("default")
        file = break_lookup(data_dir)
        told = await boats.executive.approvals.answer(
            asked.action_id, ApprovalAnswer(decision="approve", digest=asked.digest), MASTER
        )
        assert told.state == "stale"
        assert "no boat can be looked up now (IndexError)" in (told.reason or "")
        mend_lookup(file)
        assert (await boats.says("sink B-11", ANN)).outcome == "awaiting_approval"
    assert done(data_dir) == []


@pytest.mark.parametrize(
    ("gives", "cause"),
    [
        ('{"B-11": "Heron"}', "TypeError"),  # else each letter would be a name
        ('{"B-11\\udfff": ["Heron"]}', "UnicodeEncodeError"),  # no record can hold it
        ('{"B-11": ["He\\ud800on"]}', "UnicodeEncodeError"),
        ('["B-11"]', "AttributeError"),
    ],
)
async def test_a_lookup_that_gives_rubbish_has_failed(
    open_harbour: OpenHarbour, yard: Path, gives: str, cause: str
) -> None:
    code = yard / "handlers.py"
    code.write_text(f"{code.read_text('utf-8')}\n\ndef boats(data_dir):\n    return {gives}\n")
    async with open_harbour(packs=(str(yard),)) as boats:
        told = await boats.says("sink B-11", ANN)
        assert (told.outcome, told.reason) == ("spoke", "lookup_failed")
        assert f"({cause})" in told.text
