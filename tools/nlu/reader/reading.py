"""One message as the reader sees it: what it does, what it wants, and the part of each word.

By those parts it is cut into its requests: before each further verb that asks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from tools.nlu.lexicon.cue_phrases import PARTICLES
from tools.nlu.lexicon.normalization import Normal, word_set

# In the order of the model's outputs. The label guide: evals/training/reader/GUIDE.md.
ACTS = (
    "command", "request", "question", "statement", "denied", "reported", "hypothetical",
    "conditional", "retracted", "quoted", "correction", "answer", "greeting", "thanks", "complaint",
)  # fmt: skip
"""What a message does, as it is meant."""
WANTS = ("none", "info", "change")
"""What is wanted now: nothing, an answer, or that something is done."""
CONTROLS = (
    "-", "quiet", "talk", "quiet_hours", "topic_off", "topic_on", "watch", "unwatch", "goal",
    "goal_done", "goal_progress", "goal_drop", "goal_ask", "reminder", "reminder_cancel",
    "reminder_move", "more", "less", "style", "style_reset", "praise", "annoyed", "missed", "why",
    "who", "help", "said", "remember", "forget", "pending", "undo", "decision", "cancel",
)  # fmt: skip
"""What of the assistant's own talking and memory a message is about; `-`: nothing."""
TAGS: dict[str, str] = {
    "-": "other",
    "v": "verb",
    "o": "object",
    "a": "value",
    "t": "time",
    "c": "condition",
    "x": "exception",
    "q": "amount",
    "m": "manner",
    "n": "not_meant",
    "s": "superseded",
    "p": "politeness",
    "r": "reason",
}
"""What a token is part of, by the letter that marks it in the training data."""
LABELS: dict[str, tuple[str, ...]] = {
    "act": ACTS, "want": WANTS, "control": CONTROLS, "tag": tuple(TAGS)
}  # fmt: skip
"""By head of the reader: its labels, in the order of its outputs."""
_LETTERS = tuple(TAGS)
UNMEANT = frozenset({"denied", "retracted", "reported", "quoted", "hypothetical"})
"""Acts of which nothing is to be done."""
MOST = 48
"""Words of the longest message that it has learned to judge."""
LIMITS = frozenset("ctxqm")
"""Tags of words that limit a request: a condition, a time, an exception, an amount, a manner."""

Probabilities = npt.NDArray[np.float32]


class Labeller(Protocol):
    """A model with these heads."""

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
    """What of the assistant's own talking and memory it is about; `-`: nothing."""
    control_chance: float
    """How much likelier that is than `-`, 0 to 1."""
    tags: tuple[str, ...]
    """The letter of each word's tag."""

    @property
    def want(self) -> str:
        """Name what is most likely wanted: `none`, `info` or `change`."""
        return max(self.wants, key=self.wants.__getitem__)

    def spans(self, letters: str) -> Iterator[Span]:
        """Give the runs of words with one of these tags, in the order of the text."""
        first = 0
        for place in range(1, len(self.tags) + 1):
            if place == len(self.tags) or self.tags[place] != self.tags[first]:
                if self.tags[first] in letters:
                    yield Span(self.tags[first], first, place)
                first = place


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
        control, control_chance = _control_of(found["control"])
        return Reading(
            act=ACTS[int(act.argmax())],
            act_chance=float(act.max()),
            wants=dict(zip(WANTS, map(float, want), strict=True)),
            control=control,
            control_chance=control_chance,
            tags=_tags_of(normal, found["tag"], offsets),
        )


def _control_of(shares: Probabilities) -> tuple[str, float]:
    """Name the likeliest control label, weighed against none alone: near labels share the rest."""
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


_JOINTS = word_set("and then plus also afterwards or but und dann")
"""Between two verbs these part two requests."""
_FILLERS = word_set("please now just the a bitte")
_STOP = re.compile(r"[.;!?\n,]")
_HARD = re.compile(r"[.;!?\n]")
_BINDS = word_set("to if zu a an the")
"""Right before a verb these make it a part of what is before: `ask Ben to call`."""
_AHEAD = LIMITS | {"p"}
"""Tags of what may stand before a verb and belong to it."""
_ADDS = word_set("not even nor")
"""What these open goes on with the request before it: `not even alarms`."""
_LEAST = 2
"""Words of a sentence that may be a request of its own."""


def requests_in(normal: Normal, reading: Reading) -> tuple[range, ...]:
    """Give the words of each request; one range: the text asks once."""
    words, verbs, starts = normal.words, list(reading.spans("v")), [0]
    for before, verb in pairwise(verbs):
        # `a half` and `to call` are no order of their own.
        if not _BINDS.isdisjoint(words[max(before.end, verb.first - 1) : verb.first + 1]):
            continue
        joint = next((at for at in range(verb.first, before.end, -1) if _parts(normal, at)), None)
        if joint is None and not _parts(normal, before.end):
            continue
        first = before.end if joint is None else joint
        while first < verb.first and words[first] in _JOINTS | _FILLERS:
            first += 1
        if words[first] in _ADDS:
            continue
        # `the porch light on`, `is the back door locked`: the thing comes before the verb.
        own = any(tag == "o" for tag in reading.tags[first : verb.first])
        is_first = any(tag == "o" for tag in reading.tags[starts[-1] : first])
        is_part = set(words[verb.first : verb.end]) <= PARTICLES
        has_part = not PARTICLES.isdisjoint(words[starts[-1] : first])
        is_sentence = _parts(normal, first, _HARD)
        # `and at six turn it off`: what narrows the next request stands before its verb.
        is_ahead = joint is not None and set(reading.tags[first : verb.first]) <= _AHEAD
        if (
            first == verb.first
            or is_sentence
            or is_ahead
            or (own and is_first and (has_part or not is_part))
        ):
            starts.append(first)
    return tuple(_without_joint(words, *ends) for ends in pairwise([*starts, len(words)]))


def _without_joint(words: list[str], first: int, end: int) -> range:
    while end - 1 > first and words[end - 1] in _JOINTS | _FILLERS:
        end -= 1
    return range(first, end)


def _parts(normal: Normal, at: int, mark: re.Pattern[str] | None = None) -> bool:
    """Tell whether a mark, by default of any sort or a joint word, stands before a word."""
    gap = normal.text[normal.tokens[at - 1].end : normal.tokens[at].start]
    is_joint = mark is None and normal.words[at - 1] in _JOINTS
    return is_joint or (mark or _STOP).search(gap) is not None


def sentences_in(normal: Normal) -> tuple[range, ...]:
    """Give the words of each sentence that may be a request of its own."""
    tokens, cuts = normal.tokens, [0]
    for place in range(1, len(tokens)):
        gap = normal.text[tokens[place - 1].end : tokens[place].start]
        if _HARD.search(gap) and place - cuts[-1] >= _LEAST and len(tokens) - place >= _LEAST:
            cuts.append(place)
    return tuple(map(range, cuts, [*cuts[1:], len(tokens)])) if tokens else ()


def text_of(normal: Normal, words: range) -> str:
    """Write the words of a range as the person wrote them."""
    tokens, end = normal.tokens, normal.tokens[words.stop - 1].end
    asks = normal.text[end : end + 1] == "?"
    return normal.written(tokens[words.start].start, end + asks)
