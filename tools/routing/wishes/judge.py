"""How likely is it that a text wants something done now?"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from tools.routing.speech_act import SpeechAct
from tools.routing.wishes.signs import signs_of

LEARNT = Path(__file__).with_name("learnt.json")


@dataclass(frozen=True)
class WishJudge:
    """A logistic model over the signs, in log odds: learnt from texts of several domains."""

    constant: float
    weights: Mapping[str, float]

    def chance(self, text: str, act: SpeechAct) -> float:
        """Give the chance, 0 to 1, were half of such texts to want something.

        Args:
            text: in its normal form.
            act: how the grammar reads it.
        """
        odds = self.constant
        for sign, value in sorted(signs_of(text, act).items()):  # the order decides the last bits
            odds += self.weights.get(sign, 0.0) * value
        return round(1 / (1 + exp(-odds)), 3)


@cache
def learnt_judge(file: Path = LEARNT) -> WishJudge:
    """Read what ships; `prefrontal evals wishes --write` learns it anew."""
    found = json.loads(file.read_text(encoding="utf-8"))
    return WishJudge(found["constant"], found["weights"])
