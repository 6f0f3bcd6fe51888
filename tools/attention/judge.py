"""Judge an event as the listener would: does it deserve a word now, what is at stake, is it real.

A small network learned it from event lines of many domains (evals/training/attention/GUIDE.md
defines the labels); whole domains that it never saw measure it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from state.errors import EncoderUnavailable

# In the order of the model's outputs.
LEVELS = ("now", "later", "quiet")
"""When a word about it is wanted: at once, in a digest, never."""
HARMS = (
    "life", "health", "property", "money", "security", "deadline", "waiting", "play", "service",
    "comfort", "none",
)  # fmt: skip
"""What is at stake in its subject, also where all is well."""
STATES = ("raised", "worsening", "steady", "improving", "resolved")
"""How the matter stands."""
REALITIES = ("real", "test", "fiction", "elsewhere", "handled", "denied")
"""Whether it concerns the listener: a drill, another town and what is in hand do not."""
LABELS: Mapping[str, Sequence[str]] = {
    "level": LEVELS, "harm": HARMS, "state": STATES, "reality": REALITIES
}  # fmt: skip
"""By head: its labels, in the order of its outputs."""
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|_+")
READ_CHARACTERS = 600
"""Of a text; the rest would be cut off by the network."""
BEFORE_CHARACTERS = 100
"""Of what was said before."""
SAME_MATTER = 0.5
"""Share of the fewer words that two lines about one matter have in common."""
_FEWEST = 2
"""Words of a text that is judged: of `x` nothing is to be claimed."""


class Labeller(Protocol):
    """A model with these heads."""

    def label(
        self, text: str
    ) -> tuple[Mapping[str, npt.NDArray[np.float32]], Sequence[tuple[int, int]]]:
        """Give (labels,) by head, and where each token stands."""
        ...


_IDLE = ("none", "comfort")
_LEAST = 1e-4
"""Chances are this far from 0 and 1 at least, where their odds count."""


def _odds(chance: float) -> float:
    sure = min(1 - _LEAST, max(_LEAST, chance))
    return sure / (1 - sure)


@dataclass(frozen=True)
class Judgement:
    """What the network says of one event; chances are 0 to 1, those of a head together 1."""

    levels: Mapping[str, float]
    harm: str
    state: str
    reality: str

    @property
    def now(self) -> float:
        """Give the chance that a word is wanted at once."""
        return self.levels["now"]

    @property
    def is_grave(self) -> bool:
        """Tell whether it is real and not over: of nothing else is there a threat."""
        return self.reality == "real" and self.state != "resolved"

    @property
    def is_idle(self) -> bool:
        """Tell whether nothing is at stake: then it may be a moment of somebody's day."""
        return self.harm in _IDLE

    def beside(self, chance: float) -> "Judgement":
        """Take the mean of two log odds that a word is wanted now: ours, and of another judge."""
        return self.times((_odds(chance) / _odds(self.now)) ** 0.5)

    def times(self, factor: float) -> "Judgement":
        """Multiply the odds that a word is wanted now; what that leaves is quiet."""
        odds = factor * _odds(self.now)
        now = odds / (1 + odds)
        levels = {**self.levels, "now": now, "quiet": self.levels["quiet"] + self.now - now}
        return replace(self, levels=levels)


class EventJudge:
    """Judges events with a labeller; the last ones are remembered."""

    def __init__(self, labeller: Labeller) -> None:
        """Judge with a model; nothing is loaded before the first event."""
        self._labels = lru_cache(maxsize=256)(labeller.label)

    def judge(self, source: str, text: str, before: str = "") -> Judgement | None:
        """Judge an event; None: it says too little, or the model's files are broken.

        It blocks for milliseconds.

        Args:
            before: what its sender said last of the same matter: 8 of 30 is news after 20 of 30.
        """
        if len(judged_text("", text).split()) < _FEWEST:
            return None
        try:
            found, _places = self._labels(judged_text(source, text, before))
        except EncoderUnavailable:
            return None
        best = {head: labels[int(found[head].argmax())] for head, labels in LABELS.items()}
        levels = zip(LEVELS, map(float, found["level"]), strict=True)
        return Judgement(dict(levels), best["harm"], best["state"], best["reality"])


def judged_text(source: str, text: str, before: str = "") -> str:
    """Write an event as the network reads it; without a source it is a text alone.

    Names that are written together are parted: `KubePodCrashLooping` has four known words.
    """
    said = f"{source}: {text[:READ_CHARACTERS]}" if source else text[:READ_CHARACTERS]
    said = f"{said} | before: {before[:BEFORE_CHARACTERS]}" if before else said
    return parted_names(said)


def parted_names(text: str) -> str:
    """Write names that are put together as words: `DiskFull` and `disk_full` as `Disk Full`."""
    return _JOINED.sub(" ", text)
