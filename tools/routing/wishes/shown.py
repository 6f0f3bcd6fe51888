"""Which read answers a question of how things are, where the words are those of a change?"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from state.action import Action
from tools.routing.described import filled_of
from tools.routing.ranking import Ranked
from tools.routing.reading import Reading
from tools.routing.settled import NONE_BELOW
from tools.routing.wishes.fact_of_change import asks_only

_LEAST_SHARE = 0.8
"""Of what the reads of the pack have together, from which one shows what it neither is of nor
takes: what the topic is stands in the state of the research. With .5 the state of a machine showed
whether an export was deleted."""


class _Fit(NamedTuple):
    """How well a read shows what a change is made to; the first that differs decides."""

    is_of_it: bool
    """It reads what is changed, or what that is put in or taken from."""
    is_of_named: bool
    """It reads things of the kind that was named."""
    takes_named: bool
    is_of_place: bool
    """It reads what the changed thing is in: a note is seen in its work order."""
    share: float


def shown_instead(
    reading: Reading, ranked: Ranked, actions: Sequence[Action], today: date | None
) -> tuple[Ranked, str] | None:
    """Put first the read that shows what the best action changes, and name that action.

    `Was WO-1042 reopened?` is worded as every order to reopen it, and asks to see it. How sure the
    ranking is stays what it is of the change.

    Returns:
        None where the text asks for something, where the best action reads itself or is unlikely,
        and where no read shows what it changes.
    """
    change = actions[ranked.order[0]]
    if change.effect == "read" or ranked.confidence < NONE_BELOW:
        return None
    if reading.act.reason == "how_to" or reading.act.mood == "negated":
        return None
    if not asks_only(reading, change, filled_of(change, reading, today)):
        return None
    fits = _fits(reading, ranked, actions, change)
    if not fits:
        return None
    best = max(fits, key=lambda place: fits[place])
    fit, of_reads = fits[best], sum(one.share for one in fits.values())
    is_near = fit.is_of_it or fit.is_of_named or fit.takes_named
    if not is_near and fit.share <= _LEAST_SHARE * of_reads:
        return None
    order = (best, *(place for place in ranked.order if place != best))
    shown = ranked._replace(order=order, near=None, cosine=0.0, is_said=False)
    return shown._replace(is_sure_at_worst=False, twins=frozenset()), change.name


def _fits(
    reading: Reading, ranked: Ranked, actions: Sequence[Action], change: Action
) -> Mapping[int, _Fit]:
    """Say of each read of the pack how well it shows what the change is made to."""
    named = {one.kind.type for one in reading.mentions if one.kind.pack == change.pack}
    taken = named & {slot.type for slot in change.slots.values()}
    return {
        place: _Fit(
            is_of_it=read.object in (change.container, change.object),
            is_of_named=read.object in taken,
            takes_named=any(slot.type in taken for slot in read.slots.values()),
            is_of_place=read.object == change.container,
            share=float(ranked.shares[place]),
        )
        for place, read in enumerate(actions)
        if read.effect == "read" and read.pack == change.pack and not _searches(read)
    }


def _searches(read: Action) -> bool:
    """Tell a read that takes free words: those of the question are none to search for."""
    return any(slot.required and slot.type in ("text", "list") for slot in read.slots.values())
