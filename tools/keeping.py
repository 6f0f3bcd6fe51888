"""Keep a file that can be made again: written whole or not at all, and never a reason to fail."""

import os
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_HELD = 2
"""Of the files read, the newest few stay with the process: a model of many examples is 50 MB."""


def keep(file: Path, content: bytes) -> None:
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


def read_once(read: Callable[[Path], T | None]) -> Callable[[Path], T | None]:
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
