"""The packs' own heuristics: which of their conditions does an event meet?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from state.event import Event
from state.policy import Suggestion
from tools.catalogue.pack import Pack

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class PackHeuristics:
    """A condition is met when all its words stand in the event, and the source fits if named."""

    packs: Sequence[Pack]

    def match(self, event: Event) -> Suggestion | None:
        """Find the most confident condition an event meets; the longer one on a tie."""
        said = _words(f"{event.text} {' '.join(entity.value for entity in event.entities)}")
        met = [
            heuristic
            for pack in self.packs
            for heuristic in pack.heuristics
            if heuristic.source in (None, event.source) and _words(heuristic.condition) <= said
        ]
        if not met:
            return None
        best = max(met, key=lambda heuristic: (heuristic.confidence, len(heuristic.condition)))
        return Suggestion(
            heuristic_id=best.id,
            confidence=best.confidence,
            condition_text=best.condition,
            suggested_action=best.say.replace("{text}", event.text),
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.lower()))
