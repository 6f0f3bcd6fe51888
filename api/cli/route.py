"""`prefrontal route`: what a message asks for, without doing it."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from pydantic import Field, JsonValue
from rich.text import Text

from api.cli.options import AsJson, Packs, StreamDataDir, stream_settings
from api.cli.terminal import (
    OUT,
    Line,
    Source,
    print_error,
    print_json,
    print_note,
    printable,
    progress,
    source_of,
)
from graph.settings import Settings
from state.action import ExecutionClass
from state.classification import ClassVerdict
from state.errors import BadInput
from state.event import Event
from state.noun import Noun
from state.policy import Candidate, EntityMention, Hold, Mood, PolicyDecision, SearchPolicy
from state.result import DecisionPath, DecisionResult
from tools.gate import Classifier
from tools.nlu.search_query.requests import QUERY_SLOTS, is_about_something
from tools.platform.clock import SystemClock
from tools.platform.serialization import read_json, validated
from tools.ports import Catalogue

LEAST_SHOWN = 0.01
"""Less likely alternatives stand in the JSON only."""
FIELDS = ("text", "user", "role", "session_id", "occurred_at")
LABELS = ("intent", "split", "label", "id")
"""Fields of labelled data sets: left out, with a note."""
ANYBODY = "anybody"


class Routed(Noun):
    """One line of `prefrontal route --json`: a contract, fields are added and never renamed."""

    text: str
    intent: str
    action: str | None
    confidence: float
    alternatives: tuple[Candidate, ...] = Field(description="best first")
    execution_class: ExecutionClass | None = Field(description="C for what needs a person's yes")
    verb_family: str | None = None
    target_object: str | None = None
    target_container: str | None = None
    slots: dict[str, Any] = Field(default_factory=dict)  # typed by the catalogue's slots
    entities: tuple[EntityMention, ...] = ()
    search: SearchPolicy | None = Field(default=None, description="null: it searches nothing")
    reasons: tuple[str, ...] = ()
    mood: Mood | None = Field(default=None, description="null when the router was not asked")
    missing_slots: tuple[str, ...] = ()
    held: Hold | None = Field(default=None, description="why it is offered, however sure it is")
    blocked: tuple[str, ...] = Field(default=(), description="what this role may not ask for")
    verdict: ClassVerdict = Field(
        default="none", description="what would follow: act, offer, confirm, ask back, refuse"
    )


@dataclass(frozen=True)
class _Said:
    """A message as the classifier of the service is given it."""

    event: Event
    policy: PolicyDecision
    result: DecisionResult


def route(
    messages: Annotated[
        str,
        typer.Argument(
            metavar="MESSAGES.jsonl|-",
            help="One message a line: plain text, or JSON with text, user, role, session_id and "
            "occurred_at (default: now).",
        ),
    ],
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: StreamDataDir = None,
) -> None:
    """Show what each message asks for; nothing is executed or recorded."""
    source = source_of(messages)
    with stream_settings(pack, data_dir) as settings:
        faults = asyncio.run(_route(source, settings, as_json=as_json))
    if faults:
        print_error(f"{faults} lines could not be used")
        raise typer.Exit(1)


async def _route(source: Source, settings: Settings, *, as_json: bool) -> int:
    from graph.wiring.composition import build_toolbox

    box = build_toolbox(settings)
    clock, faults, labelled = SystemClock(), 0, False
    with progress("routing", source.total) as show:
        async for line in source.lines():
            try:
                fields = fields_of(line)
                if not labelled and any(name in fields for name in LABELS):
                    labelled = True
                    print_note(f"labelled data: {', '.join(LABELS)} are left out")
                event = message_of(fields).at(clock.now())
            except BadInput as error:
                faults += 1
                print_error(f"{line.place}: {error}")
                continue
            routed = routed_of(event, box.messages.read(event), box.classifier)
            if as_json:
                print_json(routed.model_dump(mode="json"))
            else:
                OUT.print(_laid_out(routed))
            show(line.offset)
    await box.database.close()
    return faults


def fields_of(line: Line) -> dict[str, JsonValue]:
    """Read a message: a JSON object, a JSON string, or the bare text itself.

    Raises:
        BadInput: it begins like a JSON object and is none, or is no text.
    """
    raw = line.content()
    try:
        value = read_json(raw) if raw[:1] in (b"{", b"[", b'"') else _text(raw)
    except BadInput:
        if raw[:1] != b'"':
            raise
        value = _text(raw)  # `"close it", he said`
    if isinstance(value, str):
        return {"text": value}
    if not isinstance(value, dict):
        raise BadInput('a message is a text, or an object such as {"text": "check stock"}')
    return value


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 (byte {error.start})") from error


def message_of(fields: dict[str, JsonValue]) -> Event:
    """Make a message of its fields.

    Raises:
        BadInput: an unknown field, or one that is wrong.
    """
    unknown = [name for name in fields if name not in (*FIELDS, *LABELS)]
    if unknown:
        raise BadInput(f"unknown field {unknown[0][:80]!r}; a message has {', '.join(FIELDS)}")
    given = {name: fields[name] for name in FIELDS if name in fields}
    return validated(Event, {**given, "kind": "message"})


def routed_of(event: Event, policy: PolicyDecision, classifier: Classifier) -> Routed:
    """Sum up what policy read from a message, and what the service would do about it."""
    routing = policy.routing
    ranked = routing.alternatives if routing else ()
    if routing and routing.action and policy.action is None:
        # Too faint to be meant: no action, and the ranking is kept with its own confidence.
        ranked = (Candidate(action=routing.action, confidence=routing.confidence), *ranked)
    classified = classifier.of(_said(event, policy))
    is_open = policy.action is None and classified.verdict == "offer"
    return Routed(
        text=event.text,
        intent=policy.intent,
        action=policy.action,
        confidence=policy.confidence,
        alternatives=ranked,
        execution_class=classified.execution_class,
        verb_family=routing.verb_family if routing else None,
        target_object=routing.target_object if routing else None,
        target_container=routing.target_container if routing else None,
        slots=dict(policy.arguments),
        entities=routing.entities if routing else (),
        search=policy.search,
        reasons=(*policy.reasons, *((classified.reason,) if is_open else classified.raised)),
        mood=routing.mood if routing else None,
        missing_slots=_missing(policy, classifier.catalogue),
        held=policy.held,
        blocked=policy.blocked,
        verdict=classified.verdict,
    )


def _said(event: Event, policy: PolicyDecision) -> _Said:
    """Take a bare text for somebody's own words: nobody's would be tainted."""
    result = DecisionResult(
        path=DecisionPath.POLICY,
        action=policy.action,
        arguments=policy.arguments,
        confidence=policy.confidence,
    )
    user = event.user or ANYBODY
    return _Said(event.model_copy(update={"user": user}), policy, result)


def _missing(policy: PolicyDecision, catalogue: Catalogue) -> tuple[str, ...]:
    if policy.action is None:
        return ()
    missing = catalogue.missing(policy.action, policy.arguments)
    is_bare = policy.search is not None and not is_about_something(policy.search)
    words = [name for name in QUERY_SLOTS if name in catalogue.actions[policy.action].slots]
    return (*missing, *(words if is_bare and not missing else ()))


def _laid_out(routed: Routed) -> Text:
    line = Text(f"{printable(routed.text)}\n", style="bold")
    if routed.action:
        line.append(f"  {routed.action}", style="cyan")
        line.append(f" {routed.confidence:.2f} · class {routed.execution_class}")
        for name, value in routed.slots.items():
            line.append(f" · {name}={printable(str(value))}")
        if routed.missing_slots:
            line.append(f" · needs {', '.join(routed.missing_slots)}", style="yellow")
    else:
        line.append(f"  no action · {routed.intent}", style="magenta")
    likely = [other for other in routed.alternatives[:3] if other.confidence >= LEAST_SHOWN]
    others = [f"{other.action} {other.confidence:.2f}" for other in likely]
    if others:
        line.append(f"\n  else {', '.join(others)}", style="dim")
    if routed.reasons:
        line.append(f"\n  {'; '.join(routed.reasons)}", style="dim")
    return line
