"""Undo of an executed action: what reverses it, whether its targets are unchanged.

And the request for it.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, text

from state.approval import LedgerAction
from state.errors import Conflict, Forbidden, InvalidArguments, NotFound
from state.event import Event
from state.preview import Preview
from state.principal import Principal
from state.reader import Reader, reader_of
from state.undo import Undo
from tools.catalog import Catalogue
from tools.gate.ledger.queries import is_visible, read_with_requests, visible_to
from tools.gate.ledger.rows import read_action
from tools.platform.texts import t
from tools.storage import Database, KeysetPage
from tools.storage.decision_rows import accept_event
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action
from tools.storage.undo_rows import (
    demand_undoable,
    handler_undo,
    mark_undo,
    state_after_action,
    undoable,
)
from tools.storage.undo_rows import open_undo_window as write_undo_window

_MOST_NAMED = 3


def undo_of(
    catalogue: Catalogue,
    standing: LedgerAction,
    told: Mapping[str, Any] | None,  # by slot type
) -> Undo:
    """Say what takes an action back: as its handler told, else by the slots both share.

    Raises:
        Conflict: its entry names no undo, or what the undo needs is not known.
    """
    catalogue = catalogue.of_tenant(standing.tenant_id)
    action = catalogue.actions.get(standing.action)
    undo = catalogue.actions.get((action.undo if action else None) or "")
    if undo is None:
        raise Conflict(t("gate.undo.impossible", summary=standing.summary), "not_undoable")
    if told is None and undo.name == standing.action:
        # The same with the same arguments does it again; only its handler knows what was.
        raise Conflict(t("gate.undo.unknown_before", summary=standing.summary), "not_undoable")
    given = standing.arguments if told is None else told
    shared = {name: value for name, value in given.items() if name in undo.slots}
    try:
        arguments = catalogue.arguments(undo.name, shared if told is None else told)
    except InvalidArguments as fault:
        raise Conflict(
            t("gate.undo.invalid", summary=standing.summary, fault=fault), "not_undoable"
        ) from fault
    summary = catalogue.summary(undo.name, arguments)
    return Undo(of=standing, action=undo.name, arguments=arguments, summary=summary)


def targets_after_action(preview: Preview) -> dict[str, Any]:
    """Lay out what an undo would change, as it stands right after its action: JSON's own values.

    A target that the undo only looks at may change meanwhile; nothing of it is taken back.
    """
    concerned = {change.target for change in preview.changes}
    return {
        "versions": {
            target: version
            for target, version in preview.versions.items()
            if target in concerned or not concerned
        },
        "before": [[one.target, one.field, one.before] for one in preview.changes],
    }


def demand_targets_unchanged(connection: Connection, action_id: str, now: Preview | None) -> None:
    """Let an undo pass that changes what its action left, and nothing that came after it.

    Raises:
        Conflict: something of it was changed since; the sentence names it, without its values.
    """
    left = state_after_action(connection, action_id)
    if left is None or now is None:
        return
    stands = targets_after_action(now)
    stood = {tuple(one) for one in left["before"]}
    moved = {f"{target}: {field}" for target, field, _ in stood ^ set(map(tuple, stands["before"]))}
    told = {one.partition(": ")[0] for one in moved}
    versions = left["versions"].items() ^ stands["versions"].items()
    moved |= {target for target, _ in versions if target not in told}
    if moved:
        named = ", ".join(sorted(moved)[:_MOST_NAMED])
        raise Conflict(t("gate.undo.changed_since", named=named), "changed_since")


SOURCE = "undo"


@dataclass(frozen=True)
class UndoService:
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
        return undo_of(self.catalogue, standing, handler_undo(connection, standing.action_id))

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
    paging = KeysetPage(visible_to(reader), (at.proposed_at, at.action_id), descending=True)
    query = select(ledger_action).where(ledger_action.c.execution_class != "A")
    if undoable_only:
        query = query.where(*undoable(database))

    def work(connection: Connection) -> list[LedgerAction]:
        page = paging.page(connection, query, limit=limit, after=after)
        return read_with_requests(connection, page, reader)

    return await database.read(work)


def open_undo_window(
    connection: Connection, database: Database, catalogue: Catalogue, standing: LedgerAction
) -> None:
    """Open the window of an action that has just succeeded; what it took back is undone now."""
    action = catalogue.actions.get(standing.action)
    has_undo = action is not None and action.undo is not None
    minutes = action.undo_minutes if action is not None and has_undo else None
    write_undo_window(connection, database, standing.action_id, minutes=minutes)


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
