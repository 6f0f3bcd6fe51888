"""What tells whether a text wants something done now, whatever it is about."""

from collections.abc import Iterable, Mapping
from math import sqrt

from tools.routing.speech_acts.speech_act import SpeechAct
from tools.routing.wishes.shape import shapes_of, wordings_of

_OF_PIECES = 2.0
"""How far shapes and words count beside the grammar's own signs before anything is learnt."""


def signs_of(text: str, act: SpeechAct) -> Mapping[str, float]:
    """Name the signs of a text, and weigh them.

    Args:
        text: in its normal form.
        act: how the grammar reads it.
    """
    signs = {f"mood:{act.mood}": 1.0, f"sign:{act.reason}": 1.0}
    if act.doubt:
        signs["doubt"] = 1.0
    signs.update(_weighed(shapes_of(text)))
    signs.update(_weighed(wordings_of(text)))
    return signs


def _weighed(pieces: Iterable[str]) -> Mapping[str, float]:
    """Let a long text weigh no more than a short one."""
    found = set(pieces)
    return dict.fromkeys(found, _OF_PIECES / sqrt(len(found))) if found else {}
