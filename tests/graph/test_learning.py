"""What people say of answers becomes heuristics: learned, trusted, doubted, dropped."""

from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest

from state.errors import NotFound
from state.heuristic import Attribution, Feedback, Rating
from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import KEEPER, Harbour
from tests.openai_server import OpenAIServer, Rule
from tools.memory.heuristics.learning import REPLACED
from tools.platform.texts import t

GOAL = {"goal_relevance": 0.9}
URGENT = {**GOAL, "threat": 0.79}  # a lower bar: one complaint does not fall below it
FERRY = "The ferry is early"
_SESSIONS = count()


def answer(say: str = "Open the inner gate.", **fields: Any) -> dict[str, Any]:
    return {
        "action": None,
        "arguments": [],
        "predicted_success": 0.7,
        "confidence": 0.8,
        "say": say,
        **fields,
    }


@pytest.fixture
async def harbour(open_harbour: OpenHarbour, openai_server: OpenAIServer) -> AsyncIterator[Harbour]:
    openai_server.rules.append(Rule(says=answer()))
    async with open_harbour(
        model="test", model_base_url=openai_server.base_url, embedder="none"
    ) as opened:
        yield opened


async def happens(harbour: Harbour, text: str = FERRY, **fields: Any) -> DecisionRecord:
    """Let it happen in a session of its own, so that nothing is boring or said just now."""
    return await harbour.happens(
        text, **{"salience": GOAL, "session_id": f"s-{next(_SESSIONS)}", **fields}
    )


async def rate(
    harbour: Harbour,
    record: DecisionRecord,
    rating: Rating = "good",
    attribution: Attribution | None = None,
    who: Principal = KEEPER,
) -> None:
    assert record.response_id
    given = Feedback(response_id=record.response_id, rating=rating, attribution=attribution)
    await harbour.executive.feedback.rate(who, given)


async def learned(harbour: Harbour) -> dict[str, Any]:
    """Return what was learned: words → confidence, blocked, why it is out of use."""
    every = await harbour.executive.heuristics.list("default")
    return {
        one.heuristic.says: (
            round(one.confidence.usable, 3),
            one.confidence.blocked,
            one.heuristic.disabled,
        )
        for one in every
        if one.heuristic.origin == "learned"
    }


async def grown(harbour: Harbour, goods: int = 5) -> None:
    for _ in range(goods):
        await rate(harbour, await happens(harbour))


async def test_the_fifth_good_answer_speaks_alone_the_next_time(
    harbour: Harbour, openai_server: OpenAIServer
) -> None:
    said = []
    for _ in range(6):
        record = await happens(harbour)
        said.append((record.path, record.text))
        await rate(harbour, record)
    words = "Open the inner gate."
    assert said == [("llm", words)] * 5 + [("heuristic", words)]
    assert len(openai_server.asked) == 5
    assert list(await learned(harbour)) == ["Open the inner gate."]
    alarm = await happens(harbour, salience={"threat": 0.9})  # what happened goes first
    assert (alarm.path, alarm.text) == ("heuristic", f"{FERRY}. {words}")


async def test_two_bad_in_a_row_ask_the_model_again(harbour: Harbour, openai_server: OpenAIServer):
    await grown(harbour, 8)
    for _ in range(2):
        record = await happens(harbour, salience=URGENT)
        assert record.path == "heuristic"
        await rate(harbour, record, "bad", "not_wanted")
    openai_server.rules[:] = [Rule(says=answer("Hold the outer gate."))]
    record = await happens(harbour)
    assert (record.path, record.text) == ("llm", "Hold the outer gate.")
    await rate(harbour, record)
    found = await learned(harbour)
    assert found["Open the inner gate."][2] == REPLACED
    assert found["Hold the outer gate."] == (0.409, False, None)


async def test_what_was_said_last_counts_last_though_no_clock_tells(harbour: Harbour):
    await grown(harbour, 8)
    await rate(harbour, await happens(harbour, salience=URGENT), "bad", "wrong_answer")
    assert (await happens(harbour, salience=URGENT)).path == "llm"


async def test_what_is_called_wrong_once_asks_the_model_and_other_words_replace_it(
    harbour: Harbour, openai_server: OpenAIServer
) -> None:
    await grown(harbour, 8)
    await rate(harbour, await happens(harbour), "bad", "wrong_answer")
    again = await happens(harbour)
    assert (again.path, again.text) == ("llm", "Open the inner gate.")
    await rate(harbour, again)  # it was a mistake: the same words are liked again
    await rate(harbour, await happens(harbour))
    record = await happens(harbour)
    assert record.path == "heuristic"
    await rate(harbour, record, "bad", "wrong_answer")
    openai_server.rules[:] = [Rule(says=answer("Open the inner lock."))]  # near to it, and not it
    await rate(harbour, await happens(harbour))
    found = await learned(harbour)
    assert found["Open the inner gate."][2] == REPLACED
    assert found["Open the inner lock."] == (0.409, False, None)


