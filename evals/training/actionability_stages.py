"""Fit the three stages of actionability.

Cue phrases, then the sentence vector, then ranking and slots.

Logistic regression with an L2 penalty, by Newton's method.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from evals.robustness.commands import commands_of
from evals.robustness.mutations import mutations, read_shapes, sample
from evals.training.actionability_data import (
    LEFT_OUT,
    MADE_UP,
    OURS,
    EncodedText,
    SyntheticTalk,
    all_said,
    catalogue_of,
    synthetic_talk,
)
from tools.adapters.embedding.embedder import RequestEmbedder
from tools.catalog import Catalogue
from tools.nlu import Router
from tools.nlu.actionability.classifier import ActionabilityClassifier, LogisticModel, VectorModel
from tools.nlu.actionability.decision import is_open
from tools.nlu.actionability.evidence import evidence_features
from tools.nlu.intent_classifier.features import Floats

_STAGE_ONE_PENALTY = 0.7
"""On squared weights. Right on domains left out (mean), of .3, .7 and 2: .808, .813 and .806."""
_LEAST_TEXTS_OF_CUE, _LEAST_DOMAINS = 6, 2
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
    """Whatever has signs, and is wanted or not."""

    @property
    def signs(self) -> Mapping[str, float]:
        """Give each its weight."""
        ...

    @property
    def is_wanted(self) -> bool:
        """Tell what is true of it."""
        ...


def learn(rows: Sequence[EncodedText]) -> LogisticModel:
    """Learn from rows; the same rows in the same order give the same judge."""
    found, constant = _weighed(rows, _signs_worth_it(rows), penalty=_STAGE_ONE_PENALTY)
    kept = {sign: weight for sign, weight in found.items() if weight}
    return LogisticModel(round(constant + to_half(_wanted(rows)), _DIGITS), kept)


def _weighed(
    rows: Sequence[Signed], signs: Sequence[str], *, penalty: float
) -> tuple[dict[str, float], float]:
    """Fit a weight for each sign; with the constant."""
    places = {sign: place for place, sign in enumerate(signs)}
    weights = fitted(table_of(rows, places), _wanted(rows), penalty=penalty)
    found = {sign: round(float(weights[place]), _DIGITS) for sign, place in places.items()}
    return found, float(weights[-1])


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


def _signs_worth_it(rows: Sequence[EncodedText]) -> Sequence[str]:
    texts = Counter(sign for row in rows for sign in row.signs)
    domains: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for sign in row.signs:
            domains[sign].add(row.domain)

    def is_worth_it(sign: str) -> bool:
        is_shared = not sign.startswith("=") or len(domains[sign]) >= _LEAST_DOMAINS
        return ":" in sign or (texts[sign] >= _LEAST_TEXTS_OF_CUE and is_shared)

    return sorted(filter(is_worth_it, texts))


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


_STAGE_TWO_PENALTY = 0.1
"""On squared weights of the unit vector's places."""
_STACK_PENALTY = 0.01

VectorOf = Callable[[EncodedText], Floats]


@dataclass(frozen=True)
class Shares:
    """What the odds of the signs and those of the vector count for, side by side."""

    of_signs: float
    of_vector: float


def shipped(row: EncodedText) -> Floats:
    """Give the vector of the adapter that ships."""
    return row.vector


def unseen(row: EncodedText) -> Floats:
    """Give the vector of the adapter that has seen nothing of those left out."""
    return row.unseen


def learn_left_out(
    rows: Sequence[EncodedText], encoder: str
) -> tuple[Mapping[str, ActionabilityClassifier], Shares]:
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
    return {
        domain: ActionabilityClassifier(judge, both) for domain, judge in by_signs.items()
    }, shares


def learn_both(
    rows: Sequence[EncodedText], shares: Shares, encoder: str
) -> ActionabilityClassifier:
    """Learn what ships; what was kept out says how steep it is, and where even (Platt, 1999).

    Args:
        encoder: whose vectors the rows have.
    """
    learnt, kept_out = ([row for row in rows if row.is_kept_out == kept] for kept in (False, True))
    by_signs, weights = learn(learnt), _of_vectors(learnt, shipped)
    plain = ActionabilityClassifier(by_signs, _meant(encoder, shares, weights, 0.0))
    table = np.column_stack([odds_by_both(plain, kept_out, shipped), np.ones(len(kept_out))])
    steep, constant = fitted(table, _wanted(kept_out), penalty=_STACK_PENALTY)
    steeper = Shares(shares.of_signs * float(steep), shares.of_vector * float(steep))
    even = float(constant) + to_half(_wanted(kept_out))
    return ActionabilityClassifier(by_signs, _meant(encoder, steeper, weights, even))


def odds_of(judge: LogisticModel, rows: Sequence[EncodedText]) -> Numbers:
    """Judge rows by their signs, in log odds: (rows,)."""
    return np.array([judge.odds(row.signs) for row in rows])


def odds_by_both(
    judge: ActionabilityClassifier, rows: Sequence[EncodedText], vector_of: VectorOf
) -> Numbers:
    """Judge rows by their vectors too, in log odds: (rows,)."""
    odds, both = odds_of(judge.by_signs, rows), judge.by_both
    if both is None:
        return odds
    return np.array([both.odds(one, vector_of(row)) for one, row in zip(odds, rows, strict=True)])


