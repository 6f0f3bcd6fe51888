"""Calibrate the joined scores to one probability: is it any of these actions, and is it the best?

`OFFERED` and `DECLINED` are the fixed confidences where no probability is meant.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tools.nlu.intent_classifier.features import Floats
from tools.nlu.intent_classifier.linear_models import ClassProximity, softmax

OFFERED = 0.45
"""Below one half: such an action may be offered and is never sure."""
DECLINED = 0.15
"""Below what is named or offered."""


Numbers = npt.NDArray[np.float64]

_LIKENESSES = 6
"""With an encoder; without one there is one."""
BELONGS_PRIORS = ((3.5, *(2.0 / _LIKENESSES,) * _LIKENESSES, 1.0, 0.5), (-1.1, 1.8, 1.0, 3.0))
"""Weights of constant, likenesses, lexical fit and known words, with an encoder and without."""
RIGHT_PRIORS = ((0.3, 0.4, 0.4, 0.1, 0.5, 0.0), (-0.6, 0.5, 0.0, 0.0, 2.0, 0.6))
"""Weights of constant, margin, narrow margin, likeness, lexical fit and agreement.
For what there is too little to learn from; fitted on the vessel requests of the tests and on 150
intents, and rounded."""
STATED_PRIOR = (1.4, 0.95)
"""What is stated, in log odds, of the chance at worst: a constant and a factor, where there is too
little to learn them from."""
FOREIGN_SHARE = 0.05
"""How many of the texts that arrive are taken to ask for something no action does."""
_FOREIGN_AT_WORST = 0.3
"""The share by which texts are ranked, and to be sure of all the same before anything runs by
itself. Ranked by the chance at so many, texts that no action covers stand lower: AUROC .980 instead
of .972 on 150 intents, .948 instead of .944 on parts of them, and as well calibrated."""
_SURE_AT_WORST = 0.84
_FITS = 0.9
"""An action whose own verb and object were said is offered, however unlike the examples it is."""
_PRIOR_ROWS = 60.0
_NEWTON_STEPS = 25
_LEAST_STEP = 1e-6
_MARGIN = (-4.0, 8.0)
_NARROW = 1.5
_LIKENESS = (-5.0, 3.0)
_AGREEMENT = 0.55
_TRUSTED = 2.0
"""Weight of the lexical pass from which its signs count in full; at 0 it has nothing to say."""
_NEVER = -30.0


class PassScores(NamedTuple):
    """What each pass makes of one text."""

    words: Floats
    """(actions + 1,) linear scores of the word model; the last is `none of these`."""
    lexical: Floats
    """(actions,) 0 to 1"""
    known: float
    """Share of the words that the examples know."""
    meaning: Floats | None
    """(actions,) linear scores of the encoder's model; None without an encoder."""


class CalibrationFeatures(NamedTuple):
    """What a best candidate looks like."""

    margin: float
    """Its share against all others, as log odds."""
    likenesses: tuple[float, ...]
    """How it resembles the examples, in deviations from texts known to belong."""
    lexical: float
    agreement: float
    """1 when the lexical pass alone would have chosen it too."""
    known: float

    @property
    def is_said(self) -> bool:
        """Tell whether the action's own verb and object were said."""
        return self.agreement == 1.0 and self.lexical >= _FITS

    @property
    def of_belonging(self) -> tuple[float, ...]:
        """Give the signs that the text asks for any of the actions."""
        return (1.0, *self.likenesses, self.lexical, self.known)

    @property
    def of_being_right(self) -> tuple[float, ...]:
        """Give the signs that it is the best one, given that it is any."""
        narrow = min(self.margin, _NARROW)  # between two that are near, a step of it says more
        likeness = sum(self.likenesses) / len(self.likenesses)
        return (1.0, self.margin, narrow, likeness, self.lexical, self.agreement)


class ConfidenceFeatures(NamedTuple):
    """How sure to be of a best candidate."""

    confidence: float
    """0 to 1, in ordinary traffic."""
    is_at_worst: bool
    """It would be sure among many more foreign texts too."""


