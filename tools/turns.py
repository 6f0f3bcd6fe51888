"""Let one process at a time do what is long, so that the others find it done."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock
from filelock import Timeout as LockTimeout


@contextmanager
def turn(lock: Path, *, wait_seconds: float) -> Iterator[None]:
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
