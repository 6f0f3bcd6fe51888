"""The figures of speaking: balanced accuracy, ranking, false alarms, beside always and never."""

from collections.abc import Callable, Sequence

from pydantic import Field

from evals import roc
from evals.intervals import Interval, wilson
from evals.speaking.playing import Judged
from state.noun import Noun

Speaks = Callable[[Judged], bool]


class Figures(Noun):
    """How well somebody chose when to speak."""

    who: str
    cases: int
    spoke: int
    balanced_accuracy: float = Field(description="mean of sensitivity and specificity")
    low: float = Field(description="95 %: the mean of both Wilson intervals")
    high: float
    sensitivity: float = Field(description="share of wanted words that were said")
    specificity: float = Field(description="share of unwanted words that were not")
    false_alarms: float = Field(description="unwanted words in 100 events")
    auc: float | None = Field(
        default=None, description="a wanted event is above an unwanted one; .5 is chance"
    )


def figures_of(judged: Sequence[Judged]) -> tuple[Figures, ...]:
    """Compute the figures of ours, and of whoever always or never speaks."""
    ours = _figures("prefrontal", judged, lambda one: one.told)
    return (
        ours.model_copy(update={"auc": auc(judged)}),
        _figures("always speaks", judged, lambda _one: True),
        _figures("never speaks", judged, lambda _one: False),
    )


def auc(judged: Sequence[Judged]) -> float | None:
    """Compute how well the margin ranks; None when all labels are the same."""
    wanted = [one.margin for one in judged if one.wanted]
    unwanted = [one.margin for one in judged if not one.wanted]
    return roc.auc(wanted, unwanted) if wanted and unwanted else None


def _figures(who: str, judged: Sequence[Judged], speaks: Speaks) -> Figures:
    wanted = [speaks(one) for one in judged if one.wanted]
    unwanted = [not speaks(one) for one in judged if not one.wanted]
    sides = [side for side in (wanted, unwanted) if side]
    intervals: list[Interval] = [wilson(sum(side), len(side)) for side in sides]
    return Figures(
        who=who,
        cases=len(judged),
        spoke=sum(map(speaks, judged)),
        balanced_accuracy=sum(sum(side) / len(side) for side in sides) / len(sides),
        low=sum(one.low for one in intervals) / len(sides),
        high=sum(one.high for one in intervals) / len(sides),
        sensitivity=sum(wanted) / len(wanted) if wanted else 0.0,
        specificity=sum(unwanted) / len(unwanted) if unwanted else 0.0,
        false_alarms=100 * unwanted.count(False) / len(judged),
    )
