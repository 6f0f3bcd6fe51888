"""Does the best action follow from what a text tells, though nobody orders it?"""

import numpy as np

from tools.routing.holding_back.implied import regrets
from tools.routing.holding_back.restraint import Restraint
from tools.routing.ranking import Ranked
from tools.routing.reading import Reading

_RIVAL = 0.1
"""A change that the text denies or tells of is what it is about from this share of the best's."""
_SURE = 0.5
"""As sure as this it would have been, had it been asked for."""


def is_implied(reading: Reading, ranked: Ranked, restraint: Restraint) -> bool:
    """Tell whether the best action is implied, and none that the text speaks of is likelier.

    Who thinks about closing a job says much that would open it again: `closing it was too soon`
    asks for that, `I am thinking about closing it` does not.
    """
    best, *others = ranked.order
    if not restraint.is_implied[best] or ranked.confidence < _SURE:
        return False

    def weight(place: int) -> float:
        return float(ranked.shares[place] * np.exp(-restraint.handicap[place]))

    spoken_of = (
        one for one in others if restraint.is_barred[one] and not restraint.is_implied[one]
    )
    return regrets(reading) or all(weight(one) <= _RIVAL * weight(best) for one in spoken_of)
