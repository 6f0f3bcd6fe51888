"""`prefrontal tail`: post each line of a log to the service as an event."""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO
from uuid import uuid4

import typer
from pydantic import JsonValue

from api.cli.options import Session, with_service
from api.cli.presentation import decision_of
from api.cli.service import Service
from api.cli.terminal import (
    MAX_LINE_BYTES,
    OUT,
    counted,
    print_error,
    print_json,
    print_note,
    source_of,
)
from api.http.local_access import SOURCE
from prefrontal.client import Client, Refused, may_pass
from state.errors import AgentError, BadInput
from state.event import Event
from state.noun import LONGEST_NAME
from state.record import DecisionRecord
from tools.ingest import IngestKinds, events_of_line

POLL_SECONDS = 0.5
HISTORY_SECONDS = 3_600.0
"""Lines older than this are kept, and nobody is told."""
_CHUNK = 65_536
_HEAD_BYTES = 64
_MOST_AT_ONCE = 100
_LONGEST_WAIT_SECONDS = 30.0
_OF_THE_EVENTS = (400, 403, 413, 422)
"""Refusals that sending again does not mend."""


@with_service
def tail(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="NDJSON or syslog; - is standard input.")
    ],
    service: Service,
    session: Session = "default",
    source: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where the lines come from, in place of what they say."),
    ] = None,
    from_start: Annotated[
        bool, typer.Option("--from-start", help="Send what the file holds already, too.")
    ] = False,
    follow: Annotated[
        bool, typer.Option(help="Wait for more lines; --no-follow sends the file and ends.")
    ] = True,
) -> None:
    """Post each line of a log as an event: NDJSON, syslog or plain text.

    Until Ctrl-C; decisions are shown, but for what is passed over. Of a JSON event its text, id,
    source, time, entities and payload count; syslog is RFC 5424 or 3164. A file that is rotated or
    cut is followed; a line sent twice is the same event. A line that cannot be used is reported,
    and the exit code is 1.
    """
    source_of(file)
    kinds = IngestKinds.open(service.settings.ingest_folder) if not service.url else IngestKinds()
    lines = _standard_input() if file == "-" else _file(Path(file), from_start, follow)
    within = f"{SOURCE}/" if service.acts_as_owner() else ""
    owner = service.owner("operator").model_copy(update={"sources": (f"{SOURCE}/*",)})
    with service.acting(None, owner) as client:
        sender = _Sender(client, kinds, session, source, within, service.as_json, follow)
        try:
            for batch in lines:
                sender.send(batch)
        except KeyboardInterrupt:
            pass
    if not service.as_json:
        told = ", ".join(f"{number} {what}" for what, number in sender.outcomes.most_common())
        OUT.print(f"{counted(sender.outcomes.total(), 'event')}{f': {told}' if told else ''}")
    if sender.faults:
        print_error(f"{counted(sender.faults, 'line')} could not be used")
        raise typer.Exit(1)


@dataclass(frozen=True)
class TailedLine:
    """One line, and its place as people read it; `name` is its own wherever it is read again."""

    raw: bytes
    place: str
    name: str


@dataclass
class _Sender:
    client: Client
    kinds: IngestKinds
    session: str
    source: str | None
    within: str
    """What stands before each source: without a key only the terminal's own may be named."""
    as_json: bool
    keeps_on: bool
    wait: Callable[[float], None] = time.sleep
    faults: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    def send(self, lines: Sequence[TailedLine]) -> None:
        """Send lines, all that can be used."""
        made: list[tuple[str, dict[str, JsonValue]]] = []
        for line in lines:
            try:
                made.extend((line.place, each) for each in self._events(line))
            except AgentError as error:
                self._fault(line.place, error)
        for start in range(0, len(made), _MOST_AT_ONCE):
            self._post(made[start : start + _MOST_AT_ONCE])

    def _events(self, line: TailedLine) -> Iterator[dict[str, JsonValue]]:
        now = datetime.now().astimezone()
        if len(line.raw) > MAX_LINE_BYTES:
            raise BadInput(f"longer than {MAX_LINE_BYTES} bytes; send it in parts")
        for number, fields in enumerate(events_of_line(line.raw, self.kinds, now)):
            # What a log tells is history soon, also what it calls critical.
            named: dict[str, JsonValue] = {
                "session_id": self.session,
                "expires_in_seconds": HISTORY_SECONDS,
            }
            source = f"{self.within}{self.source or fields.get('source') or 'log'}"[:LONGEST_NAME]
            yield {"event_id": f"{line.name}:{number}", **fields, **named, "source": source}

    def _post(self, made: Sequence[tuple[str, dict[str, JsonValue]]]) -> None:
        """Send events; of a list that is refused each half by itself, down to the one."""
        if not made:
            return
        try:
            records = self._sent([fields for _place, fields in made])
        except Refused as error:
            if error.status not in _OF_THE_EVENTS:
                raise
            if len(made) == 1:
                self._fault(made[0][0], error)
                return
            half = len(made) // 2
            self._post(made[:half])
            self._post(made[half:])
            return
        for (_place, fields), record in zip(made, records, strict=True):
            self._show(fields, record)

    def _sent(self, events: Sequence[Mapping[str, JsonValue]]) -> list[DecisionRecord]:
        import httpx

        waited = 1.0
        while True:
            try:
                return self.client.send(events)
            except (Refused, httpx.TransportError) as error:
                if not self.keeps_on or not may_pass(error):
                    raise
                print_note(f"the service does not answer; trying again in {waited:g} s")
                self.wait(waited)
                waited = min(_LONGEST_WAIT_SECONDS, waited * 2)

    def _show(self, fields: Mapping[str, JsonValue], record: DecisionRecord) -> None:
        self.outcomes[record.outcome] += 1
        if self.as_json:
            print_json(record.model_dump(mode="json"))
        elif record.outcome != "passed":
            OUT.print(decision_of(Event.model_validate(fields), record))

    def _fault(self, place: str, error: AgentError) -> None:
        self.faults += 1
        print_error(f"{place}: {getattr(error, 'detail', None) or error}")


