"""The heuristics of each tenant, in memory as the store has them: which of them fit an event?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from state.event import Event
from state.heuristic import KnownHeuristic
from state.policy import Suggestion
from tools.heuristics.likeness import Likeness, differ
from tools.ports import Catalogue


@dataclass
class Learned:
    """What the store holds; whoever writes there puts it here once it is kept."""

    likeness: Likeness
    catalogue: Catalogue
    _known: dict[str, tuple[KnownHeuristic, ...]] = field(default_factory=dict)

    def put(self, tenant_id: str, known: Sequence[KnownHeuristic]) -> None:
        """Take over what a tenant has."""
        self._known[tenant_id] = tuple(known)

    def has(self, tenant_id: str) -> bool:
        """Tell whether a tenant has learned anything; without, nothing has to be compared."""
        return any(one.heuristic.origin == "learned" for one in self._known.get(tenant_id, ()))

    def moved(self, tenant_id: str) -> Mapping[str, KnownHeuristic]:
        """List the shipped heuristics that people have moved, by their id."""
        known = self._known.get(tenant_id, ())
        return {one.heuristic.heuristic_id: one for one in known if one.heuristic.origin == "pack"}

    def fitting(self, event: Event) -> tuple[Suggestion, ...]:
        """List the learned heuristics that fit an event, best first; it may block.

        Source and kind have to agree, then the words have to be alike, then the facts in them have
        to agree: in this order, for reading facts takes longest.
        """
        near = [one for one in self._known.get(event.tenant_id, ()) if self._may_fit(one, event)]
        likes = self.likeness.of(event.text, [one.heuristic.condition for one in near])
        found = [
            (like * like * math.sqrt(one.confidence.mean), one, like)
            for one, like in zip(near, likes, strict=True)
            if like >= self.likeness.tuning.alike and _same_facts(one, event)
        ]
        found.sort(key=lambda each: (-each[0], each[1].heuristic.heuristic_id))
        return tuple(_suggestion(one, like) for _rank, one, like in found)

    def _may_fit(self, known: KnownHeuristic, event: Event) -> bool:
        one = known.heuristic
        if one.origin != "learned" or one.disabled or one.kind != event.kind:
            return False
        if one.source not in (None, event.source):
            return False
        return one.action is None or one.action in self.catalogue.actions


def _same_facts(known: KnownHeuristic, event: Event) -> bool:
    named = tuple(entity.value for entity in event.entities)
    return not differ(known.heuristic.condition, event.text, named)


def _suggestion(known: KnownHeuristic, like: float) -> Suggestion:
    one = known.heuristic
    return Suggestion(
        heuristic_id=one.heuristic_id,
        confidence=known.confidence.usable,
        condition_text=one.condition,
        suggested_action=one.says,
        action=one.action,
        learned=True,
        blocked=known.confidence.blocked,
        similarity=round(min(1.0, like), 4),
    )
