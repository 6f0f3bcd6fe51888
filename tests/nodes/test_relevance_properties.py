"""What must hold for every event in every state. Source: executive.md §2."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from state.judgement import Relevance
from state.personality import TRAITS, Traits
from state.salience import DIMENSIONS, SalienceVector
from state.session import Familiarity, Session, Spoken, ThreatTold, TopicRule
from state.stages import Received, Weighed
from tests.nodes.assessing import assessing, filtering
from tests.stages import SECONDS, TUNING, arrival_of, event_of, session_of
from tools.salience.threats import threat_key

SPEAKS = ("alert", "continue")
PATTERN = "buoy|ambient|tide"
ALARM = threat_key(PATTERN, "The tide turns")

scores = st.floats(0, 1)
vectors = st.builds(SalienceVector, **dict.fromkeys(DIMENSIONS, scores))
times = st.floats(SECONDS - 4000, SECONDS + 4000)
contexts = st.sampled_from(["gaming", "home", "work", "default"])
sessions = st.builds(
    session_of,
    traits=st.builds(Traits, **dict.fromkeys(TRAITS, scores)),
    focus=scores,
    quiet_asked_at=st.none() | times,
    muted_until=st.none() | times,
    talk_bias=st.floats(-0.2, 0.2),
    annoyed_at=st.lists(times, max_size=4).map(tuple),
    spoken=st.lists(
        st.builds(
            Spoken,
            at=times,
            text=st.sampled_from(["The tide turns", "Fog"]),
            pattern=st.just("observation|"),
        ),
        max_size=8,
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
        {}, optional={PATTERN: st.builds(Familiarity, level=scores, at=times, seen=vectors)}
    ),
    threats=st.fixed_dictionaries(
        {},
        optional={ALARM: st.builds(ThreatTold, level=scores, at=times, times=st.integers(1, 7))},
    ),
)


def judge(
    vector: SalienceVector,
    session: Session,
    context: Any = "default",
    *,
    text: str = "The tide turns",
    entity: str = "tide",
) -> tuple[Weighed, Relevance | None]:
    """Judge an event as the graph does; no relevance when it was dull."""

    async def run() -> tuple[Weighed, Relevance | None]:
        event = event_of(text, salience=vector, entities=[entity])
        received = Received(event=event, arrival=arrival_of(event), session=session)
        salience = (await filtering(context)(received))["salience"]
        state = Weighed(**dict(received), salience=salience)
        if salience.dull:
            return state, None
        return state, (await assessing(context)(state))["relevance"]

    return asyncio.run(run())


def speaks(*arguments: Any, **given: Any) -> bool:
    _state, relevance = judge(*arguments, **given)
    return relevance is not None and relevance.verdict in SPEAKS


@given(vectors, sessions, contexts, st.sampled_from(DIMENSIONS), scores)
def test_standing_out_more_never_turns_speech_into_silence(
    vector: SalienceVector, session: Session, context: Any, name: str, to: float
) -> None:
    louder = vector.model_copy(update={name: max(to, getattr(vector, name))})
    assert speaks(louder, session, context) >= speaks(vector, session, context)


@given(vectors, sessions, contexts, scores)
def test_being_more_proactive_never_turns_speech_into_silence(
    vector: SalienceVector, session: Session, context: Any, to: float
) -> None:
    traits = session.traits
    bolder = traits.model_copy(update={"proactive": max(to, traits.proactive)})
    assert speaks(vector, session.model_copy(update={"traits": bolder}), context) >= speaks(
        vector, session, context
    )


@given(vectors, sessions, contexts)
def test_leaving_a_topic_alone_changes_nothing_for_another(
    vector: SalienceVector, session: Session, context: Any
) -> None:
    rule = TopicRule(topic="ferry", kind="suppress", at=SECONDS)
    suppressing = session.model_copy(update={"topics": (*session.topics, rule)})
    assert judge(vector, suppressing, context)[1] == judge(vector, session, context)[1]


@given(sessions, contexts, st.floats(TUNING.relevance.threat, 1))
def test_a_new_threat_is_told_in_every_state(session: Session, context: Any, threat: float) -> None:
    unheard = session.model_copy(update={"threats": {}})
    assert speaks(SalienceVector(threat=threat), unheard, context)


@given(vectors, sessions, contexts)
def test_the_same_event_in_the_same_state_is_judged_the_same(
    vector: SalienceVector, session: Session, context: Any
) -> None:
    assert judge(vector, session, context) == judge(vector, session, context)


@given(vectors, sessions, contexts)
def test_every_judgement_is_in_range_and_explained(
    vector: SalienceVector, session: Session, context: Any
) -> None:
    state, relevance = judge(vector, session, context)
    assert Relevance.model_validate(relevance.model_dump()) == relevance if relevance else True
    assert state.salience.dull or relevance is not None
    assert relevance is None or (relevance.reason and relevance.counterfactual)
