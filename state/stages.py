"""What each node may read: one class that grows by a field a stage.

A node names the stage it needs as the type of its parameter; a skipped stage is then an error
that names the missing field.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

from state.arrival import Arrival
from state.classification import Classification
from state.event import Event
from state.judgement import Relevance, Timing
from state.note import NotedDecision
from state.offer import Offer
from state.outcome import ActionOutcome
from state.policy import PolicyDecision, StageTransition
from state.response import Delivery, Response
from state.result import DecisionResult
from state.salience import Salience
from state.session import Session


class Opened(BaseModel):
    """An event has come in, perhaps as plain JSON."""

    model_config = ConfigDict(frozen=True)

    event: Event


class Received(Opened):
    """It is ours to decide, on this snapshot of the session."""

    arrival: Arrival
    session: Session


class Weighed(Received):
    """We know how much it stands out."""

    salience: Salience


class Assessed(Weighed):
    """We know whether to respond."""

    relevance: Relevance


class Timed(Assessed):
    """We know when."""

    timing: Timing


class Decided(Timed):
    """Policy has said what is asked and what is allowed."""

    policy: PolicyDecision


class Resolved(Decided):
    """We know what to say or do."""

    result: DecisionResult


class Classified(Resolved):
    """We know what class of action it is."""

    classification: Classification


class Answered(Classified):
    """The thread was resumed at the gate; nobody has looked at what with."""

    reply: Any = None  # plain JSON, of anybody


class Settled(Classified):
    """Nothing is left to be done: chips are shown, an action has ended, or there was none."""

    offer: Offer | None = None
    outcome: ActionOutcome | None = None
    advanced: StageTransition | None = None


class Composed(Settled):
    """There are words."""

    response: Response


class Gathered(Received):
    """Whatever stages the decision went through, for its record."""

    salience: Salience | None = None
    relevance: Relevance | None = None
    timing: Timing | None = None
    policy: PolicyDecision | None = None
    result: DecisionResult | None = None
    classification: Classification | None = None
    offer: Offer | None = None
    outcome: ActionOutcome | None = None
    advanced: StageTransition | None = None
    response: Response | None = None
    delivery: Delivery | None = None
    noted: NotedDecision | None = None
