"""Lines of logs as events: NDJSON of any kind, syslog (RFC 5424, RFC 3164 and as files hold it)."""

import re
from datetime import datetime, timedelta

from pydantic import JsonValue

from state.errors import BadInput
from state.event import Event
from tools.ingest.kinds import LONGEST_TEXT, IngestKinds, Received, instant_of
from tools.platform.serialization import read_json
from tools.platform.texts import t

_PRI = r"(?:<(?P<pri>\d{1,3})>)"
_NEW = re.compile(
    _PRI + r"(?P<version>[1-9]\d{0,2}) (?P<at>\S+) (?P<host>\S+) (?P<app>\S+) (?P<pid>\S+)"
    r" (?P<id>\S+) (?P<data>-|(?:\[(?:[^\]\\\"]|\\.|\"(?:[^\"\\]|\\.)*\")*\])+)(?: (?P<text>.*))?",
    re.DOTALL,
)
_OLD = re.compile(
    _PRI + r"?(?P<at>[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}T\S+)"
    r" (?P<host>[^\s:]+) (?:(?P<app>[^\s:\[]{1,64})(?:\[(?P<pid>[^\]]{1,32})\])?: ?)?(?P<text>.*)",
    re.DOTALL,
)
_PARAMETER = re.compile(r'(?P<name>[^\s=\]"\[]+)="(?P<value>(?:[^"\\]|\\.)*)"')
_LEVELS = (*("critical",) * 3, "error", "warning", *("info",) * 3)
"""Severities of syslog, from 0: emergency, alert and critical are one to us."""
_AHEAD = timedelta(days=1)
_ABSENT = ("-", "", None)
_OF_A_WITNESS = ("event_id", "source", "text", "occurred_at", "entities", "payload")


def events_of_line(raw: bytes, kinds: IngestKinds, now: datetime) -> list[dict[str, JsonValue]]:
    """Make the fields of events of one line: of JSON, of syslog, or as plain text.

    Of JSON in the form of an event only what a witness may say is taken: who writes a line of a log
    speaks as nobody, and into no session. A body of a known kind is read as that kind, and other
    JSON as `generic`.

    Args:
        now: in the zone that times without one are meant by; syslog of RFC 3164 has no year.

    Raises:
        BadInput: it begins like JSON and is none.
        Misfit: JSON that is no object.
    """
    if raw.lstrip()[:1] in (b"{", b"["):
        try:
            return _of_json(read_json(raw), kinds)
        except BadInput:
            if raw.lstrip()[:1] == b"{":
                raise
    text = raw.decode("utf-8", "replace").replace("\x00", "").strip()
    found = _NEW.fullmatch(text) or _OLD.fullmatch(text)
    if found is None:
        return [{"text": text[:LONGEST_TEXT], "kind": "ambient"}]
    return [_of_syslog(found.groupdict(), now)]


def _of_json(value: JsonValue, kinds: IngestKinds) -> list[dict[str, JsonValue]]:
    if isinstance(value, dict) and "text" in value and value.keys() <= Event.model_fields.keys():
        return [
            {name: value[name] for name in _OF_A_WITNESS if name in value} | {"kind": "ambient"}
        ]
    received = Received(value)
    return kinds.events(kinds.kind_of(received), received)


def _of_syslog(said: dict[str, str | None], now: datetime) -> dict[str, JsonValue]:
    plain = {name: value for name, value in said.items() if value not in _ABSENT}
    host, app = plain.get("host"), plain.get("app")
    text = (plain.get("text") or plain.get("id") or "").removeprefix("\ufeff").strip()
    parameters = {one["name"]: one["value"] for one in _PARAMETER.finditer(plain.get("data", ""))}
    level = _LEVELS[int(plain["pri"]) % 8] if "pri" in plain else None
    names = {"host": host, "app": app, "process": plain.get("pid"), "severity": level}
    event: dict[str, JsonValue] = {
        "kind": "ambient",
        "text": (text or app or t("ingest.empty"))[:LONGEST_TEXT],
        "source": "/".join(filter(None, (host, app)))[:200] or "syslog",
        "payload": {**parameters, **{key: value for key, value in names.items() if value}},
    }
    if (at := _time(plain.get("at"), now)) is not None:
        event["occurred_at"] = at.isoformat()
    if host:
        event["entities"] = [{"type": "host", "value": host[:200]}]
    return event


def _time(said: str | None, now: datetime) -> datetime | None:
    """Read a time; one without a year is the last that was not ahead of now."""
    if said is None or said[0].isdigit():
        return instant_of(said)
    for year in (now.year, now.year - 1):
        try:
            read = datetime.strptime(f"{year} {said} +0000", "%Y %b %d %H:%M:%S %z")
        except ValueError:  # 29 February
            continue
        at = read.replace(tzinfo=now.tzinfo)
        if at <= now + _AHEAD:
            return at
    return None
