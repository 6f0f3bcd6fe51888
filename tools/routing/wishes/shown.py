"""Which read answers a question of how things are, where the words are those of a change?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from state.action import Action
from tools.routing.described import heard_of
from tools.routing.ranking import Ranked
from tools.routing.reading import Reading
from tools.routing.slots.filling import fill_slots
from tools.routing.wishes.fact_of_change import asks_only

_MOST = 0.8
"""Share, of what all reads have together, from which a read shows what it neither is of nor takes:
what the topic is stands in the state of the research."""
_LEAST_FIT = 0.2
"""Confidence, had the change been asked for, from which its words say what the question is of."""


def shown_instead(
    reading: Reading, ranked: Ranked, actions: Sequence[Action], today: date | None
) -> tuple[Ranked, str] | None:
    """Put first the read that shows what the best action changes, and name that action.

    `Was WO-1042 reopened?` is worded as every order to reopen it, and asks to see it. The read is
    of the same pack and of what the change is made to, or put in; one that takes what was named
    comes before one that lists all, and of equals the likelier one.

    Returns:
        None where it asks for something, where the best action reads itself or is unlikely, and
        where no read shows what it changes.
    """
    change = actions[ranked.order[0]]
    if change.effect == "read" or ranked.confidence < _LEAST_FIT:
        return None
    if not asks_only(reading, change, fill_slots(change, heard_of(reading, today))):
        return None
    fits = _fits(reading, ranked, actions, change)
    if not fits:
        return None
    best = max(fits, key=lambda place: fits[place])
    of_reads = sum(fit[-1] for fit in fits.values())
    if not any(fits[best][:3]) and fits[best][-1] < _MOST * of_reads:
        return None
    order = (best, *(place for place in ranked.order if place != best))
    return replace(ranked, order=order, near=None, cosine=0.0, is_said=False), change.name


def _fits(
    reading: Reading, ranked: Ranked, actions: Sequence[Action], change: Action
) -> Mapping[int, tuple[bool, bool, bool, bool, float]]:
    """Say of each read of the pack how well it shows what the change is made to."""
    named = {one.kind.type for one in reading.mentions if one.kind.pack == change.pack}
    subjects = [one for one in (change.container, change.object) if one is not None]
    taken = named & {slot.type for slot in change.slots.values()}
    return {
        place: (
            read.object in subjects,
            read.object in taken,
            any(slot.type in taken for slot in read.slots.values()),
            read.object == subjects[0],
            float(ranked.shares[place]),
        )
        for place, read in enumerate(actions)
        if read.effect == "read" and read.pack == change.pack and not _searches(read)
    }


def _searches(read: Action) -> bool:
    """Tell a read that takes free words: those of the question are none to search for."""
    return any(slot.required and slot.type in ("text", "list") for slot in read.slots.values())
