"""Fit the models on some of the texts: once to serve, and once a rehearsal, beside each other."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no types

from tools.routing.learning.examples import Lessons
from tools.routing.learning.features import Learnt, Places
from tools.routing.learning.meaning import Meaning, Vectors, fit_meaning
from tools.routing.learning.sharing import train_shared
from tools.routing.learning.similarity import Resemblance

_MOST_THREADS = 4
"""A serving model and three rehearsals: more have nothing to do."""


@dataclass(frozen=True)
class Part:
    """Texts to learn from, by their places, and about how many batches the words take."""

    places: Places
    batches: int


@dataclass(frozen=True)
class Models:
    """What was learnt of a part; `meaning` is None without vectors."""

    words: Resemblance
    meaning: Meaning | None


@dataclass(frozen=True)
class Material:
    """All there is to learn from; `vectors` has a row for each text, or is None."""

    lessons: Lessons
    learnt: Learnt
    vectors: Vectors | None

    def fit(self, parts: Sequence[Part]) -> list[Models]:
        """Fit each part, in their order; numpy lets the threads run beside each other.

        The same parts give the same bits, on any number of processors.
        """
        # The last bits of a product depend on the number of threads that share it: each has one.
        with (
            threadpool_limits(1),
            ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool,
        ):
            return list(pool.map(self._fit, parts))

    def _fit(self, part: Part) -> Models:
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
        return Models(words, meaning)
