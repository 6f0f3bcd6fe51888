"""The rows of decisions: inserted with their event, moved through their status, read back.

Only a decision's own thread moves it, and only forward. Records are read one by one or as
lists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from pydantic import JsonValue, TypeAdapter
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Update,
    bindparam,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.sqlite import Insert, insert

from state.action import DECLARED
from state.approval import ActionState
from state.arrival import Standing
from state.cursor import Cursor, read_cursor
from state.errors import Conflict, NotFound
from state.event import Event
from state.reader import Reader, reader_of
from state.record import DecisionRecord, DecisionTrace
from tools.platform.redaction import masked
from tools.platform.texts import t
from tools.storage.database import Database
from tools.storage.query_filters import may_see, readable_in
from tools.storage.tables.decisions import decision, offer
from tools.storage.tables.ledger import declared_tool, ledger_action

# Built once: to build a statement takes longer than to run it.
_ROW = select(decision).where(decision.c.decision_id == bindparam("wanted"))


def accept_event(
    connection: Connection, event: Event, database: Database, *, thread_id: str | None = None
) -> bool:
    """Insert an event to be decided by a thread, its own by default; False: known already."""
    values = {
        "decision_id": event.decision_id,
        "tenant_id": event.tenant_id,
        "session_id": event.session_id,
        "source": event.source,
        "event_id": event.event_id,
        "kind": event.kind,
        "event": event.model_dump(mode="json"),
        "thread_id": thread_id or event.decision_id,
        "standing": "accepted",
    }
    is_new = connection.execute(_new_row(database.now()), values).rowcount == 1
    if is_new and event.call is not None:
        asked = {"tenant": event.tenant_id, "tool": event.call.action}
        connection.execute(_used(database.now()), asked)
    return is_new


def take_event(
    connection: Connection, event: Event, database: Database, *, thread_id: str | None = None
) -> tuple[Event, bool]:
    """Insert an event, or find it; return it as it is kept, and whether it is new.

    What happened is never lost: under an event_id that its sender used for something else it
    becomes another event. What a person says is not done twice by a slip: that is refused.

    Raises:
        Conflict: a message or a choice under an event_id that was used for another.
    """
    if accept_event(connection, event, database, thread_id=thread_id):
        return event, True
    first = Event.model_validate(read_row(connection, event.decision_id)["event"])
    if event.is_redelivery_of(first) or _is_call_sent_again(connection, event, first):
        return event, False
    if event.is_addressed:
        told = t("problem.store.event_reused", event_id=event.event_id, source=event.source)
        raise Conflict(t("problem.store.event_id", told=told), "taken")
    another = event.as_another()
    return another, accept_event(connection, another, database, thread_id=thread_id)


def _is_call_sent_again(connection: Connection, event: Event, first: Event) -> bool:
    """Tell whether an agent's call is `first` once more, whose secrets have been covered since.

    The values themselves stand where it runs from: in the ledger, or on its chip until somebody
    chooses it. Of a call that led to neither only their lengths are known.
    """
    call, known = event.call, first.call
    if call is None or known is None:
        return False
    secret = {
        name: masked(value)
        for name, value in call.arguments.items()
        if known.arguments.get(name) == masked(value) != value
    }
    covered = call.model_copy(update={"arguments": {**call.arguments, **secret}})
    if not secret or not event.model_copy(update={"call": covered}).is_redelivery_of(first):
        return False
    shown = select(offer.c.body, offer.c.chosen, offer.c.chosen_decision_id)
    chip = connection.execute(shown.where(offer.c.decision_id == event.decision_id)).first()
    decisions = [event.decision_id, *((chip.chosen_decision_id,) if chip else ())]
    ran = select(ledger_action.c.arguments).where(ledger_action.c.decision_id.in_(decisions))
    held = [*connection.scalars(ran)]
    if chip is not None and chip.chosen is None:
        held += [each["arguments"] for each in chip.body["chips"]]
    return not held or any(all(one.get(n) == call.arguments[n] for n in secret) for one in held)


@cache
def _new_row(now: ColumnElement[float]) -> Insert:
    return insert(decision).values(accepted_at=now).on_conflict_do_nothing()


@cache
def _used(now: ColumnElement[float]) -> Update:
    """Note that a tool was asked for that an agent keeps; an action of a pack has no row."""
    at = declared_tool.c
    asked = (at.tenant_id == bindparam("tenant"), at.name == bindparam("tool"))
    return update(declared_tool).where(*asked, at.used_at.is_(None)).values(used_at=now)


def read_row(connection: Connection, decision_id: str) -> RowMapping:
    """Read a decision's row inside a transaction.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(_ROW, {"wanted": decision_id}).mappings().first()
    if row is None:
        raise NotFound("decision", decision_id)
    return row


