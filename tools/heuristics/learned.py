"""The heuristics of each tenant, in memory as the store has them: which of them fit an event?"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from state.event import Event
from state.heuristic import KnownHeuristic
from state.policy import Suggestion
from tools.callers.readers import Readers
from tools.heuristics.likeness import Likeness, Texts, differ
from tools.ports import Catalogue


@dataclass(frozen=True)
class _Shelf:
    """The learned heuristics of one kind of event and one source, with their conditions."""

    known: tuple[KnownHeuristic, ...]
    conditions: Texts


_Shelves = dict[tuple[str, str | None], _Shelf]


@dataclass
class Learned:
    """What the store holds; whoever writes there puts it here once it is kept."""

    likeness: Likeness
    catalogue: Catalogue
    readers: Readers = field(default_factory=Readers)
    _known: dict[str, dict[str, KnownHeuristic]] = field(default_factory=dict)
    _moved: dict[str, dict[str, KnownHeuristic]] = field(default_factory=dict)
    _shelves: dict[str, _Shelves] = field(default_factory=dict)
    _heard: dict[str, frozenset[str]] = field(default_factory=dict)

    def heard(self, tenant_id: str, people: Iterable[str]) -> None:
        """Take note of whoever speaks in a tenant: is there anybody but who taught something?

        Two of them say of anybody that there is somebody else, so that no more are kept.
        """
        known = self._heard.get(tenant_id, frozenset())
        if len(known) < 2:
            self._heard[tenant_id] = frozenset(sorted(known.union(people))[:2])

    def put(self, tenant_id: str, known: Iterable[KnownHeuristic]) -> None:
        """Take over what a tenant has: all of it, or what is new or changed."""
        every = self._known.setdefault(tenant_id, {})
        every |= {one.heuristic.heuristic_id: one for one in known}
        self._moved[tenant_id] = {
            name: one for name, one in every.items() if one.heuristic.origin == "pack"
        }
        self._shelves[tenant_id] = _shelved(every.values(), self._shelves.get(tenant_id, {}))

    def has(self, tenant_id: str) -> bool:
        """Tell whether a tenant has learned anything; without, nothing has to be compared."""
        return bool(self._shelves.get(tenant_id))

    def moved(self, tenant_id: str) -> Mapping[str, KnownHeuristic]:
        """List the shipped heuristics that people have moved, by their id."""
        return self._moved.get(tenant_id, {})

    def embed(self) -> int:
        """Embed some of the conditions that have no vector yet. See Likeness.learn."""
        shelves = [shelf for each in list(self._shelves.values()) for shelf in each.values()]
        return self.likeness.learn(text for one in shelves for text in one.conditions.texts)

    def fitting(self, event: Event) -> tuple[Suggestion, ...]:
        """List the learned heuristics that fit an event, best first; it may block.

        Source and kind have to agree, then the words have to be alike, then the facts in them have
        to agree: in this order, for reading facts takes longest.
        """
        found = [
            (like * like * math.sqrt(one.confidence.mean), one, like)
            for one, like in self._near(event)
            if self._may_do(one) and self._may_tell(one, event) and _same_facts(one, event)
        ]
        found.sort(key=lambda each: (-each[0], each[1].heuristic.heuristic_id))
        return tuple(
            _suggestion(one, like, reaches=self._reaches(one, event)) for _rank, one, like in found
        )

    def _near(self, event: Event) -> Iterator[tuple[KnownHeuristic, float]]:
        shelves = self._shelves.get(event.tenant_id, {})
        for source in dict.fromkeys((event.source, None)):
            shelf = shelves.get((event.kind, source))
            if shelf is None:
                continue
            likes = self.likeness.of(event.text, shelf.conditions)
            for one, like in zip(shelf.known, likes, strict=True):
                if like >= self.likeness.tuning.alike:
                    yield one, like

    def _reaches(self, known: KnownHeuristic, event: Event) -> bool:
        """Tell whether enough people taught it for whoever hears this event.

        Until then it is for who taught it: in answer to them, where they said so, and everywhere
        while nobody else was ever heard.
        """
        told = known.confidence
        if told.shared or event.session_id in told.taught_in or event.speaker in told.taught_by:
            return True
        hearing = self._heard.get(event.tenant_id, frozenset()) | {event.speaker or ""}
        return hearing <= {*told.taught_by, ""}

    def _may_tell(self, known: KnownHeuristic, event: Event) -> bool:
        """Tell whether it fits where it is heard: what a closed session taught is its readers'.

        Not even as a candidate: it would stand in the trace, and before a model.
        """
        taught, whose = known.confidence.taught_in, event.tenant_id
        return all(self.readers.may_tell(whose, one, event.session_id) for one in taught)

    def _may_do(self, known: KnownHeuristic) -> bool:
        action = known.heuristic.action
        return action is None or action in self.catalogue.actions


def _shelved(known: Iterable[KnownHeuristic], before: _Shelves) -> _Shelves:
    """Sort by kind and source; where the conditions are those of before, so are their vectors."""
    used = [
        one for one in known if one.heuristic.origin == "learned" and not one.heuristic.disabled
    ]
    used.sort(key=_place)
    shelves: _Shelves = {}
    for _, group in groupby(used, key=_place):
        ones = tuple(group)
        texts = tuple(one.heuristic.condition for one in ones)
        place = (ones[0].heuristic.kind, ones[0].heuristic.source)
        there = before.get(place)
        is_as_before = there is not None and there.conditions.texts == texts
        conditions = there.conditions if there and is_as_before else Texts(texts)
        shelves[place] = _Shelf(ones, conditions)
    return shelves


def _place(known: KnownHeuristic) -> tuple[str, bool, str]:
    one = known.heuristic
    return (one.kind, one.source is None, one.source or "")


def _same_facts(known: KnownHeuristic, event: Event) -> bool:
    named = tuple(entity.value for entity in event.entities)
    return not differ(known.heuristic.condition, event.text, named)


def _suggestion(known: KnownHeuristic, like: float, *, reaches: bool) -> Suggestion:
    one = known.heuristic
    return Suggestion(
        heuristic_id=one.heuristic_id,
        confidence=known.confidence.usable,
        condition_text=one.condition,
        suggested_action=one.says,
        action=one.action,
        learned=True,
        blocked=known.confidence.blocked,
        doubted=known.confidence.doubted,
        unshared=not reaches,
        similarity=round(min(1.0, like), 4),
    )
