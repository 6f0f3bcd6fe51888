"""What policy asks of all heuristics, shipped and learned; see repertoire.py."""

from typing import Protocol

from state.event import Event
from state.policy import Suggestion


class Fitting(Protocol):
    """Finds what fits an event."""

    def fitting(self, event: Event) -> tuple[Suggestion, ...]:
        """List what fits, best first."""
        ...

    def is_blocking(self, event: Event) -> bool:
        """Tell whether `fitting` has to be called from a thread."""
        ...
