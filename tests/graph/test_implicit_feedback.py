"""What people do speaks too: a silence of somebody who is there, the third in a row, an undo."""

from pathlib import Path

import pytest

from state.heuristic import Feedback, Sign
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.graph.test_query_log import MATE, flags_in, hoisted
from tests.graph.test_strategies import ANSWER
from tests.openai_server import OpenAIServer, Rule

GOAL = {"goal_relevance": 0.9}
LATER = 1_200.0


async def implicit(harbour: Harbour, record: DecisionRecord) -> Sign | None:
    """Read what doing says of a response."""
    assert record.response_id
    traced = await harbour.executive.heuristics.response(record.response_id, "default")
    assert traced.explicit is None
    return traced.implicit.sign if traced.implicit else None


async def told(harbour: Harbour, times: int, *, somebody_is_there: bool) -> list[DecisionRecord]:
    """Let a heuristic tell the same, each time long after the last."""
    records = []
    for _ in range(times):
        record = await harbour.happens("High water", salience=GOAL)
        assert (record.spoke, record.heuristic_id) == (True, "high_water")
        records.append(record)
        if somebody_is_there:
            await harbour.says("show lock LK-12")
        harbour.pass_seconds(LATER)
    return records


async def test_silence_counts_weakly_and_the_third_in_a_row_was_ignored(open_harbour: OpenHarbour):
    async with open_harbour() as harbour:
        records = await told(harbour, 4, somebody_is_there=True)
        signs = [await implicit(harbour, record) for record in records]
        known = await harbour.executive.heuristics.get("high_water", "default")
    assert signs == ["silence", "silence", "ignored", None]
    assert (known.confidence.signals, known.confidence.goods, known.confidence.bads) == (3, 0, 0)


async def test_a_silence_of_nobody_says_nothing(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as harbour:
        records = await told(harbour, 4, somebody_is_there=False)
        assert [await implicit(harbour, record) for record in records] == [None] * 4


async def test_a_word_of_thanks_is_no_silence(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as harbour:
        record = await harbour.happens("High water", salience=GOAL)
        await harbour.says("thanks")
        harbour.pass_seconds(LATER)
        await told(harbour, 1, somebody_is_there=True)
        traced = await harbour.executive.heuristics.response(record.response_id or "", "default")
    assert traced.explicit is not None
    assert (traced.explicit.sign, traced.implicit) == ("good", None)


async def test_an_undo_soon_after_speaks_against_what_was_done(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    async with open_harbour(packs=(flags_in(tmp_path),)) as harbour:
        done, kept = await hoisted(harbour, "Q"), await hoisted(harbour, "N")
        await harbour.executive.actions.undo(done.action_id or "", MATE)
        clicked = await harbour.executive.approvals.get(done.action_id or "", "default")
        asked = [done.decision_id, kept.decision_id, clicked.decision_id]
        signs = [await implicit(harbour, await harbour.record(one)) for one in asked]
    assert signs == ["undone", None, None]  # nobody proposed the click itself


async def test_an_undo_counts_against_the_heuristic_that_proposed_what_was_done(
    open_harbour: OpenHarbour, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    proposal = {**ANSWER, "action": "hoist_flag", "arguments": [{"slot": "flag", "value": "Q"}]}
    openai_server.rules.append(Rule(says=proposal))
    async with open_harbour(
        packs=(flags_in(tmp_path),),
        model="test",
        model_base_url=openai_server.base_url,
        embedder="none",
    ) as harbour:
        record = await harbour.says("can you show them a yellow Q?", MATE)
        assert (record.path, record.outcome) == ("llm", "awaiting_approval")
        await harbour.answers(record.action_id)
        given = Feedback(response_id=record.response_id or "", rating="good")
        await harbour.executive.feedback.rate(MATE, given)
        harbour.pass_seconds(1)
        undo = await harbour.executive.actions.undo(record.action_id or "", MATE)
        await harbour.answers(undo.action_id)
        (known,) = await harbour.executive.heuristics.list("default")
    assert (known.heuristic.action, known.confidence.bads) == ("hoist_flag", 1)
    assert known.confidence.doubted


# Bad reactions make it say less for a while, good ones keep it interested.


async def threshold(harbour: Harbour) -> float:
    return (await harbour.executive.controls.standing("default", "default")).threshold


async def test_annoyance_raises_the_bar_and_fades(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    await harbour.says("not now!")
    assert await threshold(harbour) == 0.6
    assert (await harbour.executive.controls.standing("default", "default")).reason == "annoyance"
    harbour.pass_seconds(600)
    assert await threshold(harbour) == pytest.approx(0.55, abs=0.005)  # ten minutes of sitting


async def test_what_is_said_long_after_is_no_reaction(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    harbour.pass_seconds(121)
    await harbour.says("not now!")
    assert await threshold(harbour) == pytest.approx(0.5, abs=0.001)


async def test_nobody_is_annoyed_by_silence(harbour: Harbour) -> None:
    await harbour.says("not now!")
    assert await threshold(harbour) == 0.5


async def test_praise_makes_it_less_boring(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    before = (await harbour.session()).familiar
    await harbour.says("good to know")
    after = (await harbour.session()).familiar
    (pattern,) = before
    assert after[pattern].level < before[pattern].level / 3 + 1e-9


async def test_the_same_reaction_twice_counts_once(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    await harbour.says("not now!")
    once = await threshold(harbour)
    await harbour.says("that's annoying")
    assert await threshold(harbour) == once


async def test_praise_twice_counts_once_and_takes_back_what_was_bad(harbour: Harbour) -> None:
    await harbour.happens("The ferry is early", salience=GOAL)
    await harbour.says("not now!")
    await harbour.says("good to know")
    once = (await harbour.session()).familiar
    assert await threshold(harbour) == 0.5
    await harbour.says("good to know")
    assert (await harbour.session()).familiar == once
