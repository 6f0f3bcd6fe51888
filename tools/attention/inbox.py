"""The priority queue of a session's undecided events: the gravest first, identical ones folded.

Source: Executive decision loop §13.1; executive.md §2 (the order of arrival within one tick
changes nothing: sorted by threat, strength and id).
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from state.event import Event
from state.salience import SalienceVector
from state.tuning import RelevanceTuning, SalienceTuning, Tuning
from tools.attention.lexicon import GENERAL, SalienceLexicon, salience_from_words
from tools.attention.relevance import strength
from tools.catalog import Catalogue

FOLDED_AT_MOST = 200
"""Identical events that are recorded with one: the length of one transaction."""

_Rank = tuple[bool, int, float, float, float, str]
_Line = tuple[str, str]
"""Tenant and session."""


@dataclass(eq=False)
class InboxPlace:
    """An event's place in the line of its session."""

    event: Event
    number: int
    rank: _Rank
    called: asyncio.Future[bool]
    """True: it is its turn; False: it was recorded with an identical one."""
    twins: tuple["InboxPlace", ...] = ()
    is_settled: bool = False

    @property
    def is_barrier(self) -> bool:
        """Tell whether nothing may pass it: what people say and signal has an order."""
        return self.event.kind != "ambient"

    @cached_property
    def fingerprint(self) -> Mapping[str, Any]:  # the event's fields
        """Dump what makes it the same as another one: all but its name and its time."""
        return self.event.model_dump(exclude={"event_id", "occurred_at"})

    def call(self, *, has_turn: bool) -> None:
        """Wake whoever waits at this place, unless they went away."""
        if not self.called.done():
            self.called.set_result(has_turn)


@dataclass
class Inbox:
    """Lets the events of a session be decided one at a time; of one process and event loop."""

    salience: SalienceTuning
    relevance: RelevanceTuning
    lexicon: SalienceLexicon = GENERAL
    _lines: dict[_Line, list[InboxPlace]] = field(default_factory=dict)
    _busy: set[_Line] = field(default_factory=set)
    _under_way: dict[str, InboxPlace] = field(default_factory=dict)
    _number: int = 0

    @classmethod
    def of(cls, catalogue: Catalogue, tuning: Tuning) -> Self:
        """Build it; the words of the packs say what goes first."""
        lexicon = SalienceLexicon.of_packs([pack.attention for pack in catalogue.packs])
        return cls(tuning.salience, tuning.relevance, lexicon)

    def enter(self, event: Event) -> InboxPlace:
        """Give an event its place; whoever enters before the next turn may still go first."""
        self._number += 1
        called = asyncio.get_running_loop().create_future()
        place = InboxPlace(event, self._number, self._rank(event), called)
        self._lines.setdefault(_line_of(event), []).append(place)
        return place

    @asynccontextmanager
    async def turn(self, place: InboxPlace) -> AsyncIterator[bool]:
        """Wait for a place's turn, and keep it for the block; False: it was recorded meanwhile."""
        line = _line_of(place.event)
        if line not in self._busy:
            self._call_next(line)
        try:
            yield await place.called
        finally:
            # Whoever goes away between the call and their waking had the turn all the same.
            if self._under_way.get(place.event.decision_id) is place:
                self._end(place, line)

    def twins_of(self, decision_id: str) -> tuple[str, ...]:
        """Name the decisions of the identical events that are decided with this one."""
        place = self._under_way.get(decision_id)
        return tuple(one.event.decision_id for one in place.twins) if place else ()

    def settle(self, decision_id: str) -> None:
        """Note that a decision is recorded, and its twins with it."""
        if decision_id in self._under_way:
            self._under_way[decision_id].is_settled = True

    def _call_next(self, line: _Line) -> None:
        waiting = [place for place in self._lines.pop(line, ()) if not place.called.cancelled()]
        self._busy.discard(line)
        if not waiting:
            return
        first = min(_until_a_barrier(waiting), key=lambda place: place.rank, default=None)
        chosen = waiting[0] if first is None else _folded(first, waiting)
        waiting.remove(chosen)
        self._lines[line] = waiting
        self._busy.add(line)
        self._under_way[chosen.event.decision_id] = chosen
        chosen.call(has_turn=True)

    def _end(self, place: InboxPlace, line: _Line) -> None:
        del self._under_way[place.event.decision_id]
        if place.is_settled:
            for twin in place.twins:
                twin.call(has_turn=False)
        else:  # it came to no record: each of them is decided by itself
            back = [*place.twins, *self._lines.get(line, ())]
            self._lines[line] = sorted(back, key=lambda one: one.number)
        self._call_next(line)

    def _rank(self, event: Event) -> _Rank:
        """Rank an event: a told threat first, then tick by tick by threat, strength, time, id."""
        vector = event.salience or self._by_words(event)
        at = event.occurred_at.timestamp() if event.occurred_at else 0.0
        told = vector.threat >= self.relevance.threat
        strong = strength(vector, self.salience.weights)
        return (not told, int(at), -vector.threat, -strong, at, event.event_id)

    def _by_words(self, event: Event) -> SalienceVector:
        if event.kind != "ambient":
            return SalienceVector()
        general = salience_from_words(event.text).vector
        own = salience_from_words(event.text, self.lexicon).vector
        return max(general, own, key=lambda vector: vector.threat)


def _line_of(event: Event) -> _Line:
    return event.tenant_id, event.session_id


def _folded(first: InboxPlace, waiting: list[InboxPlace]) -> InboxPlace:
    """Take what is identical out of the line; the newest is judged, so that none is too old."""
    alike = [
        place
        for place in _until_a_barrier(waiting)
        if place is first or place.fingerprint == first.fingerprint
    ][: FOLDED_AT_MOST + 1]
    newest = max(alike, key=lambda place: place.rank[4:])
    newest.twins = tuple(place for place in alike if place is not newest)
    for twin in newest.twins:
        waiting.remove(twin)
    return newest


def _until_a_barrier(waiting: list[InboxPlace]) -> list[InboxPlace]:
    free: list[InboxPlace] = []
    for place in waiting:
        if place.is_barrier:
            break
        free.append(place)
    return free
