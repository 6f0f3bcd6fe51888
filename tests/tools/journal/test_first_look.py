"""A first look in integers leaves out nothing that the exact product would have found."""

import numpy as np
import numpy.typing as npt
import pytest

from tools.embedding.embedder import Vectors, unit
from tools.journal.searching import first_look as module
from tools.journal.searching.vectors import Matrix

ENTRIES = 700


def drawn(seed: int) -> tuple[Matrix, Vectors, npt.NDArray[np.float64]]:
    """Draw entries of one to three vectors, some all alike, some of zeros, with their cosines."""
    chance = np.random.default_rng(seed)
    counts = np.full(ENTRIES, 2) if seed % 2 else chance.integers(1, 4, ENTRIES)
    vectors = unit(chance.standard_normal((counts.sum(), 48)) ** (1 + 2 * (seed % 3)))
    vectors[200:300] = vectors[200]
    vectors[300:305] = 0
    question = unit(chance.standard_normal((1, 48)))[0]
    starts = np.cumsum(counts) - counts
    entries = np.arange(ENTRIES) * 3 + 1
    best = np.maximum.reduceat(vectors.astype(np.float64) @ question.astype(np.float64), starts)
    return Matrix(entries, starts, vectors, module.first_look(vectors)), question, best


@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_are_those_of_the_exact_product(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MANY", 500)
    matrix, question, best = drawn(seed)
    assert matrix.look is not None

    allowed = set(matrix.entries[::2].tolist())
    without = matrix.entries[:50]
    for within in (None, allowed):
        found = matrix.nearest(question, within, most=40, also=(1, 4, 1_000_000), without=without)
        left = np.isin(matrix.entries, without, invert=True)
        if within is not None:
            left &= np.isin(matrix.entries, [*within])
        exact = np.sort(best[left])[::-1][:40]
        assert np.allclose([*found.first.values()], exact, atol=1e-6)
        assert not {1, 4} & {*found.known}, "they are without"

    far = int(matrix.entries[np.argmin(best[60:]) + 60])
    known = matrix.nearest(question, None, most=5, also=(far,)).known
    assert known[far] == pytest.approx(best[60:].min(), abs=1e-6)


def test_a_product_is_off_by_no_more_than_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 500)
    for seed in range(6):
        matrix, question, _ = drawn(seed)
        assert matrix.look is not None
        products, off = matrix.look.at(question)
        exact = matrix.vectors.astype(np.float64) @ question
        assert np.abs(products - exact).max() <= off < 0.05

        assert not matrix.look.at(np.zeros(48, np.float32))[0].any()


def test_few_vectors_are_not_worth_a_first_look() -> None:
    assert module.first_look(np.zeros((module.MANY - 1, 4), np.float32)) is None
