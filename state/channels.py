"""What a thread stores: one channel a stage; `event` goes in, `record` comes out."""

from typing import Any

from typing_extensions import TypedDict  # Studio reads no schema of typing's on 3.11

from state.arrival import Arrival
from state.classification import Classification
from state.event import Event
from state.judgement import Relevance, Timing
from state.note import NotedDecision
from state.offer import Offer
from state.outcome import ActionOutcome
from state.policy import PolicyDecision, StageTransition
from state.record import DecisionRecord
from state.response import Delivery, Response
from state.result import DecisionResult
from state.salience import Salience
from state.session import Session


class Input(TypedDict):
    """What starts a decision."""

    event: Event


class State(TypedDict, total=False):
    """Every channel; a stage that was not reached has none."""

    event: Event
    arrival: Arrival
    session: Session
    salience: Salience
    relevance: Relevance | None
    timing: Timing | None
    policy: PolicyDecision
    result: DecisionResult
    classification: Classification
    reply: Any  # what a thread was resumed with at the gate: plain JSON, without any authority
    offer: Offer
    outcome: ActionOutcome | None
    advanced: StageTransition | None
    response: Response
    delivery: Delivery
    noted: NotedDecision | None
    record: DecisionRecord
