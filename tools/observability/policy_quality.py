"""Quality rates of policy by pack since the last reset and over time, read from the tables."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    RowMapping,
    case,
    cast,
    func,
    insert,
    select,
)

from state.errors import BadInput, Forbidden, NotFound
from state.principal import Principal
from state.quality import (
    MissedTurn,
    QualityBucket,
    QualityCounts,
    QualityHistory,
    QualityMetrics,
    QualityRates,
    TurnQuality,
)
from tools.observability.query_metrics import rate_of
from tools.ports import Catalogue
from tools.storage import Database
from tools.storage.tables.observability import quality_reset as reset
from tools.storage.tables.observability import quality_turn as turn

MAY_RESET = ("admin", "integrator")
"""Roles that may let the figures begin anew."""
MOST_BUCKETS = 1_000
"""A page of a history: whoever wants more asks for wider ones."""
_MISSED_SHOWN = 20
"""Enough to see a pattern; the records hold the rest."""

PackOf = tuple[str, str]
"""Tenant and pack."""


@dataclass(frozen=True)
class SqlQuality:
    """What the turns of each pack add up to."""

    database: Database
    catalogue: Catalogue
    changed: set[PackOf] = field(default_factory=set)
    """Packs whose figures have moved since somebody last took them from here."""

    async def metrics(self, tenant_id: str, pack: str) -> QualityMetrics:
        """Count over a pack's turns since its last reset.

        Raises:
            NotFound: no such pack is served.
        """
        self._demand(pack)
        return await self.database.read(lambda connection: _metrics(connection, tenant_id, pack))

    async def all_metrics(self, tenant_id: str) -> list[QualityMetrics]:
        """Count over every served pack."""
        packs = [pack.name for pack in self.catalogue.packs]
        return await self.database.read(
            lambda connection: [_metrics(connection, tenant_id, pack) for pack in packs]
        )

    async def reset(self, pack: str, caller: Principal) -> QualityMetrics:
        """Let the figures begin anew, and give those until now; no turn is removed.

        Raises:
            NotFound: no such pack is served.
            Forbidden: without a role for it.
        """
        self._demand(pack)
        if not set(MAY_RESET) & set(caller.roles):
            raise Forbidden(f"only {' or '.join(MAY_RESET)} may reset the metrics of a pack")

        def work(connection: Connection) -> QualityMetrics:
            until_now = _metrics(connection, caller.tenant_id, pack)
            now = connection.execute(select(self.database.now())).scalar_one()
            connection.execute(
                insert(reset).values(
                    tenant_id=caller.tenant_id, pack=pack, at=round(now, 6), by=caller.user
                )
            )
            return until_now

        until_now = await self.database.write(work)
        self.changed.add((caller.tenant_id, pack))
        return until_now

    async def history(
        self, tenant_id: str, pack: str, *, aggregate_minutes: int, since: float = 0.0
    ) -> QualityHistory:
        """Count over spans of time, whatever was reset meanwhile.

        Raises:
            NotFound: no such pack is served.
            BadInput: there would be more than MOST_BUCKETS spans.
        """
        self._demand(pack)
        seconds = aggregate_minutes * 60
        place = cast(turn.c.at / seconds, Integer).label("place")
        query = (
            select(place, *_COUNTED)
            .where(turn.c.tenant_id == tenant_id, turn.c.pack == pack, turn.c.at >= since)
            .group_by(place)
            .order_by(place)
            .limit(MOST_BUCKETS + 1)
        )
        rows = await self.database.read(
            lambda connection: connection.execute(query).mappings().all()
        )
        if len(rows) > MOST_BUCKETS:
            raise BadInput(
                f"more than {MOST_BUCKETS} spans; take a larger aggregate_minutes or a later since"
            )
        return QualityHistory(
            pack=pack,
            aggregate_minutes=aggregate_minutes,
            buckets=tuple(_bucket(row["place"] * seconds, row) for row in rows),
        )

    async def counts(self, tenant_id: str, pack: str) -> QualityCounts:
        """Read the counters under the rates since the last reset."""
        return await self.database.read(lambda connection: _counted(connection, tenant_id, pack)[1])

    async def known(self) -> set[PackOf]:
        """List every tenant and pack that has turns."""
        query = select(turn.c.tenant_id, turn.c.pack).distinct()
        return await self.database.read(
            lambda connection: {(row.tenant_id, row.pack) for row in connection.execute(query)}
        )

    def _demand(self, pack: str) -> None:
        if pack not in {one.name for one in self.catalogue.packs}:
            raise NotFound("pack", pack)


def _both(first: ColumnElement[bool], second: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((first & second, 1), else_=0)), 0)


_COUNTED = (
    func.count().label("turns"),
    _both(turn.c.direct, turn.c.direct).label("direct_search_turns"),
    _both(turn.c.direct, turn.c.called).label("direct_search_tool_calls"),
    _both(turn.c.direct, turn.c.clarified).label("clarification_first"),
    _both(turn.c.recency_asked, turn.c.recency_asked).label("recency_asked"),
    _both(turn.c.recency_asked, turn.c.recency_kept).label("recency_kept"),
    _both(turn.c.stage_due, turn.c.stage_due).label("stage_due"),
    _both(turn.c.stage_due, turn.c.stage_made).label("stage_made"),
)
_MISSED = (
    (turn.c.direct & ~turn.c.called)
    | (turn.c.recency_asked & ~turn.c.recency_kept)
    | (turn.c.stage_due & ~turn.c.stage_made)
)


def _metrics(connection: Connection, tenant_id: str, pack: str) -> QualityMetrics:
    since, counts = _counted(connection, tenant_id, pack)
    ours = _ours(tenant_id, pack, since)
    intents = (
        select(func.coalesce(turn.c.intent, "none").label("intent"), func.count().label("count"))
        .where(*ours)
        .group_by(turn.c.intent)
        .order_by(turn.c.intent)
    )
    missed = select(turn).where(*ours, _MISSED).order_by(turn.c.at.desc()).limit(_MISSED_SHOWN)
    return QualityMetrics(
        pack=pack,
        since=_moment(since) if since else None,
        intents={str(intent): count for intent, count in connection.execute(intents)},
        missed=tuple(map(_missed, connection.execute(missed).mappings())),
        **_rates(counts).model_dump(),
    )


def _counted(connection: Connection, tenant_id: str, pack: str) -> tuple[float, QualityCounts]:
    newest = select(func.max(reset.c.at)).where(
        reset.c.tenant_id == tenant_id, reset.c.pack == pack
    )
    since = connection.execute(newest).scalar_one() or 0.0
    row = (
        connection.execute(select(*_COUNTED).where(*_ours(tenant_id, pack, since))).mappings().one()
    )
    return since, _counts(row)


def _ours(tenant_id: str, pack: str, since: float) -> tuple[ColumnElement[bool], ...]:
    return turn.c.tenant_id == tenant_id, turn.c.pack == pack, turn.c.at >= since


def _counts(row: RowMapping) -> QualityCounts:
    return QualityCounts(**{name: row[name] for name in QualityCounts.model_fields})


def _rates(counts: QualityCounts) -> QualityRates:
    direct = counts.direct_search_turns
    return QualityRates(
        turns=counts.turns,
        direct_search_tool_call_rate=rate_of(counts.direct_search_tool_calls, direct),
        clarification_first_rate=rate_of(counts.clarification_first, direct),
        recency_filter_compliance_rate=rate_of(counts.recency_kept, counts.recency_asked),
        stage_transition_success_rate=rate_of(counts.stage_made, counts.stage_due),
    )


def _bucket(start: float, row: RowMapping) -> QualityBucket:
    return QualityBucket(start=_moment(start), **_rates(_counts(row)).model_dump())


def _missed(row: RowMapping) -> MissedTurn:
    found = dict(row)
    at = _moment(found.pop("at"))
    quality = TurnQuality.model_validate(found)
    return MissedTurn(
        decision_id=quality.decision_id,
        at=at,
        intent=quality.intent,
        action=quality.action,
        misses=quality.misses,
    )


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