@dataclass
class _Lines:
    """Cuts what is read into lines; of one that is too long only the start is kept."""

    place: str
    name: str
    number: int = 0
    offset: int = 0
    head: bytes = b""
    """How the file begins: in one that took its place the same line is another event."""
    _rest: bytes = b""
    _is_cut: bool = False

    def of(self, chunk: bytes, *, is_last: bool = False) -> list[TailedLine]:
        self.head += chunk[: _HEAD_BYTES - len(self.head)]
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        if is_last and self._rest:
            whole, self._rest = [*whole, self._rest], b""
        found = [self._line(raw, is_whole=True) for raw in whole]
        if len(self._rest) > MAX_LINE_BYTES:
            found.append(self._line(self._rest, is_whole=False))
            self._rest = b""
        return [line for line in found if line]

    def _line(self, raw: bytes, *, is_whole: bool) -> TailedLine | None:
        at, number = self.offset, self.number + 1
        self.offset += len(raw) + is_whole
        self.number += is_whole
        is_rest, self._is_cut = self._is_cut, not is_whole
        if is_rest or not raw.strip():
            return None
        head = self.head[: at + len(raw)]  # the same when the file has grown
        name = f"{self.name}:{at}:{sha256(head + raw).hexdigest()[:16]}"
        return TailedLine(raw[: MAX_LINE_BYTES + 1].strip(), f"{self.place}:{number}", name)


def _standard_input() -> Iterator[list[TailedLine]]:
    lines, stream = _Lines("stdin", f"stdin-{uuid4().hex}"), sys.stdin.buffer
    read = getattr(stream, "read1", stream.read)
    while chunk := read(_CHUNK):
        yield lines.of(chunk)
    yield lines.of(b"", is_last=True)


def _of(path: Path, stream: BinaryIO, *, skips: bool) -> _Lines:
    """Name the lines of a file by it, so that a line that is read again is the same event."""
    named = b"%s\0%d" % (bytes(path.resolve()), os.fstat(stream.fileno()).st_ino)
    lines = _Lines(str(path), sha256(named).hexdigest()[:12])
    if skips:
        lines.offset = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        lines.head = stream.read(min(_HEAD_BYTES, lines.offset))
        stream.seek(lines.offset)
    return lines


def _file(path: Path, from_start: bool, follow: bool) -> Iterator[list[TailedLine]]:
    """Read a file to its end and, to follow it, go on when it grows, is cut or is put anew."""
    skips = follow and not from_start
    while True:
        with path.open("rb") as stream:
            yield from _grown(path, stream, _of(path, stream, skips=skips), follow)
        if not follow:
            return
        skips = False


def _grown(path: Path, stream: BinaryIO, lines: _Lines, follow: bool) -> Iterator[list[TailedLine]]:
    while True:
        while chunk := stream.read(_CHUNK):
            yield lines.of(chunk)
        if not follow or _is_another(path, stream):
            yield lines.of(stream.read(), is_last=True)
            return
        yield []
        time.sleep(POLL_SECONDS)


def _is_another(path: Path, stream: BinaryIO) -> bool:
    """Tell whether a path names another file than the open one, or this one was cut."""
    opened = os.fstat(stream.fileno())
    try:
        named = path.stat()
    except OSError:
        return False  # between two files of a rotation
    return (named.st_ino, named.st_dev) != (opened.st_ino, opened.st_dev) or (
        named.st_size < stream.tell()
    )
