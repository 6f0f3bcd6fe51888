"""Which actions fit a text as well as the best one?"""

from tools.routing.holding_back.restraint import Restraint
from tools.routing.learning.features import Floats
from tools.routing.reading import Reading

_FITS, _EQUALLY = 0.6, 0.08
"""Lexical scores from which, and within which, actions fit a text equally well."""
_AS_LIKELY = 0.02
"""Share, of the best one's, below which what the examples say tells two apart."""
_MOST_TWINS = 3


def twins_of(
    reading: Reading,
    order: tuple[int, ...],
    lexical: Floats,
    restraint: Restraint,
    shares: Floats,
) -> frozenset[int]:
    """Find actions that fit as well where no object is named: `add it to the work order`."""
    best = order[0]
    if lexical[best] < _FITS or reading.things.targets or not reading.things.containers:
        return frozenset()
    equal = [
        place
        for place in order[1:]
        if lexical[place] >= lexical[best] - _EQUALLY
        and shares[place] >= _AS_LIKELY * shares[best]
        and not restraint.is_barred[place]
    ]
    return frozenset(equal[:_MOST_TWINS])
