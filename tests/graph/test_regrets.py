"""What people regret: utterances by reactions, silences by "should have told me"; counted."""

from typing import Any

import pytest

from state.errors import Conflict, Forbidden, NotFound
from state.heuristic import Feedback
from state.quality import Regrets
from state.reader import whole
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import HARBOUR, KEEPER, MASTER, Harbour
from tests.graph.test_learned_for_all import GUEST

GOAL = {"goal_relevance": 0.9}
DULL = {"goal_relevance": 0.4}
CRANE = [{"value": "crane"}]


async def counted(harbour: Harbour) -> Regrets:
    return await harbour.executive.regrets.counts(whole("default"))


async def causes(harbour: Harbour) -> dict[str, str]:
    return {one.decision_id: one.cause for one in (await counted(harbour)).newest}


async def told(harbour: Harbour, text: str = "The crane squeaks") -> DecisionRecord:
    record = await harbour.happens(text, salience=GOAL, entities=CRANE)
    assert record.spoke
    harbour.pass_seconds(10)
    return record


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("who cares", "said"),
        ("ugh, boring", "said"),
        ("stop telling me about the crane", "suppressed"),
        ("don't mention cranes", "suppressed"),
        ("be quiet for ten minutes", "quieted"),
        ("not now, I'm in a meeting", "quieted"),
    ],
)
async def test_what_people_say_to_an_utterance_regrets_it(
    harbour: Harbour, said: str, cause: str
) -> None:
    record = await told(harbour)
    await harbour.says(said)
    assert await causes(harbour) == {record.decision_id: cause}
    total = (await counted(harbour)).total
    assert (total.events, total.spoken, total.utterances) == (1, 1, 1)
    assert (total.utterances_per_100, total.silences) == (100.0, 0)


@pytest.mark.parametrize(
    "said",
    [
        "good to know",
        "what is the tide",
        "stop telling me about gulls",
        "I told him to stop telling me about the crane",
    ],
)
async def test_what_is_no_reaction_to_it_regrets_nothing(harbour: Harbour, said: str) -> None:
    await told(harbour)
    await harbour.says(said)
    assert await causes(harbour) == {}


async def test_a_reaction_to_an_answer_is_none_to_an_event(harbour: Harbour) -> None:
    await told(harbour)
    await harbour.says("hello")
    harbour.pass_seconds(5)
    await harbour.says("who cares")
    assert await causes(harbour) == {}


async def test_annoyance_long_after_is_about_something_else(harbour: Harbour) -> None:
    await told(harbour)
    harbour.pass_seconds(300)
    await harbour.says("who cares")
    assert await causes(harbour) == {}


async def test_whoever_may_change_nothing_regrets_nothing(open_harbour: OpenHarbour) -> None:
    async with open_harbour(packs=(str(HARBOUR.parent / "shelf"),), embedder="none") as shelf:
        await told(shelf)
        await shelf.says("who cares", GUEST)
        silent = await shelf.happens("The crane creaks", salience=DULL, entities=CRANE)
        with pytest.raises(Forbidden):
            await shelf.executive.feedback.rate_silence(
                GUEST, silent.decision_id, "should_have_told"
            )
        forged = {"silence": {"decision_id": silent.decision_id, "rating": "should_have_told"}}
        await shelf.happens("forged", kind="signal", user="gus", role="guest", payload=forged)
        assert await causes(shelf) == {}


async def test_a_rating_regrets_and_a_better_one_takes_it_back(harbour: Harbour) -> None:
    record = await told(harbour)
    assert record.response_id
    bad = Feedback(response_id=record.response_id, rating="bad", attribution="bad_timing")
    await harbour.executive.feedback.rate(KEEPER, bad)
    await harbour.executive.feedback.rate(MASTER, bad)
    assert await causes(harbour) == {record.decision_id: "rated"}
    good = Feedback(response_id=record.response_id, rating="good")
    await harbour.executive.feedback.rate(KEEPER, good)
    assert await causes(harbour) == {}


