"""Fits run beside each other, and nobody can tell by what they learn."""

from threading import Thread

import numpy as np
import pytest
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]  # ships no types

from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import packs_named
from tools.routing.learning import fitting
from tools.routing.learning.examples import collected_from, lessons_of
from tools.routing.learning.features import Vocabulary
from tools.routing.learning.fitting import Material, Models, Part, fits_beside
from tools.routing.learning.meaning import Vectors, fit_meaning
from tools.routing.reading import Reader


@pytest.fixture(scope="module")
def material() -> Material:
    catalogue = Catalogue.of(packs_named(["companion"]))
    lessons = lessons_of(collected_from(list(catalogue.actions.values())), Reader(catalogue))
    rows = np.random.default_rng(4).normal(size=(len(lessons.labels), 48)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    learnt = Vocabulary.of([text.words for text in lessons.texts])
    return Material(lessons, learnt, Vectors(rows, rows))


def _parts(material: Material) -> list[Part]:
    """One that learns all, and three that do without every second, third and fourth text."""
    places = np.arange(len(material.lessons.labels))
    return [Part(places, 40), *(Part(places[places % each > 0], 20) for each in (2, 3, 4))]


def _bits(models: Models) -> bytes:
    assert models.meaning is not None
    return models.words.weights.tobytes() + models.meaning.weights.tobytes()


def test_the_number_of_fits_at_once_changes_no_bit(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = _parts(material)
    with fits_beside():
        alone = [_bits(material.fit(part)) for part in parts]
    assert len(set(alone)) == len(parts)
    for processors in (1, 2, 64):
        monkeypatch.setattr(fitting, "threads", lambda most, had=processors: min(most, had))
        with fits_beside() as pool:
            assert [_bits(models) for models in pool.map(material.fit, parts)] == alone


def test_each_fit_has_one_thread_of_the_algebra_and_afterwards_all_are_back(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def looked(*args: object, **named: object) -> object:
        seen.extend(pool["num_threads"] for pool in threadpool_info())
        return fit_meaning(*args, **named)  # type: ignore[arg-type]  # handed on as given

    def fit_all() -> None:
        with fits_beside() as pool:
            list(pool.map(material.fit, _parts(material)))

    monkeypatch.setattr(fitting, "fit_meaning", looked)
    before = [pool["num_threads"] for pool in threadpool_info()]
    twice = [Thread(target=fit_all) for _ in range(2)]  # two packs learnt at the same time
    for thread in twice:
        thread.start()
    for thread in twice:
        thread.join()
    assert set(seen) == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_a_fit_that_fails_is_told(material: Material) -> None:
    beyond = Part(np.array([len(material.lessons.labels)]), 1)
    with fits_beside() as pool, pytest.raises(IndexError):
        list(pool.map(material.fit, [*_parts(material), beyond]))
