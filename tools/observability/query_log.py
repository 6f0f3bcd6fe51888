"""The query log: written inside a decision's transaction, read as pages, choices and metrics."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import (
    Connection,
    Row,
    String,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from state.cursor import Cursor
from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.principal import Principal
from state.query import (
    AnswerSpan,
    Chosen,
    Example,
    ExecutionMethod,
    Gaps,
    HardFalsePositive,
    Metrics,
    Observation,
    Query,
)
from state.reader import Reader, reader_of
from state.record import DecisionRecord
from state.tuning import Tuning
from tools.catalog import Catalogue
from tools.gate.ledger.rows import newest
from tools.observability.false_positives import count_false_positives, list_false_positives
from tools.observability.prediction_review import find_examples, find_gaps
from tools.observability.query_metrics import answers_over_time, count_metrics
from tools.observability.query_row import QueryRowBuilder, collision_named, to_query
from tools.storage import Database, readable_in
from tools.storage.record_hooks import SettledDecision, was_only_scored
from tools.storage.tables.decisions import offer
from tools.storage.tables.observability import query_log
from tools.storage.tables.observability import query_log as log
from tools.storage.undo_rows import log_undo

USER_DID = "user_did"
"""The signal by which another program tells what a person did in it."""

_OFFER = select(offer).where(offer.c.chosen_decision_id == bindparam("wanted"))
_QUERY = select(query_log).where(query_log.c.decision_id == bindparam("wanted"))
_NOTE = update(query_log).where(query_log.c.decision_id == bindparam("wanted"))
_ASKED_AT = select(query_log.c.at).where(query_log.c.decision_id == bindparam("wanted"))
_RECENT = (
    select(query_log)
    .where(
        query_log.c.tenant_id == bindparam("tenant"),
        query_log.c.session_id == bindparam("session"),
        query_log.c.at >= bindparam("since"),
        or_(bindparam("user", type_=String).is_(None), query_log.c.user == bindparam("user")),
    )
    .order_by(query_log.c.at.desc(), text("query_log.rowid DESC"))
    .limit(1)
)
_EXECUTED = ("succeeded", "unknown")
"""Ends of an action that did something, or may have."""


@dataclass(frozen=True)
class QueryRecorder:
    """Logs what a decision says about a query: its own, or the one whose chip was chosen."""

    reading: QueryRowBuilder

    def note(self, settled: SettledDecision) -> None:
        """Log it whatever it stands at; what it ends as is written over it."""
        if was_only_scored(settled.stages):
            return
        connection, record, kept = settled.connection, settled.record, settled.row
        kind, accepted_at = kept["kind"], kept["accepted_at"]
        # A yes in words is a click and no query of its own.
        clicked = connection.execute(_OFFER, {"wanted": record.decision_id}).first() is not None
        if kind == "message" and not clicked:
            row = self.reading.row(settled.event, record, settled.stages)
            connection.execute(_PUT, {**row, "at": round(accepted_at, 6)})
            _note_action(connection, record.decision_id, record.action_id, "auto")
        elif clicked or kind == "choice":
            query_id = _note_choice(connection, self.reading, record)
            how: ExecutionMethod = "chip_said" if kind == "message" else "chip_click"
            _note_action(connection, query_id, record.action_id, how)
        elif kind == "signal":
            _note_signal(connection, self.reading, record, kept["event"], accepted_at)


def record_outcome(
    connection: Connection, reading: QueryRowBuilder, row: Row[Any], action: str, at: float
) -> None:
    """Write down what a person did, and how far the prediction was from it."""
    connection.execute(
        update(query_log)
        .where(query_log.c.decision_id == row.decision_id)
        .values(
            action_observed=action,
            observed_at=at,
            collision_observed=collision_named(row.predicted_action, action, reading.catalogue),
        )
    )


def find_query(connection: Connection, decision_id: str, tenant_id: str) -> Row[Any] | None:
    """Read a row; another tenant's is not there."""
    row = connection.execute(_QUERY, {"wanted": decision_id}).first()
    return row if row is not None and row.tenant_id == tenant_id else None


_NEW = insert(query_log)
_SETTLED = (
    "user", "user_role", "raw_text", "normalized", "tokens", "verb_family", "predicted_action",
    "confidence", "alternatives", "execution_class", "entities", "reasons", "collision", "phase",
    "chip_ordering", "offer_id", "chips_shown", "outcome",
)  # fmt: skip
"""Columns that a message's own decision settles, and settles again when it is released or woken."""
_PUT = _NEW.on_conflict_do_update(
    index_elements=["decision_id"],
    set_={name: _NEW.excluded[name] for name in _SETTLED},
)