async def test_nothing_is_learned_without_an_explicit_good(harbour: Harbour) -> None:
    for rating in ("meh", "bad"):
        await rate(harbour, await happens(harbour), rating)
    await happens(harbour)
    await harbour.says("hello")
    assert await learned(harbour) == {}


async def test_said_twice_it_counts_once_and_the_last_word_counts(harbour: Harbour) -> None:
    record = await happens(harbour)
    for _ in range(3):
        await rate(harbour, record)
    assert (await learned(harbour))["Open the inner gate."] == (0.409, False, None)
    await rate(harbour, record, "bad")
    assert (await learned(harbour))["Open the inner gate."][2] == t("heuristic.no_examples")
    assert (await happens(harbour)).heuristic_id is None
    await rate(harbour, record, "good")
    assert (await learned(harbour))["Open the inner gate."] == (0.409, False, None)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("The ferry is early at quay 7", {}),
        ("The ferry is not early", {}),
        (FERRY, {"source": "radio"}),
        (FERRY, {"tenant_id": "elsewhere"}),
        ("The crane is being painted", {}),
    ],
)
async def test_what_differs_in_facts_source_or_tenant_is_another_matter(
    harbour: Harbour, text: str, fields: dict[str, Any]
) -> None:
    await grown(harbour)
    assert (await happens(harbour, text, **fields)).path == "llm"


async def test_a_figure_that_the_event_does_not_hold_is_not_learned(
    harbour: Harbour, openai_server: OpenAIServer
) -> None:
    openai_server.rules[:] = [Rule(says=answer("It comes at 14:20."))]
    await rate(harbour, await happens(harbour))
    assert await learned(harbour) == {}


async def test_a_word_in_reply_is_feedback_too(harbour: Harbour) -> None:
    await happens(harbour, session_id="quay")
    await harbour.says("thanks", session_id="quay")
    assert (await learned(harbour))["Open the inner gate."][0] == 0.409
    await harbour.says("that was wrong", session_id="quay")
    assert (await learned(harbour))["Open the inner gate."][2] == t("heuristic.no_examples")


async def test_people_may_put_it_out_of_use_and_change_its_words(harbour: Harbour) -> None:
    await grown(harbour)
    heuristics = harbour.executive.heuristics
    (known,) = [
        one for one in await heuristics.list("default") if one.heuristic.origin == "learned"
    ]
    name = known.heuristic.heuristic_id
    await heuristics.change(name, "default", says="Both gates!")
    assert (await happens(harbour)).text == "Both gates!"
    await heuristics.change(name, "default", disabled="by hand")
    assert (await happens(harbour)).path == "llm"
    with pytest.raises(NotFound):
        await heuristics.get(name, "elsewhere")


async def test_bad_answers_move_a_shipped_one_but_not_a_locked_one(harbour: Harbour) -> None:
    first = await harbour.happens("High water", salience=GOAL)
    await rate(harbour, first, "bad", "not_wanted")
    moved = await harbour.executive.heuristics.get(first.heuristic_id or "", "default")
    assert moved.heuristic.declared is not None
    assert moved.confidence.usable < moved.heuristic.declared
    assert (await happens(harbour, "High water")).text == first.text  # moved, and its pack's words
    name = moved.heuristic.heuristic_id
    says = "{text}: to the\x1b[2J gates!"
    await harbour.reworded(name, says)
    assert (await happens(harbour, "High water")).text == "High water: to the[2J gates!"


async def test_a_learned_action_is_offered_or_asked_for_and_never_done(
    harbour: Harbour, openai_server: OpenAIServer
) -> None:
    proposal = answer("", action="close_lock", arguments=[{"slot": "lock", "value": "LK-12"}])
    openai_server.rules[:] = [Rule(says=proposal)]
    for _ in range(5):
        record = await harbour.says("can you do a somersault?", session_id=f"s-{next(_SESSIONS)}")
        assert record.outcome == "awaiting_approval"
        await harbour.answers(record.action_id, "reject")
        await rate(harbour, record)
    record = await harbour.says("can you do a somersault?")
    assert (record.path, record.action) == ("heuristic", "close_lock")
    assert (record.outcome, record.reason) == ("spoke", "missing_slot")  # of its own words: none
    assert len(openai_server.asked) == 5
    assert harbour.effects() == []


async def test_a_rating_moves_mood_rapport_and_annoyance_once(harbour: Harbour) -> None:
    record = await happens(harbour, session_id="default")
    before = await harbour.session()
    for _ in range(2):
        await rate(harbour, record, "bad", "bad_timing")
    after = await harbour.session()
    assert len(after.annoyed_at) == 1
    assert after.mood.valence < before.mood.valence
    await rate(harbour, record, "good")
    last = await harbour.session()
    assert (last.annoyed_at, last.mood.valence > after.mood.valence) == ((), True)
