"""How likely is it that a text wants something done now?"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from math import exp
from pathlib import Path

import numpy as np
import numpy.typing as npt

from state.errors import BadInput
from tools.routing.learning.features import Floats
from tools.routing.speech_acts.speech_act import SpeechAct
from tools.routing.wishes.shape import Run
from tools.routing.wishes.signs import Signs, places_of, signs_of

LEARNT = Path(__file__).with_name("learnt.json")
_DIGITS = 16


@dataclass(frozen=True)
class SignJudge:
    """A logistic model over the signs, in log odds: learnt from texts of several domains."""

    constant: float
    weights: Mapping[str, float]

    def odds(self, signs: Mapping[str, float]) -> float:
        """Give the log odds that a text of these signs wants something."""
        odds = self.constant
        known = [sign for sign in signs if sign in self.weights]
        for sign in sorted(known):  # the order decides the last bits
            odds += self.weights[sign] * signs[sign]
        return odds

    def odds_of(self, signs: Signs) -> float:
        """Give the same for the signs of a text, to the last bit, without making their names."""
        odds, shares = self.constant, signs.shares
        known = [
            place
            for places, runs in zip(self._places, signs, strict=True)
            for run in runs
            if (place := places.get(run)) is not None
        ]
        for place in sorted(known):
            weight, origin = self._in_order[place]
            odds += weight * shares[origin]
        return odds

    @cached_property
    def _places(self) -> Sequence[Mapping[Run, int]]:
        """Say where the weight of each sign stands, for each field of `Signs`."""
        return places_of(sorted(self.weights))

    @cached_property
    def _in_order(self) -> Sequence[tuple[float, int]]:
        """Give each weight, and the field of `Signs` that its sign is of."""
        origins = {place: at for at, places in enumerate(self._places) for place in places.values()}
        named = enumerate(sorted(self.weights))
        return [(self.weights[name], origins[place]) for place, name in named]


@dataclass(frozen=True)
class Meant:
    """What the vector of how it is said adds to the signs: a logistic model, in log odds."""

    encoder: str
    """Whose vectors they are; another encoder's mean nothing to it."""
    constant: float
    share: float
    """What the odds of the signs count for beside the vector."""
    weights: Sequence[float]
    """(dimensions,)"""

    def odds(self, of_signs: float, vector: npt.ArrayLike) -> float:
        """Give the log odds by both."""
        of_vector = np.einsum("d,d->", np.asarray(vector, np.float64), np.asarray(self.weights))
        return self.constant + self.share * of_signs + float(of_vector)


@dataclass(frozen=True)
class WishJudge:
    """Judges by the signs, and where its encoder is there by the sentence's vector too."""

    by_signs: SignJudge
    by_both: Meant | None = None
    by_all: SignJudge | None = None
    """Over the signs of weighing.py; learnt with the encoder of `by_both`, and no use without."""
    version: str = ""
    """Changes with all that was learnt; nothing: it was not read from a file."""

    def odds(
        self, text: str, act: SpeechAct, vector: Floats | None = None, encoder: str | None = None
    ) -> float:
        """Give the log odds, were half of such texts to want something.

        Args:
            text: in its normal form.
            act: how the grammar reads it.
            vector: (dimensions,), how `encoder` hears it said.
        """
        odds = self.by_signs.odds_of(signs_of(text, act))
        if self.by_both is not None and vector is not None and self.hears(encoder):
            odds = self.by_both.odds(odds, vector)
        return odds

    def hears(self, encoder: str | None) -> bool:
        """Tell whether the vectors of this encoder mean something to it."""
        return self.by_both is not None and self.by_both.encoder == encoder


def chance_of(odds: float) -> float:
    """Give the chance of some log odds, as reasons tell it."""
    return round(1 / (1 + exp(-odds)), 3)


@cache
def learnt_judge(file: Path = LEARNT) -> WishJudge:
    """Read what ships; `prefrontal evals wishes --write` learns it anew.

    Raises:
        BadInput: the file is missing or damaged; nothing can be routed then.
    """
    try:
        raw = file.read_bytes()
        found = json.loads(raw)
        return WishJudge(
            SignJudge(**found["by_signs"]),
            Meant(**found["by_both"]),
            SignJudge(**found["by_all"]),
            sha256(raw).hexdigest()[:_DIGITS],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{file} is missing or damaged; install again") from error
