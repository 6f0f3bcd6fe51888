"""The query log, read: pages of it, what was chosen before, what it adds up to."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, and_, case, func, or_, select

from state.cursor import Cursor
from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.principal import Principal
from state.query import (
    AnswerSpan,
    Chosen,
    Example,
    Gaps,
    HardFalsePositive,
    Metrics,
    Observation,
    Query,
)
from state.reader import Reader, reader_of
from tools.catalogue.catalogue import Catalogue
from tools.queries.counting import count_metrics
from tools.queries.gaps import find_gaps
from tools.queries.harm import count_harm, name_harm
from tools.queries.noting import find_query, observe
from tools.queries.over_time import answers_over_time
from tools.queries.row import QueryReading
from tools.queries.shape import to_query
from tools.queries.training import find_examples
from tools.storage.database import Database
from tools.storage.readable import readable_in
from tools.storage.tables.queries import query_log as log

INTEGRATOR = "integrator"
"""The role of a bridge to another program, which sees what people do there."""
PAGE = 500
"""Rows read at a time while everything is exported."""


@dataclass(frozen=True)
class SqlQueries:
    """The query log in our tables."""

    database: Database
    catalogue: Catalogue
    reading: QueryReading

    async def chosen_before(self, tenant_id: str, predicted: str) -> Mapping[str, Chosen]:
        """Tell how often each action was shown and taken after the same prediction.

        Only offers on which something was taken count, and a choice that was taken back does not.
        """
        shown = func.json_each(log.c.chips_shown).table_valued("value")
        query = (
            select(
                shown.c.value,
                func.count(),
                func.sum(case((log.c.chip_chosen == shown.c.value, 1), else_=0)),
            )
            .select_from(log.join(shown, onclause=log.c.decision_id.is_not(None)))
            .where(
                log.c.tenant_id == tenant_id,
                log.c.predicted_action == predicted,
                log.c.chip_chosen.is_not(None),
                log.c.undo_triggered.is_(False),
            )
            .group_by(shown.c.value)
        )
        return await self.database.read(
            lambda connection: {
                action: Chosen(shown=count, chosen=taken)
                for action, count, taken in connection.execute(query)
            }
        )

    async def page(
        self,
        whose: Reader | str,
        *,
        since: float = 0.0,
        after: Cursor | None = None,
        limit: int = 100,
    ) -> list[Query]:
        """List queries, oldest first; `after`: the place to go on from."""
        wanted = [readable_in(log, reader_of(whose)), log.c.at >= since]
        if after is not None:
            later = and_(log.c.at == after.recorded_at, log.c.decision_id > after.decision_id)
            wanted.append(or_(log.c.at > after.recorded_at, later))
        query = select(log).where(*wanted).order_by(log.c.at, log.c.decision_id).limit(limit)
        return await self.database.read(
            lambda connection: [to_query(row) for row in connection.execute(query)]
        )

    async def all(self, whose: Reader | str, *, since: float = 0.0) -> AsyncIterator[Query]:
        """Read the whole log of a tenant, oldest first, a page at a time."""
        after: Cursor | None = None
        while page := await self.page(whose, since=since, after=after, limit=PAGE):
            for one in page:
                yield one
            after = cursor_at(page[-1])

    async def observed(
        self,
        decision_id: str,
        teller: Principal,
        observation: Observation,
        *,
        reader: Reader | None = None,
    ) -> Query:
        """Write down what a person did after a query; saying the same again changes nothing.

        Raises:
            NotFound: no such query in the tenant.
            Forbidden: neither who asked, nor an integrator's service.
            BadInput: no such action in the catalogue.
            Conflict: something else was observed already.
        """

        def work(connection: Connection) -> Query:
            row = find_query(connection, decision_id, teller.tenant_id)
            if row is None or not (reader is None or reader.may_read(row.session_id)):
                raise NotFound("query", decision_id)
            _demand_teller(teller, row.user)
            if observation.action not in self.catalogue.actions:
                raise BadInput(f"{observation.action} is no action of the catalogue")
            if row.action_observed not in (None, observation.action):
                raise Conflict(
                    f"{row.action_observed} was observed for it already; the first one stands",
                    row.action_observed,
                )
            if row.action_observed is None:
                now = connection.execute(select(self.database.now())).scalar_one()
                observe(connection, self.reading, row, observation.action, now)
            changed = find_query(connection, decision_id, teller.tenant_id)
            return to_query(changed if changed is not None else row)

        return await self.database.write(work)

    async def metrics(self, tenant_id: str, *, since: float = 0.0) -> Metrics:
        """Count over a tenant's queries and actions."""
        return await self.database.read(
            lambda connection: count_metrics(connection, self.catalogue, tenant_id, since)
        )

    async def over_time(
        self, tenant_id: str, *, aggregate_minutes: int, since: float = 0.0
    ) -> tuple[AnswerSpan, ...]:
        """Count answers and what was started, span by span; empty ones are left out."""
        return await self.database.read(
            lambda connection: answers_over_time(
                connection, self.catalogue, tenant_id, seconds=aggregate_minutes * 60, since=since
            )
        )

    async def gaps(self, whose: Reader | str, *, since: float = 0.0) -> Gaps:
        """Compare predictions with what people did."""
        return await self.database.read(
            lambda connection: find_gaps(connection, self.catalogue, reader_of(whose), since)
        )

    async def examples(
        self, tenant_id: str, *, since: float = 0.0, min_count: int = 1
    ) -> list[Example]:
        """Collect texts that people confirmed to mean an action."""
        return await self.database.read(
            lambda connection: find_examples(
                connection, self.catalogue, tenant_id, since=since, min_count=min_count
            )
        )

    async def harm(self, tenant_id: str) -> list[HardFalsePositive]:
        """Name what was started without intent in a tenant."""
        return await self.database.read(
            lambda connection: name_harm(connection, self.catalogue, tenant_id)
        )

    async def count_harm(self) -> int:
        """Count what was started without intent, in all tenants; must be 0."""
        return await self.database.read(lambda connection: count_harm(connection, self.catalogue))


def _demand_teller(teller: Principal, asked_by: str | None) -> None:
    is_bridge = teller.kind == "service" and INTEGRATOR in teller.roles
    if not is_bridge and (teller.kind == "service" or teller.user != asked_by):
        raise Forbidden(f"only who asked may say what they did, or a service with {INTEGRATOR}")


def cursor_at(query: Query) -> Cursor:
    """Name the place after a query."""
    return Cursor(query.timestamp.timestamp(), query.decision_id)
