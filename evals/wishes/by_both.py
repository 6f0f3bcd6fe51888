"""Fit what the vector of how it is said adds: its own model, then how much it and the signs count.

The adapter has been shown the very texts: its vectors tell them apart better than they will do with
others. How far it can be trusted is measured on the domains that are left out of another adapter.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evals.wishes.by_signs import Numbers, fitted, learn, to_half
from evals.wishes.rows import LEFT_OUT, Row
from tools.routing.learning.features import Floats
from tools.routing.wishes.judge import Meant, SignJudge, WishJudge

_PENALTY = 0.1
"""On squared weights of the unit vector's places."""
_STACK_PENALTY = 0.01
_DIGITS = 3

VectorOf = Callable[[Row], Floats]


@dataclass(frozen=True)
class Shares:
    """What the odds of the signs and those of the vector count for, side by side."""

    of_signs: float
    of_vector: float


def shipped(row: Row) -> Floats:
    """Give the vector of the adapter that ships."""
    return row.vector


def unseen(row: Row) -> Floats:
    """Give the vector of the adapter that has seen nothing of those left out."""
    return row.unseen


def learn_left_out(rows: Sequence[Row], encoder: str) -> tuple[Mapping[str, WishJudge], Shares]:
    """Learn for each domain left out as much as can be without what was said to it.

    Args:
        rows: of some of those left out, and of two other domains or more.
        encoder: whose vectors the unseen ones are.
    """
    by_signs = {domain: learn([row for row in rows if row.domain != domain]) for domain in LEFT_OUT}
    weights = _of_vectors([row for row in rows if row.domain not in LEFT_OUT], unseen)
    asked = [row for row in rows if row.domain in LEFT_OUT]
    of_signs = [by_signs[row.domain].odds(row.signs) for row in asked]
    stacked = np.column_stack([of_signs, _table(asked, unseen) @ weights, np.ones(len(asked))])
    share, trust, constant = fitted(stacked, _wanted(asked), penalty=_STACK_PENALTY)
    shares = Shares(float(share), float(trust))
    both = _meant(encoder, shares, weights, float(constant) + to_half(_wanted(asked)))
    return {domain: WishJudge(judge, both) for domain, judge in by_signs.items()}, shares


def learn_both(rows: Sequence[Row], shares: Shares, encoder: str) -> WishJudge:
    """Learn what ships; what was kept out says how steep it is, and where even (Platt, 1999).

    Args:
        encoder: whose vectors the rows have.
    """
    learnt, kept_out = ([row for row in rows if row.is_kept_out == kept] for kept in (False, True))
    by_signs, weights = learn(learnt), _of_vectors(learnt, shipped)
    plain = WishJudge(by_signs, _meant(encoder, shares, weights, 0.0))
    table = np.column_stack([odds_by_both(plain, kept_out, shipped), np.ones(len(kept_out))])
    steep, constant = fitted(table, _wanted(kept_out), penalty=_STACK_PENALTY)
    steeper = Shares(shares.of_signs * float(steep), shares.of_vector * float(steep))
    even = float(constant) + to_half(_wanted(kept_out))
    return WishJudge(by_signs, _meant(encoder, steeper, weights, even))


def odds_of(judge: SignJudge, rows: Sequence[Row]) -> Numbers:
    """Judge rows by their signs, in log odds: (rows,)."""
    return np.array([judge.odds(row.signs) for row in rows])


def odds_by_both(judge: WishJudge, rows: Sequence[Row], vector_of: VectorOf) -> Numbers:
    """Judge rows by their vectors too, in log odds: (rows,)."""
    odds, both = odds_of(judge.by_signs, rows), judge.by_both
    if both is None:
        return odds
    return np.array([both.odds(one, vector_of(row)) for one, row in zip(odds, rows, strict=True)])


def chances(odds: Numbers) -> Numbers:
    """Turn log odds into chances."""
    return np.asarray(1 / (1 + np.exp(-odds)), float)


def _meant(encoder: str, shares: Shares, weights: Numbers, constant: float) -> Meant:
    """Write it down.

    Args:
        weights: (dimensions + 1,), the last the vector's own constant.
    """
    counted = weights * shares.of_vector
    return Meant(
        encoder,
        round(constant + float(counted[-1]), _DIGITS),
        round(shares.of_signs, _DIGITS),
        [round(float(weight), _DIGITS) for weight in counted[:-1]],
    )


def _of_vectors(rows: Sequence[Row], vector_of: VectorOf) -> Numbers:
    return fitted(_table(rows, vector_of), _wanted(rows), penalty=_PENALTY)


def _table(rows: Sequence[Row], vector_of: VectorOf) -> Numbers:
    return np.column_stack([np.array([vector_of(row) for row in rows], float), np.ones(len(rows))])


def _wanted(rows: Sequence[Row]) -> Numbers:
    return np.array([row.is_wanted for row in rows], float)
