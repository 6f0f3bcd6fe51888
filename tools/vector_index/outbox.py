"""What the index has not been told yet: rows whose vectors changed, each once, in any order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, func, select

from tools.storage.tables.vectors import vector_outbox
from tools.vector_index.vector_table import Owner

AT_ONCE = 100
"""Rows the index is told of in one go; a search waits for them, some 50 ms."""
_OF = (
    vector_outbox.c.kind,
    vector_outbox.c.tenant_id,
    vector_outbox.c.encoder,
    vector_outbox.c.item,
)


@dataclass(frozen=True)
class Change:
    """A row, and up to which note of it."""

    kind: str
    owner: Owner
    item: int
    until: int
    """Number of its newest note: what is noted after that is told after it."""


def count_behind(connection: Connection) -> int:
    """Count the rows whose changes the index has not been told."""
    return connection.scalar(select(func.count()).select_from(_noted().subquery())) or 0


def is_behind(connection: Connection) -> bool:
    """Tell whether it has not been told something."""
    return connection.scalar(select(vector_outbox.c.seq).limit(1)) is not None


def _noted() -> Select[Any]:  # of _OF, and the newest number
    return select(*_OF, func.max(vector_outbox.c.seq).label("until")).group_by(*_OF)


def waiting(connection: Connection) -> list[Change]:
    """List some of what it has not been told, those of an owner beside each other."""
    rows = connection.execute(_noted().order_by(*_OF).limit(AT_ONCE))  # as its index has them
    return [
        Change(row.kind, Owner(row.tenant_id, row.encoder), row.item, row.until) for row in rows
    ]


def telling(told: Sequence[Change]) -> Callable[[Connection], None]:
    """Strike out what it was told; what was noted of these rows since then stays."""
    of = vector_outbox.c
    done = delete(vector_outbox).where(
        of.kind == bindparam("of_kind"),
        of.tenant_id == bindparam("of_tenant"),
        of.encoder == bindparam("of_encoder"),
        of.item == bindparam("of_item"),
        of.seq <= bindparam("until"),
    )
    rows = [
        {
            "of_kind": one.kind,
            "of_tenant": one.owner.tenant_id,
            "of_encoder": one.owner.encoder,
            "of_item": one.item,
            "until": one.until,
        }
        for one in told
    ]

    def work(connection: Connection) -> None:
        connection.execute(done, rows)

    return work
