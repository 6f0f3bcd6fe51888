"""Train on a catalogue's examples, and rehearse on held-out ones what its certainty is worth."""

import hashlib
import json
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.routing.chatter import CHATTER
from tools.routing.confidence import BELONGS_PRIOR, RIGHT_PRIOR, Judge, fit_weights
from tools.routing.families import FAMILIES
from tools.routing.features import Floats, Learnt, Places, Vocabulary
from tools.routing.lexical import Evidence, LexicalPass
from tools.routing.model_file import Trained, load_trained, store_trained
from tools.routing.normalise import words_of
from tools.routing.reading import Reader
from tools.routing.similarity import Resemblance, softmax, train

VERSION = 1
"""Raise it when training changes: models on disk of another version are trained anew."""
_BATCHES = 80
_REHEARSAL_BATCHES = 45
_ENOUGH_EXAMPLES = 2_000
"""A catalogue with this many needs no chatter to know what it is not."""
_LEAST_ROWS = 400
_MOST_ROWS = 600
_MOST_REHEARSALS = 4
_LEAST_EXAMPLES = 20
_COULD_BE_MEANT = 0.8
_FOREIGN_SHARE = 0.14
"""How many of the texts that arrive are taken to ask for something no action does."""
_SCORE_MEAN, _SCORE_DEVIATION, _LEAST_DEVIATION = 7.0, 3.0, 0.5
_LEXICAL_WEIGHT = 5.0
_LEXICAL_WEIGHTS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
_MOST_WORDS = 8


@dataclass(frozen=True)
class _Held:
    """One held-out text: its scores without having been seen; `label` None when nothing fits."""

    label: int | None
    scores: Floats
    lexical: Floats
    known: float


def trained_model(
    actions: Sequence[Action], reader: Reader, lexical: LexicalPass, cache: Path | None
) -> Trained:
    """Train, or take what was trained before on the same content from the folder `cache`."""
    texts, labels = _examples(actions, reader)
    if cache is None:
        return _train(texts, labels, actions, reader, lexical)
    content = json.dumps([VERSION, labels.tolist(), texts, [a.words for a in actions]])
    file = cache / f"router-{hashlib.sha256(content.encode()).hexdigest()[:32]}.npz"
    stored = load_trained(file)
    if stored is not None:
        return stored
    trained = _train(texts, labels, actions, reader, lexical)
    store_trained(file, trained)
    return trained


def _examples(actions: Sequence[Action], reader: Reader) -> tuple[list[tuple[str, ...]], Places]:
    """Collect the examples, and the few texts that name, words and summary make by themselves."""
    texts: list[tuple[str, ...]] = []
    labels: list[int] = []
    for place, action in enumerate(actions):
        own = [reader.example_words(text) for text in action.examples]
        made = _made(action)
        texts += [*own, *made]
        labels += [place] * (len(own) + len(made))
    if sum(len(action.examples) for action in actions) < _ENOUGH_EXAMPLES:
        texts += [words_of(text) for text in CHATTER]
        labels += [len(actions)] * len(CHATTER)
    return texts, np.array(labels, np.int64)


def _made(action: Action) -> list[tuple[str, ...]]:
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
    return [words_of(action.name), *((*phrase, *thing, *into, *types) for phrase in phrases)]


def _train(
    texts: Sequence[tuple[str, ...]],
    labels: Places,
    actions: Sequence[Action],
    reader: Reader,
    lexical: LexicalPass,
) -> Trained:
    learnt = Vocabulary.of(texts)
    vocabulary = learnt.vocabulary
    classes = len(actions) + 1
    resemblance = train(
        learnt.rows, labels, features=len(vocabulary.places), classes=classes, batches=_BATCHES
    )
    held = _rehearse(texts, labels, actions, reader, lexical, learnt)
    return Trained(vocabulary, resemblance, _judge(held))


