"""What the Executive hears people decide goes into the journal, and "why did we …?" asks it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from state.errors import NotFound
from state.event import Event
from state.journal import Decision, FoundDecision, Span
from state.note import NotedDecision
from state.reader import Reader
from tools.journal.extracting.category import category_of
from tools.journal.extracting.extract import title_of
from tools.journal.journal import Journal
from tools.journal.keeping.notes import SqlNotes


@dataclass(frozen=True)
class JournalNotes:
    """The port `Notes` on the journal; what was noted before there was one is still found."""

    journal: Journal
    earlier: SqlNotes

    async def put(self, note: NotedDecision, event: Event) -> None:
        """Keep a noted decision; noting the same one again changes nothing."""
        await self.journal.keep([_decision(note, event)], event.tenant_id)

    async def about(self, event: Event, *, limit: int = 3) -> list[NotedDecision]:
        """Find decisions that a question is about, best first; of what may be told where it is."""
        reader = self.journal.readers.heard_in(
            event.tenant_id, event.session_id, event.user, event.roles
        )
        found = await self.journal.ask(event.text, reader, limit=limit, asked_in=event.session_id)
        if found:
            return await notes_of(self.journal, found, reader)
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


async def notes_of(
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
        notes.append(_note(one).model_copy(update={"successor": successor}))
    return notes


def _note(found: FoundDecision) -> NotedDecision:
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
    )
    if made.origin != "action":
        return note
    asked_by = made.stakeholders[0] if made.stakeholders else None
    own = {"asked_by": asked_by, "quote": made.context, "ending": made.notes}
    return note.model_copy(update=own)
