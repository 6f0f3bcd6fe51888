"""Decisions people took: what, why, instead of what, by whom, and where each of it was said.

Source: decision journal spec, data schema.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from prefrontal.types.errors import BadInput
from prefrontal.types.noun import CleanText, Name, Noun, Score, TenantId

Category = Literal["technical", "product", "design", "process"]
Vote = Literal["for", "against", "abstain"]
Origin = Literal["conversation", "record", "action"]
"""Said in a conversation, written as a decision record, or a change the Executive was asked for."""


Scope = Literal["full", "partial"]
"""Whether nothing of the older decision is left, or it was revised."""


LinkStanding = Literal["proposed", "accepted", "refused"]


def _zoned(instant: datetime) -> datetime:
    # Two times are compared again and again, and Python compares none with a zone to one without.
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant


Moment = Annotated[datetime, AfterValidator(_zoned)]
"""A time that is kept with the zone it came with; without one it is UTC."""


class DecisionStatus(StrEnum):
    """Where a decision stands; the first three are the specification's.

    In force are ACTIVE and REVISITED. UNKNOWN: a record that says it in words we do not know, or
    says neither that nor what was decided.
    """

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    REVISITED = "revisited"
    PROPOSED = "proposed"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


class JournalMessage(Noun):
    """One message of a conversation, as `journal import` takes it."""

    message_id: Name
    session_id: Name = "default"
    speaker: CleanText = ""
    content: CleanText = Field(max_length=100_000)
    timestamp: Moment | None = None


class Span(Noun):
    """A verbatim part of one message: `content[start:end]`."""

    message_id: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Alternative(Noun):
    """Another option that was considered."""

    option: str
    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()
    why_not_chosen: str | None = None


class TradeOffs(Noun):
    """What speaks for and against what was chosen."""

    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()


class Decision(Noun):
    """One decision, and in `evidence` the place of every sentence that was taken from a message."""

    id: str
    timestamp: Moment | None = Field(default=None, description="when it was taken, if known")
    session_id: str
    tenant_id: TenantId = "default"
    origin: Origin = "conversation"
    source: str | None = Field(default=None, description="path of the record it was read from")
    heard_in: str | None = Field(
        default=None, description="the Executive's decision on the message it was heard in"
    )

    imported_by: str | None = Field(
        default=None,
        description="who brought it in; whom it names did not say so here. null: it was heard here",
    )

    title: str = Field(min_length=1, max_length=300)
    decision: str = Field(min_length=1)
    context: str = ""
    rationale: str = ""
    category: Category | None = None
    confidence: Score

    alternatives: tuple[Alternative, ...] = ()
    trade_offs: TradeOffs | None = None

    stakeholders: tuple[str, ...] = ()
    decision_maker: str | None = None
    votes: Mapping[str, Vote] = Field(default_factory=dict)

    related_code: tuple[str, ...] = ()
    related_features: tuple[str, ...] = ()
    related_docs: tuple[str, ...] = ()

    status: DecisionStatus = DecisionStatus.ACTIVE
    superseded_by: str | None = None
    supersedes: str | None = None

    notes: str = Field(default="", description="what else a decision record says, as it stands")

    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    evidence: Mapping[str, tuple[Span, ...]] = Field(
        default_factory=dict, description="field to the parts of messages it was taken from"
    )


class DecisionLink(Noun):
    """One decision replaces or revises another; proposed until somebody accepts it."""

    link_id: int
    newer: str = Field(description="id of the decision that came after")
    older: str = Field(description="id of the one that it replaces or revises")
    scope: Scope = "full"
    standing: LinkStanding
    source: Literal["person", "rules"]
    confidence: Score = 1.0
    reason: str = ""
    made_by: str | None = Field(default=None, description="null: our rules")
    made_at: datetime
    settled_by: str | None = Field(default=None, description="who accepted or refused it")
    settled_at: datetime | None = None


class DecisionChain(Noun):
    """How a decision came to be what it is now."""

    original: Decision
    revisions: tuple[Decision, ...]
    current: Decision
    links: tuple[DecisionLink, ...] = Field(
        default=(),
        description="what joins them, and what was only proposed or is refused, oldest first",
    )
    left_out: int = Field(
        default=0, ge=0, description="how many more it has, older than most of those that are told"
    )


class DecisionFilters(Noun):
    """What a search is narrowed to; empty means everything of the tenant.

    Raises:
        BadInput: it ends before it begins.
    """

    since: Moment | None = Field(default=None, description="taken then or later")
    until: Moment | None = Field(default=None, description="taken before then")
    people: tuple[str, ...] = Field(default=(), description="each has to have taken part")
    technologies: tuple[str, ...] = Field(
        default=(), description="each has to be named, in whichever spelling"
    )
    status: DecisionStatus | None = None
    session_id: str | None = None

    @model_validator(mode="after")
    def _goes_forward(self) -> "DecisionFilters":
        if self.since and self.until and self.since >= self.until:
            # No ValueError: pydantic would wrap it, and what a person asked is theirs to mend.
            raise BadInput(
                f"`since` ({self.since:%Y-%m-%d}) must be before `until` ({self.until:%Y-%m-%d}); "
                "both may be given apart or be times in the question"
            )
        return self


class FoundDecision(Noun):
    """A decision that a search found, and why."""

    decision: Decision
    score: Score
    lexical: Score = Field(default=0.0, description="how well its words fit, best of the hits: 1")
    similarity: float = Field(default=0.0, description="cosine of its meaning to the question's")
    snippet: str = ""


class NotUnderstood(Noun):
    """Words of a question that limit it, and that the search could not follow."""

    field: Literal["time", "person", "status", "negation"]
    text: str


class Detection(Noun):
    """Whether a message takes a decision, how sure that is, and what told it."""

    is_decision: bool
    confidence: Score
    reasons: tuple[str, ...] = ()