@dataclass(frozen=True)
class Calibrator:
    """Joins the passes and knows what its own certainty is worth."""

    words_weight: float
    lexical_weight: float
    sharpness: float
    """Factor of the joint scores: passes that agree are not twice as sure."""
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    """Of the likenesses of texts that belong: one without an encoder, six with one."""
    belongs: tuple[float, ...]
    right: tuple[float, ...]
    stated: tuple[float, ...] = STATED_PRIOR

    def joined(self, heard: PassScores, handicap: Floats | None = None) -> Floats:
        """Join what was heard into shares that sum to 1: (actions + 1,)."""
        scores: Floats = heard.words * np.float32(self.words_weight)
        scores[:-1] += heard.lexical * np.float32(self.lexical_weight)
        if heard.meaning is not None:
            scores[:-1] += heard.meaning
            scores[-1] = _NEVER  # how near it is to anything says more than chatter does
        if handicap is not None:
            scores[:-1] += handicap / np.float32(self.sharpness)
        return softmax(scores * np.float32(self.sharpness))

    def signs(
        self, best: int, shares: Floats, heard: PassScores, near: ClassProximity | None
    ) -> CalibrationFeatures:
        """Describe a best candidate."""
        share = _within(float(shares[best]), 1e-6, 1 - 1e-6)
        found = likenesses(best, heard, near, self.words_weight)
        parts = zip(found, self.means, self.deviations, strict=True)
        alike = [(one - mean) / deviation for one, mean, deviation in parts]
        fit = float(heard.lexical[best])
        agrees = fit >= _AGREEMENT and fit >= float(heard.lexical.max()) - 1e-6
        trust = 1.0 if heard.meaning is None else min(1.0, self.lexical_weight / _TRUSTED)
        return CalibrationFeatures(
            margin=_within(math.log(share / (1 - share)), *_MARGIN),
            likenesses=tuple(_within(float(one), *_LIKENESS) for one in alike),
            lexical=fit * trust,
            agreement=float(agrees) * trust,
            known=heard.known,
        )

    def sureness(self, signs: CalibrationFeatures) -> ConfidenceFeatures:
        """Say how sure to be that the best action is what is asked for."""
        at_worst = self._at_worst(signs)
        stated = _chance(_odds(_signs_of_sureness(at_worst), self.stated))
        confidence = max(stated, OFFERED) if signs.is_said else stated
        return ConfidenceFeatures(confidence, at_worst >= _SURE_AT_WORST)

    def signs_of_sureness(self, signs: CalibrationFeatures) -> tuple[float, float]:
        """Give the signs from which confidence follows: 1, and the log odds at worst."""
        return _signs_of_sureness(self._at_worst(signs))

    def _at_worst(self, signs: CalibrationFeatures) -> float:
        """Give the chance that it belongs, times that it is right, among many foreign texts."""
        right = _chance(_odds(signs.of_being_right, self.right))
        return _chance(_odds(signs.of_belonging, self.belongs) - _WORSE) * right


def likenesses(
    best: int, heard: PassScores, near: ClassProximity | None, words_weight: float
) -> tuple[float, ...]:
    """Measure how a text resembles the examples of the best action.

    Sums of standardised likenesses tell what no action covers better than any of them does, and
    need no such text to be fitted on. AUROC on 150 intents with ten examples each: joint
    log-probability .952, score .983, cosine to the middle .980, to the nearest .973, sum .982;
    where whole actions of the same domain were left out: .901, .897, .885, .866 and .912.

    The last but one says how near it is to any action: minus the free energy of the scores (Liu
    and others 2020, arXiv:2010.03759, formula 4). With it AUROC is .975 instead of .970, and each
    has a weight of its own; of actions left out, and of two other collections, no worse.
    """
    if heard.meaning is None or near is None:
        return (float(heard.words[best]),)
    score, words = float(heard.meaning[best]), float(heard.words[best])
    of_any = _log_sum(heard.meaning)
    joint = score - of_any + words_weight * (words - _log_sum(heard.words[:-1]))
    return (joint, score, near.middle_beyond, near.nearest_beyond, of_any, words)


def _log_sum(scores: Floats) -> float:
    top = float(scores.max())
    return top + float(np.log(np.exp(scores - np.float32(top)).sum()))


def fit_weights(
    prior: Sequence[float],
    rows: Sequence[Sequence[float]],
    is_so: Sequence[bool],
    counts: Sequence[float],
) -> tuple[float, ...]:
    """Fit a logistic model, each row counting as `counts` says.

    Few rows leave the weights near `prior`, where they are known to be good.
    """
    start = np.array(prior, float)
    if len(rows) == 0:
        return tuple(prior)
    signs, so, count = np.array(rows, float), np.array(is_so, float), np.array(counts, float)
    # A few rows are alike by chance: what they vary by says nothing yet.
    spread = np.maximum(signs.std(axis=0) ** 2, max(0.01, 1 / len(rows)))
    pull = np.diag(_PRIOR_ROWS * 0.25 * spread)

    def loss(weights: Numbers) -> float:
        odds = signs @ weights
        missed = np.logaddexp(0, odds) - so * odds
        return float(count @ missed + (weights - start) @ pull @ (weights - start) / 2)

    weights = start.copy()
    for _ in range(_NEWTON_STEPS):
        chance: Numbers = 1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30)))
        slope = signs.T @ (count * (chance - so)) + pull @ (weights - start)
        bend = (signs * (count * chance * (1 - chance))[:, None]).T @ signs + pull
        step = np.linalg.solve(bend, slope)
        now = loss(weights)
        while loss(weights - step) > now and float(np.abs(step).max()) > _LEAST_STEP:
            step = step / 2  # a whole Newton step may lead far beyond the hollow
        weights = weights - step
        if float(np.abs(step).max()) < _LEAST_STEP:
            break
    return tuple(float(weight) for weight in weights)


def _within(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)


def _odds(signs: Sequence[float], weights: Sequence[float]) -> float:
    return sum(sign * weight for sign, weight in zip(signs, weights, strict=False))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _signs_of_sureness(at_worst: float) -> tuple[float, float]:
    chance = _within(at_worst, 1e-4, 1 - 1e-4)
    return (1.0, math.log(chance / (1 - chance)))


_WORSE = math.log(_FOREIGN_AT_WORST / (1 - _FOREIGN_AT_WORST)) - math.log(
    FOREIGN_SHARE / (1 - FOREIGN_SHARE)
)
"""What another share of foreign texts takes from the log odds of belonging."""
