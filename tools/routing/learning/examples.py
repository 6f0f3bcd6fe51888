"""The texts that an action is learnt from: its examples, and what its entry says by itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.routing.learning.chatter import CHATTER
from tools.routing.learning.features import Places
from tools.routing.learning.sharing import shared_by
from tools.routing.reading import Reader
from tools.routing.words.families import FAMILIES
from tools.routing.words.normalise import words_of

_MOST_WORDS = 8
_PLACEHOLDER = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True)
class Text:
    """One text to learn from."""

    written: str
    words: tuple[str, ...]
    """What the word model sees, each thing followed by its type."""
    said: str
    """What the encoder sees."""
    plain: str
    """The same with things by their names."""
    is_example: bool = False
    """A person's phrasing, by which the models can be judged; not made from the entry."""


@dataclass(frozen=True)
class Lessons:
    """All texts with their classes; the class after the last action is `none of these`."""

    written: Sequence[str]
    labels: Places
    actions: int
    shared: tuple[Places, ...]
    """Groups of the classes, see sharing.py."""
    _known: Sequence[Text | None]
    """Those that need no reading; None: an example, which is read when it is learnt from."""
    _reader: Reader

    @cached_property
    def texts(self) -> Sequence[Text]:
        """Read them, as a start that finds what was learnt before never does."""
        return [
            _example(written, self._reader) if known is None else known
            for written, known in zip(self.written, self._known, strict=True)
        ]


@dataclass(frozen=True)
class Collected:
    """The texts of a catalogue with their classes, before one is read: as in `Lessons`."""

    written: Sequence[str]
    labels: Places
    actions: int
    shared: tuple[Places, ...]
    known: Sequence[Text | None]


def collected_from(actions: Sequence[Action]) -> Collected:
    """Collect the texts of a catalogue."""
    known: list[Text | None] = []
    written: list[str] = []
    labels: list[int] = []
    for place, action in enumerate(actions):
        made = _made(action)
        written += [*action.examples, *(text.written for text in made)]
        known += [*(None for _ in action.examples), *made]
        labels += [place] * (len(action.examples) + len(made))
    written += CHATTER
    known += [_as_written(text, words_of(text)) for text in CHATTER]
    labels += [len(actions)] * len(CHATTER)
    places = np.array(labels, np.int64)
    return Collected(written, places, len(actions), shared_by(actions), known)


def lessons_of(collected: Collected, reader: Reader) -> Lessons:
    """Let the texts be read, the first time that they are learnt from."""
    return Lessons(
        collected.written,
        collected.labels,
        collected.actions,
        collected.shared,
        collected.known,
        reader,
    )


def _example(text: str, reader: Reader) -> Text:
    learnt = reader.example(text)
    return Text(text, learnt.words, learnt.said, learnt.plain, is_example=True)


def _made(action: Action) -> list[Text]:
    """Say the entry's name, its summary, and each of its words with its object."""
    thing = words_of(action.object)
    into = ("to", *words_of(action.container)) if action.container is not None else ()
    types = tuple(
        f"@{slot.type}"
        for slot in action.slots.values()
        if slot.required and slot.type not in PRIMITIVE_SLOT_TYPES
    )
    phrases = [words_of(word) for word in action.words[:_MOST_WORDS]]
    if not phrases and action.verb in FAMILIES:
        phrases = [words_of(action.verb)]
    summary = words_of(_PLACEHOLDER.sub(" ", action.summary))
    plain = [(words_of(action.name), ()), (summary, types)]
    plain += [((*phrase, *thing, *into), types) for phrase in phrases]
    return [_as_written(" ".join(words), words, kinds) for words, kinds in plain if words]


def _as_written(text: str, words: tuple[str, ...], kinds: tuple[str, ...] = ()) -> Text:
    said = " ".join(words)
    return Text(text, (*words, *kinds), said, said)
