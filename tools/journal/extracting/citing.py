"""Parts of messages with their places: what is extracted is cited, never written."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from state.journal import JournalMessage, Span
from tools.journal.detecting import speech

_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+(?=[\s\"'”)]|$)[\"'”)]?|$)", re.MULTILINE)
_ENDS = re.compile(r"[.!?…:;][\"'”’)\]]*$")
_EDGES = " \t\r\n.,;:–—-"


@dataclass(frozen=True)
class Cited:
    """A verbatim part of a message."""

    message: JournalMessage
    start: int
    end: int

    @property
    def text(self) -> str:
        """Give the words."""
        return self.message.content[self.start : self.end]

    @property
    def span(self) -> Span:
        """Give the place."""
        return Span(message_id=self.message.message_id, start=self.start, end=self.end)

    def part(self, start: int, end: int) -> "Cited":
        """Cite a part of it, by offsets into `text`."""
        return Cited(self.message, self.start + start, self.start + end)

    def trimmed(self) -> "Cited":
        """Leave out spaces and loose marks at both ends."""
        text = self.text
        start = len(text) - len(text.lstrip(_EDGES))
        return self.part(start, max(start, len(text.rstrip(_EDGES))))


def whole(message: JournalMessage) -> Cited:
    """Cite a message from beginning to end."""
    return Cited(message, 0, len(message.content))


def sentences(message: JournalMessage) -> Iterator[Cited]:
    """Cite sentence after sentence, without code and what is quoted from elsewhere."""
    fenced = False
    start = 0
    for line in message.content.splitlines(keepends=True):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not speech.QUOTED.search(line):
            for found in _SENTENCE.finditer(line.rstrip("\r\n")):
                yield Cited(message, start + found.start(), start + found.end())
        start += len(line)


def in_a_row(cited: Iterable[Cited]) -> str:
    """Put sentences behind each other; one that ends without a mark gets a full stop."""
    *before, last = [one.text for one in cited] or [""]
    return " ".join([*(text if _ENDS.search(text) else f"{text}." for text in before), last])


def plain(text: str) -> str:
    """Give apostrophes one form; offsets stay as they are."""
    return text.replace("’", "'")
