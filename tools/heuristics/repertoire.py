"""All heuristics together: those of the packs as people have moved them, and the learned ones."""

from dataclasses import dataclass

from state.event import Event
from state.policy import Suggestion
from tools.heuristics.learned import Learned
from tools.memory.heuristics import PackHeuristics, filled


@dataclass(frozen=True)
class Repertoire:
    """Finds what fits an event; whatever is locked goes first, then what may be relied on most."""

    shipped: PackHeuristics
    learned: Learned

    def match(self, event: Event) -> Suggestion | None:
        """Find the best shipped condition that an event meets, as people have moved it."""
        return next(iter(self._shipped(event)), None)

    def is_blocking(self, event: Event) -> bool:
        """Tell whether `fitting` compares by meaning, which may ask an encoder."""
        return self.learned.has(event.tenant_id)

    def fitting(self, event: Event) -> tuple[Suggestion, ...]:
        """List what fits, best first."""
        both = (*self._shipped(event), *self.learned.fitting(event))
        return tuple(sorted(both, key=_rank))

    def _shipped(self, event: Event) -> tuple[Suggestion, ...]:
        moved = self.learned.moved(event.tenant_id)
        found = []
        for one in self.shipped.fitting(event):
            known = moved.get(one.heuristic_id)
            if known is None:
                found.append(one)
            elif not known.heuristic.disabled:
                told, confidence = known.heuristic, known.confidence
                update: dict[str, object] = {
                    "confidence": confidence.usable,
                    "blocked": confidence.blocked,
                    "doubted": confidence.doubted,
                    "locked": told.locked,
                }
                if told.reworded:
                    update["suggested_action"] = filled(told.says, event)
                    update["reworded"] = True
                found.append(one.model_copy(update=update))
        return tuple(sorted(found, key=_rank))


def _rank(one: Suggestion) -> tuple[bool, bool, float]:
    is_open = one.blocked or one.doubted or one.unshared
    return (not one.locked, is_open, -one.confidence * one.similarity)
