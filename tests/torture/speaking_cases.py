"""One random case of speaking, and all that must hold for it. Source: executive.md §2."""

import asyncio
import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, get_args

from hypothesis import strategies as st

from state.initiative import KEPT, Proactive, Tally
from state.judgement import Relevance, TimingOutcome
from state.personality import TRAITS, Traits
from state.salience import DIMENSIONS, SalienceVector
from state.session import Busy, Familiarity, Session, Spoken, ThreatTold, TopicRule
from state.stages import Assessed, Weighed
from state.tuning import Context
from tests.nodes.assessing import choosing, filtering
from tests.stages import NOW, SECONDS, TUNING, arrival_of, event_of, session_of
from tests.torture.speaking_more import check_batch, check_feedback, check_model, check_order
from tests.torture.speaking_streams import check_streams
from tools.attention.alarms import threat_key
from tools.attention.filters import RelevanceFilters
from tools.attention.initiatives import Opportunities, ProactiveRules, has_budget
from tools.attention.relevance import quiet_now
from tools.catalog.pack_schema import Achievement, Remark

TEXT, PATTERN = "The tide turns", "buoy|ambient|tide"
ALARM = threat_key(PATTERN, TEXT)
RULES = ProactiveRules(
    check_ins=("Still there?",),
    remarks=(Remark(id="dig", when="dug", say=("You dig.",)),),
    achievements=(Achievement(id="gems", when="gem", at=(5,), say="{count}!"),),
)
FINDING = Opportunities(RULES, TUNING.proactive)
SPEAKS = ("alert", "continue")
_CONTEXTS: tuple[Context, ...] = get_args(Context)
_WEIGHING = {one: filtering(one).weighing for one in _CONTEXTS}
_GATES = {one: RelevanceFilters(TUNING.salience, TUNING.relevance, one) for one in _CONTEXTS}
_CHOOSING = {one: choosing(one).choosing for one in _CONTEXTS}

scores = st.floats(0, 1)
times = st.floats(SECONDS - 4_000, SECONDS + 4_000)
vectors = st.builds(SalienceVector, **dict.fromkeys(DIMENSIONS, scores))
_proactive = st.builds(
    Proactive,
    engaged_at=st.none() | times,
    checked_in_at=st.none() | times,
    ignored_check_ins=st.integers(0, 50),
    said_at=st.lists(times, max_size=3).map(tuple),
    tallies=st.fixed_dictionaries(
        {},
        optional={
            "dig": st.builds(Tally, recent=st.lists(times, max_size=8).map(tuple)),
            "gems": st.builds(Tally, total=st.integers(0, 9), told=st.sampled_from([0, 5])),
        },
    ),
)
sessions = st.builds(
    session_of,
    traits=st.builds(Traits, **dict.fromkeys(TRAITS, scores)),
    busy=st.none() | st.sampled_from(get_args(Busy)),
    focus=scores,
    quiet_asked_at=st.none() | times,
    muted_until=st.none() | times,
    talk_bias=st.floats(-0.2, 0.2),
    annoyed_at=st.lists(times, max_size=3).map(tuple),
    slighted_at=st.lists(times, max_size=3).map(tuple),
    sitting_since=times,
    seen_at=times,
    spoken=st.lists(
        st.builds(
            Spoken, at=times, text=st.sampled_from([TEXT, "Fog"]), pattern=st.just("observation|")
        ),
        max_size=6,
    ).map(tuple),
    topics=st.lists(
        st.builds(
            TopicRule,
            topic=st.sampled_from(["tide", "fog"]),
            kind=st.sampled_from(["watch", "suppress"]),
            at=times,
        ),
        max_size=2,
    ).map(tuple),
    familiar=st.fixed_dictionaries(
        {},
        optional={
            PATTERN: st.builds(
                Familiarity, level=scores, at=times, seen=vectors, pace=st.floats(0, 500)
            )
        },
    ),
    threats=st.fixed_dictionaries(
        {}, optional={ALARM: st.builds(ThreatTold, level=scores, at=times, times=st.integers(1, 7))}
    ),
    proactive=_proactive,
)


@dataclass(frozen=True)
class Case:
    """A session, an event that comes to it, and how both may differ."""

    vector: SalienceVector
    session: Session
    context: Context
    raised: str
    to: float
    others: tuple[SalienceVector, SalienceVector]
    split: int
    jump: float


cases = st.builds(
    Case,
    vector=vectors,
    session=sessions,
    context=st.sampled_from(_CONTEXTS),
    raised=st.sampled_from(DIMENSIONS),
    to=scores,
    others=st.tuples(vectors, vectors),
    split=st.integers(0, 3),
    jump=st.floats(-1e6, 1e6),
)


