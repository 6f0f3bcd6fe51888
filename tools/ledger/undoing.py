"""Take an action back: once, in time, by a person who may, and judged like any other request."""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, select, text

from state.approval import LedgerAction
from state.errors import Forbidden, NotFound
from state.event import Event
from state.principal import Principal
from state.reader import Reader, reader_of
from state.undo import Undo
from tools.catalogue.catalogue import Catalogue
from tools.ledger.original_requests import read_whole
from tools.ledger.rows import read_action
from tools.ledger.visible import is_visible, visible
from tools.ledger.ways_back import way_back
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event
from tools.storage.paging import Paging
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action
from tools.storage.undos import demand_undoable, mark_undo, note_success, told_undo, undoable

SOURCE = "undo"


@dataclass(frozen=True)
class Undoing:
    """What was done, and the way back."""

    database: Database
    catalogue: Catalogue

    async def ask(
        self,
        action_id: str,
        principal: Principal,
        *,
        reader: Reader | None = None,
        event_id: str | None = None,
    ) -> Event:
        """Write down that a person takes an action back, and accept the event that it is.

        It is explicit intent for exactly one action with exactly these arguments, and an event of
        its own: whether it runs at once or needs a yes depends on that action.

        Args:
            reader: what the person may see; None: all of the tenant.
            event_id: of the request when it is played again; None: one that nobody can guess.

        Raises:
            NotFound: no such action that they may see.
            Forbidden: not a person, or one who may not ask for what undoes it.
            Conflict: it did not succeed, has no undo, is too old, or is taken back already.
        """
        if principal.kind != "person":
            raise Forbidden("only a person may undo an action, never a service")

        def work(connection: Connection) -> Event:
            if reader is not None and not is_visible(connection, action_id, reader):
                raise NotFound("action", action_id)
            demand_undoable(connection, action_id, principal.tenant_id)
            standing = read_action(connection, action_id)
            undo = self._permitted(connection, standing, principal.roles)
            event = _event(connection, undo, principal, event_id)
            mark_undo(
                connection,
                self.database,
                action_id=action_id,
                tenant_id=principal.tenant_id,
                user=principal.user,
                decision_id=event.decision_id,
                action=undo.action,
                arguments=undo.arguments,
            )
            accept_event(connection, event, self.database)
            return event

        return await self.database.write(work, durable=True)

    async def newest(self, tenant_id: str, session_id: str, user: str) -> Undo | None:
        """Find what `undo that` means: the session's newest action of this person that can be."""

        def work(connection: Connection) -> Undo | None:
            query = (
                select(ledger_action.c.action_id)
                .join(decision, decision.c.decision_id == ledger_action.c.decision_id)
                .where(
                    ledger_action.c.tenant_id == tenant_id,
                    ledger_action.c.requester == user,
                    decision.c.session_id == session_id,
                    *undoable(self.database),
                )
                .order_by(ledger_action.c.finished_at.desc(), text("ledger_action.rowid DESC"))
                .limit(1)
            )
            found = connection.execute(query).scalar()
            if found is None:
                return None
            return self._way_back(connection, read_action(connection, found))

        return await self.database.read(work)

    def _way_back(self, connection: Connection, standing: LedgerAction) -> Undo:
        return way_back(self.catalogue, standing, told_undo(connection, standing.action_id))

    def _permitted(
        self, connection: Connection, standing: LedgerAction, roles: tuple[str, ...]
    ) -> Undo:
        undo = self._way_back(connection, standing)
        if not self.catalogue.may_ask(undo.action, roles):
            raise Forbidden(f"your roles may not ask for {undo.action}, which undoes this")
        return undo


async def list_changes(
    database: Database,
    whose: Reader | str,
    *,
    undoable_only: bool = False,
    limit: int = 100,
    after: str | None = None,
) -> list[LedgerAction]:
    """List what a tenant asked to be changed, newest first, however it stands; no reads.

    Raises:
        BadInput: the tenant has no action `after`, the last one of the page before.
    """
    at, reader = ledger_action.c, reader_of(whose)
    paging = Paging(visible(reader), (at.proposed_at, at.action_id), descending=True)
    query = select(ledger_action).where(ledger_action.c.execution_class != "A")
    if undoable_only:
        query = query.where(*undoable(database))

    def work(connection: Connection) -> list[LedgerAction]:
        page = paging.page(connection, query, limit=limit, after=after)
        return read_whole(connection, page, reader)

    return await database.read(work)


def keep_undoable(
    connection: Connection, database: Database, catalogue: Catalogue, standing: LedgerAction
) -> None:
    """Open the window of an action that has just succeeded; what it took back is undone now."""
    action = catalogue.actions.get(standing.action)
    has_undo = action is not None and action.undo is not None
    minutes = action.undo_minutes if action is not None and has_undo else None
    note_success(connection, database, standing.action_id, minutes=minutes)


def _event(connection: Connection, undo: Undo, principal: Principal, event_id: str | None) -> Event:
    session = select(decision.c.session_id).where(decision.c.decision_id == undo.of.decision_id)
    return Event(
        # Not to be guessed: an event that came before would be taken for it.
        event_id=event_id or f"undo-{undo.of.action_id}-{secrets.token_hex(8)}",
        kind="choice",
        source=SOURCE,
        text=undo.summary,
        session_id=connection.execute(session).scalar() or "default",
        tenant_id=principal.tenant_id,
        user=principal.user,
        role=",".join(principal.roles) or None,
        payload={"undo_of": undo.of.action_id},
    )
