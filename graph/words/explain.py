"""A decision in words: every stage with its numbers and reasons, and what would have changed it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from graph.words.reasons import meaning_of, would_have_changed
from graph.words.stages import STAGES
from state.model_use import CallEnd
from state.principal import roles_in_words
from state.record import DecisionTrace

_ENDS: Mapping[CallEnd, str] = {
    "answered": "which answered",
    "timeout": "given up",
    "rate_limited": "which refused for its rate",
    "server_error": "which failed",
    "malformed": "whose answer was none",
    "resting": "which is left alone for a while",
}


@dataclass(frozen=True)
class Section:
    """One stage in words."""

    title: str
    lines: tuple[str, ...]


def explain(trace: DecisionTrace) -> tuple[Section, ...]:
    """Put a decision into words; nothing is looked up, so the same trace reads the same."""
    return (
        Section("What came", tuple(_event(trace.event))),
        Section("What was made of it", tuple(_record(trace))),
        *(_stage(name, body) for name, body in trace.stages.items()),
        Section("What would have changed it", would_have_changed(trace)),
    )


def in_short(trace: DecisionTrace) -> tuple[str, ...]:
    """Give what came of a decision, why, and what would have changed it."""
    changed = "; ".join(would_have_changed(trace))
    return (next(_record(trace)), f"What would have changed it: {changed}")


def _event(event: Mapping[str, Any]) -> Iterator[str]:
    yield str(event.get("text", ""))
    who = f" by {event['user']}" if event.get("user") else ""
    role = f" ({roles_in_words([event['role']])})" if event.get("role") else ""
    source = event.get("source")
    where = "" if source in (None, "unknown") and who else f" from {source}"
    yield f"{event.get('kind')}{where}{who}{role}"
    if event.get("occurred_at"):
        yield f"at {event['occurred_at']}"
    yield f"event {event.get('event_id')}, session {event.get('session_id')}"


def _record(trace: DecisionTrace) -> Iterator[str]:
    record = trace.record
    yield f"{record.outcome.replace('_', ' ')}: {meaning_of(record.reason)} ({record.reason})"
    if record.text:
        yield f"said: {record.text}" if record.spoke else f"waiting: {record.text}"
    yield f"decision {record.decision_id}, {record.elapsed_ms:.1f} ms"
    for use in record.models:
        tokens = f"{use.input_tokens} tokens in, {use.output_tokens} out"
        told = (
            f"{tokens}, cost {use.cost:.3g}"
            if use.input_tokens or use.output_tokens
            else "no tokens told"
        )
        yield f"asked {use.model} ({use.slot}), {_ENDS[use.end]} after {use.seconds:.2f} s: {told}"
    if len(record.models) > 1:
        yield f"cost in all: {sum(use.cost for use in record.models):.3g}"


def _stage(name: str, body: Any) -> Section:  # JSON of the stage, as the store has it
    title, noun, words = STAGES.get(name, (name, None, None))
    if noun is None or words is None:
        return Section(title, tuple(_plain(body)))
    try:
        return Section(title, tuple(words(noun.model_validate(body))))
    except ValidationError:  # written by another version: show it as it is
        return Section(title, tuple(_plain(body)))


def _plain(body: object) -> Iterator[str]:
    if not isinstance(body, Mapping):
        yield str(body)
        return
    for key, value in body.items():
        yield f"{key}: {value}"
