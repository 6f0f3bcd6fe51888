"""Read a stream line by line, from a file or standard input, one bounded line in memory."""

import asyncio
import os
import stat
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError  # of a future that a thread waits for
from contextlib import suppress
from dataclasses import dataclass
from io import UnsupportedOperation
from pathlib import Path
from typing import BinaryIO

from state.errors import BadInput

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