def _note_choice(
    connection: Connection, reading: QueryRowBuilder, record: DecisionRecord
) -> str | None:
    """Note which chip was taken, and tell whose; None: this choice came from no chip of a query."""
    shown = connection.execute(_OFFER, {"wanted": record.decision_id}).first()
    if shown is None:
        return None
    chips = shown.body["chips"]
    position = next(
        place for place, chip in enumerate(chips, start=1) if chip["chip_id"] == shown.chosen
    )
    taken: str = chips[position - 1]["action"]
    row = connection.execute(_QUERY, {"wanted": shown.decision_id}).first()
    if row is None:
        return None
    connection.execute(
        update(query_log)
        .where(query_log.c.decision_id == shown.decision_id)
        .values(
            chip_chosen=taken,
            chip_position=position,
            chosen_at=shown.chosen_at,
            collision_observed=collision_named(row.predicted_action, taken, reading.catalogue),
        )
    )
    return str(shown.decision_id)


def _note_action(
    connection: Connection, query_id: str | None, action_id: str | None, how: ExecutionMethod
) -> None:
    """Note what was executed for a query, and that something was taken back.

    Args:
        how: if nobody had to approve it.
    """
    if action_id is None:
        return
    action = newest(connection, action_id)
    log_undo(connection, action)
    if query_id is None:
        return
    values: dict[str, Any] = {"action_id": action.action_id}
    if action.state in _EXECUTED and action.started_at is not None:
        started = action.started_at.timestamp()
        asked_at = connection.execute(_ASKED_AT, {"wanted": query_id}).scalar_one()
        gated = action.execution_class == "C"
        values |= {
            "action_executed": action.action,
            "execution_method": "confirmation" if gated else how,
            "executed_at": started,
            "time_to_action_ms": round(max(0.0, started - asked_at) * 1_000, 3),
        }
    connection.execute(_NOTE, {**values, "wanted": query_id})


def _note_signal(
    connection: Connection,
    reading: QueryRowBuilder,
    record: DecisionRecord,
    event: Mapping[str, Any],  # as it was accepted, JSON
    at: float,
) -> None:
    payload = event.get("payload") or {}
    action = payload.get("action")
    if payload.get("signal") != USER_DID or not isinstance(action, str):
        return
    if action not in reading.catalogue.actions:
        return
    wanted = {
        "tenant": record.tenant_id,
        "session": record.session_id,
        "since": at - reading.observed_seconds,
        "user": event.get("user"),  # a person speaks of what they did; none: a bridge's signal
    }
    row = connection.execute(_RECENT, wanted).first()
    if row is not None and row.action_observed is None:  # what was done first is what was meant
        record_outcome(connection, reading, row, action, at)


INTEGRATOR = "integrator"
"""The role of a bridge to another program, which sees what people do there."""
PAGE = 500
"""Rows read at a time while everything is exported."""


@dataclass(frozen=True)
class SqlQueryLog:
    """The query log in our tables."""

    database: Database
    catalogue: Catalogue
    reading: QueryRowBuilder

    @classmethod
    def of(cls, database: Database, catalogue: Catalogue, tuning: Tuning) -> Self:
        """Open the log as policy.toml has it."""
        reading = QueryRowBuilder(catalogue, tuning.execution, tuning.policy.observed_seconds)
        return cls(database, catalogue, reading)

    @property
    def recorder(self) -> QueryRecorder:
        """Build the record hook that writes it."""
        return QueryRecorder(self.reading)

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
            after = page[-1].cursor

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
                record_outcome(connection, self.reading, row, observation.action, now)
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
            lambda connection: list_false_positives(connection, self.catalogue, tenant_id)
        )

    async def count_harm(self) -> int:
        """Count what was started without intent, in all tenants; must be 0."""
        return await self.database.read(
            lambda connection: count_false_positives(connection, self.catalogue)
        )


def _demand_teller(teller: Principal, asked_by: str | None) -> None:
    is_bridge = teller.kind == "service" and INTEGRATOR in teller.roles
    if not is_bridge and (teller.kind == "service" or teller.user != asked_by):
        raise Forbidden(f"only who asked may say what they did, or a service with {INTEGRATOR}")
