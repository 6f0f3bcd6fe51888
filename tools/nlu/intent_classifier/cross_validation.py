"""Fit the models and score held-out examples and left-out actions for calibration."""

from collections.abc import Iterator, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from tools.nlu.intent_classifier.calibration import PassScores
from tools.nlu.intent_classifier.features import FittedVocabulary, Floats, Places
from tools.nlu.intent_classifier.lexical_model import LexicalPass
from tools.nlu.intent_classifier.linear_models import (
    SentenceModel,
    SentenceVectors,
    WordModel,
    fit_meaning,
    softmax,
    train_shared,
)
from tools.nlu.intent_classifier.training_examples import TrainingSet
from tools.nlu.intents.utterance import UtteranceParser
from tools.platform.process_resources import thread_count

_MOST_THREADS = 4
"""Each takes memory of its own: two at once raise the peak of the vessel's from 1.0 to 1.5 GB."""
_ONE_AT_A_TIME = Lock()
"""The limit is the process's: a second one beside it would not hold, and outlast both."""


@dataclass(frozen=True)
class TrainingPart:
    """Texts to learn from, by their places, and about how many batches the words take."""

    places: Places
    batches: int


@dataclass(frozen=True)
class FittedModels:
    """What was learnt of a part; `meaning` is None without vectors."""

    words: WordModel
    meaning: SentenceModel | None


@dataclass(frozen=True)
class TrainingMaterial:
    """All there is to learn from; `vectors` has a row for each text, or is None."""

    lessons: TrainingSet
    learnt: FittedVocabulary
    vectors: SentenceVectors | None

    def fit(self, part: TrainingPart) -> FittedModels:
        """Fit both models on a part; in `fits_beside` the same part gives the same bits."""
        labels, actions = self.lessons.labels[part.places], self.lessons.actions
        words = train_shared(
            self.learnt.rows.pick(part.places),
            labels,
            self.lessons.shared,
            features=len(self.learnt.vocabulary.places),
            classes=actions + 1,
            batches=part.batches,
        )
        meaning = None
        if self.vectors is not None:
            is_own = labels < actions
            meaning = fit_meaning(
                self.vectors.pick(part.places[is_own]),
                labels[is_own],
                classes=actions,
                shared=self.lessons.shared,
            )
        return FittedModels(words, meaning)


@contextmanager
def fitting_pool() -> Iterator[ThreadPoolExecutor]:
    """Give threads for fits that run beside each other, which numpy lets them.

    The last bits of a product depend on the number of threads that share it: each has one.
    """
    with (
        _ONE_AT_A_TIME,
        threadpool_limits(1),
        ThreadPoolExecutor(thread_count(_MOST_THREADS)) as pool,
    ):
        yield pool


_REHEARSED_BATCHES = 45
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
class HeldOutText:
    """One held-out text as it was heard by models that had not seen it."""

    label: int | None
    """None: nothing fits."""
    is_near: bool
    """It belongs to an action that was left out; the rest of what does not fit is chatter."""
    heard: PassScores
    vector: Floats | None
    meaning: SentenceModel | None
    """The model that heard it, for what is nearest."""
    is_chatter: bool

    def by_words(self) -> "HeldOutText":
        """Give it as it was heard by the words alone."""
        return replace(self, heard=self.heard._replace(meaning=None), vector=None, meaning=None)


def judged(held: Sequence[HeldOutText]) -> list[HeldOutText]:
    """Leave out the chatter that an action could mean: by what fits one well nothing is judged."""
    return [one for one in held if not (one.is_chatter and _could_be_meant(one.heard))]


def _could_be_meant(heard: PassScores) -> bool:
    # The last score of the words is the one of chatter itself.
    shares = softmax(heard.words)[:-1] if heard.meaning is None else softmax(heard.meaning)
    return bool(shares.max() > _COULD_BE_MEANT)


@dataclass(frozen=True)
class Fold:
    """One rehearsal: what it learns from, and what it is asked."""

    part: TrainingPart
    dropped: Places
    """The actions that it does not know."""
    asked: Places
    """Texts of actions, of dropped ones too."""
    foreign: Places
    """Chatter that was held out; what fits an action well is left out later."""


@dataclass(frozen=True)
class CrossValidation:
    """Holds texts out."""

    material: TrainingMaterial
    reader: UtteranceParser
    lexical: LexicalPass

    def scenes(self) -> list[Fold]:
        """Draw what each rehearsal does without: some of the actions, and texts of the others."""
        labels, actions = self.material.lessons.labels, self.material.lessons.actions
        found: list[Fold] = []
        if len(labels) < _LEAST_TEXTS or actions < 2:
            return found
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
            if len(kept) and len(out):
                foreign = np.flatnonzero(is_held & (labels == actions))
                found.append(
                    Fold(TrainingPart(kept, _REHEARSED_BATCHES), dropped, out[:_MOST_HELD], foreign)
                )
        return found

    def held(self, scene: Fold) -> list[HeldOutText]:
        """Learn what a scene learns from, and score what it left out: chatter last, all of it."""
        ears = _Ears(self, scene, self.material.fit(scene.part))
        return [ears.hear(place) for place in (*scene.asked.tolist(), *scene.foreign.tolist())]

    @property
    def _is_judged(self) -> npt.NDArray[np.bool_]:
        """Mark examples and chatter: what was made from the entries is like nothing people say."""
        is_example = np.array([text.is_example for text in self.material.lessons.texts], bool)
        is_own: npt.NDArray[np.bool_] = self.material.lessons.labels < self.material.lessons.actions
        return is_example | ~is_own


@dataclass(frozen=True)
class _Ears:
    """Those of one scene: its models, and what they have never heard."""

    rehearsal: CrossValidation
    scene: Fold
    models: FittedModels

    def hear(self, place: int) -> HeldOutText:
        material, models = self.rehearsal.material, self.models
        text, own = material.lessons.texts[place], int(material.lessons.labels[place])
        words = models.words.scores(material.learnt.rows.pick(np.array([place])))[0]
        lexical = self.rehearsal.lexical.scores(self.rehearsal.reader.read(text.written).evidence)
        words[self.scene.dropped], lexical[self.scene.dropped] = _NEVER, 0.0
        vector = material.vectors.said[place] if material.vectors is not None else None
        known = sum(word in self._seen for word in text.words) / max(1, len(text.words))
        meaning = models.meaning.scores(vector) if models.meaning and vector is not None else None
        heard = PassScores(words, lexical, known, meaning)
        is_action = own < material.lessons.actions
        label = own if is_action and own not in self._dropped else None
        is_near = is_action and label is None
        return HeldOutText(label, is_near, heard, vector, models.meaning, not is_action)

    @cached_property
    def _dropped(self) -> Set[int]:
        return frozenset(self.scene.dropped.tolist())

    @cached_property
    def _seen(self) -> Set[str]:
        texts = self.rehearsal.material.lessons.texts
        return {word for place in self.scene.part.places.tolist() for word in texts[place].words}
