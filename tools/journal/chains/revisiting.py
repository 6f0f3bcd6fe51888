"""Which earlier decisions do new ones come back to? The nearest ones, judged by their words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from state.journal import Decision, DecisionStatus
from state.reader import whole
from tools.callers.readers import Readers
from tools.journal.chains.replacing import replaces
from tools.journal.chains.succession import Found
from tools.journal.records.references import number_of
from tools.journal.searching.search import JournalSearch

NEAREST = 5
"""How many earlier decisions a new one is held against."""
_OVER = (DecisionStatus.SUPERSEDED, DecisionStatus.REJECTED)


@dataclass(frozen=True)
class Revisiting:
    """Finds what new decisions replace or revise."""

    search: JournalSearch
    readers: Readers = field(default_factory=Readers)

    async def found(self, fresh: Sequence[Decision], tenant_id: str) -> list[Found]:
        """Judge each new decision against the nearest ones that were there before it."""
        order = {one.id: place for place, one in enumerate(fresh)}
        found = []
        for newer in fresh:
            if newer.origin == "action" or newer.status in _OVER:
                continue
            near = await self.search.near(newer, whole(tenant_id), limit=NEAREST)
            for hit in near:
                if not _may_follow(newer, hit.decision, order):
                    continue
                # A link shows in how both stand: nobody may learn by it of what is closed to them.
                ends = newer.session_id, hit.decision.session_id
                if not self.readers.are_alike(tenant_id, *ends):
                    continue
                how = replaces(newer, hit.decision, hit.similarity or None)
                if how is not None:
                    found.append(Found(newer, hit.decision, how))
        return found


def _may_follow(newer: Decision, older: Decision, order: Mapping[str, int]) -> bool:
    """Tell whether one can have come after the other and be about the same things."""
    if older.origin == "action" or older.superseded_by or older.status in _OVER:
        return False
    if older.id in (newer.supersedes, newer.superseded_by) or older.supersedes == newer.id:
        return False
    if "record" in (newer.origin, older.origin) and not _are_beside(newer, older):
        return False
    return _is_before(older, newer, order)


def _are_beside(one: Decision, other: Decision) -> bool:
    """Tell whether two are records of one folder: each team has its own "use Postgres"."""
    if one.origin != other.origin:
        return False
    return PurePosixPath(one.source or "").parent == PurePosixPath(other.source or "").parent


def _is_before(older: Decision, newer: Decision, order: Mapping[str, int]) -> bool:
    numbers = number_of(older), number_of(newer)
    if numbers[0] is not None and numbers[1] is not None and numbers[0] != numbers[1]:
        return numbers[0] < numbers[1]
    if older.timestamp and newer.timestamp and older.timestamp != newer.timestamp:
        return older.timestamp < newer.timestamp
    return order.get(older.id, -1) < order[newer.id]
