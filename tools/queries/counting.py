"""Metrics of one tenant, counted in one read transaction. Source: execution contract §5."""

from collections.abc import Mapping
from typing import Literal

from sqlalchemy import ColumnElement, Connection, case, func, select

from state.query import Metrics, Rate
from tools.catalogue.catalogue import Catalogue
from tools.queries.harm import count_harm
from tools.queries.intervals import quantile, rate_of
from tools.storage.tables.decisions import decision, offer
from tools.storage.tables.ledger import ledger_action
from tools.storage.tables.queries import query_log as log

ACCEPTED = ("approved", "started", "succeeded", "failed", "unknown", "stale")
"""Where a Class C action can only be after a yes."""
TURNED_DOWN = ("rejected", "expired")


def count_metrics(
    connection: Connection, catalogue: Catalogue, tenant_id: str, since: float
) -> Metrics:
    """Count over a tenant's queries and actions since a moment, in seconds since 1970."""
    ours = (log.c.tenant_id == tenant_id, log.c.at >= since)
    positions = _grouped(connection, log.c.chip_position, *ours, log.c.chip_chosen.is_not(None))
    taken = sum(positions.values())
    offers = _count(connection, *ours, log.c.offer_id.is_not(None))
    said = _said(connection, *ours)
    return Metrics(
        queries=_count(connection, *ours),
        by_class=_grouped(connection, log.c.execution_class, *ours),
        by_phase=_grouped(connection, log.c.phase, *ours),
        offers=offers,
        chosen=rate_of(taken, offers),
        said=rate_of(said, taken),
        primary_chosen=rate_of(positions.get("1", 0), taken),
        positions={int(place): rate_of(count, taken) for place, count in positions.items()},
        time_to_action_ms=_times(connection, *ours),
        executions=_grouped(
            connection, log.c.execution_method, *ours, log.c.action_executed.is_not(None)
        ),
        undone=_undone(connection, tenant_id, since),
        accepted=_accepted(connection, tenant_id, since),
        collisions=_grouped(connection, log.c.collision, *ours),
        collisions_observed=_grouped(
            connection, log.c.collision_observed, *ours, log.c.collision_observed.is_not(None)
        ),
        orderings=_orderings(connection, *ours),
        hard_false_positives=count_harm(connection, catalogue, tenant_id),
    )


def _count(connection: Connection, *wanted: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(log).where(*wanted)
    return connection.execute(query).scalar_one()


def _said(connection: Connection, *wanted: ColumnElement[bool]) -> int:
    """Count the chips that a message took: a click is an event of its own kind."""
    query = (
        select(func.count())
        .select_from(log)
        .join(offer, offer.c.offer_id == log.c.offer_id)
        .join(decision, decision.c.decision_id == offer.c.chosen_decision_id)
        .where(*wanted, log.c.chip_chosen.is_not(None), decision.c.kind == "message")
    )
    return connection.execute(query).scalar_one()


def _grouped(
    connection: Connection, column: ColumnElement[object], *wanted: ColumnElement[bool]
) -> dict[str, int]:
    query = select(column, func.count()).where(*wanted).group_by(column).order_by(column)
    return {str(value): count for value, count in connection.execute(query)}


def _how_many(condition: ColumnElement[bool]) -> ColumnElement[int]:
    # A sum of a condition is read back as a condition.
    return func.sum(case((condition, 1), else_=0))


def _times(
    connection: Connection, *wanted: ColumnElement[bool]
) -> Mapping[Literal["median", "p95"], float | None]:
    query = (
        select(log.c.time_to_action_ms)
        .where(*wanted, log.c.time_to_action_ms.is_not(None))
        .order_by(log.c.time_to_action_ms)
    )
    times = connection.scalars(query).all()
    return {"median": quantile(times, 0.5), "p95": quantile(times, 0.95)}


def _undone(connection: Connection, tenant_id: str, since: float) -> dict[str, Rate]:
    """Count from the ledger: an action may be taken back that no query led to."""
    column = ledger_action.c
    query = (
        select(column.action, func.count(), func.count(column.undo_at))
        .where(
            column.tenant_id == tenant_id,
            column.started_at >= since,
            column.state == "succeeded",
            column.execution_class != "A",
        )
        .group_by(column.action)
        .order_by(column.action)
    )
    return {action: rate_of(undone, done) for action, done, undone in connection.execute(query)}


def _accepted(connection: Connection, tenant_id: str, since: float) -> dict[str, Rate]:
    column = ledger_action.c
    query = (
        select(
            column.action,
            func.count(),
            _how_many(column.state.in_(ACCEPTED)),
        )
        .where(
            column.tenant_id == tenant_id,
            column.proposed_at >= since,
            column.execution_class == "C",
            column.state.in_((*ACCEPTED, *TURNED_DOWN)),
        )
        .group_by(column.action)
        .order_by(column.action)
    )
    return {action: rate_of(yes, asked) for action, asked, yes in connection.execute(query)}


def _orderings(connection: Connection, *wanted: ColumnElement[bool]) -> dict[str, Rate]:
    query = (
        select(log.c.chip_ordering, func.count(), _how_many(log.c.chip_position == 1))
        .where(*wanted, log.c.chip_chosen.is_not(None), log.c.chip_ordering.is_not(None))
        .group_by(log.c.chip_ordering)
        .order_by(log.c.chip_ordering)
    )
    return {
        ordering: rate_of(primary, taken) for ordering, taken, primary in connection.execute(query)
    }