def chances(odds: Numbers) -> Numbers:
    """Turn log odds into chances."""
    return np.asarray(1 / (1 + np.exp(-odds)), float)


def _meant(encoder: str, shares: Shares, weights: Numbers, constant: float) -> VectorModel:
    """Write it down.

    Args:
        weights: (dimensions + 1,), the last the vector's own constant.
    """
    counted = weights * shares.of_vector
    return VectorModel(
        encoder,
        round(constant + float(counted[-1]), _DIGITS),
        round(shares.of_signs, _DIGITS),
        [round(float(weight), _DIGITS) for weight in counted[:-1]],
    )


def _of_vectors(rows: Sequence[EncodedText], vector_of: VectorOf) -> Numbers:
    return fitted(_table(rows, vector_of), _wanted(rows), penalty=_STAGE_TWO_PENALTY)


def _table(rows: Sequence[EncodedText], vector_of: VectorOf) -> Numbers:
    return np.column_stack([np.array([vector_of(row) for row in rows], float), np.ones(len(rows))])


def _wanted(rows: Sequence[Signed]) -> Numbers:
    return np.array([row.is_wanted for row in rows], float)


_STAGE_THREE_PENALTY = 3.0
_LEAST_TEXTS_OF_ACTION = 8
_MUTATED = 90
"""Messages made of each pack's commands that ask for nothing (evals mutations). With ten times as
many the judge learns what such shapes look like, and knows people less: AUROC .93, not .95."""
_OF_MADE_UP = 2
"""Of what is said to made-up packs one text in so many is learnt from: with all of it what is said
to ours is told worse (AUROC .960, not .961)."""


@dataclass(frozen=True)
class WholeRow:
    """What is seen of a text, what is true of it, and whose it is."""

    signs: Mapping[str, float]
    is_wanted: bool
    author: str
    is_open: bool
    """The grammar takes it for no order and no request."""
    odds: float
    """That it is wanted, by the text alone."""
    is_ours: bool = True
    """Its pack is no made-up one."""


def rows_of_all(
    judges: Mapping[str, ActionabilityClassifier], embedder: RequestEmbedder, cache: Path
) -> list[WholeRow]:
    """Ask the router of each pack with what people said to it.

    Args:
        judges: for each pack one that has learnt nothing of that pack's talk.
        embedder: that has learnt nothing of it either.
        cache: where what is learnt of a pack is kept.
    """

    def rows(
        catalogue: Catalogue, told: Sequence[SyntheticTalk], pack: str, folder: str
    ) -> list[WholeRow]:
        router = Router(catalogue, cache=cache, embedder=embedder)
        router.settling = replace(router.settling, wishes=judges[pack])
        return list(_seen(router, told, Path(folder), is_ours=pack in OURS))

    found = []
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        for pack in OURS:
            catalogue = catalogue_of(pack)
            found += rows(catalogue, [*_said(pack), *_mutated(catalogue)], pack, folder)
        for domain in MADE_UP:
            for catalogue, told in synthetic_talk(domain):
                found += rows(catalogue, told[::_OF_MADE_UP], domain, folder)
    return found


def learn_all(rows: Sequence[WholeRow]) -> LogisticModel:
    """Learn from rows; the same rows in the same order give the same judge."""
    texts = Counter(sign for row in rows for sign in row.signs)
    known = sorted(sign for sign, count in texts.items() if count >= _LEAST_TEXTS_OF_ACTION)
    found, constant = _weighed(rows, known, penalty=_STAGE_THREE_PENALTY)
    # Ours, left open, are what decision.py takes the chance for.
    ours = [row.is_wanted for row in rows if row.is_open and row.is_ours]
    return LogisticModel(round(constant + to_half(ours), _DIGITS), found)


def odds_of_others(rows: Sequence[WholeRow]) -> Numbers:
    """Judge each author's rows by what was learnt of all others, in log odds: (rows,)."""
    odds = np.zeros(len(rows))
    for author in dict.fromkeys(row.author for row in rows):
        judge = learn_all([row for row in rows if row.author != author])
        own = [place for place, row in enumerate(rows) if row.author == author]
        odds[own] = [judge.odds(rows[place].signs) for place in own]
    return odds


def _seen(
    router: Router, told: Iterable[SyntheticTalk], folder: Path, *, is_ours: bool
) -> Iterator[WholeRow]:
    for one in told:
        seen = router.seen(one.text, data_dir=folder, roles=one.roles)
        if seen is not None:
            signs, left_open = evidence_features(seen), is_open(seen.reading.act)
            yield WholeRow(signs, one.is_wanted, one.author, left_open, seen.odds, is_ours=is_ours)


def _said(pack: str) -> Iterator[SyntheticTalk]:
    for one in all_said():
        if one.pack == pack:
            yield SyntheticTalk(one.text, (one.role,), one.is_wanted, one.author)


def _mutated(catalogue: Catalogue) -> Iterator[SyntheticTalk]:
    actions = catalogue.actions.values()
    roles = sorted({role for action in actions for role in action.roles})
    made = list(mutations(commands_of(actions), read_shapes(), seed=1))
    for one in sample(made, _MUTATED, seed=1):
        yield SyntheticTalk(one.text, roles, one.shape.leaves in ("keeps", "both"), one.shape.kind)
