"""How soon a decision that failed is tried again: at once a few times, then ever later."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

AT_ONCE = 3
"""Failures that cost no wait: most are a store that was busy, and over by the next second."""
LONGEST_SECONDS = 60.0


@dataclass
class Patience:
    """Remembers what failed, of one process; a start tries everything anew.

    Without it one event that breaks a stage is tried, and its fault logged, every second.
    """

    read: Callable[[], float] = time.monotonic
    _failed: dict[str, tuple[int, float]] = field(default_factory=dict)

    def is_due(self, decision_id: str) -> bool:
        """Tell whether it may be tried now."""
        _times, again = self._failed.get(decision_id, (0, 0.0))
        return again <= self.read()

    def note(self, decision_id: str) -> int:
        """Remember that a try failed; tell how many have."""
        times = self._failed.get(decision_id, (0, 0.0))[0] + 1
        wait = 0.0 if times < AT_ONCE else min(LONGEST_SECONDS, 2.0 ** min(times, 20))
        self._failed[decision_id] = (times, self.read() + wait)
        return times

    def forget(self, decision_id: str) -> None:
        """Let it be tried at once the next time: it went well, or it is over."""
        self._failed.pop(decision_id, None)
