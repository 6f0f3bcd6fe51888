"""Fit what the sentence's vector adds: its own model, then how much it and the signs count."""

from collections.abc import Sequence

import numpy as np

from evals.wishes.by_signs import Numbers, fitted, learn
from evals.wishes.rows import Row
from tools.routing.wishes.judge import Meant, SignJudge, WishJudge

_PENALTY = 0.1
"""On squared weights of the unit vector's places."""
_STACK_PENALTY = 0.01
_FOLDS = 4
_DIGITS = 3


def learn_both(rows: Sequence[Row], encoder: str) -> WishJudge:
    """Learn both models, and join them by how they do on domains that neither has learnt.

    Args:
        rows: of two domains or more.
        encoder: whose vectors the rows have.
    """
    wanted = _wanted(rows)
    by_signs, by_vector = np.zeros(len(rows)), np.zeros(len(rows))
    for held in _folds(rows):
        others = [row for row, is_held in zip(rows, held, strict=True) if not is_held]
        there = [row for row, is_held in zip(rows, held, strict=True) if is_held]
        by_signs[held] = odds_of(learn(others), there)
        by_vector[held] = _table(there) @ _of_vectors(others)
    stacked = np.column_stack([by_signs, by_vector, np.ones(len(rows))])
    share, trust, constant = fitted(stacked, wanted, penalty=_STACK_PENALTY)
    weights = _of_vectors(rows) * trust
    return WishJudge(
        learn(rows),
        Meant(
            encoder,
            round(float(constant + weights[-1]), _DIGITS),
            round(float(share), _DIGITS),
            [round(float(weight), _DIGITS) for weight in weights[:-1]],
        ),
    )


def odds_of(judge: SignJudge, rows: Sequence[Row]) -> Numbers:
    """Judge rows by their signs, in log odds: (rows,)."""
    return np.array([judge.odds(row.signs) for row in rows])


def chances(judge: WishJudge, rows: Sequence[Row]) -> Numbers:
    """Judge rows by what the judge has: (rows,)."""
    odds = odds_of(judge.by_signs, rows)
    if judge.by_both is not None:
        both = judge.by_both
        odds = np.array([both.odds(one, row.vector) for one, row in zip(odds, rows, strict=True)])
    return np.asarray(1 / (1 + np.exp(-odds)), float)


def _folds(rows: Sequence[Row]) -> list[np.ndarray]:
    """Hold domains out whole, as a pack nobody has seen would be."""
    names = sorted({row.domain for row in rows})
    fold_of = {name: place % _FOLDS for place, name in enumerate(names)}
    folds = np.array([fold_of[row.domain] for row in rows])
    return [folds == fold for fold in sorted(set(folds.tolist()))]


def _of_vectors(rows: Sequence[Row]) -> Numbers:
    return fitted(_table(rows), _wanted(rows), penalty=_PENALTY)


def _table(rows: Sequence[Row]) -> Numbers:
    return np.column_stack([np.array([row.vector for row in rows], float), np.ones(len(rows))])


def _wanted(rows: Sequence[Row]) -> Numbers:
    return np.array([row.is_wanted for row in rows], float)
