"""Match an event against all heuristics: those of packs, as changed, and the learned ones."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Self

from state.event import Event
from state.heuristic import KnownHeuristic
from state.policy import Suggestion
from tools.access import SessionReaders
from tools.attention.alarms import denies
from tools.catalog import Pack
from tools.memory.heuristics.similarity import TextMatrix, TextSimilarity, state_different_facts
from tools.platform.text_comparison import keywords_of, meets_condition
from tools.ports import Catalogue

_PLACE = re.compile(r"\{(?:text|source)\}")


@dataclass(frozen=True)
class PackHeuristics:
    """A condition is met when all its words stand in the event, and the source fits if named.

    What the event denies, ends or practises is not met.
    """

    packs: Sequence[Pack]

    def match(self, event: Event) -> Suggestion | None:
        """Find the most confident condition an event meets; the longer one on a tie."""
        return next(iter(self.fitting(event)), None)

    def fitting(self, event: Event) -> tuple[Suggestion, ...]:
        """List the conditions an event meets, the most confident first, the longer one on a tie."""
        said = keywords_of(f"{event.text} {' '.join(entity.value for entity in event.entities)}")
        met = [
            heuristic
            for pack in self.packs
            for heuristic in pack.heuristics
            if heuristic.source in (None, event.source)
            and meets_condition(heuristic.condition, said)
        ]
        met = [one for one in met if not denies(event, one.condition)]
        met.sort(key=lambda one: (one.confidence, len(one.condition)), reverse=True)
        return tuple(
            Suggestion(
                heuristic_id=one.id,
                confidence=one.confidence,
                condition_text=one.condition,
                suggested_action=fill_template(one.say, event),
                locked=one.locked,
            )
            for one in met
        )

    def is_blocking(self, event: Event) -> bool:
        """Tell whether `fitting` may ask an encoder: it never does."""
        return False


def fill_template(template: str, event: Event) -> str:
    """Put the event's words and source where a heuristic's words name them."""
    # In one go: what an event says must not be read as a template again.
    named = {"{text}": event.text, "{source}": event.source}
    return _PLACE.sub(lambda place: named[place.group()], template)


@dataclass(frozen=True)
class _Shelf:
    """The learned heuristics of one kind of event and one source, with their conditions."""

    known: tuple[KnownHeuristic, ...]
    conditions: TextMatrix


_Shelves = dict[tuple[str, str | None], _Shelf]


@dataclass
class LearnedHeuristics:
    """What the store holds; whoever writes there puts it here once it is kept."""

    likeness: TextSimilarity
    catalogue: Catalogue
    readers: SessionReaders = field(default_factory=SessionReaders)
    _known: dict[str, dict[str, KnownHeuristic]] = field(default_factory=dict)
    _moved: dict[str, dict[str, KnownHeuristic]] = field(default_factory=dict)
    _shelves: dict[str, _Shelves] = field(default_factory=dict)
    _heard: dict[str, frozenset[str]] = field(default_factory=dict)

    def heard(self, tenant_id: str, people: Iterable[str]) -> None:
        """Record a speaker of a tenant, to know whether anybody but the teacher speaks there.

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
        """Embed some of the conditions that have no vector yet; return how many."""
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
        conditions = there.conditions if there and is_as_before else TextMatrix(texts)
        shelves[place] = _Shelf(ones, conditions)
    return shelves


def _place(known: KnownHeuristic) -> tuple[str, bool, str]:
    one = known.heuristic
    return (one.kind, one.source is None, one.source or "")


def _same_facts(known: KnownHeuristic, event: Event) -> bool:
    named = tuple(entity.value for entity in event.entities)
    return not state_different_facts(known.heuristic.condition, event.text, named)


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


@dataclass(frozen=True)
class HeuristicRepertoire:
    """Finds what fits an event; whatever is locked goes first, then what may be relied on most."""

    shipped: PackHeuristics
    learned: LearnedHeuristics

    @classmethod
    def of(cls, learned: LearnedHeuristics) -> Self:
        """Join the heuristics of the packs with the learned ones."""
        return cls(PackHeuristics(learned.catalogue.packs), learned)

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
                    update["suggested_action"] = fill_template(told.says, event)
                    update["reworded"] = True
                found.append(one.model_copy(update=update))
        return tuple(sorted(found, key=_rank))


def _rank(one: Suggestion) -> tuple[bool, bool, float]:
    is_open = one.blocked or one.doubted or one.unshared
    return (not one.locked, is_open, -one.confidence * one.similarity)
