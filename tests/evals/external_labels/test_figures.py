"""The figures of a few answers, worked out by hand."""

import pytest

from evals.robustness.external_labels import Answer, label_figures


def answer(
    wanted: str | None, shown: tuple[str, ...], confidence: float, *, runs: bool = False
) -> Answer:
    return Answer(
        text="x",
        wanted=wanted,
        is_named=confidence >= 0.7,
        shown=shown,
        confidence=confidence,
        runs=runs,
        milliseconds=1.0,
    )


ANSWERS = [
    answer("a", ("a", "b"), 0.95, runs=True),
    answer("a", ("b", "a"), 0.85, runs=True),
    answer("b", ("b",), 0.65),
    answer("b", ("a",), 0.15),
    answer(None, ("a",), 0.65),
    answer(None, (), 0.05),
]


def test_the_figures_are_what_they_say() -> None:
    found = label_figures(ANSWERS, ask_confidence=0.5)

    assert (found.asked, found.foreign) == (4, 2)
    assert (found.right, found.among_shown) == (0.5, 0.75)
    assert found.named_right == 0.25
    assert (found.runs, found.runs_wrong, found.runs_foreign) == (0.5, 0.25, 0.0)
    assert (found.foreign_refused, found.covered_kept) == (0.5, 0.75)
    # Of eight pairs six are in order, one is a tie, and .15 stands below .65.
    assert found.auroc == pytest.approx(6.5 / 8)
    assert found.calibration_error == pytest.approx((0.05 + 0.85 + 0.35 + 0.15) / 4)


def test_what_is_foreign_counts_as_one_in_twenty() -> None:
    found = label_figures(ANSWERS, ask_confidence=0.5)

    each = 4 * 0.05 / 0.95 / 2
    wrong = 0.05 + 0.85 + abs(-0.35 + each * 0.65) + 0.15 + each * 0.05
    assert found.calibration_error_of_all == pytest.approx(wrong / (4 / 0.95))


def test_without_foreign_messages_nothing_is_said_of_them() -> None:
    found = label_figures(ANSWERS[:4], ask_confidence=0.5)

    assert found.foreign == 0
    assert (found.auroc, found.foreign_refused, found.runs_foreign) == (None, None, None)
    assert found.calibration_error_of_all is None


def test_confidence_that_is_always_right_has_no_error() -> None:
    honest = [answer("a", ("a",), 0.75)] * 3 + [answer("a", ("b",), 0.75)]
    assert label_figures(honest, ask_confidence=0.5).calibration_error == pytest.approx(0.0)
