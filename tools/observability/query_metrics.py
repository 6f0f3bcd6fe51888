"""Metrics of one tenant's queries, answers and actions, in total and by spans of time.

With Wilson intervals. Source: execution contract §5.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from math import sqrt
from operator import itemgetter
from typing import Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Integer,
    and_,
    case,
    cast,
    func,
    select,
)

from state.query import AnswerSpan, Metrics, Rate
from tools.catalog import Catalogue
from tools.observability.false_positives import count_false_positives, false_positives_over_time
from tools.storage.tables.decisions import decision, offer
from tools.storage.tables.ledger import ledger_action
from tools.storage.tables.observability import query_log as log

Z_95 = 1.959964


def rate_of(hits: int, n: int) -> Rate:
    """Give a share with its Wilson interval, which is honest at both ends; of nothing: unknown.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    JASA 22 (1927).
    """
    if n == 0:
        return Rate(value=None, n=0, low=0.0, high=1.0)
    rate, z2 = hits / n, Z_95 * Z_95
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    # At 0 and 1 the bound is the rate itself, which rounding misses by a hair.
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Rate(value=rate, n=n, low=min(low, rate), high=max(high, rate))


def quantile(ascending: Sequence[float], share: float) -> float | None:
    """Give the smallest value that at least `share` of all do not exceed; of nothing: none."""
    if not ascending:
        return None
    place = -(-len(ascending) * share // 1)  # rounded up
    return ascending[max(0, int(place) - 1)]


ACCEPTED = ("approved", "started", "succeeded", "failed", "unknown", "stale")
"""Where a Class C action can only be after a yes."""
DECLINED = ("rejected", "expired")


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
        hard_false_positives=count_false_positives(connection, catalogue, tenant_id),
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
            column.state.in_((*ACCEPTED, *DECLINED)),
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


Counts = Mapping[int, Mapping[str, int]]
"""Place of a span to what was counted in it."""


def answers_over_time(
    connection: Connection, catalogue: Catalogue, tenant_id: str, *, seconds: int, since: float
) -> tuple[AnswerSpan, ...]:
    """Count a tenant's queries and answers by spans of time, oldest first; empty ones are left out.

    Args:
        connection: of one read transaction.
        catalogue: by which what was started is judged.
        tenant_id: whose they are.
        seconds: how long a span is.
        since: seconds since 1970.
    """
    asked = _queries(connection, tenant_id, seconds, since)
    answered = _questions(connection, tenant_id, seconds, since)
    started = _started(connection, tenant_id, seconds, since)
    harm = false_positives_over_time(connection, catalogue, tenant_id, seconds=seconds, since=since)
    times = _start_times(connection, tenant_id, seconds, since)
    spans = []
    for place in sorted({*asked, *answered, *started}):
        query, yes, acts = (counts.get(place, {}) for counts in (asked, answered, started))
        took = times.get(place, ())
        spans.append(
            AnswerSpan(
                start=datetime.fromtimestamp(place * seconds, UTC),
                turns=query.get("queries", 0),
                chosen=rate_of(query.get("taken", 0), query.get("offers", 0)),
                primary_chosen=rate_of(query.get("primary", 0), query.get("taken", 0)),
                accepted=rate_of(yes.get("accepted", 0), yes.get("answered", 0)),
                undone=rate_of(acts.get("undone", 0), acts.get("changes", 0)),
                started=acts.get("started", 0),
                harmful=rate_of(harm.get(place, 0), acts.get("started", 0)),
                median_ms=quantile(took, 0.5),
                p95_ms=quantile(took, 0.95),
            )
        )
    return tuple(spans)


def _queries(connection: Connection, tenant_id: str, seconds: int, since: float) -> Counts:
    query = select(
        cast(log.c.at / seconds, Integer).label("place"),
        func.count().label("queries"),
        func.count(log.c.offer_id).label("offers"),
        func.count(log.c.chip_chosen).label("taken"),
        _sum(log.c.chip_position == 1).label("primary"),
    ).where(log.c.tenant_id == tenant_id, log.c.at >= since)
    return _read(connection, query.group_by("place"))


def _questions(connection: Connection, tenant_id: str, seconds: int, since: float) -> Counts:
    column = ledger_action.c
    query = select(
        cast(column.proposed_at / seconds, Integer).label("place"),
        func.count().label("answered"),
        _sum(column.state.in_(ACCEPTED)).label("accepted"),
    ).where(
        column.tenant_id == tenant_id,
        column.proposed_at >= since,
        column.execution_class == "C",
        column.state.in_((*ACCEPTED, *DECLINED)),
    )
    return _read(connection, query.group_by("place"))


def _started(connection: Connection, tenant_id: str, seconds: int, since: float) -> Counts:
    column = ledger_action.c
    is_change = and_(column.state == "succeeded", column.execution_class != "A")
    query = select(
        cast(column.started_at / seconds, Integer).label("place"),
        func.count().label("started"),
        _sum(is_change).label("changes"),
        _sum(and_(is_change, column.undo_at.is_not(None))).label("undone"),
    ).where(column.tenant_id == tenant_id, column.started_at >= since)
    return _read(connection, query.group_by("place"))


def _start_times(
    connection: Connection, tenant_id: str, seconds: int, since: float
) -> Mapping[int, Sequence[float]]:
    """Read how long each action took to start, ascending in each span."""
    place = cast(log.c.at / seconds, Integer)
    query = (
        select(place, log.c.time_to_action_ms)
        .where(log.c.tenant_id == tenant_id, log.c.at >= since)
        .where(log.c.time_to_action_ms.is_not(None))
        .order_by(place, log.c.time_to_action_ms)
    )
    rows = connection.execute(query)
    return {span: [took for _span, took in some] for span, some in groupby(rows, itemgetter(0))}


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _read(connection: Connection, query: Executable) -> Counts:
    return {row["place"]: dict(row) for row in connection.execute(query).mappings()}
