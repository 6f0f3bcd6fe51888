"""The kinds of body that are taken: mapping files, and the fields of events that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal
from unicodedata import category

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from state.errors import AgentError, BadInput
from state.event import parse_instant
from state.noun import LONGEST_NAME
from tools.catalog.yaml_with_lines import FieldPath, YamlWithLines, read_yaml
from tools.ingest.mapping import TAGS, BodyMapping, Check, Form, Scope, fields_as_text, render
from tools.platform.serialization import plain_fault
from tools.platform.texts import t

SETTING = "EXECUTIVE_INGEST_DIR"
LONGEST_TEXT = 4_000
"""Characters of an event's text; the payload has the rest."""
MOST_ENTITIES = 20
_SHIPPED = Path(__file__).parent / "kinds"
_STATES = Path(__file__).parent / "states.yaml"
_GRAVE_SECONDS = 3_650 * 86_400.0
"""What its sender calls critical and goes on is told however long ago it began."""
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""From which number on a time counts nanoseconds, microseconds and milliseconds since 1970."""

Status = Literal["firing", "resolved", "acknowledged", "test"]
Severity = Literal["critical", "error", "warning", "info"]


class States(BaseModel):
    """The words for states and severities that senders use."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: dict[Status, frozenset[str]]
    severity: dict[Severity, frozenset[str]]
    informational: frozenset[Severity]

    def status_of(self, said: str | None) -> Status | None:
        """Read a state in the sender's words; None: nothing that we know."""
        word = _word(said)
        return next((name for name, words in self.status.items() if word in words), None)

    def severity_of(self, said: str | None) -> Severity | None:
        """Read a severity in the sender's words; None: nothing that we know."""
        word = _word(said)
        return next((name for name, words in self.severity.items() if word in words), None)


def _word(said: str | None) -> str:
    return (said or "").strip().casefold().replace("-", "_").replace(" ", "_")


class UnknownKind(AgentError):
    """There is no mapping of that name."""


class Misfit(AgentError):
    """A body that is not of the kind it was sent as."""


@dataclass(frozen=True)
class Received:
    """One body as it was posted."""

    body: JsonValue
    headers: Mapping[str, str] = field(default_factory=dict)
    """With names in lower case."""


@dataclass(frozen=True)
class IngestKinds:
    """The kinds that are known, ours and an operator's; an operator's comes in place of ours."""

    own: Mapping[str, BodyMapping] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path, *, is_named: bool = False) -> "IngestKinds":
        """Read an operator's mapping files: KIND.yaml in a folder.

        Args:
            is_named: the folder was set, and must be there.

        Raises:
            BadInput: the folder is not there, or a file is not as it must be; where and why.
        """
        if not folder.is_dir():
            if is_named:
                raise BadInput(t("ingest.no_folder", setting=SETTING, folder=folder))
            return cls()
        return cls(_read_folder(folder))

    @cached_property
    def known(self) -> Mapping[str, BodyMapping]:
        """The mapping of each kind."""
        return {**_read_folder(_SHIPPED), **self.own}

    @cached_property
    def states(self) -> States:
        """The words for states and severities."""
        return States.model_validate(read_yaml(_STATES).value)

    def events(self, kind: str, received: Received) -> list[dict[str, JsonValue]]:
        """Make the fields of events of a body, one an item; those that tell nothing are left out.

        Raises:
            UnknownKind: there is no such kind.
            Misfit: the body is of another kind or version, or an item of it is none.
        """
        if kind not in self.known:
            raise UnknownKind(t("ingest.unknown_kind", kind=kind[:80], kinds=self._names()))
        scope = Scope(received.body, received.body, received.headers)
        self._demand(kind, scope)
        mapping = self.known[kind]
        form = next((one for one in mapping.forms if _all(one.when, scope)), None)
        if form is None:
            raise Misfit(t("ingest.no_form", kind=kind, takes=mapping.takes))
        made = []
        for place, item in _items(form, scope):
            own = Scope(item, received.body, received.headers, {"kind": kind})
            if not isinstance(item, dict):
                raise Misfit(t("ingest.item", place=place, kind=kind, takes=mapping.takes))
            if not form.skip or not _all(form.skip, own):
                made.append(self._event(kind, form, own))
        return made

    def _demand(self, kind: str, scope: Scope) -> None:
        mapping = self.known[kind]
        missing = [check for check in mapping.known_by if not check.holds(scope)]
        is_sure = bool(mapping.known_by) and not missing
        other = kind if is_sure else self.kind_of(Received(scope.body, scope.headers))
        if other not in (kind, "generic"):
            raise Misfit(t("ingest.other_kind", kind=kind, other=other))
        if missing:
            lacks = "; ".join(map(str, missing))
            raise Misfit(t("ingest.misfit", kind=kind, takes=mapping.takes, lacks=lacks))

    def _names(self) -> str:
        return ", ".join(sorted(self.known))

    def _event(self, kind: str, form: Form, scope: Scope) -> dict[str, JsonValue]:
        for name, value in form.let.items():
            scope.named[name] = render(value, scope)
        status = self.states.status_of(render(form.status, scope))
        severity = self.states.severity_of(render(form.severity, scope))
        source = _name(render(form.source, scope)) or kind
        event: dict[str, JsonValue] = {
            "kind": "ambient",
            "text": self._text(form, scope, status),
            "source": source.replace("*", "_").replace("?", "_"),
            "expires_in_seconds": form.lasts_seconds,
            "payload": _payload(form, scope, status, severity),
        }
        if event_id := _name(render(form.event_id, scope)):
            event["event_id"] = event_id
        if (at := instant_of(render(form.occurred_at, scope))) is not None:
            event["occurred_at"] = at.isoformat()
        if entities := _entities(form, scope):
            event["entities"] = entities
        if status not in (None, "firing"):
            return event
        if severity in self.states.informational:
            event["intent"] = "informational"
        if severity == "critical":
            event["expires_in_seconds"] = _GRAVE_SECONDS
        return event

    def kind_of(self, received: Received) -> str:
        """Name the kind that a body is by what every such body has, else `generic`."""
        scope = Scope(received.body, received.body, received.headers)
        fits = (name for name, one in self.known.items() if one.known_by)
        return next((name for name in fits if _all(self.known[name].known_by, scope)), "generic")

    def _text(self, form: Form, scope: Scope, status: Status | None) -> str:
        said = render(form.text, scope) or fields_as_text(scope.item) or t("ingest.empty")
        if status in (None, "firing") or form.says_status:
            return _cut(said, LONGEST_TEXT)
        told = t(f"ingest.state.{status}", text=said)
        word = told[: max(0, told.find(said))].strip(" :").casefold()
        is_said = bool(word) and said.lstrip("[( ").casefold().startswith(word)
        return _cut(said if is_said else told, LONGEST_TEXT)


