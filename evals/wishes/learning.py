"""Fit the weights of the signs: logistic regression with a penalty, by Newton's method."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no types

from evals.wishes.rows import Row
from tools.routing.wishes.judge import WishJudge

_PENALTY = 0.7
"""On squared weights. Right on domains left out (mean), of .3, .7 and 2: .808, .813 and .806."""
_LEAST_TEXTS, _LEAST_DOMAINS = 6, 2
"""A run of words is a sign when so many texts of so many domains have it: of one alone it would be
what that domain is about."""
_STEPS = 12
_DIGITS = 3

Numbers = npt.NDArray[np.float64]


def learn(rows: Sequence[Row]) -> WishJudge:
    """Learn from rows; the same rows in the same order give the same judge."""
    signs = _signs_worth_it(rows)
    table = _table(rows, signs)
    wanted = np.array([row.is_wanted for row in rows], float)
    penalty = np.full(table.shape[1], _PENALTY)
    penalty[-1] = 0.0  # the constant
    weights = np.zeros(table.shape[1])
    with threadpool_limits(1):  # the last bits depend on the number of threads
        for _step in range(_STEPS):
            chance = 1 / (1 + np.exp(-(table @ weights)))
            slope = table.T @ (chance - wanted) + penalty * weights
            bend = (table * (chance * (1 - chance))[:, None]).T @ table
            bend[np.diag_indices_from(bend)] += penalty + 1e-9
            weights -= np.linalg.solve(bend, slope)
    found = {sign: round(float(weights[place]), _DIGITS) for sign, place in signs.items()}
    kept: Mapping[str, float] = {sign: weight for sign, weight in found.items() if weight}
    return WishJudge(round(float(weights[-1]), _DIGITS), kept)


def chances(judge: WishJudge, rows: Sequence[Row]) -> Numbers:
    """Judge rows: (rows,)."""
    odds = [
        judge.constant
        + sum(judge.weights.get(sign, 0.0) * value for sign, value in sorted(row.signs.items()))
        for row in rows
    ]
    return np.asarray(1 / (1 + np.exp(-np.array(odds))), float)


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


def _table(rows: Sequence[Row], signs: Mapping[str, int]) -> Numbers:
    table = np.zeros((len(rows), len(signs) + 1))
    table[:, -1] = 1.0
    for place, row in enumerate(rows):
        for sign, value in row.signs.items():
            column = signs.get(sign)
            if column is not None:
                table[place, column] = value
    return table
