"""What was asked, answered and started, span by span. Source: execution contract §5."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter

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

from state.query import AnswerSpan
from tools.catalogue.catalogue import Catalogue
from tools.queries.counting import ACCEPTED, TURNED_DOWN
from tools.queries.harm import harm_over_time
from tools.queries.intervals import quantile, rate_of
from tools.storage.tables.ledger import ledger_action
from tools.storage.tables.queries import query_log as log

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
    harm = harm_over_time(connection, catalogue, tenant_id, seconds=seconds, since=since)
    times = _times(connection, tenant_id, seconds, since)
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
        column.state.in_((*ACCEPTED, *TURNED_DOWN)),
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


def _times(
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
