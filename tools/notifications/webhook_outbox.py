"""Transactional outbox of webhook events: stored with what they tell of, listed, revived."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from state.errors import NotFound
from state.noun import Noun
from state.webhook import Delivery, DeliveryStanding, Endpoint
from tools.access import SessionReaders
from tools.storage import Database
from tools.storage.tables.outboxes import webhook_delivery as table

MOST_LISTED = 200


class Backlog(Noun):
    """How many events are where, of one endpoint."""

    endpoint: str
    standing: DeliveryStanding
    count: int


@dataclass(frozen=True)
class Outbox:
    """Keeps events for the endpoints that want them; without endpoints it keeps nothing."""

    database: Database
    endpoints: tuple[Endpoint, ...] = ()
    readers: SessionReaders = field(default_factory=SessionReaders)

    def wants(self, kind: str, tenant_id: str) -> bool:
        """Tell whether anybody is told of such an event."""
        return any(one.wants(kind, tenant_id) for one in self.endpoints)

    def note(
        self,
        connection: Connection,
        kind: str,
        tenant_id: str,
        data: Mapping[str, Any],
        sessions: Collection[str],
    ) -> None:
        """Keep an event inside the transaction of what it tells of.

        Args:
            sessions: whose words it tells; an endpoint that may not read all hears nothing of it.
        """
        wanting = [
            one.name
            for one in self.endpoints
            if one.wants(kind, tenant_id) and self._may_hear(one, sessions)
        ]
        if not wanting:
            return
        now = self.database.now()
        at = connection.scalar(select(now))
        told = {
            "type": kind,
            "timestamp": datetime.fromtimestamp(at or 0.0, UTC).isoformat(),
            "tenant_id": tenant_id,
            "data": dict(data),
        }
        row = {
            "event_id": f"evt_{uuid4().hex}",
            "tenant_id": tenant_id,
            "kind": kind,
            "body": json.dumps(told, ensure_ascii=False, separators=(",", ":")),
            "made_at": at,
            "standing": "pending",
            "attempts": 0,
            "next_at": at,
        }
        connection.execute(insert(table), [row | {"endpoint": name} for name in wanting])

    async def keep(
        self, kind: str, tenant_id: str, data: Mapping[str, Any], sessions: Collection[str]
    ) -> None:
        """Keep an event that nothing else is written for."""
        if self.wants(kind, tenant_id):
            await self.database.write(lambda one: self.note(one, kind, tenant_id, data, sessions))

    def _may_hear(self, endpoint: Endpoint, sessions: Collection[str]) -> bool:
        return self.readers.of(endpoint.principal).may_read(*sessions)

    async def backlog(self) -> list[Backlog]:
        """Count events by endpoint and standing."""
        query = (
            select(table.c.endpoint, table.c.standing, func.count().label("count"))
            .group_by(table.c.endpoint, table.c.standing)
            .order_by(table.c.endpoint, table.c.standing)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [Backlog.model_validate(dict(row)) for row in rows]

    async def list(self, standing: DeliveryStanding, *, limit: int = MOST_LISTED) -> list[Delivery]:
        """List events of one standing, the oldest first."""
        query = (
            select(table)
            .where(table.c.standing == standing)
            .order_by(table.c.delivery_id)
            .limit(limit)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [read_delivery(row) for row in rows]

    async def revive(self, ids: Sequence[int] | None = None) -> int:
        """Try dead events again, all or some; tell how many.

        Raises:
            NotFound: one of them is not dead, or was never there; then none is revived.
        """
        is_dead = table.c.standing == "dead"
        if ids is not None:
            is_dead &= table.c.delivery_id.in_(ids)

        def work(connection: Connection) -> int:
            again = update(table).where(is_dead)
            values = {"standing": "pending", "attempts": 0, "next_at": 0.0, "ended_at": None}
            count = connection.execute(again.values(values)).rowcount
            if ids is not None and count < len(set(ids)):
                raise NotFound("dead delivery", ", ".join(map(str, ids)))
            return count

        return await self.database.write(work)


def read_delivery(row: RowMapping) -> Delivery:
    """Turn a row into the noun."""
    fields = dict(row)
    for name in ("made_at", "next_at", "ended_at"):
        if fields[name] is not None:
            fields[name] = datetime.fromtimestamp(fields[name], UTC)
    return Delivery.model_validate(fields)
