"""Where an entry of the journal was said: the messages it cites, with the cited words marked."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from graph.runner import Executive
from state.errors import NotFound
from state.journal import Decision, JournalMessage, Span


@dataclass(frozen=True)
class Part:
    """A stretch of a message, and which fields cite it; none: nothing does."""

    text: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Cited:
    """A message that an entry cites."""

    message_id: str
    speaker: str
    at: datetime | None
    parts: tuple[Part, ...]


async def cited(executive: Executive, decision: Decision) -> tuple[Cited, ...]:
    """Read what an entry cites, in its order; of what is not kept any more nothing."""
    if decision.heard_in is None:
        said = await executive.journal.said(decision)
    else:
        said = await _heard(executive, decision.heard_in, decision)
    return tuple(
        Cited(
            one.message_id,
            one.speaker,
            one.timestamp,
            parts_of(one.content, decision.evidence, one.message_id),
        )
        for one in said
    )


async def _heard(executive: Executive, heard_in: str, decision: Decision) -> list[JournalMessage]:
    try:
        trace = await executive.decision(heard_in, decision.tenant_id)
    except NotFound:  # it is older than decisions are kept
        return []
    event = trace.event
    message = JournalMessage.model_construct(  # an event may be longer than an import takes
        message_id=str(event.get("event_id", "")),
        session_id=decision.session_id,
        speaker=str(event.get("user") or event.get("source") or ""),
        content=str(event.get("text", "")),
        timestamp=None,
    )
    return [message]


def parts_of(
    text: str, evidence: Mapping[str, tuple[Span, ...]], message_id: str
) -> tuple[Part, ...]:
    """Cut a message where a citation begins or ends; citations may lie in each other."""
    spans = [
        (field, max(0, span.start), min(len(text), span.end))
        for field, found in evidence.items()
        for span in found
        if span.message_id == message_id
    ]
    cuts = sorted({0, len(text), *(cut for _field, *ends in spans for cut in ends)})
    return tuple(
        Part(
            text[start:end],
            tuple(field for field, first, last in spans if first <= start and end <= last),
        )
        for start, end in pairwise(cuts)
    )
