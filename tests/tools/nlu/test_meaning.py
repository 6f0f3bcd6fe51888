"""The classifier on sentence vectors, on made-up ones."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tools.nlu.intent_classifier.linear_models import SentenceVectors, fit_meaning

CLASSES, DIMENSIONS = 12, 384


def _examples(each: int, *, spread: float = 0.6) -> tuple[npt.NDArray[np.float32], list[int]]:
    generator = np.random.default_rng(7)
    middles = generator.normal(size=(CLASSES, DIMENSIONS))
    labels = [place for place in range(CLASSES) for _ in range(each)]
    rows = middles[labels] + spread * 4 * generator.normal(size=(len(labels), DIMENSIONS))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32), labels


def _as_said(rows: npt.NDArray[np.float32]) -> SentenceVectors:
    """Let nothing be named: each text is the same both ways."""
    return SentenceVectors(rows, rows)


def test_unseen_sentences_find_the_class_of_their_like() -> None:
    rows, labels = _examples(20)
    seen = np.arange(len(labels)) % 4 != 0
    meaning = fit_meaning(_as_said(rows[seen]), np.array(labels)[seen], classes=CLASSES)

    unseen = np.flatnonzero(~seen)
    right = sum(int(meaning.scores(rows[place]).argmax()) == labels[place] for place in unseen)

    assert right / len(unseen) > 0.9


def test_a_class_without_examples_never_wins() -> None:
    rows, labels = _examples(6)
    kept = np.array(labels) != 3
    meaning = fit_meaning(_as_said(rows[kept]), np.array(labels)[kept], classes=CLASSES)

    assert all(int(meaning.scores(row).argmax()) != 3 for row in rows)
    assert meaning.nearness(rows[0], 3).place is None


@pytest.mark.parametrize("place", [0, 17, 40])
def test_the_nearest_example_of_a_class_is_named_by_its_place(place: int) -> None:
    rows, labels = _examples(5)
    order = np.random.default_rng(0).permutation(len(labels))  # as a catalogue is not sorted
    shuffled, given = rows[order], np.array(labels)[order]
    meaning = fit_meaning(_as_said(shuffled), given, classes=CLASSES)

    near = meaning.nearness(shuffled[place], int(given[place]))

    assert near.place == place
    assert near.nearest == pytest.approx(1.0, abs=1e-3)


def test_a_class_said_in_many_ways_expects_less_likeness() -> None:
    tight, labels = _examples(8, spread=0.2)
    wide, _same = _examples(8, spread=0.8)
    is_wide = np.array(labels) % 2 == 1
    rows = np.where(is_wide[:, None], wide, tight)
    meaning = fit_meaning(_as_said(rows), np.array(labels), classes=CLASSES)

    usual = meaning.usual_middles
    assert usual[1::2].max() < usual[::2].min()
    near = meaning.nearness(rows[0], 0)
    assert near.middle_beyond == pytest.approx(near.middle - float(usual[0]))
    assert near.nearest_beyond > 0  # it is its own nearest


def test_lone_examples_expect_what_is_usual_for_all() -> None:
    rows, labels = _examples(6)
    kept = [place for place, label in enumerate(labels) if label != 3 or place % 6 == 0]
    meaning = fit_meaning(_as_said(rows[kept]), np.array(labels)[kept], classes=CLASSES)
    others = np.delete(meaning.usual_nearest, 3)
    assert others.min() <= meaning.usual_nearest[3] <= others.max()

    alone = fit_meaning(
        _as_said(rows[:: len(rows) // CLASSES]), np.arange(CLASSES), classes=CLASSES
    )
    assert np.isfinite(alone.usual_middles).all()


_HASH = """
import sys
sys.path.insert(0, sys.argv[1])
import hashlib
import numpy as np
from threadpoolctl import threadpool_limits
from tools.nlu.intent_classifier.linear_models import SentenceVectors as Vectors, fit_meaning
rows = np.random.default_rng(3).normal(size=(900, 384)).astype(np.float32)
rows /= np.linalg.norm(rows, axis=1, keepdims=True)
with threadpool_limits(1):
    meaning = fit_meaning(Vectors(rows, rows), np.arange(900) % 90, classes=90)
scores = b"".join(meaning.scores(row).tobytes() for row in rows[:50])
print(hashlib.sha256(meaning.weights.tobytes() + scores).hexdigest())
"""


def test_the_number_of_threads_changes_no_bit() -> None:
    root = str(Path(__file__).parents[3])
    hashes = {
        subprocess.run(
            [sys.executable, "-c", _HASH, root],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "4")
    }
    assert len(hashes) == 1
