"""Where an entry of the journal was said: the message, with the cited words marked."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from graph.runner import Executive
from state.errors import NotFound
from state.journal import Decision, Span


@dataclass(frozen=True)
class Part:
    """A stretch of a message, and which fields cite it; none: nothing does."""

    text: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Cited:
    """The message an entry was heard in."""

    message_id: str
    speaker: str
    parts: tuple[Part, ...]


async def cited(executive: Executive, decision: Decision) -> Cited | None:
    """Read the message an entry was heard in; None: it was imported, and none was kept."""
    if decision.heard_in is None:
        return None
    try:
        trace = await executive.decision(decision.heard_in, decision.tenant_id)
    except NotFound:  # it is older than decisions are kept
        return None
    event = trace.event
    message_id, text = str(event.get("event_id", "")), str(event.get("text", ""))
    speaker = str(event.get("user") or event.get("source") or "")
    return Cited(message_id, speaker, parts_of(text, decision.evidence, message_id))


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
