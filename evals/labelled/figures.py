"""What answers are worth: how often right, how well told apart, how honest the confidence."""

from collections.abc import Sequence
from statistics import mean

from pydantic import Field

from evals.roc import auc
from state.noun import Noun, Score
from tools.routing.learning.confidence import FOREIGN_SHARE

_BINS = 10


class Answer(Noun):
    """One message, as it was routed."""

    text: str
    wanted: str | None = Field(description="null: no action covers it")
    is_named: bool = Field(description="there is a primary; else alternates alone are shown")
    shown: tuple[str, ...] = Field(description="the primary and its alternates, best first")
    confidence: Score = Field(description="of the primary")
    runs: bool = Field(description="it would be done unasked")
    milliseconds: float

    @property
    def is_right(self) -> bool:
        """Tell whether what is shown first was wanted; never for what no action covers."""
        return self.wanted is not None and self.shown[:1] == (self.wanted,)


class Figures(Noun):
    """The figures of one draw; of foreign messages none where there are none."""

    asked: int = Field(description="messages that an action covers")
    foreign: int = Field(description="messages that none covers")
    right: float = Field(description="what is shown first is the one wanted, of those covered")
    named_right: float = Field(description="and it is named, as the primary")
    among_shown: float = Field(description="the primary or an alternate is, of those covered")
    auroc: float | None = Field(
        description="how often a covered message has more confidence than a foreign one"
    )
    foreign_refused: float | None = Field(description="foreign, and below ask_confidence")
    covered_kept: float = Field(description="covered, and at or above ask_confidence")
    runs: float = Field(description="done unasked, of those covered")
    runs_wrong: float = Field(description="done unasked and wrong, of those covered")
    runs_foreign: float | None = Field(description="done unasked, of those foreign")
    calibration_error: float = Field(
        description="mean distance of stated confidence from the share right, in ten bins of "
        "equal width weighted by their messages (ECE); of those covered"
    )
    calibration_error_of_all: float | None = Field(
        description="the same with what is foreign, which is wrong and counts as one in twenty"
    )


def figures(answers: Sequence[Answer], *, ask_confidence: float) -> Figures:
    """Sum up; at least one message must be covered by an action."""
    covered = [one for one in answers if one.wanted is not None]
    foreign = [one for one in answers if one.wanted is None]
    kept = [one.confidence >= ask_confidence for one in covered]
    return Figures(
        asked=len(covered),
        foreign=len(foreign),
        right=mean(one.is_right for one in covered),
        named_right=mean(one.is_right and one.is_named for one in covered),
        among_shown=mean(one.wanted in one.shown for one in covered),
        auroc=_ranked(covered, foreign) if covered and foreign else None,
        foreign_refused=_share([one.confidence < ask_confidence for one in foreign]),
        covered_kept=mean(kept),
        runs=mean(one.runs for one in covered),
        runs_wrong=mean(one.runs and not one.is_right for one in covered),
        runs_foreign=_share([one.runs for one in foreign]),
        calibration_error=_calibration_error(covered, []),
        calibration_error_of_all=_calibration_error(covered, foreign) if foreign else None,
    )


def _share(are_so: Sequence[bool]) -> float | None:
    return mean(are_so) if are_so else None


def _ranked(covered: Sequence[Answer], foreign: Sequence[Answer]) -> float:
    return auc([one.confidence for one in covered], [one.confidence for one in foreign])


def _calibration_error(covered: Sequence[Answer], foreign: Sequence[Answer]) -> float:
    counts_as = FOREIGN_SHARE / (1 - FOREIGN_SHARE) * len(covered) if foreign else 0.0
    too_sure = [0.0] * _BINS
    for one in (*covered, *foreign):
        count = 1.0 if one.wanted is not None else counts_as / len(foreign)
        place = min(int(one.confidence * _BINS), _BINS - 1)
        too_sure[place] += count * (one.confidence - one.is_right)
    return sum(map(abs, too_sure)) / (len(covered) + counts_as)
