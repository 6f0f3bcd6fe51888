"""Request and response types of the journal, with their examples."""

from typing import Any

from pydantic import Field

from state.event import Instant
from state.journal import (
    DecisionFilters,
    DecisionLink,
    DecisionStatus,
    FoundDecision,
    JournalMessage,
    LinkStanding,
    NotUnderstood,
    Scope,
)
from state.noun import CleanText, Name, Noun, Score

Json = dict[str, Any]  # a document shown, never read

IMPORT: Json = {
    "messages": [
        {"message_id": "m1", "session_id": "mess", "speaker": "ann", "content": "Shall we sail?"},
        {"message_id": "m2", "session_id": "mess", "speaker": "bo", "content": "Agreed."},
    ]
}
IMPORTED: Json = {
    "messages": [
        {
            "message_id": "m2",
            "is_decision": True,
            "confidence": 0.94,
            "decision_id": "dec-0f3a5b7c9d1e2f40",
            "reasons": ["accepts +5.5"],
        }
    ],
    "records": [],
    "added": 1,
    "changed": 0,
    "same": 0,
}
DECISION: Json = {
    "id": "dec-0f3a5b7c9d1e2f40",
    "timestamp": "2026-06-14T12:00:00Z",
    "session_id": "mess",
    "tenant_id": "mv-aurora",
    "title": "sail",
    "decision": "sail",
    "confidence": 0.94,
    "decision_maker": "ann",
    "stakeholders": ["ann", "bo"],
    "evidence": {"decision": [{"message_id": "m1", "start": 9, "end": 13}]},
}
FOUND: Json = {
    "decisions": [
        {
            "decision": DECISION,
            "score": 1.0,
            "lexical": 1.0,
            "similarity": 0.71,
            "snippet": "‹sail›",
        }
    ]
}
EXPORTED = '{"id": "dec-0f3a5b7c9d1e2f40", "title": "sail", "decision": "sail", "…": "…"}\n'
CHAIN: Json = {
    "original": DECISION,
    "revisions": [],
    "current": DECISION,
    "links": [],
    "left_out": 0,
}
DRIFT: Json = {
    "entries": 120,
    "without_vectors": 0,
    "text_is_whole": True,
    "dated_ahead": 0,
    "dates_mended": 0,
    "index": {
        "vectors": 240,
        "missing": 0,
        "surplus": 0,
        "behind": 0,
        "sampled": 40,
        "unfound": 0,
        "problem": "",
    },
}
NEW_LINK: Json = {
    "newer": "dec-9c7d1e2f400f3a5b",
    "older": "dec-0f3a5b7c9d1e2f40",
    "reason": "the tide was misread",
    "scope": "full",
}
LINK: Json = {
    **NEW_LINK,
    "link_id": 3,
    "standing": "accepted",
    "source": "person",
    "confidence": 1.0,
    "made_by": "ann",
    "made_at": "2026-06-15T08:00:00Z",
    "settled_by": "ann",
    "settled_at": "2026-06-15T08:00:00Z",
}
LINKS: Json = {"links": [LINK]}
SETTLE: Json = {"accept": True}


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
        description="in plain words; times, @names, statuses, what is left out, and technologies "
        "that your records name become filters",
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
    not_understood: tuple[NotUnderstood, ...] = Field(
        default=(), description="words that were to limit the search, and did not"
    )


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
