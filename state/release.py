"""Release reasons of held events, and their urgency, lifetime, remaining value and order.

Source: executive.md §1.4.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from state.event import Event
from state.salience import SalienceVector

BREAKS = ("typing_pause", "menu_closed", "combat_ended", "speech_ended", "call_ended", "prompt")
"""Signals that end a hold. Source: Executive decision loop §5.2.2."""
PROMPT, SPOKE_FIRST, QUIET_ENDED = "prompt", "spoke_first", "quiet_ended"
EXPIRY, FLUSH = "expiry", "flush"
ASKED = "asked"
"""A person asked what there is: no signal, and no quiet keeps it from them."""
BREATH = "breath"
"""The group of what happens within one breath, whatever it is about."""
DIGEST_LINES = 12
"""Lines for somebody who asks what they missed; the rest is told when they ask again."""
DIGEST = "digest"
"""The group of everything that was kept while it was quiet."""


@dataclass(frozen=True)
class ReleaseCandidate:
    """What the order of release is made of; times in seconds since 1970."""

    decision_id: str
    relevance: float
    urgency: float
    held_at: float
    life_seconds: float

    def worth(self, now: float) -> float:
        """Compute R (1+u) 2^(-age/half), half = life/2."""
        return decayed_relevance(self.relevance, now - self.held_at, self.life_seconds) * (
            1 + self.urgency
        )


def next_to_release(
    waiting: Iterable[ReleaseCandidate], now: float, *, at_the_end: bool = False
) -> ReleaseCandidate:
    """Choose what is told first; at the end of their lives what is urgent goes before."""
    return max(
        waiting,
        key=lambda one: (one.urgency if at_the_end else 0.0, one.worth(now), one.decision_id),
    )


def decayed_relevance(relevance: float, age_seconds: float, life_seconds: float) -> float:
    """Compute v = R 2^(-age/half): what is left of the relevance of what waited."""
    if life_seconds <= 0:
        return relevance
    return float(relevance * 2.0 ** (-max(0.0, age_seconds) / (life_seconds / 2)))


def urgency_of(vector: SalienceVector, deadline_seconds: float | None) -> float:
    """Compute u, 0 to 1: threat, or a goal whose deadline comes near."""
    if deadline_seconds is None:
        near = 0.0
    elif deadline_seconds <= 60:
        near = 1.0
    else:
        near = 2.0 ** (-(deadline_seconds - 60) / 300)
    return float(round(max(vector.threat, 0.8 * vector.goal_relevance * near), 6))


def deadline_of(event: Event) -> float | None:
    """Read the seconds an event leaves until its deadline; what is no number is none."""
    seconds = event.payload.get("deadline_seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    return float(seconds)


def group_of(event: Event) -> str:
    """Name what an event is told together with: its entity, else its source and kind."""
    if event.entities:
        return f"entity|{event.entities[0].value.casefold()}"
    return f"{event.source}|{event.kind}"
