"""A part of the examples, and what a doubling of them is worth."""

from pathlib import Path

import pytest

from evals.runner.datasets import find_datasets
from evals.training.learning_curve import Point, asking, gain_of_doubling, thinned
from state.errors import BadInput
from tests.graph.harbour import HARBOUR
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack


def test_every_action_keeps_its_share_of_the_examples_and_at_least_one() -> None:
    whole = Catalogue.of([load_pack(HARBOUR)])
    half, again, least = thinned(whole, 0.5, 1), thinned(whole, 0.5, 1), thinned(whole, 0.01, 1)

    assert half.actions == again.actions != thinned(whole, 0.5, 2).actions
    assert len(half.actions["show_lock"].examples) == 2
    assert {len(action.examples) for action in least.actions.values() if action.examples} == {1}
    assert len(whole.actions["show_lock"].examples) == 4


def test_a_doubling_is_worth_the_slope_over_the_logarithm() -> None:
    points = [
        Point(share=share, seed=1, examples=examples, asked=10, named=named, first=named)
        for share, examples, named in ((0.25, 25, 0.7), (0.5, 50, 0.8), (1.0, 100, 0.9))
    ]

    assert gain_of_doubling(points) == pytest.approx(0.1)
    assert gain_of_doubling(points[:1]) is None


def test_no_curve_is_drawn_on_what_is_blind(tmp_path: Path) -> None:
    blind = find_datasets(["vessel_fourth_blind"])

    with pytest.raises(BadInput), asking(blind, tmp_path):
        pass
