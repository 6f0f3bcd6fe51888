"""The port `Notes` on the journal: store noted decisions, find those a question is about.

Decisions noted before the journal existed are searched last. A found decision is worded as
one line of an answer.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from sqlalchemy import Row, literal_column, select

from state.errors import NotFound
from state.event import Event
from state.journal import Decision, DecisionStatus, FoundDecision, Span
from state.note import NotedDecision
from state.reader import Reader
from tools.journal.action_decisions import REFUSED
from tools.journal.extraction.attributes import category_of
from tools.journal.extraction.extractor import title_of
from tools.journal.journal import Journal
from tools.platform.text_comparison import shorten
from tools.storage import Database, readable_in
from tools.storage.tables.decisions import noted_decision as table

LATEST = 2_000
"""How many of a tenant's newest decisions a question is held against."""

_COMMON_WORDS = """
a an and are as at be been but by can did do does for from had has have he how i in is it its of
on or our she so that the their them then there they this to us use was we were what when where
which who why will with you your not decide decided decision choose chose"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True)
class LegacyNotes:
    """Reads what was noted then; nothing is added to it. See tools/journal/decision_recall.py."""

    database: Database

    async def about(self, question: str, reader: Reader, *, limit: int = 3) -> list[NotedDecision]:
        """Find noted decisions that share the question's rarer words: best, then newest first."""
        query = (
            select(table)
            .where(readable_in(table, reader))
            .order_by(table.c.decided_at.desc(), literal_column("rowid").desc())
            .limit(LATEST)
        )
        rows = await self.database.read(lambda connection: connection.execute(query).all())
        known = [(row, _question_words(f"{row.decision} {row.rationale}")) for row in rows]
        spread = Counter(word for _row, words in known for word in words)
        asked = _question_words(question)
        scored = [
            (sum(math.log(1 + len(known) / spread[word]) for word in asked & words), row)
            for row, words in known
            if len(asked & words) >= min(2, len(asked))
        ]
        best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
        return [_legacy_note(row) for _score, row in best[:limit]]


def _question_words(text: str) -> frozenset[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(word.removesuffix("s") for word in words if word not in _COMMON)


def _legacy_note(row: Row[tuple[object, ...]]) -> NotedDecision:
    return NotedDecision(
        note_id=row.note_id,
        decision_id=row.decision_id,
        decision=row.decision,
        rationale=row.rationale,
        decision_maker=row.decision_maker,
        confidence=row.confidence,
        decided_at=datetime.fromtimestamp(row.decided_at, UTC),
    )


@dataclass(frozen=True)
class JournalNotes:
    """The port `Notes` on the journal; what was noted before there was one is still found."""

    journal: Journal
    earlier: LegacyNotes

    async def put(self, note: NotedDecision, event: Event) -> None:
        """Keep a noted decision; noting the same one again changes nothing."""
        await self.journal.keep([_decision(note, event)], event.tenant_id)

    async def about(self, event: Event, *, limit: int = 3) -> list[NotedDecision]:
        """Find decisions that a question is about, best first; of what may be told where it is."""
        reader = self.journal.readers.heard_in(
            event.tenant_id, event.session_id, event.user, event.roles
        )
        asked_in = event.session_id
        answer = await self.journal.answer(event.text, reader, limit=limit, asked_in=asked_in)
        if answer.found:
            return await answer_notes(self.journal, answer.found, reader)
        return await self.earlier.about(event.text, reader, limit=limit)


def _decision(note: NotedDecision, event: Event) -> Decision:
    parts = {"decision": note.decision, "rationale": note.rationale}
    plain = event.text.replace("’", "'")
    places = {field: plain.find(text) for field, text in parts.items() if text}
    return Decision(
        id=note.note_id,
        timestamp=note.decided_at,
        session_id=event.session_id,
        tenant_id=event.tenant_id,
        heard_in=note.decision_id,
        title=title_of(note.decision),
        decision=note.decision,
        rationale=note.rationale,
        category=category_of(note.decision, names_code=False),
        confidence=note.confidence,
        stakeholders=(note.decision_maker,) if note.decision_maker else (),
        decision_maker=note.decision_maker,
        evidence={
            field: (Span(message_id=event.event_id, start=at, end=at + len(parts[field])),)
            for field, at in places.items()
            if at >= 0
        },
    )


async def answer_notes(
    journal: Journal, found: Sequence[FoundDecision], reader: Reader
) -> list[NotedDecision]:
    """Give hits in the form in which they are told, with what replaced each."""
    notes = []
    for one in found:
        successor = None
        if one.decision.superseded_by:
            with suppress(NotFound):  # a record may name one that was never imported
                newer = await journal.store.get(one.decision.superseded_by, reader)
                successor = newer.title
        notes.append(note_of(one, successor))
    return notes


def note_of(found: FoundDecision, successor: str | None) -> NotedDecision:
    """Give a hit in the form in which it is told; `successor` is the title of what replaced it."""
    made = found.decision
    note = NotedDecision(
        note_id=made.id,
        decision_id=made.heard_in or made.id,
        decision=made.decision,
        rationale=made.rationale,
        decision_maker=made.decision_maker,
        confidence=made.confidence,
        decided_at=made.timestamp,
        origin=made.origin,
        status=made.status,
        source=made.source,
        imported_by=made.imported_by,
        successor=successor,
    )
    if made.origin != "action":
        return note
    asked_by = made.stakeholders[0] if made.stakeholders else None
    own = {"asked_by": asked_by, "quote": made.context, "ending": made.notes}
    return note.model_copy(update=own)


_cut = partial(shorten, longest=300)
_BECAUSE = re.compile(r"^\s*because\s+", re.IGNORECASE)


def decision_line(note: NotedDecision) -> str:
    """Say what was decided, why, by whom, and whether it still stands."""
    day = f"{note.decided_at:%Y-%m-%d}: " if note.decided_at else ""
    ending = f". {note.ending}" if note.ending and note.ending != REFUSED else ""
    reason = _BECAUSE.sub("", note.rationale)
    why = f", because {_cut(reason)}" if reason else ""
    by = ", ".join(_people(note))
    return f"{day}{_cut(note.decision)}{ending}{why}{f' ({by})' if by else ''}{_quoted(note)}"


def _people(note: NotedDecision) -> list[str]:
    brought = [f"imported by {note.imported_by}"] if note.imported_by else []
    if note.origin != "action":
        said = [f"said by {note.decision_maker}"] if note.decision_maker else []
        read = [f"read from {note.source}"] if note.source else []
        return [*said, *read, *brought, *_standing(note)]
    refused = note.status is DecisionStatus.REJECTED and not note.ending.startswith(
        "It was allowed"
    )
    verb = "refused by" if refused else "allowed by"
    asked = [f"asked by {note.asked_by}"] if note.asked_by else []
    same = note.decision_maker == note.asked_by
    decided = [] if same or not note.decision_maker else [f"{verb} {note.decision_maker}"]
    return [*asked, *decided, *brought, *_standing(note)]


def _standing(note: NotedDecision) -> list[str]:
    if note.status is DecisionStatus.SUPERSEDED:
        by = f" by: {note.successor}" if note.successor else ""
        return [f"{'taken back' if note.origin == 'action' else 'superseded'}{by}"]
    if note.status is DecisionStatus.UNKNOWN:
        return ["status unknown"]
    is_said = note.origin != "action" and note.status is not DecisionStatus.ACTIVE
    return [note.status.value] if is_said else []


def _quoted(note: NotedDecision) -> str:
    return f": “{_cut(note.quote)}”" if note.quote else ""
