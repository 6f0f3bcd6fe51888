"""What follows from how likely a text wants something, where no order or request names it?"""

from typing import Literal, NamedTuple

from tools.routing.holding_back.implied import only_names
from tools.routing.reading import Reading
from tools.routing.speech_acts.speech_act import SpeechAct
from tools.routing.wishes.of_fact import ends_in_question_of_fact
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import FUNCTION_WORDS

_WANTED, _WANTED_ELSE, _UNWANTED = 0.6, 0.8, 0.2
"""From the first what nobody asked for is offered; from the second, something else than its mood
alone would name; below the third nothing is."""
_LEAST_FIT = 0.3
"""Confidence from which an action is offered that nobody asked for."""
_CLEARLY_WANTED, _CLEAR_FIT = 0.85, 0.5
"""From these, whatever the grammar makes of it: "I deleted the wrong note, can I have it back?"
tells of a change, "nobody should keep that export" denies one, and both want one. Of talk that was
kept out .84 and .85 of the wishes are right so (.81 and .83 without), and .68 and .67 of what wants
nothing, as without. These and the above were chosen with such totals in view."""
_DONE = "already_done"
"""Something is told as done, of which this may be the consequence: "can that entry be deleted?"."""
_ASKS = frozenset({"command", "request"})
_OPEN = frozenset({"question", "statement"})
_LEFT_ALONE = frozenset(
    {"quoted", "mentioned", "how_to", "about_itself", "cancelled", "cancel", "empty"}
)
_MAY = word_set("can may could should do does are must")
_LOOKS_BACK = word_set("did didn't have haven't has hasn't had was wasn't were weren't")
"""A question that begins so asks whether a change was made, not for it."""

_LIKELY, _UNLIKELY = 0.6, 0.25
"""The same for the chance by all that is seen (weighing.py), which is asked last: from the first
what nobody named is offered, below the second nothing is. Of kept-out talk .795, .789 and .788 was
right with .6, .7 and .8 for the first, .767 without (each author judged by the others). For the
second .15, .25, .35 and .5 leave .785, .803, .817 and .828 of kept-out talk alone, and name .896,
.895, .890 and .880 of its wishes; of 150 intents, where all is wanted, hardly any is as low."""

Follows = Literal["as_said", "offer", "nothing"]


class Best(NamedTuple):
    """The action that would be asked for if the text asked."""

    reads: bool
    is_implied: bool
    """No verb of the text orders, tells or denies it."""
    is_spoken_of: bool
    """Some verb of the text is about it."""
    is_denied: bool
    """A verb that is denied is about it, and not about looking only."""
    is_other: bool
    """How the text is said speaks for another one."""
    confidence: float


def is_open(act: SpeechAct) -> bool:
    """Tell whether the grammar leaves open if anything is wanted."""
    return act.mood not in _ASKS


def follows_from(
    chance: float, reading: Reading, best: Best, *, is_named: bool, may_decline: bool
) -> Follows:
    """Say what to make of a text that neither orders nor requests, or by a verb that fits nothing.

    What is quoted or called off is left alone, however it sounds. So is a change that is denied,
    told or supposed by its own verb, unless all else says that it is wanted.

    Args:
        chance: that something is wanted, 0 to 1.
        is_named: an action is named for how the text is said.
        may_decline: nothing else says whether what is named is wanted, and it is no clear read: a
            pack may be asked how a torch is made.
    """
    if is_named and may_decline and chance < _UNWANTED and not _begins_as_order(reading):
        return "nothing"
    if (is_named and not best.is_other) or reading.act.reason in _LEFT_ALONE:
        return "as_said"
    if _is_clearly_wanted(chance, reading, best):
        return "offer"
    if not is_open(reading.act) or not _may_be_meant(reading, best):
        return "as_said"
    least = _WANTED_ELSE if is_named else _WANTED
    return "offer" if chance >= least and best.confidence >= _LEAST_FIT else "as_said"


def follows_from_all(chance: float, reading: Reading, best: Best, *, is_named: bool) -> Follows:
    """Say what follows of a chance that knows the ranking and the slots too.

    It makes nothing run: what it names is offered. What is quoted, called off or denied by its own
    verb stays so.

    Args:
        is_named: an action is named, for how the text is said or for what was learnt of wishes.
    """
    if is_named:
        is_unlikely = is_open(reading.act) and chance < _UNLIKELY
        return "nothing" if is_unlikely and not _begins_as_order(reading) else "as_said"
    if reading.act.reason in _LEFT_ALONE or best.is_denied or _is_closed(reading, best):
        return "as_said"
    return "offer" if chance >= _LIKELY and best.confidence >= _LEAST_FIT else "as_said"


def _is_clearly_wanted(chance: float, reading: Reading, best: Best) -> bool:
    act = reading.act
    if _is_closed(reading, best):
        return False
    is_told = best.is_denied if act.mood == "negated" else best.is_spoken_of
    if is_told and act.mood not in _ASKS and act.reason != _DONE:
        return False
    return chance >= _CLEARLY_WANTED and best.confidence >= _CLEAR_FIT


def _is_closed(reading: Reading, best: Best) -> bool:
    """Tell a text that offers nothing more, whatever it sounds like."""
    normal = reading.normal
    if normal.is_cut or normal.is_disguised or only_names(reading) or _only_asks(reading, best):
        return True
    return reading.act.mood == "negated" and best.reads  # `don't find any papers` wants none


def _only_asks(reading: Reading, best: Best) -> bool:
    """Tell who asks what is allowed, or how things are where the best action changes them."""
    return asks_of_rules(reading) or (not best.reads and ends_in_question_of_fact(reading))


def asks_of_rules(reading: Reading) -> bool:
    """Tell `can engineers approve purchase orders?`, asked of all of a kind and for nobody."""
    words = reading.normal.words
    named = any(one.first == 1 and one.is_known for one in reading.mentions)
    is_kind = len(words) > 2 and words[1].endswith("s") and words[1] not in FUNCTION_WORDS
    return words[0] in _MAY and is_kind and not named


def asks_who_may(reading: Reading) -> bool:
    """Tell `can engineers approve orders?` from `can deckhands see the certificates?`."""
    is_change = reading.verb is not None and reading.verb.nature == "write"
    return is_change and asks_of_rules(reading)


def _may_be_meant(reading: Reading, best: Best) -> bool:
    act = reading.act
    if act.mood == "negated" or _only_asks(reading, best):
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