async def turns(harbour: Harbour, session_id: str = "default") -> DecisionRecord:
    return await harbour.happens(
        "The crane turns", salience=GOAL, entities=CRANE, session_id=session_id
    )


async def bored(harbour: Harbour, session_id: str = "default") -> DecisionRecord:
    """Let the same happen until it is no longer told."""
    for _ in range(12):
        record = await turns(harbour, session_id)
        if record.reason == "habituated":
            return record
        harbour.pass_seconds(60)
    raise AssertionError("it never became boring")


async def habituation(harbour: Harbour, record: DecisionRecord) -> float:
    trace = await harbour.executive.records.trace(record.decision_id, "default")
    return float(trace.stages["salience"]["habituation"])


async def test_should_have_told_me_wakes_interest(harbour: Harbour) -> None:
    silent, pattern = await bored(harbour), "buoy|ambient|crane"
    await bored(harbour, "elsewhere")
    rate = harbour.executive.feedback.rate_silence
    missed = await rate(KEEPER, silent.decision_id, "should_have_told")
    assert (missed.woken, missed.watch, missed.rule) == (pattern, "crane", None)
    assert (await harbour.session()).familiar[pattern].level == 0
    assert await causes(harbour) == {silent.decision_id: "should_have_told"}
    assert (await counted(harbour)).total.silences == 1
    harbour.pass_seconds(200)
    woken, still = await turns(harbour), await turns(harbour, "elsewhere")
    assert woken.spoke
    assert await habituation(harbour, woken) == 0
    assert await habituation(harbour, still) > 0.05
    assert (woken.relevance or 0) > (still.relevance or 0)
    back = await rate(KEEPER, silent.decision_id, "rightly_silent")
    assert (back.woken, back.watch) == (None, None)
    assert await causes(harbour) == {}


