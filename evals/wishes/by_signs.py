"""Fit the weights of the signs: logistic regression with a penalty, by Newton's method."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
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


@dataclass(frozen=True)
class SignTable:
    """Rows by signs, of which a text has some sixty of thousands: only those are kept."""

    shape: tuple[int, int]
    rows: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    values: Numbers

    def __matmul__(self, weights: Numbers) -> Numbers:
        """Multiply by a column."""
        summed = np.bincount(self.rows, self.values * weights[self.columns], self.shape[0])
        return np.asarray(summed, float)

    @property
    def T(self) -> "SignTable":  # noqa: N802 - as numpy's
        """Turn it."""
        return SignTable((self.shape[1], self.shape[0]), self.columns, self.rows, self.values)


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
    constant = float(weights[-1]) + to_half(wanted)
    return SignJudge(round(constant, _DIGITS), kept)


def to_half(wanted: npt.ArrayLike) -> float:
    """Give the log odds that bring what was fitted to rows to where half of them want something.

    Args:
        wanted: (rows,), 0 or 1.
    """
    share = float(np.mean(np.asarray(wanted, float)))
    return log((1 - share) / share) if 0 < share < 1 else 0.0


def fitted(table: Numbers | SignTable, wanted: Numbers, *, penalty: float) -> Numbers:
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


def _newton_step(
    table: Numbers | SignTable, spread: Numbers, held_back: Numbers, slope: Numbers
) -> Numbers:
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


def table_of(rows: Sequence[Signed], signs: Mapping[str, int]) -> SignTable:
    """Lay rows out by the places of their signs, with a last column of ones."""
    entries = [
        (place, signs[sign], value)
        for place, row in enumerate(rows)
        for sign, value in row.signs.items()
        if sign in signs
    ]
    entries += [(place, len(signs), 1.0) for place in range(len(rows))]
    found, columns, values = zip(*entries, strict=True)
    return SignTable(
        (len(rows), len(signs) + 1), np.array(found), np.array(columns), np.array(values)
    )
