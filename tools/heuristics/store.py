"""The heuristics of a tenant for people: list, look at, change, put out of use."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from state.errors import BadInput, NeedsApproval, NotFound
from state.heuristic import Heuristic, KnownHeuristic, Signal
from state.noun import Noun
from state.reader import Reader, reader_of
from state.strategy import ReasoningTrace
from tools.heuristics.learned import Learned
from tools.heuristics.learning import Learning
from tools.heuristics.rows import (
    people_heard,
    put_heuristic,
    read_heuristic,
    read_heuristics,
    read_trace,
    signs_of,
    tenants_with_heuristics,
)
from tools.storage.database import Database
from tools.visible import without_controls


class Traced(Noun):
    """How a response came about, and what was said of it."""

    trace: ReasoningTrace
    explicit: Signal | None = None
    implicit: Signal | None = None


@dataclass(frozen=True)
class SqlHeuristics:
    """Heuristics in our tables; what is changed counts for the next event."""

    database: Database
    learning: Learning
    learned: Learned

    async def load(self) -> None:
        """Read what every tenant has, before the first event is decided."""
        tuning = self.learning.likeness.tuning
        found, heard = await self.database.read(
            lambda connection: (
                {
                    tenant: read_heuristics(connection, tenant, tuning)
                    for tenant in tenants_with_heuristics(connection)
                },
                people_heard(connection),
            )
        )
        for tenant_id, known in found.items():
            self.learned.put(tenant_id, known)
        for tenant_id, people in heard:
            self.learned.heard(tenant_id, people)

    def embed(self) -> bool:
        """Embed some conditions that have no vector yet; False: there are no more. It blocks."""
        return self.learned.embed() > 0

    async def list(self, whose: Reader | str) -> tuple[KnownHeuristic, ...]:
        """List those one may see, oldest first, and the shipped ones that nothing has moved."""
        reader = reader_of(whose)
        tenant_id = reader.tenant_id
        known = await self.database.read(
            lambda connection: read_heuristics(connection, tenant_id, self.learning.likeness.tuning)
        )
        moved = {one.heuristic.heuristic_id for one in known}
        shipped = (
            self.learning.known_shipped(tenant_id, name)
            for name in self.learning.shipped
            if name not in moved
        )
        seen = (one for one in known if _is_seen(one, reader))
        return (*seen, *(one for one in shipped if one is not None))

    async def get(self, heuristic_id: str, whose: Reader | str) -> KnownHeuristic:
        """Read one.

        Raises:
            NotFound: none in this tenant.
        """
        return await self.database.read(
            lambda connection: self._read(connection, heuristic_id, reader_of(whose))
        )

    async def change(
        self, heuristic_id: str, whose: Reader | str, **fields: object
    ) -> KnownHeuristic:
        """Change fields of a learned one: says, locked, floor, ceiling, weight or disabled.

        Raises:
            NotFound: none in this tenant.
            NeedsApproval: a pack ships it, or it is locked; nothing was changed.
            BadInput: its floor would be above its ceiling.
            ValidationError: a value does not fit.
        """
        reader = reader_of(whose)

        def work(connection: Connection) -> KnownHeuristic:
            known = self._read(connection, heuristic_id, reader).heuristic
            changed = changed_as(known, fields)
            if known.origin == "pack" or known.locked:
                raise NeedsApproval(f"the heuristic {heuristic_id}")
            put_heuristic(connection, changed)
            return self._read(connection, heuristic_id, reader)

        changed = await self.database.write(work)
        self.learned.put(reader.tenant_id, [changed])
        return changed

    def put_changed(
        self,
        connection: Connection,
        heuristic_id: str,
        tenant_id: str,
        fields: Mapping[str, object],
    ) -> tuple[Heuristic, Heuristic]:
        """Change any one inside the transaction of an approved action; tell before and after.

        Once that is committed, `reload` lets it count.

        Raises:
            NotFound, BadInput: see change.
        """
        known = self._read(connection, heuristic_id, reader_of(tenant_id)).heuristic
        changed = changed_as(known, fields)
        put_heuristic(connection, changed)
        return known, changed

    async def reload(self, heuristic_id: str, tenant_id: str) -> None:
        """Go by what is stored of one from the next event on."""
        self.learned.put(tenant_id, [await self.get(heuristic_id, tenant_id)])

    async def response(self, response_id: str, whose: Reader | str) -> Traced:
        """Read how a response came about, and what was said of it.

        Raises:
            NotFound: none in this tenant, or it is closed to the reader.
        """
        reader = reader_of(whose)
        tenant_id = reader.tenant_id

        def work(connection: Connection) -> Traced:
            trace = read_trace(connection, tenant_id, response_id)
            if trace is None or not reader.may_read(trace.session_id):
                raise NotFound("response", response_id)
            signs = signs_of(connection, tenant_id, response_id)
            return Traced(
                trace=trace, explicit=signs.get("explicit"), implicit=signs.get("implicit")
            )

        return await self.database.read(work)

    def _read(self, connection: Connection, heuristic_id: str, reader: Reader) -> KnownHeuristic:
        tuning, tenant_id = self.learning.likeness.tuning, reader.tenant_id
        known = read_heuristic(connection, tenant_id, heuristic_id, tuning)
        known = known or self.learning.known_shipped(tenant_id, heuristic_id)
        if known is None or not _is_seen(known, reader):
            raise NotFound("heuristic", heuristic_id)
        return known


def recorded_trace(database: Database, response_id: str) -> ReasoningTrace | None:
    """Read how a response came about, on the calling thread; None: none, or it is forgotten."""
    return database.read_here(lambda connection: read_trace(connection, None, response_id))


def _is_seen(known: KnownHeuristic, reader: Reader) -> bool:
    """Tell whether one's words are a reader's to see: a pack's are everybody's."""
    is_shipped = known.heuristic.origin == "pack"
    return is_shipped or reader.may_read(*known.confidence.taught_in)


def changed_as(known: Heuristic, fields: Mapping[str, object]) -> Heuristic:
    """Say what a heuristic would be with other fields.

    Raises:
        BadInput: its floor would be above its ceiling.
        ValidationError: a value does not fit.
    """
    if "says" in fields:
        fields = {**fields, "says": without_controls(str(fields["says"])), "reworded": True}
    changed = Heuristic.model_validate({**known.model_dump(), **fields})
    if changed.floor > changed.ceiling:
        told = f"floor {changed.floor:g} is above ceiling {changed.ceiling:g}"
        raise BadInput(f"{known.heuristic_id}: {told}; change both")
    return changed
