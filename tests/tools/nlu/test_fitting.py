"""Fits run beside each other, and nobody can tell by what they learn."""

from threading import Thread

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import packs_named
from tools.nlu.intent_classifier import cross_validation as fitting
from tools.nlu.intent_classifier.cross_validation import (
    FittedModels,
    TrainingMaterial,
    TrainingPart,
    fitting_pool,
)
from tools.nlu.intent_classifier.features import Vocabulary
from tools.nlu.intent_classifier.linear_models import SentenceVectors, fit_meaning
from tools.nlu.intent_classifier.training_examples import collect_examples, training_set_of
from tools.nlu.intents.utterance import UtteranceParser


@pytest.fixture(scope="module")
def material() -> TrainingMaterial:
    catalogue = Catalogue.of(packs_named(["companion"]))
    lessons = training_set_of(
        collect_examples(list(catalogue.actions.values())), UtteranceParser(catalogue)
    )
    rows = np.random.default_rng(4).normal(size=(len(lessons.labels), 48)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    learnt = Vocabulary.of([text.words for text in lessons.texts])
    return TrainingMaterial(lessons, learnt, SentenceVectors(rows, rows))


def _parts(material: TrainingMaterial) -> list[TrainingPart]:
    """One that learns all, and three that do without every second, third and fourth text."""
    places = np.arange(len(material.lessons.labels))
    return [
        TrainingPart(places, 40),
        *(TrainingPart(places[places % each > 0], 20) for each in (2, 3, 4)),
    ]


def _bits(models: FittedModels) -> bytes:
    assert models.meaning is not None
    return models.words.weights.tobytes() + models.meaning.weights.tobytes()


def test_the_number_of_fits_at_once_changes_no_bit(
    material: TrainingMaterial, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = _parts(material)
    with fitting_pool():
        alone = [_bits(material.fit(part)) for part in parts]
    assert len(set(alone)) == len(parts)
    for processors in (1, 2, 64):
        monkeypatch.setattr(fitting, "thread_count", lambda most, had=processors: min(most, had))
        with fitting_pool() as pool:
            assert [_bits(models) for models in pool.map(material.fit, parts)] == alone


def test_each_fit_has_one_thread_of_the_algebra_and_afterwards_all_are_back(
    material: TrainingMaterial, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def looked(*args: object, **named: object) -> object:
        seen.extend(pool["num_threads"] for pool in threadpool_info())
        return fit_meaning(*args, **named)  # type: ignore[arg-type]  # handed on as given

    def fit_all() -> None:
        with fitting_pool() as pool:
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


def test_a_fit_that_fails_is_told(material: TrainingMaterial) -> None:
    beyond = TrainingPart(np.array([len(material.lessons.labels)]), 1)
    with fitting_pool() as pool, pytest.raises(IndexError):
        list(pool.map(material.fit, [*_parts(material), beyond]))
