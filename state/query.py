"""What is logged of every query, and what is counted over many.

Source: action execution contract §5; `yacht_id` there is our tenant. Keys after its own are ours.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from pydantic import Field

from state.cursor import Cursor
from state.execution import ChipOrdering, ReleasePhase
from state.noun import CleanJson, CleanText, Name, Noun
from state.policy import Candidate, EntityMention

Collision = Literal["none", "routing_bug", "acceptable_soft_route", "suggestion_worthy"]
"""How bad it is that another action was predicted. Source: action execution contract §3."""

ExecutionWord = Literal["auto", "suggest", "confirm", "ask", "refuse", "none"]
ExecutionMethod = Literal["auto", "chip_click", "chip_said", "confirmation"]
"""chip_said: the chip was taken by a plain yes, or by its number, in the conversation."""


class Chosen(NamedTuple):
    """How often an action was shown after the same reading, and how often people took it."""

    shown: int
    chosen: int


class QueryText(Noun):
    """The words of a query."""

    raw_text: str
    normalized: str
    tokens: tuple[str, ...]


class QueryRouting(Noun):
    """What was read from them."""

    verb_family: str | None
    predicted_action: str | None
    confidence: float | None
    alternatives: tuple[Candidate, ...]
    execution_class: ExecutionWord
    reasons: tuple[str, ...] = Field(description="what raised the class, or left it open")
    collision: Collision = Field(description="with the strongest competitor inside the margin")
    phase: ReleasePhase


class QueryOutcome(Noun):
    """What came of it; null: nothing yet."""

    chips_shown: tuple[str, ...]
    action_executed: str | None
    execution_method: ExecutionMethod | None
    time_to_action_ms: float | None = Field(description="from the query to the start of its action")
    undo_triggered: bool
    chip_chosen: str | None
    chip_position: int | None = Field(description="1 is the primary")
    chip_ordering: ChipOrdering | None
    action_observed: str | None = Field(description="what the person then did elsewhere")
    collision_observed: Collision | None = Field(description="with what the person really did")
    decision: str = Field(description="the outcome on the decision's record")


class Query(Noun):
    """One line of the query log."""

    timestamp: datetime
    session_id: str
    yacht_id: str
    user_role: str | None
    query: QueryText
    routing: QueryRouting
    entities: tuple[EntityMention, ...]
    outcome: QueryOutcome
    decision_id: str
    user: str | None
    action_id: str | None = Field(description="the ledger's row")
    offer_id: str | None

    @property
    def cursor(self) -> Cursor:
        """Name the place after it in the log."""
        return Cursor(self.timestamp.timestamp(), self.decision_id)


class Observation(Noun):
    """What a person did elsewhere instead of, or after, asking us."""

    action: Name
    arguments: Mapping[CleanText, CleanJson] = Field(default_factory=dict)


class Gap(Noun):
    """A pair of predicted and done that differ, however often it came."""

    predicted: str | None
    done: str
    by: Literal["observed", "chip"]
    collision: Collision
    count: int
    share: float = Field(description="of all queries of which we know what was done")
    examples: tuple[str, ...]


class Gaps(Noun):
    """Where prediction and people part, the most frequent first."""

    known: int = Field(description="queries of which we know what the person did")
    agreed: int
    gaps: tuple[Gap, ...]


class Rate(Noun):
    """A share, of how many, and the 95 % interval around it."""

    value: float | None
    n: int
    low: float
    high: float


class HardFalsePositive(Noun):
    """An action that was started without intent; there must be none."""

    action_id: str
    tenant_id: str
    action: str
    execution_class: str
    why: Literal["no_quorum", "no_choice", "below_floor"]


class Metrics(Noun):
    """What is counted over the query log and the ledger of one tenant."""

    queries: int
    by_class: Mapping[str, int]
    by_phase: Mapping[str, int]
    offers: int = Field(description="queries that ended with chips")
    chosen: Rate = Field(description="of the offers: any chip was taken")
    said: Rate = Field(description="of the chips taken: in words, and not by a click")
    primary_chosen: Rate = Field(description="of the chips taken: it was the primary; goal .70")
    positions: Mapping[int, Rate] = Field(description="of the chips taken, by position")
    time_to_action_ms: Mapping[Literal["median", "p95"], float | None]
    executions: Mapping[str, int] = Field(description="by method")
    undone: Mapping[str, Rate] = Field(description="of the executions of an action")
    accepted: Mapping[str, Rate] = Field(description="of the answered questions about an action")
    collisions: Mapping[str, int]
    collisions_observed: Mapping[str, int]
    orderings: Mapping[str, Rate] = Field(description="the primary was taken, of the chips taken")
    hard_false_positives: int = Field(description="must be 0")


class AnswerSpan(Noun):
    """How people answered in a span of time, and what was started in it."""

    start: datetime
    turns: int = Field(description="queries")
    chosen: Rate = Field(description="of the offers: any chip was taken")
    primary_chosen: Rate = Field(description="of the chips taken: it was the primary; goal .70")
    accepted: Rate = Field(description="of the questions answered or run out: yes")
    undone: Rate = Field(description="of the changes that were made: taken back")
    started: int = Field(description="actions")
    harmful: Rate = Field(description="of the actions started: hard false positives; must be 0")
    median_ms: float | None = Field(description="from a query to the start of its action")
    p95_ms: float | None


class Example(NamedTuple):
    """A text that people confirmed to mean an action."""

    action: str
    text: str
    times: int
