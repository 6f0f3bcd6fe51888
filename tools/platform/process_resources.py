"""Resources of a process: LRU cache, atomic cache files, file lock, thread count, GC pause.

Progress, and what a process that we start writes on its error output.
"""

import asyncio
import gc
import os
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Generic, TextIO, TypeVar

from filelock import FileLock
from filelock import Timeout as LockTimeout

from tools.platform.redaction import redact_secrets
from tools.platform.unicode_safety import show_hidden

ADDRESS_FILE, ADDRESS_KEY_FILE = "service.url", "service.key"
"""Files of a data folder: where its service answers, and the secret its owner acts by there."""

T = TypeVar("T")


class LRUCache(Generic[T]):
    """Things of one kind by the name of all that they follow from; nobody may change one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[str, T] = OrderedDict()
        self._turn = Lock()

    def get(self, name: str, make: Callable[[], T]) -> T:
        """Give what is called so; it is made if it is not there, by two at once for both."""
        with self._turn:
            if name in self._made:
                self._made.move_to_end(name)
                return self._made[name]
        made = make()
        with self._turn:
            self._made[name] = made
            self._made.move_to_end(name)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return made


_HELD = 2
"""Of the files read, the newest few stay with the process: a model of many examples is 50 MB."""


def write_atomically(file: Path, content: bytes) -> None:
    """Write next to the place and rename, so that a reader never sees half a file.

    What cannot be written costs time at the next start, and nothing else.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, part = tempfile.mkstemp(dir=file.parent, suffix=".part")
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
        Path(part).replace(file)
    except OSError:
        return


def cached_reader(read: Callable[[Path], T | None]) -> Callable[[Path], T | None]:
    """Let all who read a file in this process share what it held, which nobody may change then.

    It is read again when it was written anew; None when there is none.
    """

    @lru_cache(maxsize=_HELD)
    def held(file: Path, _written: tuple[int, int, int]) -> T | None:
        return read(file)

    def find(file: Path) -> T | None:
        try:
            found = file.stat()
        except OSError:
            return None
        return held(file, (found.st_mtime_ns, found.st_size, found.st_ino))

    return find


@contextmanager
def file_lock(lock: Path, *, wait_seconds: float) -> Iterator[None]:
    """Wait for the lock, and go on without it when it cannot be had; never raises.

    Then two do the same, and lose time alone.
    """
    held = FileLock(lock, timeout=wait_seconds)
    with suppress(OSError, LockTimeout):
        lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        held.acquire()
    try:
        yield
    finally:
        held.release()


def thread_count(most: int) -> int:
    """Give as many threads as there are processors that this process may use, at most so many."""
    # A container or `taskset` may leave us fewer than there are.
    if hasattr(os, "sched_getaffinity"):
        return min(most, len(os.sched_getaffinity(0)))
    return min(most, os.cpu_count() or 1)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Collect nothing while much is made that stays, such as modules, nor look at it ever again.

    Importing us makes 300,000 objects. The collector went through all of them again and again, at
    the end of the process too: a third of the time of a short command.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


Listener = Callable[[str, int, int], None]
"""Takes what is done, how many parts of it, and of how many."""

_listeners: list[Listener] = []


def report_progress(what: str, done: int, total: int) -> None:
    """Tell that `done` of `total` parts of some work are done; cheap where nobody listens."""
    for listener in _listeners:
        listener(what, done, total)


@contextmanager
def progress_listener(listener: Listener) -> Iterator[None]:
    """Let a listener be told, from any thread, until the block ends."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


MOST_LINE_CHARACTERS = 500
"""Of a line; the rest is dropped."""
MOST_OUTPUT_LINES = 200
"""Of one process: what it writes after that is read and dropped."""
_CHUNK_BYTES = 64 * 1024

Tell = Callable[[str], None]


class ProcessOutput:
    """Hands on each line a process writes, without control characters and the secrets it knows."""

    def __init__(self, tell: Tell, secrets: Collection[str]) -> None:
        self._tell, self._secrets = tell, secrets
        self._left = MOST_OUTPUT_LINES
        self._part = b""

    @contextmanager
    def written(self) -> Iterator[TextIO]:
        """Give the end of a pipe that a process writes into; what comes out is read by the loop."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        loop = asyncio.get_running_loop()
        loop.add_reader(reading, self._read, reading)
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as stream:
                yield stream
        finally:
            loop.remove_reader(reading)
            self._read(reading)
            self.say(self._part.decode("utf-8", "replace"))
            os.close(reading)

    def say(self, line: str) -> None:
        """Hand on one line, unless there were too many."""
        shown = show_hidden(str(redact_secrets(line.strip(), self._secrets)))[:MOST_LINE_CHARACTERS]
        if shown and self._left > 0:
            self._left -= 1
            self._tell(shown)

    def _read(self, reading: int) -> None:
        with suppress(BlockingIOError):
            *lines, self._part = (self._part + os.read(reading, _CHUNK_BYTES)).split(b"\n")
            self._part = self._part[:_CHUNK_BYTES]
            for line in lines:
                self.say(line.decode("utf-8", "replace"))
