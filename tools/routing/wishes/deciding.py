"""What follows from how likely a text wants something, where it neither orders nor requests?"""

from dataclasses import dataclass
from typing import Literal

from tools.routing.implied import only_names
from tools.routing.phrases import word_set
from tools.routing.reading import Reading
from tools.routing.speech_act import SpeechAct

_WANTED, _WANTED_ELSE, _UNWANTED = 0.6, 0.8, 0.2
"""From the first what nobody asked for is offered; from the second, something else than its mood
alone would name; below the third nothing is. Of talk that was kept out .83 and .80 of the wishes
are right so (.71 and .74 without), of what wants nothing .65 and .64 (.64 and .59). In an earlier
form a third of .45 made the latter .73 and .76, and cost three or four in a hundred wishes."""
_LEAST_FIT = 0.3
"""Confidence from which an action is offered that nobody asked for."""
_ASKS = frozenset({"command", "request"})
_OPEN = frozenset({"question", "statement"})
_LEFT_ALONE = frozenset(
    {"quoted", "mentioned", "how_to", "about_itself", "cancelled", "cancel", "empty"}
)
_LOOKS_BACK = word_set("did didn't have haven't has hasn't had was wasn't were weren't")
"""A question that begins so asks whether a change was made, not for it."""

Follows = Literal["as_said", "offer", "nothing"]


@dataclass(frozen=True)
class Best:
    """The action that would be asked for if the text asked."""

    reads: bool
    is_implied: bool
    """No verb of the text orders, tells or denies it."""
    is_other: bool
    """How the text is said speaks for another one."""
    confidence: float


def is_open(act: SpeechAct) -> bool:
    """Tell whether the grammar leaves open if anything is wanted."""
    return act.mood not in _ASKS


def follows_from(
    chance: float, reading: Reading, best: Best, *, is_named: bool, is_clear: bool
) -> Follows:
    """Say what to make of a text that neither orders nor requests.

    What is denied stays denied, and what is quoted or called off is left alone, however it sounds;
    so is a change that is told or supposed by its own verb.

    Args:
        chance: that something is wanted, 0 to 1.
        is_named: an action is named for how the text is said.
        is_clear: it only reads, and is sure: a pack may be asked how a torch is made.
    """
    if is_named and not is_clear and chance < _UNWANTED and not _begins_as_order(reading):
        return "nothing"
    if (is_named and not best.is_other) or not _may_be_meant(reading, best):
        return "as_said"
    least = _WANTED_ELSE if is_named else _WANTED
    return "offer" if chance >= least and best.confidence >= _LEAST_FIT else "as_said"


def _may_be_meant(reading: Reading, best: Best) -> bool:
    act = reading.act
    if act.mood == "negated" or act.reason in _LEFT_ALONE:
        return False
    if best.reads or best.is_implied:
        return True
    if only_names(reading):
        return False  # a bare name is read about at most
    looks_back = reading.normal.tokens[0].text in _LOOKS_BACK
    return act.mood in _OPEN and not looks_back and not _begins_as_order(reading)


def _begins_as_order(reading: Reading) -> bool:
    """Tell `close it: is that allowed?` and `show it if you have time`: an order, and a doubt."""
    return any(verb.first == 0 and verb.form == "base" for verb in reading.verbs)