def _all(checks: Sequence[Check], scope: Scope) -> bool:
    return all(check.holds(scope) for check in checks)


def _items(form: Form, scope: Scope) -> list[tuple[str, JsonValue]]:
    """List what becomes an event each, with its place in the body."""
    path, found = _first(form.items, scope, (list, dict))
    start = path.removeprefix("$body").lstrip(".")
    listed = found if isinstance(found, list) else [found]
    items = []
    for number, each in enumerate(listed):
        place = f"{start}[{number}]" if isinstance(found, list) else start or "the body"
        items.append((place, _first(form.item, replace(scope, item=each), dict)[1]))
    return items


def _first(paths: str, scope: Scope, kinds: type | tuple[type, ...]) -> tuple[str, JsonValue]:
    """Find the first of several paths that leads to something of a kind, else the last one."""
    path, found = "", None
    for path in paths.split("|"):
        found = scope.find(path)
        if isinstance(found, kinds):
            break
    return path, found


def _payload(
    form: Form, scope: Scope, status: Status | None, severity: Severity | None
) -> dict[str, JsonValue]:
    """Write what the sender says of its alert at the top, and the fields as they came in `from`.

    `from` is what tools.attention passes over in reading a status: a label of the sender's own,
    such as state="active", is no state of the alert. Fields of a body without a state that we know
    stand at the top, where it reads them.
    """
    spread = scope.find(form.spread) if form.spread else None
    whole = dict(spread) if isinstance(spread, dict) else {}
    payload, kept = (whole, {}) if status is None else ({}, whole)
    for name, value in form.facts.items():
        if (told := render(value, scope)) is not None:
            payload[name] = told
    for path in form.keep:
        if (found := scope.find(path)) not in (None, "", [], {}):
            kept[path.rpartition(".")[2]] = found
    if kept:
        payload["from"] = kept
    if status is not None:
        payload["status"] = status
    if severity is not None:
        payload["severity"] = severity
    if status == "test":
        payload["test"] = True
    return payload


def _entities(form: Form, scope: Scope) -> list[JsonValue]:
    found: dict[str, JsonValue] = {}
    for kind, value in form.entities.items():
        if (name := _name(render(value, scope))) and name not in found:
            found[name] = {"type": kind, "value": name}
    return list(found.values())[:MOST_ENTITIES]


def _name(said: str | None) -> str | None:
    """Make an identifier of a text: without control characters, and no longer than one may be."""
    plain = "".join(each if category(each) != "Cc" else " " for each in said or "")
    return plain.strip()[:LONGEST_NAME].strip() or None


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def instant_of(said: str | None) -> datetime | None:
    """Read a time as senders write it; None: it is none, or it stands for none, as year 1 does."""
    if said is None:
        return None
    try:
        number = float(said)
    except ValueError:
        return _instant(said)
    scale = next((scale for least, scale in _UNITS if number >= least), 1.0)
    return _instant(number / scale)


def _instant(value: object) -> datetime | None:
    try:
        return parse_instant(value)
    except (ValueError, OverflowError):
        return None


def _read_folder(folder: Path) -> dict[str, BodyMapping]:
    files = sorted(each for each in folder.iterdir() if each.suffix in (".yaml", ".yml"))
    return {file.stem: _read_mapping(file) for file in files}


def _read_mapping(file: Path) -> BodyMapping:
    read = read_yaml(file)
    if read.faults:
        raise BadInput(t("ingest.file", faults="; ".join(map(str, read.faults))))
    try:
        return BodyMapping.model_validate(read.value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        told = [str(read.fault(_place(read, one["loc"]), plain_fault(one["msg"]))) for one in found]
        raise BadInput(t("ingest.file", faults="\n  ".join(told))) from error


def _place(read: YamlWithLines, given: tuple[Any, ...]) -> FieldPath:
    """Leave out of a place what only pydantic names."""
    return tuple(part for part in given if part not in TAGS)
