"""Train the classifier on a catalogue once, and cache the result in a file by content key."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from state.errors import EncoderUnavailable
from tools.adapters import Embedder
from tools.nlu.intent_classifier.calibration import (
    BELONGS_PRIORS,
    FOREIGN_SHARE,
    RIGHT_PRIORS,
    STATED_PRIOR,
    Calibrator,
    fit_weights,
    likenesses,
)
from tools.nlu.intent_classifier.cross_validation import (
    CrossValidation,
    HeldOutText,
    TrainingMaterial,
    TrainingPart,
    fitting_pool,
    judged,
)
from tools.nlu.intent_classifier.features import Vocabulary
from tools.nlu.intent_classifier.lexical_model import LexicalPass
from tools.nlu.intent_classifier.linear_models import (
    ClassProximity,
    SentenceModel,
    SentenceVectors,
    WordModel,
    softmax,
)
from tools.nlu.intent_classifier.training_examples import TrainingSet
from tools.nlu.intents.utterance import UtteranceParser, key_beside
from tools.platform.process_resources import (
    cached_reader,
    file_lock,
    report_progress,
    write_atomically,
)

_MEANING = tuple(field.name for field in fields(SentenceModel))


@dataclass(frozen=True)
class TrainedModel:
    """What is learnt from a catalogue; the class after the last action is `none of these`."""

    vocabulary: Vocabulary
    resemblance: WordModel
    judge: Calibrator
    """Of the words alone."""
    meaning: SentenceModel | None = None
    """None without an encoder."""
    hearing: Calibrator | None = None
    """Of words and meaning."""


@cached_reader
def load_model(file: Path) -> TrainedModel | None:
    """Read a model; None when there is none that can be read."""
    try:
        with file.open("rb") as raw, np.load(raw, allow_pickle=False) as stored:
            words = bytes(stored["features"]).decode().split("\n")
            hears = "meaning_weights" in stored
            return TrainedModel(
                Vocabulary({word: place for place, word in enumerate(words)}, stored["idf"]),
                WordModel(stored["weights"]),
                _stored_calibrator(stored, "judge"),
                SentenceModel(**{name: stored[f"meaning_{name}"] for name in _MEANING})
                if hears
                else None,
                _stored_calibrator(stored, "hearing") if hears else None,
            )
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile):
        return None  # absent or damaged: it is only a cache


def _stored_calibrator(
    stored: Mapping[str, Any], name: str
) -> Calibrator:  # arrays of several types
    given = json.loads(bytes(stored[name]).decode())
    plain: dict[str, Any] = {  # numbers and tuples of them
        key: tuple(value) if isinstance(value, list) else value for key, value in given.items()
    }
    return Calibrator(**plain)


def store_model(file: Path, trained: TrainedModel) -> None:
    """Keep a model for the next start."""
    arrays: dict[str, Any] = {  # of several types
        "weights": trained.resemblance.weights,
        "idf": trained.vocabulary.weights,
        "features": np.frombuffer("\n".join(trained.vocabulary.places).encode(), np.uint8),
        "judge": _packed(trained.judge),
    }
    if trained.meaning is not None and trained.hearing is not None:
        arrays |= {f"meaning_{name}": getattr(trained.meaning, name) for name in _MEANING}
        arrays["hearing"] = _packed(trained.hearing)
    content = BytesIO()
    np.savez(content, **arrays)
    write_atomically(file, content.getvalue())


def _packed(judge: Calibrator) -> np.ndarray[Any, np.dtype[np.uint8]]:  # its shape is one line
    return np.frombuffer(json.dumps(asdict(judge)).encode(), np.uint8)


_BATCHES = 80
_USUAL_ROWS = 20.0
"""The usual likenesses count as so many held-out examples: a few of a small pack tell little."""
_NEAR_SHARE = 0.15
"""How many of the foreign texts are near: of actions left out, where the rest is chatter."""
_ENOUGH_HELD = 60
_TURN_SECONDS = 300.0
"""For another process that learns the same; ten thousand examples take it a minute or two."""
_LEXICAL_WEIGHT, _LEXICAL_WEIGHTS = 5.0, (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
_HEARING = ((0.25, 0.5, 0.75, 1.0), (0.0, 1.0, 2.0, 3.0), (0.4, 0.55, 0.7, 0.85, 1.0))
"""Weights of the word model and of the lexical pass beside the encoder's, and sharpness; without an
encoder the word model counts in full."""
_USUAL_HEARING = (0.75, 2.0, 0.7)
_MANY, _MORE = 40, 1.5
"""From so many examples an action the word model counts so much, if it counts in full beside the
encoder's. What is held out is by the hands that wrote the rest, and tells 1 from 2 badly; of
what other people ask, 1.5 puts the right action first in 1 of 100 more
(docs/explanation/understanding.md)."""
_OF_WORDS = ((7.0, 3.0),)
_OF_MEANING = ((-1.0, 1.5), (15.0, 3.0), (-0.02, 0.1), (-0.02, 0.12), (15.2, 2.8), (7.0, 3.0))
"""Mean and deviation of each likeness, where there is too little to measure them."""


def trained_model(
    lessons: TrainingSet,
    reader: UtteranceParser,
    lexical: LexicalPass,
    cache: Path | None,
    embedder: Embedder | None = None,
) -> TrainedModel:
    """Train, or take what was trained before on the same content from the folder `cache`.

    Of processes that start together one learns; an encoder that does not answer is done without.
    What the words alone are worth is learnt on the way, and kept for a start without an encoder.
    """
    key = key_beside(reader.content, embedder.name if embedder is not None else None)
    file = cache / f"router-{key}.npz" if cache is not None else None

    def learn() -> TrainedModel:
        vectors = None
        if embedder is not None and lessons.texts:
            try:
                vectors = _vectors(lessons, embedder)
            except EncoderUnavailable:
                return trained_model(lessons, reader, lexical, cache)
        taught = _train(lessons, vectors, reader, lexical)
        if file is not None:
            store_model(file, taught.model)
            of_words = file.with_name(f"router-{key_beside(reader.content, None)}.npz")
            if not of_words.exists():
                store_model(of_words, taught.by_words)
        return taught.model

    if file is None:
        return learn()
    stored = load_model(file)
    if stored is not None:
        return stored
    with file_lock(file.with_suffix(".lock"), wait_seconds=_TURN_SECONDS):
        return load_model(file) or learn()


def _vectors(lessons: TrainingSet, embedder: Embedder) -> SentenceVectors:
    """Encode each text both ways; most name nothing, and are the same in both."""
    said = [text.said for text in lessons.texts]
    named = [place for place, text in enumerate(lessons.texts) if text.plain != text.said]
    found = embedder.embed([*said, *(lessons.texts[place].plain for place in named)])
    plain = found[: len(said)].copy()
    plain[named] = found[len(said) :]
    return SentenceVectors(found[: len(said)], plain)


@dataclass(frozen=True)
class _Taught:
    """What was asked for, and what the words alone would have learnt of the same, to the bit."""

    model: TrainedModel
    by_words: TrainedModel


def _train(
    lessons: TrainingSet,
    vectors: SentenceVectors | None,
    reader: UtteranceParser,
    lexical: LexicalPass,
) -> _Taught:
    # Names and words of an entry are no sentences: without examples nothing people say is near.
    if not any(text.is_example for text in lessons.texts):
        vectors = None
    learnt = Vocabulary.of([text.words for text in lessons.texts])
    material = TrainingMaterial(lessons, learnt, vectors)
    rehearsal = CrossValidation(material, reader, lexical)
    whole = TrainingPart(np.arange(len(lessons.labels)), _BATCHES)
    scenes = rehearsal.scenes()
    with fitting_pool() as pool:
        serving = pool.submit(material.fit, whole)
        heard: list[HeldOutText] = []
        for done, found in enumerate(pool.map(rehearsal.held, scenes)):
            report_progress("fitting the models", done, len(scenes) + 1)
            heard += found
        models = serving.result()
    by_words = TrainedModel(
        learnt.vocabulary,
        models.words,
        _judge(judged([one.by_words() for one in heard]), _OF_WORDS),
    )
    if models.meaning is None:
        return _Taught(by_words, by_words)
    held = judged(heard)
    words_beside = _judge([one.by_words() for one in held], _OF_WORDS)
    hearing = _judge(held, _OF_MEANING, is_many=_has_many(lessons))
    model = replace(by_words, judge=words_beside, meaning=models.meaning, hearing=hearing)
    return _Taught(model, by_words)


def _has_many(lessons: TrainingSet) -> bool:
    """Tell whether the examples are so many that the words in them are well known."""
    return sum(text.is_example for text in lessons.texts) >= _MANY * max(1, lessons.actions)


def _judge(
    held: Sequence[HeldOutText], usual: tuple[tuple[float, float], ...], *, is_many: bool = False
) -> Calibrator:
    """Choose the weights of the passes, then learn what the joint certainty is worth."""
    fitting = [one for one in held if one.label is not None]
    means, deviations = (tuple(column) for column in zip(*usual, strict=True))
    is_deaf = len(means) == 1
    priors = BELONGS_PRIORS[is_deaf], RIGHT_PRIORS[is_deaf]
    judge = Calibrator(1.0, _LEXICAL_WEIGHT, 1.0, means, deviations, *priors)
    judge = _weighed(fitting, judge, is_many=is_many)
    if not fitting:
        return judge
    found = np.array([_likenesses(one, judge) for one in fitting], float)
    least = np.array(deviations) / 5
    known = len(fitting) / (len(fitting) + _USUAL_ROWS)
    spread = np.maximum(found.std(axis=0), least)
    judge = replace(
        judge,
        means=tuple((known * found.mean(axis=0) + (1 - known) * np.array(means)).tolist()),
        deviations=tuple((known * spread + (1 - known) * np.array(deviations)).tolist()),
    )
    judged, is_right = [], []
    for one in held:
        shares = judge.joined(one.heard)
        best = int(shares[:-1].argmax())
        judged.append(judge.signs(best, shares, one.heard, _nearness(one, best)))
        is_right.append(best == one.label)
    is_one, counts = [one.label is not None for one in held], _counts(held)
    belongs = [signs.of_belonging for signs in judged]
    right = [signs.of_being_right for signs in judged]
    judge = replace(
        judge,
        belongs=fit_weights(priors[0], belongs, is_one, counts),
        right=fit_weights(priors[1], right, is_right, [float(one) for one in is_one]),
    )
    sureness = [judge.signs_of_sureness(signs) for signs in judged]
    return replace(judge, stated=fit_weights(STATED_PRIOR, sureness, is_right, counts))


def _counts(held: Sequence[HeldOutText]) -> list[float]:
    """Let foreign texts count as much as so many would, the near ones a part of that."""
    near = sum(one.is_near for one in held)
    far = sum(one.label is None for one in held) - near
    total = (len(held) - near - far) * FOREIGN_SHARE / (1 - FOREIGN_SHARE)
    share = _NEAR_SHARE if near and far else 1.0 if near else 0.0
    of_near, of_far = total * share / max(1, near), total * (1 - share) / max(1, far)
    return [1.0 if one.label is not None else of_near if one.is_near else of_far for one in held]


def _weighed(fitting: Sequence[HeldOutText], judge: Calibrator, *, is_many: bool) -> Calibrator:
    """Choose how much each pass counts: what makes the held-out actions most likely."""
    is_deaf = len(judge.means) == 1
    usual = (1.0, _LEXICAL_WEIGHT, 1.0) if is_deaf else _USUAL_HEARING
    grid = ((1.0,), _LEXICAL_WEIGHTS, (1.0,)) if is_deaf else _HEARING
    if len(fitting) < _ENOUGH_HELD:
        return _with_weights(judge, *usual)
    best = _likeliest(fitting, grid, is_deaf=is_deaf)
    if is_many and best[0] == 1.0:
        best = _likeliest(fitting, ((_MORE,), *_HEARING[1:]), is_deaf=is_deaf)
    return _with_weights(judge, *best)


def _likeliest(
    fitting: Sequence[HeldOutText], grid: Sequence[Sequence[float]], *, is_deaf: bool
) -> tuple[float, ...]:
    heard = [one.heard for one in fitting]
    words = np.stack([one.words for one in heard])[:, : None if is_deaf else -1]
    meaning = np.stack([one.words if one.meaning is None else one.meaning for one in heard])
    lexical = np.zeros_like(words)
    lexical[:, : len(heard[0].lexical)] = np.stack([one.lexical for one in heard])
    labels = np.array([one.label for one in fitting])
    likelihoods = {}
    for weights in product(*grid):
        of_words, of_lexical, sharpness = weights
        joint = np.float32(of_words) * words + np.float32(of_lexical) * lexical
        joint = joint if is_deaf else joint + meaning
        shares = softmax(joint * np.float32(sharpness))
        own = shares[np.arange(len(labels)), labels]
        likelihoods[weights] = round(float(np.log(np.maximum(own, 1e-9)).sum()), 3)
    return max(likelihoods, key=lambda weights: likelihoods[weights])


def _with_weights(judge: Calibrator, words: float, lexical: float, sharpness: float) -> Calibrator:
    return replace(judge, words_weight=words, lexical_weight=lexical, sharpness=sharpness)


def _likenesses(one: HeldOutText, judge: Calibrator) -> tuple[float, ...]:
    best = int(judge.joined(one.heard)[:-1].argmax())
    return likenesses(best, one.heard, _nearness(one, best), judge.words_weight)


def _nearness(one: HeldOutText, best: int) -> ClassProximity | None:
    if one.heard.meaning is None or one.meaning is None or one.vector is None:
        return None
    return one.meaning.nearness(one.vector, best)
