"""Is something wanted, by all that is seen: the text, the act, the ranking and the slots?"""

from collections.abc import Iterator, Mapping
from math import log
from typing import NamedTuple

from tools.routing.ranking import THE_SAME, Ranked
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled
from tools.routing.wishes.deciding import Best
from tools.routing.wishes.own_examples import OwnExamples

_NEAR = 0.85
"""Cosine from which the nearest example says much the same."""
_SUREST = 0.999
"""Confidences beyond, and below one less this, tell no more."""
_MOST = 3
"""Things and slots beyond so many tell no more."""
_MOST_EACH = 300
"""Examples an action, beyond which more tell no more."""


class Seen(NamedTuple):
    """All that is known of a text and of the action that it would ask for if it asked."""

    reading: Reading
    odds: float
    """Log odds that the text wants something, by itself."""
    own: OwnExamples
    """Of the pack that has the action."""
    freely: Ranked
    best: Best
    filled: Filled
    lacks_slot: bool
    """One that is required is not said."""
    is_named: bool
    """An action is named for how the text is said."""
    is_barred: bool
    is_strange: bool
    is_heard: bool
    """The odds know how it is said, by its vector, and so do those of the pack's own examples."""


def signs_of_all(seen: Seen) -> Mapping[str, float]:
    """Name the signs of what is seen, each of about the size of one."""
    odds, sure = seen.odds / 2, _log_odds(seen.freely.confidence) / 2
    signs = {"wish": odds, "sure": sure, "wish·sure": odds * sure}
    own = {"own": seen.own.odds / 2, "taught": log(1 + min(seen.own.each, _MOST_EACH)) / 4}
    for sign, value in own.items():
        signs |= {
            sign: value,
            f"{sign}·wish": value * odds,
            f"{sign}·sure": value * sure,
            f"{sign}·near": value * seen.freely.cosine,
        }
    signs |= {sign: float(value) for sign, value in _plain(seen)}
    mood = f"mood:{seen.reading.act.mood}"
    reads, spoken_of = signs["reads"], signs["spoken_of"]
    return signs | {
        mood: 1.0,
        f"{mood}·wish": odds,
        f"{mood}·sure": sure,
        f"{mood}·spoken_of": spoken_of,
        f"{mood}·reads": reads,
        "reads·wish": reads * odds,
        "reads·sure": reads * sure,
        "implied·wish": signs["implied"] * odds,
        "spoken_of·wish": spoken_of * odds,
    }


def _plain(seen: Seen) -> Iterator[tuple[str, float]]:
    reading, best, freely = seen.reading, seen.best, seen.freely
    act = reading.act
    yield f"sign:{act.reason}", 1
    if act.doubt:
        yield "doubt", 1
        yield f"doubt:{act.doubt}", 1
    yield "nearness", 2 * freely.cosine
    yield "near", freely.cosine >= _NEAR
    yield "the_same", freely.cosine >= THE_SAME
    yield "said", freely.is_said
    yield "sure_at_worst", freely.is_sure_at_worst
    yield "reads", best.reads
    yield "implied", best.is_implied
    yield "spoken_of", best.is_spoken_of
    yield "other", best.is_other
    yield "named", seen.is_named
    yield "barred", seen.is_barred
    yield "strange", seen.is_strange
    yield "lacks_slot", seen.lacks_slot
    yield "slots", min(_MOST, len(seen.filled.values)) / 2
    yield "not_found", bool(seen.filled.not_found)
    yield "things", min(_MOST, sum(one.is_known for one in reading.mentions)) / 2
    yield "length", log(1 + len(reading.normal.tokens)) - 2
    yield "asks_back", reading.said.rstrip().endswith("?")
    yield "verbs", len(reading.verbs)
    yield "no_verb", not reading.verbs
    for verb in reading.verbs:  # a sign that is given twice counts once
        yield f"verb:{verb.form}", 1
        yield f"verb:{verb.form}:{verb.nature}", 1


def _log_odds(chance: float) -> float:
    within = min(max(chance, 1 - _SUREST), _SUREST)
    return log(within / (1 - within))
