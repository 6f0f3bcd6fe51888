"""What goes over the wire about the journal and is not a noun of the house."""

from pydantic import Field

from state.event import Instant
from state.journal import (
    DecisionFilters,
    DecisionLink,
    DecisionStatus,
    FoundDecision,
    JournalMessage,
    LinkStanding,
    Scope,
)
from state.noun import CleanText, Name, Noun, Score

MOST_MESSAGES = 500
MOST_RECORDS = 100


class NewRecord(Noun):
    """A decision record as it stands in its Markdown file."""

    path: CleanText = Field(min_length=1, max_length=1_000, description="names it; again replaces")
    text: CleanText = Field(min_length=1, max_length=200_000)


class JournalImport(Noun):
    """A conversation in order, records, or both."""

    messages: tuple[JournalMessage, ...] = Field(default=(), max_length=MOST_MESSAGES)
    records: tuple[NewRecord, ...] = Field(default=(), max_length=MOST_RECORDS)


class ReadMessage(Noun):
    """What one message was taken for."""

    message_id: str
    is_decision: bool
    confidence: Score
    decision_id: str | None = Field(description="null: it decides nothing")
    reasons: tuple[str, ...] = Field(description="what told most, with its weight")


class JournalImported(Noun):
    """What an import was taken for, and what it changed."""

    messages: tuple[ReadMessage, ...]
    records: tuple[str, ...] = Field(description="ids, in the order of the records")
    added: int
    changed: int
    same: int = Field(description="were there already")
    links: tuple[DecisionLink, ...] = Field(
        default=(), description="what new decisions replace, or may replace (`proposed`)"
    )


class JournalQuestion(Noun):
    """What is asked of the journal."""

    q: CleanText = Field(
        min_length=1,
        max_length=1_000,
        description="in plain words; times, @names, statuses, and technologies that your records "
        "name become filters",
    )
    limit: int = Field(default=10, ge=1, le=50)
    status: DecisionStatus | None = None
    since: Instant | None = Field(default=None, description="taken then or later; ISO time")
    until: Instant | None = Field(default=None, description="taken before then; ISO time")
    person: tuple[Name, ...] = Field(
        default=(), max_length=10, description="each has to have taken part; may be repeated"
    )
    technology: tuple[Name, ...] = Field(
        default=(), max_length=10, description="each has to be named; may be repeated"
    )

    def filters(self) -> DecisionFilters:
        """Give what it is narrowed to apart from its words.

        Raises:
            BadInput: it begins when it has ended.
        """
        return DecisionFilters(
            since=self.since,
            until=self.until,
            status=self.status,
            people=self.person,
            technologies=self.technology,
        )


class FoundDecisions(Noun):
    """Decisions a question is about, best first; none is an answer."""

    decisions: tuple[FoundDecision, ...]


class NewLink(Noun):
    """One decision replaces another, or revises it in part."""

    newer: Name = Field(description="id of the decision that came after")
    older: Name = Field(description="id of the one that it replaces")
    reason: CleanText = Field(default="", max_length=2_000)
    scope: Scope = "full"


class SettleLink(Noun):
    """Whether a link that was proposed holds."""

    accept: bool


class LinksWanted(Noun):
    """Which links to list."""

    standing: LinkStanding | None = None
    limit: int = Field(default=100, ge=1, le=500)
    cursor: int | None = Field(
        default=None, ge=1, le=2**53, description="`next_cursor` of the page before"
    )


class DecisionLinks(Noun):
    """Links, newest first."""

    links: tuple[DecisionLink, ...]
    next_cursor: int | None = Field(default=None, description="null on the last page")
