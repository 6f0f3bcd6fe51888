"""Rehearse on held-out examples, and on whole actions left out, what the models are worth."""

from collections.abc import Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.routing.learning.confidence import Heard
from tools.routing.learning.examples import Lessons, Text
from tools.routing.learning.features import Floats, Learnt, Places
from tools.routing.learning.lexical import Evidence, LexicalPass
from tools.routing.learning.meaning import Meaning, Vectors, fit_meaning
from tools.routing.learning.sharing import train_shared
from tools.routing.learning.similarity import Resemblance, softmax
from tools.routing.reading import Reader

_BATCHES = 45
_REHEARSALS = 3
_MOST_HELD = 350
"""Texts that one rehearsal scores."""
_LEAST_TEXTS = 20
_MOST_LEARNT = 10_000
"""Texts that one rehearsal learns from: more would teach it little, and take long."""
_LEFT_OUT = 0.12
"""Share of the actions that a rehearsal does not know at all."""
_HELD_OUT = 0.2
"""Share of the other actions' examples that it has not seen."""
_CHATTER_HELD_OUT = 0.5
_COULD_BE_MEANT = 0.8
_NEVER = -30.0


@dataclass(frozen=True)
class Held:
    """One held-out text as it was heard by models that had not seen it."""

    label: int | None
    """None: nothing fits."""
    is_near: bool
    """It belongs to an action that was left out; the rest of what does not fit is chatter."""
    heard: Heard
    vector: Floats | None
    meaning: Meaning | None
    """The model that heard it, for what is nearest."""


@dataclass(frozen=True)
class _Models:
    words: Resemblance
    meaning: Meaning | None
    dropped: Places
    seen: Set[str]


@dataclass(frozen=True)
class Rehearsal:
    """Holds texts out; `vectors` has a row for each text, or is None without an encoder."""

    lessons: Lessons
    learnt: Learnt
    vectors: Vectors | None
    reader: Reader
    lexical: LexicalPass

    def held(self) -> list[Held]:
        """Train without some of the actions and texts, and score what was left out."""
        labels, actions = self.lessons.labels, self.lessons.actions
        found: list[Held] = []
        if len(labels) < _LEAST_TEXTS or actions < 2:
            return found
        readings: dict[str, Evidence] = {}
        generator = np.random.default_rng(1)
        for _ in range(_REHEARSALS):
            dropped = generator.choice(actions, max(1, round(actions * _LEFT_OUT)), replace=False)
            is_dropped = np.isin(labels, dropped)
            share = np.where(labels == actions, _CHATTER_HELD_OUT, _HELD_OUT)
            is_held = (generator.random(len(labels)) < share) & self._is_judged
            kept = np.flatnonzero(~is_dropped & ~is_held)
            if len(kept) > _MOST_LEARNT:
                kept = np.sort(generator.choice(kept, _MOST_LEARNT, replace=False))
            own = (is_held | is_dropped) & self._is_judged & (labels < actions)
            out = generator.permutation(np.flatnonzero(own))
            if len(kept) == 0 or len(out) == 0:
                continue
            models = self._models(kept, dropped)
            for place in out[:_MOST_HELD].tolist():
                label = None if is_dropped[place] else int(labels[place])
                found.append(self._held(place, label, models, readings))
            found += self._foreign(np.flatnonzero(is_held & (labels == actions)), models, readings)
        return found

    @property
    def _is_judged(self) -> npt.NDArray[np.bool_]:
        """Mark examples and chatter: what was made from the entries is like nothing people say."""
        is_example = np.array([text.is_example for text in self.lessons.texts], bool)
        is_own: npt.NDArray[np.bool_] = self.lessons.labels < self.lessons.actions
        return is_example | ~is_own

    def _models(self, kept: Places, dropped: Places) -> _Models:
        labels, classes = self.lessons.labels, self.lessons.actions + 1
        words = train_shared(
            self.learnt.rows.pick(kept),
            labels[kept],
            self.lessons.shared,
            features=len(self.learnt.vocabulary.places),
            classes=classes,
            batches=_BATCHES,
        )
        meaning = None
        if self.vectors is not None:
            own = kept[labels[kept] < self.lessons.actions]
            meaning = fit_meaning(
                self.vectors.pick(own),
                labels[own],
                classes=self.lessons.actions,
                shared=self.lessons.shared,
            )
        seen = {word for place in kept.tolist() for word in self.lessons.texts[place].words}
        return _Models(words, meaning, dropped, seen)

    def _held(
        self, place: int, label: int | None, models: _Models, readings: dict[str, Evidence]
    ) -> Held:
        text = self.lessons.texts[place]
        words = models.words.scores(self.learnt.rows.pick(np.array([place])))[0]
        lexical = self._lexical(text, readings)
        words[models.dropped], lexical[models.dropped] = _NEVER, 0.0
        vector = self.vectors.said[place] if self.vectors is not None else None
        is_near = label is None and self.lessons.labels[place] < self.lessons.actions
        known = sum(word in models.seen for word in text.words) / max(1, len(text.words))
        meaning = models.meaning.scores(vector) if models.meaning and vector is not None else None
        heard = Heard(words, lexical, known, meaning)
        return Held(label, is_near, heard, vector, models.meaning)

    def _lexical(self, text: Text, readings: dict[str, Evidence]) -> Floats:
        if text.written not in readings:
            readings[text.written] = self.reader.read(text.written).evidence
        return self.lexical.scores(readings[text.written])

    def _foreign(
        self, places: Places, models: _Models, readings: dict[str, Evidence]
    ) -> list[Held]:
        """Score the chatter that no action could mean: what fits one well is left out."""
        found = []
        for place in places.tolist():
            held = self._held(place, None, models, readings)
            by = held.heard.words if held.heard.meaning is None else held.heard.meaning
            if softmax(by)[: self.lessons.actions].max() <= _COULD_BE_MEANT:
                found.append(held)
        return found
