"""Why does a read not run by itself, however sure it is?"""

from state.action import Action
from state.policy import Hold
from tools.routing.holding_back.implied import only_names
from tools.routing.holding_back.key_words import turns_on_stranger
from tools.routing.holding_back.of_verb import is_asked_by_change
from tools.routing.holding_back.restraint import Restraint
from tools.routing.holding_back.wholly import says_wholly
from tools.routing.ranking import THE_SAME
from tools.routing.reading import Reading
from tools.routing.settled import Settled
from tools.routing.speech_acts.marks import has_sign
from tools.routing.things.names import Kind
from tools.routing.words.effects import Effects
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import word_set

_LESS = word_set("without minus plus")
"""Right behind a thing these say what is to be taken from it, or put to it."""


def hold_of(
    reading: Reading, best: Action, settled: Settled, restraint: Restraint, effects: Effects
) -> Hold | None:
    """Say why a read does not run by itself. Source: action execution contract §4."""
    ranked = settled.ranked
    if best.effect != "read":
        return None  # a change never does
    by_words = restraint.hold_of(ranked.order[0])
    # The pack's own author says that this asks for it, unless a sentence was put around it.
    is_example = ranked.cosine >= THE_SAME and not _is_framed(reading, ranked.near)
    if by_words is not None and not (by_words == "mood" and is_example and _declares(reading)):
        return by_words
    if reading.verb is None and _is_signed(reading):
        return "mood"
    if not is_example and is_asked_by_change(reading, best, effects):
        return "verb"
    if not is_example and turns_on_stranger(reading, best, effects):
        return "foreign_word"
    if ranked.twins or _names_one_of_all(reading, best):
        return "several_fit"
    if not ranked.is_sure_at_worst and not says_wholly(reading, best):
        return "unlike_examples"
    return "mood" if settled.follows else None  # nobody asks for it in so many words


def _is_signed(reading: Reading) -> bool:
    """Tell `P-7 ★★★★★` and `port generator without the filter`: the sign says what nobody reads.

    `Jobs without Priya` is a list, and `⭐ urgent jobs` asks for one.
    """
    if has_sign(reading.normal):
        return only_names(reading)
    words = reading.normal.words
    ends = {one.end for one in reading.mentions if one.is_known}
    return any(word in _LESS and place in ends for place, word in enumerate(words))


def _names_one_of_all(reading: Reading, best: Action) -> bool:
    """Tell whether one thing is named to an action that is of all of its kind.

    `Everything with the label graphs` is not for who lists the labels.
    """
    types = {slot.type for slot in best.slots.values()}
    if {best.object, "text", "list"} & types:
        return False
    return any(
        mention.is_known and mention.kind == Kind(best.pack, best.object)
        for mention in reading.mentions
    )


def _declares(reading: Reading) -> bool:
    return reading.act.mood == "statement"


def _is_framed(reading: Reading, example: str | None) -> bool:
    """Tell whether a text holds the whole example and more: `somebody should` and an order."""
    if example is None:
        return False
    said = " ".join(reading.normal.words)
    held = " ".join(words_of(example))
    return len(said) > len(held) and f" {held} " in f" {said} "
