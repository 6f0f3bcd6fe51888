"""Fit the chance by all that is seen: how a text is said, how the actions rank, what is filled."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from evals.inputs import RequestInputs
from evals.mutations.commands import commands_of
from evals.mutations.shapes import mutations, read_shapes, sample
from evals.wishes.by_signs import Numbers, fitted, table_of, to_half
from evals.wishes.domains import catalogue_of
from evals.wishes.made_up import Told, made_up
from evals.wishes.rows import MADE_UP, OURS, datasets
from tools.catalogue.catalogue import Catalogue
from tools.embedding.embedder import RequestEmbedder
from tools.routing.router import Router
from tools.routing.wishes.deciding import is_open
from tools.routing.wishes.judge import SignJudge, WishJudge
from tools.routing.wishes.weighing import signs_of_all

_PENALTY = 3.0
_LEAST_TEXTS = 8
_MUTATED = 90
"""Messages made of each pack's commands that ask for nothing (evals mutations). With ten times as
many the judge learns what such shapes look like, and knows people less: AUROC .93, not .95."""
_OF_MADE_UP = 2
"""Of what is said to made-up packs one text in so many is learnt from: with all of it what is said
to ours is told worse (AUROC .960, not .961)."""
_DIGITS = 3


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
    judges: Mapping[str, WishJudge], embedder: RequestEmbedder, cache: Path
) -> list[WholeRow]:
    """Ask the router of each pack with what people said to it.

    Args:
        judges: for each pack one that has learnt nothing of that pack's talk.
        embedder: that has learnt nothing of it either.
        cache: where what is learnt of a pack is kept.
    """

    def rows(catalogue: Catalogue, told: Sequence[Told], pack: str, folder: str) -> list[WholeRow]:
        router = Router(catalogue, cache=cache, embedder=embedder)
        router.settling = replace(router.settling, wishes=judges[pack])
        return list(_seen(router, told, Path(folder), is_ours=pack in OURS))

    found = []
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        for pack in OURS:
            catalogue = catalogue_of(pack)
            found += rows(catalogue, [*_said(pack), *_mutated(catalogue)], pack, folder)
        for domain in MADE_UP:
            for catalogue, told in made_up(domain):
                found += rows(catalogue, told[::_OF_MADE_UP], domain, folder)
    return found


def learn_all(rows: Sequence[WholeRow]) -> SignJudge:
    """Learn from rows; the same rows in the same order give the same judge."""
    texts = Counter(sign for row in rows for sign in row.signs)
    known = sorted(sign for sign, count in texts.items() if count >= _LEAST_TEXTS)
    places = {sign: place for place, sign in enumerate(known)}
    wanted = np.array([row.is_wanted for row in rows], float)
    weights = fitted(table_of(rows, places), wanted, penalty=_PENALTY)
    found = {sign: round(float(weights[place]), _DIGITS) for sign, place in places.items()}
    # Ours, left open, are what deciding.py takes the chance for.
    constant = float(weights[-1]) + to_half(
        [row.is_wanted for row in rows if row.is_open and row.is_ours]
    )
    return SignJudge(round(constant, _DIGITS), found)


def odds_of_others(rows: Sequence[WholeRow]) -> Numbers:
    """Judge each author's rows by what was learnt of all others, in log odds: (rows,)."""
    odds = np.zeros(len(rows))
    for author in dict.fromkeys(row.author for row in rows):
        judge = learn_all([row for row in rows if row.author != author])
        own = [place for place, row in enumerate(rows) if row.author == author]
        odds[own] = [judge.odds(rows[place].signs) for place in own]
    return odds


def _seen(
    router: Router, told: Iterable[Told], folder: Path, *, is_ours: bool
) -> Iterator[WholeRow]:
    for one in told:
        seen = router.seen(one.text, data_dir=folder, roles=one.roles)
        if seen is not None:
            signs, left_open = signs_of_all(seen), is_open(seen.reading.act)
            yield WholeRow(signs, one.is_wanted, one.author, left_open, seen.odds, is_ours=is_ours)


def _said(pack: str) -> Iterator[Told]:
    for dataset, is_talk in datasets():
        if dataset.header.pack != pack:
            continue
        for case in dataset.cases:
            inputs = RequestInputs.model_validate(case.inputs)
            author = str(case.metadata["author"]) if is_talk else dataset.name.partition("_")[2]
            is_wanted = case.outputs["action"] is not None
            yield Told(inputs.text, (inputs.role,), is_wanted, author)


def _mutated(catalogue: Catalogue) -> Iterator[Told]:
    actions = catalogue.actions.values()
    roles = sorted({role for action in actions for role in action.roles})
    made = list(mutations(commands_of(actions), read_shapes(), per_action=1, seed=1))
    for one in sample(made, _MUTATED, seed=1):
        yield Told(one.text, roles, one.shape.leaves in ("keeps", "both"), one.shape.kind)
