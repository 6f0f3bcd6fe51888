"""What a text comes to, and what changes that: the chance that something is wanted."""

from typing import NamedTuple

from tools.routing.ranking import Ranked
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled
from tools.routing.wishes.deciding import Follows
from tools.routing.worth import DECLINED, OFFERED

ASKS_ABOUT = "asks_about:"
"""Begins the reason that names the change in whose words somebody asks how things are."""
NONE_BELOW = 0.2
"""Below this confidence no action is named; the candidates are listed all the same."""
SURE = 0.7
"""A statement names a change only if it would have been as sure as this; and from here all that is
said outdoes the part that asks."""


class Settled(NamedTuple):
    """The ranking that counts, and what is made of its best action."""

    ranked: Ranked
    cap: float
    is_barred: bool = False
    follows: bool = False
    """Nobody asks for it, and it is offered all the same."""
    wish: float | None = None
    """The chance that something is wanted, where that decided."""
    asks_about: str | None = None
    """The change whose words ask how things are, which the best action shows."""
    filled: Filled | None = None
    """The slots of the best action by what counts of the text, where they were filled already."""

    @property
    def is_named(self) -> bool:
        """Tell whether the best action is named at all."""
        return min(self.ranked.confidence, self.cap) >= NONE_BELOW and not self.is_barred


def followed(settled: Settled, freely: Ranked, follows: Follows, chance: float) -> Settled:
    """Let what follows from the chance that something is wanted have its way."""
    if follows == "offer":
        return Settled(freely, OFFERED, follows=True, wish=chance)
    if follows == "nothing":
        return settled._replace(cap=min(settled.cap, DECLINED), wish=chance)
    return settled


def as_likely_as(settled: Settled, chance: float) -> Settled:
    """Let a read that is offered though nobody ordered it be as sure as it is likely.

    Args:
        chance: that the text wants anything, as far as it follows from all that is seen. Times how
            sure the ranking is, it is the chance that this is wanted.
    """
    if not settled.follows or settled.cap < OFFERED:
        return settled
    return settled._replace(cap=max(settled.cap, chance * settled.ranked.confidence))


def outdoes(freely: Ranked, as_said: Settled) -> bool:
    """Tell whether all that is said fits another action better than the part that asks."""
    said = as_said.ranked
    return freely.order[0] != said.order[0] and freely.confidence > max(SURE, said.confidence)


def is_unheard(reading: Reading, settled: Settled) -> bool:
    """Tell what policy makes nothing of though it is named: it is told, or beside a denial."""
    if settled.follows:
        return False
    is_beside = bool(reading.act.denied) and settled.cap <= OFFERED
    return reading.act.mood in ("reported", "negated") or is_beside
