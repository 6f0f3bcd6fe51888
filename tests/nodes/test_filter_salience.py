"""Does an event stand out at all, and as what is it known?"""

from typing import Any

import pytest

from nodes.filter_salience import FilterSalience
from state.event import Event
from state.policy import Suggestion
from state.salience import Salience, SalienceVector
from state.session import Familiarity, Session, TopicRule
from state.stages import Received
from tests.characters import character_of
from tests.nodes.assessing import filtering
from tests.stages import SECONDS, TUNING, arrival_of, event_of, session_of
from tools.attention.salience import SalienceAssessor, SalienceScorer, prominence

GOAL = SalienceVector(goal_relevance=0.9)
NODE = filtering()


async def filtered(
    text: str = "The tide turns", *, session: Session | None = None, **fields: Any
) -> Salience:
    event = event_of(text, **fields)
    state = Received(event=event, arrival=arrival_of(event), session=session or session_of())
    return (await NODE(state))["salience"]


def rules(kind: str, *topics: str) -> Session:
    return session_of(
        topics=tuple(TopicRule.model_validate({"topic": t, "kind": kind, "at": 0}) for t in topics)
    )


async def test_the_gateways_vector_counts_as_it_came() -> None:
    salience = await filtered("Fire!", salience=GOAL)
    assert (salience.vector, salience.source, salience.words) == (GOAL, "given", ())


async def test_without_one_the_words_are_weighed() -> None:
    salience = await filtered("Fire in the galley")
    assert (salience.source, salience.words) == ("words", ("fire",))
    assert salience.vector.threat >= TUNING.relevance.threat


async def test_a_person_who_speaks_is_never_dull_or_boring() -> None:
    bored = session_of(
        familiar={"buoy|message|": Familiarity(level=0.9, at=SECONDS, seen=SalienceVector())}
    )
    salience = await filtered("hm", session=bored, user="amir")
    assert (salience.source, salience.dull, salience.habituation) == ("addressed", False, 0.0)


@pytest.mark.parametrize(("score", "dull"), [(0.0, True), (0.119, True), (0.12, False), (1, False)])
async def test_what_stands_out_in_nothing_is_dull(score: float, dull: bool) -> None:
    assert (await filtered(salience=SalienceVector(novelty=score))).dull is dull


async def test_what_bores_becomes_dull_and_a_threat_does_not() -> None:
    bored = session_of(
        familiar={
            "buoy|ambient|": Familiarity(
                level=0.9, at=SECONDS, seen=SalienceVector(novelty=0.9, threat=0.9)
            )
        }
    )
    assert (await filtered(session=bored, salience=SalienceVector(novelty=0.9))).dull
    threat = await filtered(session=bored, salience=SalienceVector(threat=0.9))
    assert (threat.dull, threat.habituation) == (False, 0.9)


def test_how_far_something_stands_out() -> None:
    assert prominence(SalienceVector(novelty=0.4, humor=0.2), 0.5) == 0.2
    assert prominence(SalienceVector(novelty=0.4, threat=0.3), 0.5) == 0.3


async def test_a_watched_topic_counts_double_and_is_never_dull() -> None:
    salience = await filtered("The tide turns", session=rules("watch", "tide", "fog"))
    assert (salience.watched, salience.boost, salience.dull) == ("tide", 2.0, False)
    other = await filtered("The ferry leaves", session=rules("watch", "tide"))
    assert (other.watched, other.boost, other.dull) == (None, 1.0, True)


@pytest.mark.parametrize(
    "fields", [{"text": "Bilge high"}, {"source": "bilge"}, {"entities": ["aft bilge"]}]
)
async def test_a_topic_is_found_in_text_source_and_entities(fields: dict[str, Any]) -> None:
    salience = await filtered(
        **{"text": "Level high", **fields}, session=rules("suppress", "bilge")
    )
    assert salience.suppressed == "bilge"


@pytest.mark.parametrize(
    ("fields", "pattern"),
    [
        ({}, "buoy|ambient|"),
        ({"source": "panel", "kind": "tick"}, "panel|tick|"),
        ({"entities": ["port generator", "other"]}, "buoy|ambient|port generator"),
        ({"text": "smoke and a leak"}, "buoy|ambient|leak+smoke"),
        ({"text": "93 degrees"}, "buoy|ambient|"),
    ],
)
async def test_a_pattern_is_source_kind_and_thing(fields: dict[str, Any], pattern: str) -> None:
    assert (await filtered(**fields)).pattern == pattern


async def test_another_figure_is_the_same_pattern() -> None:
    first, second = await filtered("Leak: 3 litres"), await filtered("Leak: 4 litres")
    assert first.pattern == second.pattern


class Knows:
    def match(self, event: Event) -> Suggestion | None:
        return Suggestion(
            heuristic_id="level",
            confidence=0.9,
            condition_text="level",
            suggested_action="Look.",
        )


async def test_what_the_pack_has_a_heuristic_for_is_never_dull() -> None:
    event = event_of("Sluice level 4")
    state = Received(event=event, arrival=arrival_of(event), session=session_of())
    scorer = SalienceScorer(Knows(), TUNING.salience)
    weighing = SalienceAssessor(scorer, TUNING.salience, TUNING.habituation, "default")
    node = FilterSalience(weighing, character_of())
    known = (await node(state))["salience"]
    assert ((await filtered("Sluice level 4")).dull, known.dull) == (True, False)
    assert known.vector.goal_relevance == 0.9


@pytest.mark.parametrize(("text", "dull"), [("Job 7 waits", False), ("No error in job 7", True)])
async def test_what_its_sender_calls_critical_counts_without_an_encoder(
    text: str, dull: bool
) -> None:
    told = await filtered(text, payload={"severity": "critical"})
    assert ((await filtered(text)).dull, told.dull) == (True, dull)
    assert told.vector.threat < TUNING.relevance.threat
