"""What a server writes outside the protocol: its error output, and lines that are no messages."""

import asyncio
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from tools.platform.redaction import redact_secrets
from tools.platform.unicode_safety import show_hidden

MOST_CHARACTERS = 500
"""Of a line; the rest is dropped."""
MOST_LINES = 200
"""Of one session: what a server writes after that is read and dropped."""
_CHUNK_BYTES = 64 * 1024

Tell = Callable[[str], None]


class ServerOutput:
    """Hands each line on, without control characters and without the secrets that it was given."""

    def __init__(self, tell: Tell, secrets: Collection[str]) -> None:
        self._tell, self._secrets = tell, secrets
        self._left = MOST_LINES
        self._part = b""

    @contextmanager
    def written(self) -> Iterator[TextIO]:
        """Give the end of a pipe that a server writes into; what comes out is read by the loop."""
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
        shown = show_hidden(str(redact_secrets(line.strip(), self._secrets)))[:MOST_CHARACTERS]
        if shown and self._left > 0:
            self._left -= 1
            self._tell(shown)

    def _read(self, reading: int) -> None:
        with suppress(BlockingIOError):
            *lines, self._part = (self._part + os.read(reading, _CHUNK_BYTES)).split(b"\n")
            self._part = self._part[:_CHUNK_BYTES]
            for line in lines:
                self.say(line.decode("utf-8", "replace"))
