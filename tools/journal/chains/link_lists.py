"""Links between decisions, listed: those of a reader, and for ourselves those of every tenant."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from state.journal import DecisionLink, LinkStanding
from state.reader import Reader
from tools.journal.keeping.link_rows import links_of, read_link
from tools.journal.keeping.seen import is_seen, seen_links
from tools.storage.database import Database
from tools.storage.tables.journal import journal_link as table

MOST_LISTED = 500


@dataclass(frozen=True)
class Links:
    """Reads links; see Succession for what changes them."""

    database: Database

    async def of(self, decision_id: str, reader: Reader) -> list[DecisionLink]:
        """List every link of a decision, oldest first, those that were refused among them."""

        def work(connection: Connection) -> list[DecisionLink]:
            found = links_of(connection, reader.tenant_id, (decision_id,), standing=None)
            return seen_links(connection, found, reader)

        return await self.database.read(work)

    async def holding(
        self, since: datetime, *, after: int = 0, limit: int = MOST_LISTED
    ) -> list[tuple[str, DecisionLink]]:
        """List accepted links of every tenant that were settled since a time, with the tenant.

        Args:
            after: the last link of the page before; links come by their number.
        """
        query = (
            select(table)
            .where(
                table.c.standing == "accepted",
                table.c.settled_at >= since.timestamp(),
                table.c.link_id > after,
            )
            .order_by(table.c.link_id)
            .limit(limit)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [(row["tenant_id"], read_link(row)) for row in rows]

    async def list(
        self,
        reader: Reader,
        *,
        standing: LinkStanding | None = None,
        limit: int = MOST_LISTED,
        before: int | None = None,
    ) -> list[DecisionLink]:
        """List links, newest first; those made before the link of that number."""
        query = select(table).where(is_seen(reader))
        if before is not None:
            query = query.where(table.c.link_id < before)
        if standing is not None:
            query = query.where(table.c.standing == standing)
        query = query.order_by(table.c.link_id.desc()).limit(limit)
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [read_link(row) for row in rows]
