"""Lines of logs as events: syslog of both kinds, JSON of any kind, plain text."""

import json
import tracemalloc
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import JsonValue

from state.errors import BadInput
from state.event import Event
from tests.api.alert_bodies import Posted
from tests.api.webhook_bodies import BODIES, CLOUDEVENTS, HOME_ASSISTANT
from tools.attention.alarms import sender_status
from tools.ingest import IngestKinds, Misfit, Received, events_of_line
from tools.ingest.kinds import Severity
from tools.ingest.mapping import Scope, Template, fields_as_text

KINDS = IngestKinds()
NOW = datetime(2026, 1, 1, 0, 30, tzinfo=UTC)

LINES: list[tuple[str, dict[str, Any]]] = [
    (
        '<34>1 2026-01-01T00:00:15.003Z web1 su 77 - [s a="b\\"c ]" d="e"][x y="z"] \ufeffsu 0',
        {
            "text": "su 0",
            "source": "web1/su",
            "occurred_at": "2026-01-01T00:00:15.003000+00:00",
            "payload.severity": "critical",
            "payload.process": "77",
            "payload.d": "e",
            "payload.y": "z",
        },
    ),
    (
        "<165>1 2026-01-01T00:00:15+02:00 - app - - - started",
        {"text": "started", "source": "app", "payload.severity": "info", "salience": None},
    ),
    ("<11>1 - - - - - -", {"text": "an event without any field", "payload.severity": "error"}),
    (
        "<13>Dec 31 23:59:59 web1 sshd[123]: Failed password for root",
        {
            "text": "Failed password for root",
            "source": "web1/sshd",
            "occurred_at": "2025-12-31T23:59:59+00:00",
        },
    ),
    (
        "Jan  1 00:01:02 nas kernel: Out of memory: Killed process 12 (java)",
        {
            "text": "Out of memory: Killed process 12 (java)",
            "source": "nas/kernel",
            "occurred_at": "2026-01-01T00:01:02+00:00",
            "payload.severity": None,
        },
    ),
    (
        "2026-01-01T00:02:00.1+01:00 nas smartd[1]: Device: /dev/sda, FAILED",
        {"text": "Device: /dev/sda, FAILED", "occurred_at": "2025-12-31T23:02:00.100000+00:00"},
    ),
    ("Feb 29 10:00:00 h a: x", {"text": "x", "source": "h/a", "occurred_at": None}),
    ("[ERROR] the pump stands", {"text": "[ERROR] the pump stands"}),
    ("<999>nothing known", {"text": "<999>nothing known"}),
    ('{"text": "x", "event_id": "e1", "source": "s"}', {"event_id": "e1", "source": "s"}),
    (
        '{"text": "mute", "kind": "message", "user": "ann", "role": "captain", "session_id": "b"}',
        {"text": "mute", "kind": "ambient", "user": None, "role": None, "session_id": None},
    ),
    (
        '{"text": "x", "salience": {"threat": 1}, "tenant_id": "b", "expires_in_seconds": 9e9}',
        {"salience": None, "tenant_id": None, "expires_in_seconds": None},
    ),
    (
        '{"text": "yes", "kind": "choice", "call": {"action": "x"}, "relayed": true}',
        {"kind": "ambient", "call": None, "relayed": None},
    ),
    (
        '{"level": "error", "msg": "db down", "ts": 1767225600000, "service": "api"}',
        {
            "text": "db down",
            "source": "api",
            "payload.severity": "error",
            "occurred_at": "2026-01-01T00:00:00+00:00",
        },
    ),
    (
        '{"PRIORITY": "2", "MESSAGE": "disk broken", "__REALTIME_TIMESTAMP": "1767225600000000"}',
        {
            "text": "disk broken",
            "payload.severity": "critical",
            "occurred_at": "2026-01-01T00:00:00+00:00",
        },
    ),
    ('{"event": "level up", "level": 2, "player": "Sam"}', {"salience": None}),
]


@pytest.mark.parametrize(("line", "wanted"), LINES, ids=range(len(LINES)))
def test_a_line_becomes_its_event(line: str, wanted: dict[str, Any]) -> None:
    (made,) = events_of_line(line.encode(), KINDS, NOW)
    Event.model_validate(made)
    for path, value in wanted.items():
        name, _, inner = path.partition(".")
        found: Any = made.get(name)
        assert (found.get(inner) if inner else found) == value, path


@pytest.mark.parametrize("posted", [*CLOUDEVENTS[:5], *HOME_ASSISTANT], ids=lambda one: one.name)
def test_a_body_in_a_line_is_read_as_its_kind(posted: Posted) -> None:
    line = json.dumps(posted.body).encode()
    assert [one["text"] for one in events_of_line(line, KINDS, NOW)] == [
        made.text for made in posted.made
    ]


@pytest.mark.parametrize("posted", BODIES, ids=lambda one: f"{one.kind}: {one.name}")
def test_a_body_is_known_by_what_is_in_it(posted: Posted) -> None:
    headers = {name.lower(): value for name, value in posted.headers.items()}
    assert KINDS.kind_of(Received(posted.body, headers)) == posted.kind


@pytest.mark.parametrize("line", [b"{bad", b'{"a": 1, "a": 2}', b'{"text": NaN}'])
def test_what_begins_like_json_and_is_none_is_refused(line: bytes) -> None:
    with pytest.raises(BadInput):
        events_of_line(line, KINDS, NOW)


def test_a_list_of_lists_is_no_event() -> None:
    with pytest.raises(Misfit, match="no JSON object"):
        events_of_line(b'[["a"]]', KINDS, NOW)


@pytest.mark.parametrize(("severity", "read"), [("critical", "urgent"), ("info", "info")])
def test_attention_takes_the_words_for_a_severity_as_they_are_taken_here(
    severity: Severity, read: str
) -> None:
    for name, words in KINDS.states.severity.items():
        for word in words:
            assert (sender_status({"severity": word}) == read) == (name == severity), word


def test_a_body_of_many_objects_is_told_by_a_few_fields_in_little_memory() -> None:
    body: JsonValue = {"k" * 20_000: {str(n): {} for n in range(3_000)} | {"last": 1}}
    tracemalloc.start()
    told = fields_as_text(body)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (told, peak < 1_000_000) == (None, True)
    long: JsonValue = {"n" * 500: {str(n): n for n in range(100)}, "a": {"b": 7}}
    many = fields_as_text(long)
    assert many is not None
    assert many.startswith("n" * 80)
    assert len(many) < 12 * 300


def test_a_long_value_is_looked_for_by_its_beginning() -> None:
    long = "word, " * 30_000
    clause = Template.parse("{text}[ ({where})]")
    named = Scope({"text": f"Full: {long}", "where": f"{long}end"}, None, {})
    assert clause.render(named) == f"Full: {long}".strip()
    other = Scope({"text": "Full", "where": long}, None, {})
    assert (clause.render(other) or "").startswith("Full (word, word")


def test_a_time_without_a_zone_is_meant_by_the_clock_on_the_wall() -> None:
    here = NOW.astimezone(timezone(timedelta(hours=2)))
    (made,) = events_of_line(b"Jan  1 02:01:02 nas app: x", KINDS, here)
    assert made["occurred_at"] == "2026-01-01T02:01:02+02:00"