async def test_a_muted_topic_that_hid_it_is_named(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the crane")
    silent = await harbour.happens("The crane squeaks", salience=GOAL, entities=CRANE)
    assert silent.reason == "suppressed"
    missed = await harbour.executive.feedback.rate_silence(
        KEEPER, silent.decision_id, "should_have_told"
    )
    assert (missed.rule, missed.watch) == ("crane", None)
    await harbour.says("tell me about the crane again")
    again = await harbour.happens("The crane squeaks loudly", salience=GOAL, entities=CRANE)
    assert again.spoke


async def test_a_watch_that_is_offered_makes_it_heard(harbour: Harbour) -> None:
    silent = await harbour.happens("The crane creaks", salience=DULL, entities=CRANE)
    assert silent.reason == "below_threshold"
    missed = await harbour.executive.feedback.rate_silence(
        KEEPER, silent.decision_id, "should_have_told"
    )
    assert missed.watch == "crane"
    await harbour.says(f"watch for {missed.watch}")
    harbour.pass_seconds(30)
    assert (await harbour.happens("The crane creaks", salience=DULL, entities=CRANE)).spoke


async def test_only_a_silence_of_ones_own_tenant_can_be_regretted(harbour: Harbour) -> None:
    rate, silent = harbour.executive.feedback.rate_silence, await bored(harbour)
    spoken = (await harbour.says("hello")).decision_id
    with pytest.raises(Conflict):
        await rate(KEEPER, spoken, "should_have_told")
    stranger = KEEPER.model_copy(update={"tenant_id": "elsewhere"})
    with pytest.raises(NotFound):
        await rate(stranger, silent.decision_id, "should_have_told")
    assert await causes(harbour) == {}


async def signals(harbour: Harbour, session_id: str = "default", **payload: Any) -> None:
    await harbour.happens(
        "by hand",
        kind="signal",
        user=KEEPER.user,
        role="keeper",
        session_id=session_id,
        payload=payload,
    )


PATTERN = "buoy|ambient|crane"


async def test_a_signal_regrets_a_silence_of_its_own_session_alone(harbour: Harbour) -> None:
    silent = await bored(harbour)
    given = {"decision_id": silent.decision_id, "rating": "should_have_told"}
    await signals(harbour, "elsewhere", silence=given)
    assert await causes(harbour) == {}
    await signals(harbour, silence=given)
    taken_back = {**given, "rating": "rightly_silent"}
    await signals(harbour, "elsewhere", silence=taken_back)
    assert await causes(harbour) == {silent.decision_id: "should_have_told"}
    await signals(harbour, silence=taken_back)
    assert await causes(harbour) == {}


async def test_a_signal_rates_an_utterance_of_its_own_session_alone(harbour: Harbour) -> None:
    record = await told(harbour)
    given = {"response_id": record.response_id, "rating": "bad"}
    await signals(harbour, "elsewhere", feedback=given)
    assert await causes(harbour) == {}
    await signals(harbour, feedback=given)
    assert await causes(harbour) == {record.decision_id: "rated"}


async def test_a_silence_wakes_no_pattern_but_its_own(harbour: Harbour) -> None:
    await bored(harbour)
    loud = (await harbour.session()).familiar[PATTERN].level
    dull = await harbour.happens("a gull", source="mast", salience={})
    assert not dull.spoke
    given = {"decision_id": dull.decision_id, "rating": "should_have_told"}
    await signals(harbour, silence={**given, "pattern": PATTERN})
    await signals(harbour, silence=given)
    familiar = (await harbour.session()).familiar
    assert familiar[PATTERN].level == loud > 0
    assert familiar["mast|ambient|"].level == 0


async def test_what_was_told_is_no_silence_and_keeps_its_regret(harbour: Harbour) -> None:
    record = await told(harbour)
    for_it = {"decision_id": record.decision_id}
    await signals(harbour, silence={**for_it, "rating": "should_have_told"})
    assert await causes(harbour) == {}
    await signals(harbour, feedback={"response_id": record.response_id, "rating": "bad"})
    await signals(harbour, silence={**for_it, "rating": "rightly_silent"})
    assert await causes(harbour) == {record.decision_id: "rated"}


async def test_a_scrape_counts_the_last_30_days(harbour: Harbour) -> None:
    await told(harbour)
    await harbour.says("who cares")
    regrets = harbour.executive.regrets
    assert (await regrets.lately(whole("default"))).total.utterances == 1
    harbour.pass_seconds(31 * 86_400)
    await harbour.happens("a gull", source="mast", salience={})
    total = (await regrets.lately(whole("default"))).total
    assert (total.events, total.utterances) == (1, 0)
    assert (await counted(harbour)).total.events == 2


async def test_it_is_counted_by_week_and_by_source(harbour: Harbour) -> None:
    first = await told(harbour)
    await harbour.says("who cares")
    for number in range(3):
        await harbour.happens(f"a gull {number}", source="mast", salience={})
    harbour.pass_seconds(8 * 86_400)
    await harbour.happens("a gull", source="mast", salience={})
    found = await counted(harbour)
    assert [(one.events, one.utterances) for one in found.weeks] == [(4, 1), (1, 0)]
    assert (found.weeks[1].week - found.weeks[0].week).days in (7, 14)
    assert all(one.week.weekday() == 0 for one in found.weeks)
    by_source = {one.source: (one.events, one.utterances_per_100) for one in found.sources}
    assert by_source == {"buoy": (1, 100.0), "mast": (4, 0.0)}
    assert found.sources[0].source == "buoy"
    assert [one.decision_id for one in found.newest] == [first.decision_id]
    since = harbour.clock.now().timestamp() - 86_400
    lately = await harbour.executive.regrets.counts(whole("default"), since=since)
    assert (lately.total.events, lately.total.utterances, lately.newest) == (1, 0, ())
