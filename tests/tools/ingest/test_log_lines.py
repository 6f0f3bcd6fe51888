"""Lines of logs as events: syslog of both kinds, JSON of any kind, plain text."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from state.errors import BadInput
from state.event import Event
from tests.api.alert_bodies import Posted
from tests.api.webhook_bodies import BODIES, CLOUDEVENTS, HOME_ASSISTANT
from tools.ingest import IngestKinds, Misfit, Received, events_of_line

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


def test_a_time_without_a_zone_is_meant_by_the_clock_on_the_wall() -> None:
    here = NOW.astimezone(timezone(timedelta(hours=2)))
    (made,) = events_of_line(b"Jan  1 02:01:02 nas app: x", KINDS, here)
    assert made["occurred_at"] == "2026-01-01T02:01:02+02:00"