def _rehearse(
    texts: Sequence[tuple[str, ...]],
    labels: Places,
    actions: Sequence[Action],
    reader: Reader,
    lexical: LexicalPass,
    learnt: Learnt,
) -> list[_Held]:
    """Train without some of the actions and texts, and score what was left out."""
    held: list[_Held] = []
    if len(labels) < _LEAST_EXAMPLES or len(actions) < 2:
        return held
    rows = learnt.rows
    generator = np.random.default_rng(1)
    readings: dict[str, Evidence] = {}
    written = {words: text for a in actions for text in a.examples for words in [words_of(text)]}
    for _ in range(_MOST_REHEARSALS):
        dropped = generator.choice(len(actions), max(1, len(actions) // 10), replace=False)
        is_dropped = np.isin(labels, dropped)
        is_out = is_dropped | (generator.random(len(labels)) < 0.2)
        kept, out = np.flatnonzero(~is_out), np.flatnonzero(is_out)
        if len(kept) == 0 or len(out) == 0:
            continue
        model = train(
            rows.pick(kept),
            labels[kept],
            features=len(learnt.vocabulary.places),
            classes=len(actions) + 1,
            batches=_REHEARSAL_BATCHES,
        )
        seen = {word for place in kept.tolist() for word in texts[place]}
        for place in generator.permutation(out)[: _MOST_ROWS - len(held)].tolist():
            words = texts[place]
            text = written.get(words, " ".join(word for word in words if word[0] != "@"))
            if text not in readings:
                readings[text] = reader.read(text).evidence
            fit = lexical.scores(readings[text]).copy()
            scores = model.scores(rows.pick(np.array([place])))[0]
            scores[dropped], fit[dropped] = -30.0, 0.0
            label = int(labels[place])
            fits = label < len(actions) and not is_dropped[place]
            known = sum(word in seen for word in words) / max(1, len(words))
            held.append(_Held(label if fits else None, scores, fit, known))
        if len(held) >= _LEAST_ROWS:
            return held + _foreign(model, actions, reader, lexical, learnt.vocabulary, seen)
    return held


def _foreign(
    model: Resemblance,
    actions: Sequence[Action],
    reader: Reader,
    lexical: LexicalPass,
    vocabulary: Vocabulary,
    seen: Set[str],
) -> list[_Held]:
    """Score the chatter that no action could mean: what fits one well is left out."""
    found = []
    for text in CHATTER:
        reading = reader.read(text)
        scores = model.scores(vocabulary.rows([reading.model_words]))[0]
        if softmax(scores)[:-1].max() > _COULD_BE_MEANT:
            continue
        words = reading.evidence.words
        known = sum(word in seen for word in words) / max(1, len(words))
        found.append(_Held(None, scores, lexical.scores(reading.evidence), known))
    return found


def _judge(held: Sequence[_Held]) -> Judge:
    fitting = [one for one in held if one.label is not None]
    if not fitting:
        return Judge(_LEXICAL_WEIGHT, _SCORE_MEAN, _SCORE_DEVIATION)
    tops = [float(one.scores[:-1].max()) for one in fitting]
    judge = Judge(
        _lexical_weight(fitting), float(np.mean(tops)), max(float(np.std(tops)), _LEAST_DEVIATION)
    )
    belongs, right, is_right = [], [], []
    for one in held:
        shares = judge.joined(one.scores, np.append(one.lexical, 0.0))
        best = int(shares[:-1].argmax())
        signs = judge.signs(best, shares, one.scores, one.lexical, one.known)
        belongs.append(signs.of_belonging)
        if one.label is not None:
            right.append(signs.of_being_right)
            is_right.append(best == one.label)
    foreign = max(1, len(held) - len(fitting))
    weight = len(fitting) * _FOREIGN_SHARE / (foreign * (1 - _FOREIGN_SHARE))
    is_one = [one.label is not None for one in held]
    counts = [1.0 if fits else weight for fits in is_one]
    return replace(
        judge,
        belongs=fit_weights(BELONGS_PRIOR, belongs, is_one, counts),
        right=fit_weights(RIGHT_PRIOR, right, is_right, [1.0] * len(right)),
    )


def _lexical_weight(fitting: Sequence[_Held]) -> float:
    """Choose how much the lexical pass counts: what makes the held-out actions most likely."""
    if len(fitting) < 60:
        return _LEXICAL_WEIGHT
    likelihoods = {}
    for weight in _LEXICAL_WEIGHTS:
        judge = Judge(weight, 0.0, 1.0)
        shares = [
            judge.joined(one.scores, np.append(one.lexical, 0.0))[one.label] for one in fitting
        ]
        likelihoods[weight] = float(np.log(np.maximum(shares, 1e-9)).sum())
    return max(likelihoods, key=lambda weight: likelihoods[weight])
