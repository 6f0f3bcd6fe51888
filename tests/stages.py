"""Stages of a decision for tests: plain values, but for what a test says about them."""

import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from state.agent_call import AgentCall
from state.approval import LedgerAction
from state.arrival import Arrival
from state.classification import BrokenLookup, Classification
from state.event import Event, EventEntity
from state.judgement import Relevance, Timing
from state.note import DetectedDecision, NotedDecision
from state.offer import Chip, Offer
from state.outcome import ActionOutcome
from state.policy import (
    Candidate,
    EntityMention,
    PolicyDecision,
    Routing,
    SearchPolicy,
    Suggestion,
    Uncovered,
)
from state.record import DecisionRecord
from state.response import Delivery, Response
from state.result import DecisionPath, DecisionResult
from state.salience import Salience, SalienceVector
from state.session import (
    Familiarity,
    OpenQuestion,
    PassedOver,
    Session,
    Spoken,
    ThreatTold,
    TopicRule,
)
from state.stages import Weighed
from state.talk import Aside, Repeat, TalkRequest
from state.tuning import Tuning
from tests.kept import ATTENTIVE, MEANT, OFFERED, PREVIEW, STEP, USED, WAITED

NOW = datetime(2026, 6, 14, 16, tzinfo=UTC)
SECONDS = NOW.timestamp()
TUNING = Tuning.model_validate(
    tomllib.loads((Path(__file__).parents[1] / "policy.toml").read_text(encoding="utf-8"))
)


def event_of(text: str = "The tide turns", **fields: Any) -> Event:
    """Return an event that happened now."""
    return Event.model_validate(
        {"event_id": "event-1", "source": "buoy", "text": text, "occurred_at": NOW, **fields}
    )


def session_of(**fields: Any) -> Session:
    """Return a session that has begun and knows nothing."""
    return Session.model_validate(
        {"tenant_id": "default", "session_id": "default", "started_at": SECONDS - 3600, **fields}
    )


def arrival_of(event: Event, **fields: Any) -> Arrival:
    """Return the receipt of an event that came at once."""
    return Arrival.model_validate(
        {
            "decision_id": event.decision_id,
            "standing": "accepted",
            "received_at": NOW,
            "age_seconds": 0.0,
            "started_ns": 0,
            **fields,
        }
    )


def salience_of(vector: SalienceVector | None = None, **fields: Any) -> Salience:
    """Return a salience without habituation, watch or suppression."""
    return Salience.model_validate(
        {
            "vector": vector or SalienceVector(),
            "source": "given",
            "pattern": "buoy|ambient|",
            "habituation": 0.0,
            "boost": 1.0,
            "dull": False,
            **fields,
        }
    )


def weighed(
    vector: SalienceVector | None = None,
    *,
    event: Event | None = None,
    session: Session | None = None,
    arrival: dict[str, Any] | None = None,
    **salience: Any,
) -> Weighed:
    """Return a decision that is about to be assessed."""
    happened = event or event_of()
    return Weighed(
        event=happened,
        arrival=arrival_of(happened, **(arrival or {})),
        session=session or session_of(),
        salience=salience_of(vector, **salience),
    )


def frozen_action(**fields: Any) -> LedgerAction:
    """Return a Class C row of the ledger that waits for a yes."""
    return LedgerAction.model_validate(
        {
            "action_id": "action-1",
            "tenant_id": "default",
            "decision_id": event_of().decision_id,
            "action": "close_lock",
            "pack": "harbour",
            "execution_class": "C",
            "arguments": {"lock": "LK-12", "minutes": 30},
            "digest": "0" * 64,
            "summary": "Close lock LK-12",
            "state": "pending",
            "requester": "amir",
            "requester_roles": ("keeper",),
            "approver_roles": ("master",),
            "quorum": 1,
            "four_eyes": False,
            "proposed_at": NOW,
            "expires_at": NOW + timedelta(minutes=15),
            "preview": PREVIEW,
            "duplicates": (
                {"action_id": "action-0", "state": "succeeded", "requester": "ann", "at": NOW},
            ),
            **fields,
        }
    )


