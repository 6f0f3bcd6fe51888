"""Fit the chance by all that is seen: how a text is said, how the actions rank, what is filled."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from evals.inputs import RequestInputs
from evals.mutations.commands import commands_of
from evals.mutations.shapes import mutations, read_shapes, sample
from evals.wishes.by_signs import Numbers, fitted, table_of
from evals.wishes.rows import OURS, datasets
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import find_pack, load_pack
from tools.embedding.embedder import RequestEmbedder
from tools.routing.router import Router
from tools.routing.wishes.judge import SignJudge, WishJudge
from tools.routing.wishes.weighing import signs_of_all

_PENALTY = 3.0
_LEAST_TEXTS = 8
_MUTATED = 90
"""Messages made of each pack's commands that ask for nothing (evals mutations). With ten times as
many the judge learns what such shapes look like, and knows people less: AUROC .93, not .95."""
_DIGITS = 3


@dataclass(frozen=True)
class WholeRow:
    """What is seen of a text, what is true of it, and whose it is."""

    signs: Mapping[str, float]
    is_wanted: bool
    author: str
    is_open: bool
    """The grammar takes it for no order and no request."""


def rows_of_all(
    judges: Mapping[str, WishJudge], embedder: RequestEmbedder, cache: Path
) -> list[WholeRow]:
    """Ask the router of each pack with what people said to it.

    Args:
        judges: for each pack one that has learnt nothing of that pack's talk.
        embedder: that has learnt nothing of it either.
        cache: where what is learnt of a pack is kept.
    """
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        return [
            row for pack in OURS for row in _rows(pack, judges[pack], embedder, cache, Path(folder))
        ]


def learn_all(rows: Sequence[WholeRow]) -> SignJudge:
    """Learn from rows; the same rows in the same order give the same judge."""
    texts = Counter(sign for row in rows for sign in row.signs)
    known = sorted(sign for sign, count in texts.items() if count >= _LEAST_TEXTS)
    places = {sign: place for place, sign in enumerate(known)}
    wanted = np.array([row.is_wanted for row in rows], float)
    weights = fitted(table_of(rows, places), wanted, penalty=_PENALTY)
    found = {sign: round(float(weights[place]), _DIGITS) for sign, place in places.items()}
    constant = float(weights[-1]) + _to_half(rows)
    return SignJudge(round(constant, _DIGITS), found)


def _to_half(rows: Sequence[WholeRow]) -> float:
    """Give the log odds that bring those left open to half wanted, as deciding.py takes them."""
    asks = [row.is_wanted for row in rows if row.is_open]
    wanted = sum(asks)
    return log((len(asks) - wanted) / wanted) if 0 < wanted < len(asks) else 0.0


def odds_of_others(rows: Sequence[WholeRow]) -> Numbers:
    """Judge each author's rows by what was learnt of all others, in log odds: (rows,)."""
    odds = np.zeros(len(rows))
    for author in dict.fromkeys(row.author for row in rows):
        judge = learn_all([row for row in rows if row.author != author])
        own = [place for place, row in enumerate(rows) if row.author == author]
        odds[own] = [judge.odds(rows[place].signs) for place in own]
    return odds


def _rows(
    pack: str, judge: WishJudge, embedder: RequestEmbedder, cache: Path, folder: Path
) -> Iterator[WholeRow]:
    catalogue = Catalogue.of([load_pack(find_pack(pack))])
    router = Router(catalogue, cache=cache, embedder=embedder)
    router.settling = replace(router.settling, wishes=judge)
    for text, roles, is_wanted, author in (*_said(pack), *_mutated(catalogue)):
        seen = router.seen(text, data_dir=folder, roles=roles)
        if seen is not None:
            signs = signs_of_all(seen)
            is_open = not {"mood:command", "mood:request"} & set(signs)
            yield WholeRow(signs, is_wanted, author, is_open)


_Said = tuple[str, Sequence[str], bool, str]
"""A text, the roles of whoever says it, whether it wants something, and its author."""


def _said(pack: str) -> Iterator[_Said]:
    for dataset, is_talk in datasets():
        if dataset.header.pack != pack:
            continue
        for case in dataset.cases:
            inputs = RequestInputs.model_validate(case.inputs)
            author = str(case.metadata["author"]) if is_talk else dataset.name.partition("_")[2]
            yield inputs.text, (inputs.role,), case.outputs["action"] is not None, author


def _mutated(catalogue: Catalogue) -> Iterator[_Said]:
    actions = catalogue.actions.values()
    roles = sorted({role for action in actions for role in action.roles})
    made = list(mutations(commands_of(actions), read_shapes(), per_action=1, seed=1))
    for one in sample(made, _MUTATED, seed=1):
        yield one.text, roles, one.shape.leaves in ("keeps", "both"), one.shape.kind
