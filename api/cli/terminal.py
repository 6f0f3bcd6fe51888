"""Terminal input and output: answers on stdout; errors, progress and logs on stderr."""

import asyncio
import logging
import os
import stat
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import UnsupportedOperation
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

import orjson
import typer
from pydantic import JsonValue
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from state.errors import BadInput
from tools.platform.unicode_safety import escape_json_controls, show_hidden

if TYPE_CHECKING:
    import structlog

OUT = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
ERR = Console(highlight=False, markup=False, emoji=False, soft_wrap=True, stderr=True)

_TOLD_EVERY_SECONDS = 2.0


def print_error(sentence: str) -> None:
    """Print an error on stderr."""
    ERR.print(f"prefrontal: {printable(sentence)}", style="red" if ERR.is_terminal else None)


def print_note(sentence: str) -> None:
    """Print a note on stderr."""
    ERR.print(printable(sentence), style="dim")


@contextmanager
def training_notice(folder: Path) -> Iterator[None]:
    """Show on stderr that packs are learnt, and how far, where a cache folder holds none yet."""
    from tools.platform.process_resources import progress_listener

    if any(folder.glob("router-*.npz")):
        yield
        return
    print_note("training on the packs' examples, once; later starts take seconds")
    last = 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= _TOLD_EVERY_SECONDS:
            last = now
            print_note(f"  {what}: {done:,} of {total:,}")

    with progress_listener(tell):
        yield


def print_json(value: JsonValue) -> None:
    """Print one line of JSON, in UTF-8 whatever the terminal speaks."""
    typer.echo(escape_json_controls(orjson.dumps(value).decode()).encode())


def printable(text: str) -> str:
    """Keep line ends and make every other control character of somebody's text visible."""
    return "\n".join(show_hidden(line) for line in text.split("\n"))


def is_interactive() -> bool:
    """Tell whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show progress on stderr while a person watches and stdout goes elsewhere.

    Yields a function that takes how much of `total` is done.
    """
    with _bar(what, total, is_shown=ERR.is_terminal and not OUT.is_terminal) as (bar, task):
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def step_progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show progress on stderr where nothing is printed meanwhile; each call is a step of it."""
    with _bar(what, total, is_shown=ERR.is_terminal) as (bar, task):
        yield lambda: bar.advance(task)


@contextmanager
def _bar(what: str, total: int | None, *, is_shown: bool) -> Iterator[tuple[Progress, TaskID]]:
    columns = (TextColumn(what, markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, transient=True, disable=not is_shown) as bar:
        yield bar, bar.add_task(what, total=total)


Level = Literal["info", "warning"]


def configure_logs(level: Level = "warning") -> None:
    """Send all logs of this process to stderr, from `level` up; stdout is for answers."""
    import structlog

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    is_read = sys.stderr.isatty()  # by a person; whatever collects logs gets JSON
    drawn = structlog.dev.ConsoleRenderer() if is_read else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, drawn],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_to_stderr,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                drawn,
            ],
            foreign_pre_chain=shared,
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)


def _to_stderr(*_arguments: object) -> "structlog.PrintLogger":
    import structlog

    # Looked up at each use: whoever replaces sys.stderr later still gets the lines.
    return structlog.PrintLogger(sys.stderr)


MAX_LINE_BYTES = 1_048_576
_MARK = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before the first line."""
_WAITING = 64
"""Lines read ahead from standard input."""


@dataclass(frozen=True)
class Line:
    """One line as it came; `raw` is None when it was too long to keep."""

    place: str
    raw: bytes | None
    offset: int
    """Bytes of the source read so far, this line included."""

    def content(self) -> bytes:
        """Give the line's bytes.

        Raises:
            BadInput: it was too long.
        """
        if self.raw is None:
            raise BadInput(f"longer than {MAX_LINE_BYTES} bytes; send it in parts")
        return self.raw


@dataclass(frozen=True)
class Source:
    """A file of lines, or standard input as `-`."""

    name: str

    @property
    def total(self) -> int | None:
        """How many bytes there are, None when nobody knows."""
        path = Path(self.name)
        return path.stat().st_size if self.name != "-" and path.is_file() else None

    async def lines(self) -> AsyncIterator[Line]:
        """Yield the lines that hold something.

        Raises:
            BadInput: the file cannot be read.
        """
        place, number, offset = self._place(), 0, 0
        async for read in self._raw():
            raw = read.removeprefix(_MARK) if number == 0 else read
            number, offset = number + 1, offset + len(read)
            if raw.strip():
                too_long = len(raw) > MAX_LINE_BYTES
                yield Line(f"{place}:{number}", None if too_long else raw.strip(), offset)

    def _place(self) -> str:
        return "stdin" if self.name == "-" else self.name

    async def _raw(self) -> AsyncIterator[bytes]:
        if self.name == "-":
            async for raw in _standard_input():
                yield raw
            return
        for raw in _file(Path(self.name)):
            yield raw


def source_of(name: str) -> Source:
    """Name a source.

    Raises:
        BadInput: there is no such file.
    """
    if name == "-":
        return Source(name)
    try:
        is_folder = stat.S_ISDIR(Path(name).stat().st_mode)
    except OSError as error:  # not there, not ours to read, or no name at all
        raise BadInput(
            f"cannot read {name[:200]}: {error.strerror}; give a path, or - for standard input"
        ) from error
    if is_folder:
        raise BadInput(f"{name} is a folder; give a file of JSON lines")
    return Source(name)


def _file(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while raw := _read(file):
                yield raw
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error


async def _standard_input() -> AsyncIterator[bytes]:
    """Read in a thread that nobody waits for, so that Ctrl-C ends a silent pipe at once."""
    try:
        # A reader of our own: at exit Python wants the lock that a blocked sys.stdin holds.
        stream: BinaryIO = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    except (UnsupportedOperation, AttributeError, OSError):
        stream = sys.stdin.buffer
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes] = asyncio.Queue(_WAITING)

    def read() -> None:
        with suppress(RuntimeError, CancelledError):  # the loop is gone, and so are we
            raw = b"-"
            while raw:
                raw = _read(stream)
                put = queue.put(raw)
                try:
                    asyncio.run_coroutine_threadsafe(put, loop).result()
                except RuntimeError:
                    put.close()  # else it complains that nobody awaited it
                    raise

    threading.Thread(target=read, name="standard-input", daemon=True).start()
    while raw := await queue.get():
        yield raw


def _read(stream: BinaryIO) -> bytes:
    """Read one line; of one that is too long, the start and one byte more than we take."""
    raw = stream.readline(MAX_LINE_BYTES + 2)
    if len(raw) <= MAX_LINE_BYTES or raw.endswith(b"\n"):
        return raw
    while rest := stream.readline(MAX_LINE_BYTES):
        if rest.endswith(b"\n"):
            break
    return raw


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 action`, `2 actions`, `3 entries`."""
    if count == 1:
        return f"1 {noun}"
    is_changed = noun.endswith("y") and noun[-2] not in "aeiou"
    return f"{count:,} {f'{noun[:-1]}ies' if is_changed else f'{noun}s'}"