def every_stage(call: AgentCall | None = None) -> dict[str, Any]:
    """Return a whole state: every channel filled, every noun somewhere in it."""
    event = event_of(
        user="amir",
        role="keeper",
        kind="message" if call is None else "proposal",
        call=call,
        salience=SalienceVector(goal_relevance=0.8),
        entities=(EventEntity(type="lock", value="LK-12"),),
        payload={"level": 3.5, "inside": [{"deep": None}]},
        expires_in_seconds=60.0,
    )
    vector = SalienceVector(goal_relevance=0.8, threat=0.2)
    routing = Routing(
        text=event.text,
        normalized="the tide turns",
        tokens=("the", "tide", "turns"),
        action="close_lock",
        confidence=0.9,
        alternatives=(Candidate(action="open_lock", confidence=0.2),),
        uncovered=(Uncovered(text="at dusk", narrows=True, attaches=True),),
        mood="command",
        slots={"lock": "LK-12"},
        entities=(EntityMention(type="lock", value="LK-12", confidence=1.0, span=(0, 5)),),
    )
    chip = Chip(
        chip_id="chip-1",
        action="close_lock",
        arguments={"lock": "LK-12"},
        summary="s",
        confidence=1,
    )
    session = session_of(
        topics=(TopicRule(topic="tide", kind="watch", at=SECONDS),),
        spoken=(Spoken(at=SECONDS, text="The tide turned", pattern="observation|"),),
        missed=(
            PassedOver(
                decision_id="d-1",
                at=SECONDS,
                source="buoy",
                identity="buoy|ambient||the tide turned",
                text="The tide turned",
                worth=0.4,
            ),
        ),
        familiar={"buoy|ambient|": Familiarity(level=0.3, at=SECONDS, seen=vector)},
        offered=OFFERED,
        questions={
            "amir": OpenQuestion(
                action="close_lock", arguments={}, slots=("lock",), confidence=0.9, at=SECONDS
            )
        },
        threats={"buoy|ambient|": ThreatTold(level=0.9, at=SECONDS, times=2)},
        **ATTENTIVE,
    )
    return {
        "event": event,
        "arrival": arrival_of(event, initiative=MEANT),
        "session": session,
        "salience": salience_of(vector),
        "relevance": Relevance(
            score=0.6,
            threshold=0.5,
            threat=0.2,
            verdict="continue",
            reason="relevant",
            counterfactual="would be silent below 0.50",
            terms={"S": 0.6},
        ),
        "timing": Timing(
            outcome="immediate",
            reason="asked",
            response_type="observation",
            urgency=0.2,
            **WAITED,
        ),
        "policy": PolicyDecision(
            intent="action",
            routing=routing,
            action="close_lock",
            arguments={"lock": "LK-12"},
            confidence=0.9,
            alternatives=routing.alternatives,
            search=SearchPolicy(query_terms=("tide",)),
            stage_transition=STEP,
            suggestion=Suggestion(
                heuristic_id="h", confidence=0.9, condition_text="tide", suggested_action="Look"
            ),
            talk=TalkRequest(kind="mute", seconds=60, repeats=Repeat(unit="day")),
            beside=Aside(talk=TalkRequest(kind="quiet"), rest="why did you do that?"),
            detected=DetectedDecision(decision="close the lock", rationale="", confidence=0.9),
        ),
        "result": DecisionResult(
            path=DecisionPath.HEURISTIC,
            action="close_lock",
            arguments={"lock": "LK-12"},
            models=(USED,),
        ),
        "classification": Classification(
            verdict="confirm", reason="class_C", execution_class="C", action=frozen_action()
        ).model_copy(update={"broken_lookup": BrokenLookup(pack="a", entity_type="b", cause="c")}),
        "reply": {"answered": True},
        "offer": Offer(
            offer_id="offer-1",
            decision_id=event.decision_id,
            tenant_id="default",
            session_id="default",
            chips=(chip,),
            reason="low_confidence",
            expires_at=NOW,
        ),
        "outcome": ActionOutcome(
            action_id="action-1", state="succeeded", executed_now=True, arguments={"lock": "LK-12"}
        ),
        "advanced": STEP,
        "response": Response(type="answer", text="Done"),
        "delivery": Delivery(output="action", delivered_at=NOW, reason="answered"),
        "noted": NotedDecision(
            note_id="note-1",
            decision_id=event.decision_id,
            decision="close the lock",
            confidence=0.9,
            decided_at=NOW,
        ),
        "record": DecisionRecord(
            event_id=event.event_id,
            decision_id=event.decision_id,
            outcome="executed",
            spoke=True,
            alternatives=routing.alternatives,
            reason="class_C",
            recorded_at=NOW,
        ),
    }
