"""One message as the reader sees it: what it does, what it wants, and the part of each word."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from state.policy import Mood
from tools.nlu.lexicon.normalization import Normal
from tools.nlu.reader.labels import ACTS, CONTROLS, TAGS, WANTS

_LETTERS = tuple(TAGS)
_MOODS: Mapping[str, Mood] = {
    "command": "command", "request": "request", "conditional": "request",
    "correction": "command", "question": "question", "denied": "negated", "retracted": "negated",
    "reported": "reported", "quoted": "reported", "hypothetical": "hypothetical",
}  # fmt: skip
"""The wire value of an act; every other act is a statement."""
NOT_MEANT = frozenset("nspr")
"""Tags of words that say nothing of what is to be done: denied, replaced, polite, background."""
LIMITS = frozenset("ctxqm")
"""Tags of words that limit a request: a condition, a time, an exception, an amount, a manner."""

Probabilities = npt.NDArray[np.float32]


class Labeller(Protocol):
    """A model with the heads of labels.py."""

    @property
    def name(self) -> str:
        """Name the weights."""
        ...

    def label(self, text: str) -> tuple[Mapping[str, Probabilities], Sequence[tuple[int, int]]]:
        """Give (labels,) by head, of `tag` (pieces, labels), and where each piece stands."""
        ...


class Span(NamedTuple):
    """Neighbouring words of one tag; words `first` to `end`, end exclusive."""

    tag: str
    first: int
    end: int


@dataclass(frozen=True)
class Reading:
    """Labels of one text, with the probability of each."""

    act: str
    act_chance: float
    wants: Mapping[str, float]
    """Chance that nothing, an answer or a change is wanted; together 1."""
    control: str
    control_chance: float
    tags: tuple[str, ...]
    """The letter of each word's tag."""

    @property
    def mood(self) -> Mood:
        """Give the mood by which policy decides.

        What wants nothing is a statement at most, and what wants something none.
        """
        mood = _MOODS.get(self.act, "statement")
        if self.want == "none":
            return mood if mood in ("negated", "reported", "hypothetical") else "statement"
        if mood in ("command", "request", "question"):
            return "request" if mood == "question" and self.want == "change" else mood
        return "request" if self.want == "change" else "question"

    @property
    def want(self) -> str:
        """Name what is most likely wanted: `none`, `info` or `change`."""
        return max(self.wants, key=self.wants.__getitem__)

    def spans(self, letters: str | frozenset[str]) -> Iterator[Span]:
        """Give the runs of words with one of these tags, in the order of the text."""
        first = 0
        for place in range(1, len(self.tags) + 1):
            if place == len(self.tags) or self.tags[place] != self.tags[first]:
                if self.tags[first] in letters:
                    yield Span(self.tags[first], first, place)
                first = place


def plain_reading(normal: Normal) -> Reading:
    """Read a text as an order whose words have no tags, as the examples of a pack are."""
    wants = {"none": 0.0, "info": 0.5, "change": 0.5}
    return Reading("command", 1.0, wants, "-", 1.0, ("-",) * len(normal.tokens))


class Reader:
    """Reads messages with a labeller; the last ones are remembered."""

    def __init__(self, labeller: Labeller) -> None:
        """Read with a model; nothing is loaded before the first message."""
        self._labeller = labeller
        self._labels = lru_cache(maxsize=64)(labeller.label)

    @property
    def name(self) -> str:
        """Name the model."""
        return self._labeller.name

    def read(self, normal: Normal) -> Reading:
        """Read one text. See Labeller.label for what it may raise."""
        found, offsets = self._labels(normal.text)
        act, want = found["act"], found["want"]
        label, chance = _control_of(found["control"])
        return Reading(
            act=ACTS[int(act.argmax())],
            act_chance=float(act.max()),
            wants=dict(zip(WANTS, map(float, want), strict=True)),
            control=label,
            control_chance=chance,
            tags=_tags_of(normal, found["tag"], offsets),
        )


def _control_of(shares: Probabilities) -> tuple[str, float]:
    """Name the likeliest control label, and how much likelier it is than none, 0 to 1.

    Labels that are near each other share what is likely: so each is weighed against none alone.
    """
    none, best = float(shares[0]), int(shares[1:].argmax()) + 1
    chance = float(shares[best]) / (float(shares[best]) + none)
    return (CONTROLS[best], chance) if chance >= _EVEN else (CONTROLS[0], 1 - chance)


_EVEN = 0.35
"""Odds against none from which a control label is named at all."""


def _tags_of(
    normal: Normal, tags: Probabilities, offsets: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Give each word the tag that its pieces make likeliest; beyond the last piece `-`."""
    sums = np.zeros((len(normal.tokens), len(_LETTERS)), np.float64)
    word = 0
    for (start, end), shares in zip(offsets, tags, strict=True):
        while word < len(normal.tokens) and normal.tokens[word].end <= start:
            word += 1
        if word < len(normal.tokens) and end > normal.tokens[word].start and end > start:
            sums[word] += shares
    found = [_LETTERS[int(row.argmax())] if row.any() else "-" for row in sums]
    for place in range(1, len(found) - 1):
        before, own, behind = found[place - 1 : place + 2]
        if before == behind in _WHOLE and own in _WHOLE:
            found[place] = before  # `in 20 minutes`: one word does not part a phrase
    return tuple(found)


_WHOLE = LIMITS | {"a", "o", "n"}
"""Tags of phrases that nothing of another such tag stands inside of."""
