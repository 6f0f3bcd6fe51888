"""What a silent decision says would have changed it does change it. Source: executive.md §3."""

import random
from typing import Any

from state.attention import OpenCause
from state.event import Event
from state.judgement import Relevance
from state.personality import Traits
from state.salience import DIMENSIONS, SalienceVector
from state.session import Session, Spoken, TopicRule
from state.stages import Received, Weighed
from tests.nodes.assessing import assessing, filtering
from tests.stages import SECONDS, arrival_of, event_of, session_of
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tools.attention.salience import InhibitionRules
from tools.catalog.pack_schema import Inhibition

CAUSES = InhibitionRules((Inhibition(id="dark", cause="blackout", hides=("tide",)),))
OPEN = {"dark": OpenCause(rule="dark", decision_id="d", text="Blackout", at=0, until=9e9)}


async def judge(event: Event, session: Session, **arrival: Any) -> Relevance | None:
    received = Received(event=event, arrival=arrival_of(event, **arrival), session=session)
    salience = (await filtering("default", CAUSES)(received))["salience"]
    weighed = Weighed(**dict(received), salience=salience)
    if salience.dull:
        return None
    return (await assessing("default")(weighed))["relevance"]


def drawn(chance: random.Random) -> tuple[Event, Session, dict[str, Any]]:
    """Draw an event in a state with many reasons to be silent."""
    scores = {name: chance.random() * 0.9 for name in chance.sample(DIMENSIONS, 3)}
    if chance.random() < 0.9:
        scores.pop("threat", None)
    event = event_of(
        "The tide turns",
        salience=SalienceVector(**scores),
        intent=chance.choice(("unknown", "unknown", "informational")),
        payload={"backfill": True} if chance.random() < 0.1 else {},
    )
    topic = TopicRule(topic="tide", kind="suppress", at=0)
    session = session_of(
        traits=Traits(proactive=chance.random(), helpfulness=chance.random()),
        muted_until=SECONDS + 600 if chance.random() < 0.1 else None,
        topics=(topic,) if chance.random() < 0.1 else (),
        causes=OPEN if chance.random() < 0.1 else {},
        quiet_asked_at=SECONDS if chance.random() < 0.2 else None,
        spoken=(Spoken(at=SECONDS - 30, text="The tide turns", pattern=""),)
        if chance.random() < 0.2
        else (),
    )
    age = {"age_seconds": 500.0} if chance.random() < 0.1 else {}
    return event, session, age


def changed(
    reason: str, relevance: Relevance | None, event: Event, session: Session, age: dict[str, Any]
) -> tuple[Event, Session, dict[str, Any]]:
    """Change what the counterfactual of a reason names, and nothing else."""
    match reason:
        case "expired":
            return event, session, {}
        case "suppressed":
            return event, session.model_copy(update={"topics": ()}), age
        case "muted":
            return event, session.model_copy(update={"muted_until": None}), age
        case "informational":
            return event.model_copy(update={"intent": "unknown"}), session, age
        case "backfill":
            return event.model_copy(update={"payload": {}}), session, age
        case "inhibited":
            return event, session.model_copy(update={"causes": {}}), age
        case "just_said" | "habituated":
            return event, session.model_copy(update={"spoken": (), "familiar": {}}), age
        case _:
            # More relevance, with what damps it left as it is: every dimension is raised.
            assert relevance is not None
            damped = relevance.score / max(relevance.terms["S"], 1e-9)
            needed = min(1.0, (relevance.threshold + 1e-5) / max(damped, 1e-9))
            given = event.salience or SalienceVector()
            raised = {
                name: max(needed, getattr(given, name)) for name in DIMENSIONS if name != "threat"
            }
            louder = SalienceVector(**raised, threat=given.threat)
            return event.model_copy(update={"salience": louder}), session, age


@few_or_many(1_000, 100_000)
async def test_what_would_have_changed_a_silence_changes_it(tally: Tally, count: int) -> None:
    chance = random.Random(11)
    silent = flipped = 0
    while silent < count:
        event, session, age = drawn(chance)
        relevance = await judge(event, session, **age)
        if relevance is None or relevance.verdict in ("alert", "continue"):
            continue
        silent += 1
        assert relevance.counterfactual
        again = changed(relevance.reason, relevance, event, session, age)
        after = await judge(again[0], again[1], **again[2])
        assert after is not None
        # Behind one closed gate there may be another: then it is that one which is told.
        flipped += after.reason != relevance.reason
    tally.add("counterfactuals replayed", silent)
    assert flipped / silent >= 0.99
