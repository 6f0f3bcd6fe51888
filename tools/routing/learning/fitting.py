"""Fit the models on some of the texts: once to serve, and once a rehearsal, beside each other."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no types

from tools.processors import threads
from tools.routing.learning.examples import Lessons
from tools.routing.learning.features import Learnt, Places
from tools.routing.learning.meaning import Meaning, Vectors, fit_meaning
from tools.routing.learning.sharing import train_shared
from tools.routing.learning.similarity import Resemblance

_MOST_THREADS = 4
"""Each takes memory of its own: two at once raise the peak of the vessel's from 1.0 to 1.5 GB."""
_ONE_AT_A_TIME = Lock()
"""The limit is the process's: a second one beside it would not hold, and outlast both."""


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

    def fit(self, part: Part) -> Models:
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
        return Models(words, meaning)


@contextmanager
def fits_beside() -> Iterator[ThreadPoolExecutor]:
    """Give threads for fits that run beside each other, which numpy lets them.

    The last bits of a product depend on the number of threads that share it: each has one.
    """
    with _ONE_AT_A_TIME, threadpool_limits(1), ThreadPoolExecutor(threads(_MOST_THREADS)) as pool:
        yield pool
