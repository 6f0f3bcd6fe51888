"""Sum a played stream up: how often a model was asked, how often a lone answer was wrong."""

from collections.abc import Sequence

from pydantic import Field

from evals.intervals import Interval, wilson
from evals.simulation.playing import Came
from state.noun import Noun

FALL_AT_LEAST = 0.5
WRONG_AT_MOST = 0.02
WINDOW = 20
"""Events that make one point of the curve."""


class Window(Noun):
    """One point of the curve."""

    first: int
    last: int
    calls: int = Field(description="requests to the model")
    alone: int = Field(description="answers of a heuristic alone")
    wrong: int = Field(description="of those, the wrong ones")


class Figures(Noun):
    """A stream summed up; its halves are compared, since a user may change their mind between."""

    events: int
    calls_before: int
    calls_after: int
    fall: float = Field(description="share of the first half's calls that the second needs no more")
    alone: int
    wrong: int
    wrong_share: float = Field(description="of what was said alone")
    wrong_interval: Interval
    rated: int
    curve: tuple[Window, ...]

    @property
    def holds(self) -> bool:
        """Tell whether it learns as it should, and says little that is wrong meanwhile."""
        return self.fall >= FALL_AT_LEAST and self.wrong_share <= WRONG_AT_MOST


def figures_of(came: Sequence[Came]) -> Figures:
    """Sum a stream up."""
    half = len(came) // 2
    before, after = _calls(came[:half]), _calls(came[half:])
    alone, wrong = _alone(came)
    return Figures(
        events=len(came),
        calls_before=before,
        calls_after=after,
        fall=1 - after / before if before else 0.0,
        alone=alone,
        wrong=wrong,
        wrong_share=wrong / alone if alone else 0.0,
        wrong_interval=wilson(wrong, alone),
        rated=sum(one.rating is not None for one in came),
        curve=tuple(_window(came[at : at + WINDOW]) for at in range(0, len(came), WINDOW)),
    )


def _window(came: Sequence[Came]) -> Window:
    alone, wrong = _alone(came)
    return Window(
        first=came[0].number, last=came[-1].number, calls=_calls(came), alone=alone, wrong=wrong
    )


def _calls(came: Sequence[Came]) -> int:
    return sum(one.calls for one in came)


def _alone(came: Sequence[Came]) -> tuple[int, int]:
    fired = [one for one in came if one.path == "heuristic"]
    return len(fired), sum(not one.right for one in fired)
