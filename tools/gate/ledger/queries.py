"""Read-only queries: visibility to a reader, original request, history, pending approvals.

Session context.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    exists,
    func,
    or_,
    select,
    text,
)
from sqlalchemy import func as sql

from state.approval import LedgerAction, OriginalRequest
from state.errors import NotFound
from state.event import Event
from state.history import LedgerEntry, LedgerHistory
from state.reader import Reader
from state.session import Session
from tools.gate.ledger.rows import read_action, to_action, yes_votes
from tools.platform.texts import t
from tools.ports import Catalogue
from tools.storage import Database, readable_in
from tools.storage.sessions import session_of, stages_of
from tools.storage.tables.decisions import decision, offer
from tools.storage.tables.ledger import ledger_action, ledger_entry
from tools.storage.tables.ledger import ledger_action as table


def visible_to(reader: Reader) -> ColumnElement[bool]:
    """Write that a reader may see an action.

    Who may answer a question sees it wherever it was asked: what would run, never the talk
    around it. An action whose session is forgotten is for nobody who is barred from any.
    """
    at = ledger_action.c
    is_ours = at.tenant_id == reader.tenant_id
    if not reader.closed:
        return is_ours
    asked = select(decision.c.decision_id).where(
        decision.c.decision_id == at.decision_id, readable_in(decision, reader)
    )
    role = func.json_each(at.approver_roles).table_valued("value")
    answers = select(role.c.value).where(role.c.value.in_(reader.decides))
    is_asked = (at.execution_class == "C") & exists(answers.correlate(ledger_action))
    return is_ours & or_(exists(asked.correlate(ledger_action)), is_asked)


_ACTION_ID = select(ledger_action.c.action_id).where(
    ledger_action.c.action_id == bindparam("wanted")
)
_IN_TENANT = _ACTION_ID.where(ledger_action.c.tenant_id == bindparam("tenant"))


def is_visible(connection: Connection, action_id: str, reader: Reader) -> bool:
    """Tell the same of an action by its id."""
    wanted = {"wanted": action_id, "tenant": reader.tenant_id}
    query = _ACTION_ID.where(visible_to(reader)) if reader.closed else _IN_TENANT
    return connection.execute(query, wanted).first() is not None


_EVENT = select(decision.c.event, decision.c.session_id, decision.c.accepted_at).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.tenant_id == bindparam("tenant")
)
_OFFERED_BY = select(offer.c.decision_id).where(offer.c.chosen_decision_id == bindparam("wanted"))
_BEFORE = (
    select(decision.c.event, decision.c.record, decision.c.accepted_at)
    .where(
        decision.c.tenant_id == bindparam("tenant"),
        decision.c.session_id == bindparam("session"),
        decision.c.standing.in_(("recorded", "waiting")),
        decision.c.accepted_at > bindparam("since"),
        decision.c.accepted_at < bindparam("until"),
        decision.c.kind == "message",
    )
    .order_by(decision.c.accepted_at.desc())
    .limit(20)
)
_MOST_CHOICES = 8
_MOST_TURNS = 4
_LONGEST_PAUSE_SECONDS = 600
"""As long as a question for a slot stays open (policy.toml, question_seconds)."""


def with_request(connection: Connection, action: LedgerAction, reader: Reader) -> LedgerAction:
    """Put the original request beside an action; its words only where the reader may read them.

    None stands there when its decision is forgotten.
    """
    decision_id = _spoken_in(connection, action.decision_id)
    wanted = {"wanted": decision_id, "tenant": action.tenant_id}
    row = connection.execute(_EVENT, wanted).first()
    if row is None:
        return action
    event = Event.model_validate(row.event)
    is_open = reader.may_read(row.session_id)
    request = OriginalRequest(
        decision_id=decision_id,
        words=event.text if is_open else None,
        earlier=tuple(_asked_back(connection, event, row.accepted_at, action.action))
        if is_open
        else (),
        user=event.user if event.is_addressed else None,
        source=event.source,
        relayed=event.relayed,
        agent=event.sender if event.call is not None else None,
        received_at=datetime.fromtimestamp(row.accepted_at, UTC),
    )
    return action.model_copy(update={"request": request})


def read_with_requests(
    connection: Connection, query: Select[Any], reader: Reader
) -> list[LedgerAction]:
    """Read the actions that a query of their rows finds, with votes and original requests."""
    rows = connection.execute(query).mappings().all()
    found = (to_action(row, yes_votes(connection, row["action_id"])) for row in rows)
    return [with_request(connection, one, reader) for one in found]


def _asked_back(connection: Connection, event: Event, accepted_at: float, action: str) -> list[str]:
    """List what somebody had said when we asked back for a slot, and this is their answer."""
    said: list[str] = []
    if event.user is None:
        return said
    spoken = {"tenant": event.tenant_id, "session": event.session_id}
    while len(said) < _MOST_TURNS:
        times = {"until": accepted_at, "since": accepted_at - _LONGEST_PAUSE_SECONDS}
        row = next(
            (
                row
                for row in connection.execute(_BEFORE, spoken | times)
                if row.event.get("user") == event.user
            ),
            None,
        )
        if row is None:
            break
        record = row.record or {}  # none while a yes is awaited
        if (record.get("reason"), record.get("action")) != ("missing_slot", action):
            break
        said.insert(0, str(row.event["text"]))
        accepted_at = row.accepted_at
    return said


def _spoken_in(connection: Connection, decision_id: str) -> str:
    """Go back from the choice of a chip, by a click or a yes, to what the chips answered."""
    for _ in range(_MOST_CHOICES):
        offered_by = connection.execute(_OFFERED_BY, {"wanted": decision_id}).scalar()
        if offered_by is None:
            break
        decision_id = offered_by
    return decision_id


def history_of(connection: Connection, action_id: str, tenant_id: str) -> LedgerHistory:
    """Read an action of a tenant with its entries, oldest first.

    Raises:
        NotFound: none in this tenant.
    """
    try:
        standing = read_action(connection, action_id, tenant_id)
    except NotFound:
        raise NotFound("action", action_id) from None
    rows = connection.execute(
        select(ledger_entry)
        .where(ledger_entry.c.action_id == action_id)
        .order_by(ledger_entry.c.seq)
    )
    entries = tuple(
        LedgerEntry(
            number=row.number,
            at=datetime.fromtimestamp(row.at, UTC),
            actor=row.actor,
            event=row.event,
            body=row.body,
        )
        for row in rows
    )
    return LedgerHistory(**dict(standing), entries=entries)


class SessionContext(NamedTuple):
    """A session as it stands, and session → stage for an action that is told the stages."""

    session: Session
    stages: Mapping[str, str]


def session_context(
    connection: Connection, action: LedgerAction, catalogue: Catalogue
) -> SessionContext:
    """Read both inside the transaction that claims the action."""
    pack = catalogue.of_tenant(action.tenant_id).pack(action.pack)
    is_told = action.action in pack.policy.stages_seen_by
    stages = stages_of(connection, action.tenant_id, action.pack) if is_told else {}
    return SessionContext(session_of(connection, action), stages)


JUST_SECONDS = 300.0
"""So long a late no is told what became of its question."""

# Built once: to build a statement takes longer than to run it.
# What needs a yes and was asked for in a session, the newest first.
_IN_SESSION = (
    select(table)
    .join(decision, decision.c.decision_id == table.c.decision_id)
    .where(
        table.c.tenant_id == bindparam("tenant"),
        table.c.execution_class == "C",
        decision.c.session_id == bindparam("session"),
    )
    .order_by(table.c.proposed_at.desc(), text("ledger_action.rowid DESC"))
)
_IS_OWN = table.c.requester == bindparam("user")
_OPEN = _IN_SESSION.where(
    table.c.state.in_(("pending", "proposed")),
    table.c.action_id.like(bindparam("named"), escape="/"),
    or_(_IS_OWN, bindparam("anybody", type_=Boolean)),
).limit(50)
_LAST = _IN_SESSION.where(_IS_OWN).limit(1)
_earlier = decision.alias()
_SINCE = (
    select(_earlier.c.accepted_at)
    .where(_earlier.c.decision_id == bindparam("since"))
    .scalar_subquery()
)
_ASKED_SINCE = _LAST.where(decision.c.accepted_at > _SINCE)
_TAKEN_BACK = _LAST.join(ledger_entry, ledger_entry.c.action_id == table.c.action_id).where(
    table.c.reason.in_((t("gate.withdrawn"), "taken back by who asked")),  # the second: up to 0.1.0
    ledger_entry.c.event == "rejected",
    ledger_entry.c.at >= _SINCE,
)


@dataclass(frozen=True)
class PendingApprovals:
    """Finds the question that a plain yes or no is probably meant for; it decides nothing."""

    database: Database

    async def newest(
        self, event: Event, named: str = "", *, own: bool = False
    ) -> LedgerAction | None:
        """Find what was asked last in an event's session and concerns its speaker.

        That is who asked for it, and whoever holds a role that may approve it.

        Args:
            named: how its id begins.
            own: only what the speaker asked for.
        """
        roles = set(event.roles)

        def work(connection: Connection) -> LedgerAction | None:
            wanted = {**_whose(event), "named": _starting_with(named), "anybody": not own}
            for row in connection.execute(_OPEN, wanted).mappings():
                if row["requester"] == event.user or set(row["approver_roles"]) & roles:
                    return to_action(row, yes_votes(connection, row["action_id"]))
            return None

        return None if event.user is None else await self.database.read(work)

    async def has_asked_since(self, event: Event, decision_id: str) -> bool:
        """Tell whether the speaker asked for a yes in this session after a decision.

        Whatever became of it: a session learns of that only when its decision ends.
        """
        wanted = {**_whose(event), "since": decision_id}
        return await self.database.read(
            lambda connection: connection.execute(_ASKED_SINCE, wanted).first() is not None
        )

    async def taken_back(self, event: Event, decision_id: str) -> LedgerAction | None:
        """Find what its asker took back since a message was accepted: a run may be broken off."""

        def work(connection: Connection) -> LedgerAction | None:
            wanted = {**_whose(event), "since": decision_id}
            row = connection.execute(_TAKEN_BACK, wanted).mappings().first()
            return None if row is None else to_action(row, ())

        return await self.database.read(work)

    async def just_settled(self, event: Event) -> LedgerAction | None:
        """Find what its speaker asked for last in an event's session, if it has just been settled.

        None: it waits still, or what became of it is older than JUST_SECONDS.
        """
        is_new = select(sql.max(ledger_entry.c.at) > self.database.now() - JUST_SECONDS)

        def work(connection: Connection) -> LedgerAction | None:
            row = connection.execute(_LAST, _whose(event)).mappings().first()
            if row is None or row["state"] in ("pending", "proposed"):
                return None
            of_it = is_new.where(ledger_entry.c.action_id == row["action_id"])
            return to_action(row, ()) if connection.execute(of_it).scalar() else None

        return None if event.user is None else await self.database.read(work)

    async def moved(self, event: Event) -> LedgerAction | None:
        """Find where the speaker's newest question of a session waits, asked again in another."""

        def work(connection: Connection) -> LedgerAction | None:
            row = connection.execute(_LAST, _whose(event)).mappings().first()
            if row is None or row["state"] != "stale":
                return None
            again = select(table).where(
                table.c.tenant_id == event.tenant_id,
                table.c.requester == event.user,
                table.c.action == row["action"],
                table.c.state.in_(("pending", "proposed")),
                table.c.proposed_at >= row["proposed_at"],
            )
            for other in connection.execute(again).mappings():
                if other["arguments"] == row["arguments"]:
                    return to_action(other, yes_votes(connection, other["action_id"]))
            return None

        return None if event.user is None else await self.database.read(work)


def _whose(event: Event) -> dict[str, Any]:  # parameters of the statements above
    return {"tenant": event.tenant_id, "session": event.session_id, "user": event.user}


def _starting_with(text: str) -> str:
    return re.sub(r"([/%_])", r"/\1", text) + "%"