def check(case: Case, runner: asyncio.Runner) -> None:
    """Check every property on one case."""
    plain = judged(case.vector, case.session, case.context)
    louder = case.vector.model_copy(
        update={case.raised: max(case.to, getattr(case.vector, case.raised))}
    )
    assert speaks(judged(louder, case.session, case.context)) >= speaks(plain), "a louder event"
    again = Session.model_validate_json(case.session.model_dump_json())
    assert again == case.session
    assert judged(case.vector, again, case.context) == plain, "the same state, from disk"
    assert plain is None or Relevance.model_validate(plain.model_dump()) == plain
    _check_traits_and_topics(case, plain)
    _check_threats(case)
    _check_ending(case)
    _check_rest(case)
    _check_initiative(case)
    check_feedback(case.session)
    check_batch((case.vector, *case.others), case.session, case.split)
    check_order(runner, (case.vector, *case.others), case.split)
    check_streams((case.vector, *case.others), case.session, case.split, case.jump)
    if plain is not None:
        check_model(runner, weighed(case.vector, case.session, case.context), plain)


def _check_traits_and_topics(case: Case, plain: Relevance | None) -> None:
    traits = case.session.traits
    bold = traits.model_copy(update={"proactive": max(case.to, traits.proactive)})
    bolder = case.session.model_copy(update={"traits": bold})
    assert speaks(judged(case.vector, bolder, case.context)) >= speaks(plain), "more proactive"
    rule = TopicRule(topic="ferry", kind="suppress", at=SECONDS, threats=True)
    topics = (*case.session.topics, rule)
    other = case.session.model_copy(update={"topics": topics})
    assert judged(case.vector, other, case.context) == plain, "another topic left alone"


def _check_threats(case: Case) -> None:
    bar, rise = TUNING.relevance.threat, TUNING.relevance.threat_rise
    threat = bar + (1 - bar) * case.to
    alarm = case.vector.model_copy(update={"threat": threat})
    told = case.session.threats.get(ALARM)
    if told is None or threat >= told.level + rise:
        state = weighed(alarm, case.session, case.context)
        found = _GATES[case.context].judge(state)
        assert found.verdict == "alert", "a new or risen threat"
        timing = _CHOOSING[case.context].choose(Assessed(**dict(state), relevance=found), ())
        assert timing.outcome == "immediate", "an alarm waits for nobody"


def _check_ending(case: Case) -> None:
    """Each event comes to one end, with a reason, numbers in range, and a hold that is over."""
    state = weighed(case.vector, case.session, case.context)
    found = judged(case.vector, case.session, case.context)
    if found is None:
        assert state.salience.dull
        return
    assert found.reason
    assert found.counterfactual
    tuning = TUNING.relevance
    assert tuning.lowest_threshold <= found.threshold <= tuning.highest_threshold
    assert 0 <= found.score <= 1
    if found.verdict not in (*SPEAKS, "hold"):
        return
    timing = _CHOOSING[case.context].choose(Assessed(**dict(state), relevance=found), ())
    assert timing.outcome in get_args(TimingOutcome)
    is_held = timing.outcome in ("queued", "batched", "deferred")
    assert (timing.due_at is not None) == is_held
    if timing.due_at is not None:
        assert timing.due_at <= NOW + timedelta(days=1)


def _check_rest(case: Case) -> None:
    """After six fades of quiet, what was boring is within .01 as good as new."""
    fade = TUNING.habituation.fade_seconds[case.context]
    known = case.session.familiar.get(PATTERN)
    if known is None:
        return
    rested = known.model_copy(update={"at": SECONDS - 6 * fade})
    bored = case.session.model_copy(update={"familiar": {PATTERN: rested}})
    fresh = case.session.model_copy(update={"familiar": {}})
    one, other = (judged(case.vector, each, case.context) for each in (bored, fresh))
    if one is not None and other is not None:
        assert math.isclose(one.score, other.score, abs_tol=0.01), "six fades of quiet"


def _check_initiative(case: Case) -> None:
    found = FINDING.find(case.session, NOW)
    if found is None or found.initiative.kind in KEPT:
        return
    session, tuning = case.session, TUNING.proactive
    assert session.busy is None, "unasked while busy"
    assert quiet_now(session, NOW) is None, "unasked in the quiet"
    assert SECONDS - session.sitting_since >= tuning.settling_seconds, "unasked at first"
    assert 0 <= SECONDS - session.seen_at <= tuning.present_seconds, "unasked of nobody"
    assert has_budget(session, SECONDS, tuning), "unasked beyond the budget"


def weighed(vector: SalienceVector, session: Session, context: Any) -> Weighed:
    """Weigh the event of a case."""
    event = event_of(TEXT, salience=vector, entities=["tide"])
    arrival = arrival_of(event)
    salience = _WEIGHING[context].weigh(event, arrival, session)
    return Weighed(event=event, arrival=arrival, session=session, salience=salience)


def judged(vector: SalienceVector, session: Session, context: Any) -> Relevance | None:
    """Judge the event of a case; None: it was dull."""
    state = weighed(vector, session, context)
    if state.salience.dull:
        return None
    return _GATES[context].judge(state)


def speaks(found: Relevance | None) -> bool:
    """Tell whether it is said, now or at its moment."""
    return found is not None and found.verdict in SPEAKS
