"""Fit the weights of the signs: logistic regression with a penalty, by Newton's method."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no types

from evals.wishes.rows import Row
from tools.routing.wishes.judge import SignJudge

_PENALTY = 0.7
"""On squared weights. Right on domains left out (mean), of .3, .7 and 2: .808, .813 and .806."""
_LEAST_TEXTS, _LEAST_DOMAINS = 6, 2
"""A run of words is a sign when so many texts of so many domains have it: of one alone it would be
what that domain is about."""
_STEPS, _TURNS, _CLOSE = 9, 200, 1e-10
_HARDLY = 1e-6
"""The constant's penalty."""
_DIGITS = 3

Numbers = npt.NDArray[np.float64]


class Signed(Protocol):
    """Whatever has signs."""

    @property
    def signs(self) -> Mapping[str, float]:
        """Give each its weight."""
        ...


def learn(rows: Sequence[Row]) -> SignJudge:
    """Learn from rows; the same rows in the same order give the same judge."""
    signs = _signs_worth_it(rows)
    wanted = np.array([row.is_wanted for row in rows], float)
    weights = fitted(table_of(rows, signs), wanted, penalty=_PENALTY)
    found = {sign: round(float(weights[place]), _DIGITS) for sign, place in signs.items()}
    kept: Mapping[str, float] = {sign: weight for sign, weight in found.items() if weight}
    return SignJudge(round(float(weights[-1]), _DIGITS), kept)


def fitted(table: Numbers, wanted: Numbers, *, penalty: float) -> Numbers:
    """Fit logistic weights: (columns,), the last the constant's, which nothing holds back.

    Args:
        table: (rows, columns), the last column ones.
        wanted: (rows,), 0 or 1.
        penalty: on squared weights.
    """
    held_back = np.full(table.shape[1], penalty)
    held_back[-1] = _HARDLY
    weights = np.zeros(table.shape[1])
    with threadpool_limits(1):  # the last bits depend on the number of threads
        for _step in range(_STEPS):
            chance = 1 / (1 + np.exp(-(table @ weights)))
            slope = table.T @ (chance - wanted) + held_back * weights
            weights -= _newton_step(table, chance * (1 - chance), held_back, slope)
    return weights


def _newton_step(table: Numbers, spread: Numbers, held_back: Numbers, slope: Numbers) -> Numbers:
    """Solve for the step by conjugate gradients: the matrix, signs by signs, is never made."""
    step = np.zeros_like(slope)
    rest, heading = slope.copy(), slope.copy()
    size = float(rest @ rest)
    for _turn in range(_TURNS):
        if size <= _CLOSE:
            break
        bent = table.T @ (spread * (table @ heading)) + held_back * heading
        length = size / float(heading @ bent)
        step += length * heading
        rest -= length * bent
        size, before = float(rest @ rest), size
        heading = rest + size / before * heading
    return step


def _signs_worth_it(rows: Sequence[Row]) -> Mapping[str, int]:
    texts = Counter(sign for row in rows for sign in row.signs)
    domains: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for sign in row.signs:
            domains[sign].add(row.domain)

    def is_worth_it(sign: str) -> bool:
        is_shared = not sign.startswith("=") or len(domains[sign]) >= _LEAST_DOMAINS
        return ":" in sign or (texts[sign] >= _LEAST_TEXTS and is_shared)

    return {sign: place for place, sign in enumerate(sorted(filter(is_worth_it, texts)))}


def table_of(rows: Sequence[Signed], signs: Mapping[str, int]) -> Numbers:
    """Lay rows out by the places of their signs, with a last column of ones."""
    table = np.zeros((len(rows), len(signs) + 1))
    table[:, -1] = 1.0
    for place, row in enumerate(rows):
        for sign, value in row.signs.items():
            column = signs.get(sign)
            if column is not None:
                table[place, column] = value
    return table