_STAGES = TypeAdapter(dict[str, JsonValue])
_MOVES_FROM: Mapping[Standing, tuple[Standing, ...]] = {
    "held": ("accepted", "released"),
    "waiting": ("accepted", "released", "waiting"),
    "recorded": ("accepted", "released", "waiting"),
}
_ASKED: tuple[ActionState, ...] = ("proposed", "pending")
_LET_RUN: tuple[ActionState, ...] = ("approved", "started")


def move_decision(
    connection: Connection,
    record: DecisionRecord,
    stages: Mapping[str, Any],
    standing: Standing,
    thread_id: str,
) -> bool:
    """Move a decision; only its own thread may, only forwards, and never past an open question.

    Whatever a replayed, forked or rewritten graph thinks it has decided, the rows say where the
    decision stands.
    """
    values = {
        "wanted": record.decision_id,
        "thread": thread_id,
        "standing": standing,
        "outcome": record.outcome,
        "recorded_at": record.recorded_at.timestamp(),
        "record": record.model_dump(mode="json"),
        "stages": _STAGES.validate_python(stages),
    }
    return connection.execute(_move_to(standing), values).rowcount == 1


@cache  # to build a statement takes longer than to run it
def _move_to(standing: Standing) -> Update:
    movable: list[ColumnElement[bool]] = [decision.c.standing.in_(_MOVES_FROM[standing])]
    if standing == "recorded":
        # What an agent runs itself is left to it: a decision does not wait for its end.
        movable += (~_has_action_in(*_ASKED), ~_has_action_in(*_LET_RUN, but=DECLARED))
    return update(decision).where(
        decision.c.decision_id == bindparam("wanted"),
        decision.c.thread_id == bindparam("thread"),
        *movable,
    )


def is_answered() -> ColumnElement[bool]:
    """Build the condition that a decision waits for a person though nothing is pending."""
    return (decision.c.standing == "waiting") & ~_has_action_in(*_ASKED)


def _has_action_in(*states: ActionState, but: str = "") -> ColumnElement[bool]:
    return (
        select(ledger_action.c.action_id)
        .where(
            ledger_action.c.decision_id == decision.c.decision_id,
            ledger_action.c.execution_class == "C",
            ledger_action.c.state.in_(states),
            ledger_action.c.pack != but,
        )
        .exists()
    )


_STANDINGS = [one for one in get_args(Standing) if one != "duplicate"]
_ACCEPTED = select(decision.c.accepted_at).where(decision.c.decision_id == bindparam("wanted"))
# By standing as well: there is an index over standing and time, and none over sessions.
_BETWEEN = select(decision.c.event).where(
    decision.c.standing.in_(_STANDINGS),
    decision.c.accepted_at.between(bindparam("first"), bindparam("last")),
    decision.c.tenant_id == bindparam("tenant"),
    decision.c.session_id == bindparam("session"),
    decision.c.kind.in_(("message", "choice")),
    decision.c.decision_id.not_in(bindparam("apart", expanding=True)),
)


def messages_between(
    connection: Connection, event: Event, decision_id: str, request_id: str
) -> Literal["own", "others"] | None:
    """Tell who said or chose something between an earlier decision's event and this one.

    Own: its speaker did, whoever else. What was accepted at the same instant counts: then nobody
    can tell which came first. Only the request that all of this answers is known to be earlier.
    """
    first, last = (
        connection.execute(_ACCEPTED, {"wanted": one}).scalar()
        for one in (decision_id, event.decision_id)
    )
    if first is None or last is None or first > last:
        return "own"
    found = connection.scalars(
        _BETWEEN,
        {
            "first": first,
            "last": last,
            "tenant": event.tenant_id,
            "session": event.session_id,
            "apart": [decision_id, request_id, event.decision_id],
        },
    )
    speakers = {body.get("user") for body in found}
    if event.user in speakers:
        return "own"
    return "others" if speakers else None


@dataclass(frozen=True)
class SqlRecords:
    """Records in our tables."""

    database: Database

    async def trace(self, decision_id: str, whose: Reader | str | None = None) -> DecisionTrace:
        """Read a decision whole.

        Raises:
            NotFound: there is none, it is another tenant's, closed to the reader, or it has no
                record yet.
        """
        reader = None if whose is None else reader_of(whose)

        def work(connection: Connection) -> DecisionTrace:
            row = read_row(connection, decision_id)
            if row["record"] is None or (reader and not may_see(reader, dict(row))):
                raise NotFound("decision", decision_id)
            return _trace_of(row)

        return await self.database.read(work)

    async def newest(
        self,
        whose: Reader | str,
        *,
        session_id: str | None = None,
        outcome: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[DecisionRecord]:
        """List records, newest first; `before`: the cursor of the last one seen.

        Raises:
            BadInput: `before` is no cursor.
        """
        query = _newest(whose, (decision.c.record,), session_id, outcome).limit(limit)
        if before:
            place = read_cursor(before)
            query = query.where(_place < (place.recorded_at, place.decision_id))
        return await self.database.read(
            lambda connection: [
                DecisionRecord.model_validate(body) for body in connection.scalars(query)
            ]
        )

    async def newest_whole(
        self,
        whose: Reader | str,
        *,
        session_id: str | None = None,
        outcome: str | None = None,
        before: Cursor | None = None,
        after: Cursor | None = None,
        limit: int = 50,
    ) -> list[DecisionTrace]:
        """List decisions whole, newest first, in one read; those on one side of a place."""
        query = _newest(whose, _WHOLE, session_id, outcome).limit(limit)
        if before:
            query = query.where(_place < (before.recorded_at, before.decision_id))
        if after:
            query = query.where(_place > (after.recorded_at, after.decision_id))
        return await self.database.read(
            lambda connection: list(map(_trace_of, connection.execute(query).mappings()))
        )


_place = tuple_(decision.c.recorded_at, decision.c.decision_id)
"""Where a decision stands in the list of all."""
_WHOLE = (decision.c.record, decision.c.event, decision.c.stages, decision.c.thread_id)


def _newest(
    whose: Reader | str,
    columns: Sequence[ColumnElement[Any]],
    session_id: str | None,
    outcome: str | None,
) -> Select[Any]:
    """Select what has a record and is the reader's to see, newest first."""
    wanted = [readable_in(decision, reader_of(whose)), decision.c.record.is_not(None)]
    if session_id:
        wanted.append(decision.c.session_id == session_id)
    if outcome:
        wanted.append(decision.c.outcome == outcome)
    order = (decision.c.recorded_at.desc(), decision.c.decision_id.desc())
    return select(*columns).where(*wanted).order_by(*order)


def _trace_of(row: RowMapping) -> DecisionTrace:
    return DecisionTrace(
        record=DecisionRecord.model_validate(row["record"]),
        event=row["event"],
        stages=row["stages"] or {},
        thread_id=row["thread_id"],
    )
