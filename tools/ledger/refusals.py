"""Standing refusals: a no that was said beforehand. It never allows anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import rfc8785
from sqlalchemy import ColumnElement, Connection, RowMapping, and_, insert, or_, select, update

from state.action import Action
from state.approval import LedgerAction
from state.errors import BadInput, Conflict, Forbidden, NotFound, RefusedBeforehand
from state.principal import Principal
from state.refusal import NewRefusal, Refusal, RefusalWish
from tools.catalogue.arguments import read_some
from tools.catalogue.catalogue import Catalogue
from tools.ledger.approvers import approver_roles
from tools.storage.database import Database
from tools.storage.paging import Paging
from tools.storage.tables.ledger import standing_refusal as table

MOST_LISTED = 200


@dataclass(frozen=True)
class Refusals:
    """Made, listed and withdrawn by those who may approve the action."""

    database: Database
    catalogue: Catalogue

    async def add(self, wanted: NewRefusal, principal: Principal) -> Refusal:
        """Refuse from now on what fits `wanted`.

        Raises:
            NotFound: no such action in the catalogue.
            BadInput: it only reads, or the arguments are none of its slots'.
            Forbidden: not a person who may approve it.
        """
        action = self.catalogue.action(wanted.action)
        _demand_approver(action, principal)
        if action.floor == "A":
            raise BadInput(f"{action.name} only reads; nobody is asked about it")
        fitting = wanted.model_copy(update={"arguments": read_some(action, wanted.arguments)})

        def work(connection: Connection) -> Refusal:
            return put_refusal(connection, self.database, fitting, principal)

        return await self.database.write(work, durable=True)

    async def list(
        self, principal: Principal, *, limit: int = MOST_LISTED, after: str | None = None
    ) -> list[Refusal]:
        """List what stands now, of the actions that `principal` may approve, newest first.

        Raises:
            BadInput: none of those is called `after`, the last one of the page before.
        """
        is_theirs = and_(table.c.tenant_id == principal.tenant_id, self._is_open_to(principal))
        paging = Paging(is_theirs, (table.c.created_at, table.c.refusal_id), descending=True)
        query = select(table).where(*self._standing())

        def work(connection: Connection) -> list[Refusal]:
            page = paging.page(connection, query, limit=limit, after=after)
            return [_refusal(row) for row in connection.execute(page).mappings()]

        return await self.database.read(work)

    async def withdraw(self, refusal_id: str, principal: Principal) -> Refusal:
        """End a refusal: people are asked again.

        Whoever made it may, and who holds a role that the action names for its approvers; that
        somebody may ask for the action is not enough, for it may be aimed at them.

        Raises:
            NotFound: none of that id in the tenant, or none that `principal` may see.
            Forbidden: not a person, or none of these.
            Conflict: it has ended already.
        """
        if principal.kind != "person":
            raise Forbidden("only a person may withdraw a refusal, never a service")

        def work(connection: Connection) -> Refusal:
            standing = self._read(connection, refusal_id, principal)
            self._demand_withdrawer(standing, principal)
            moved = connection.execute(
                update(table)
                .where(table.c.refusal_id == refusal_id, *self._standing())
                .values(withdrawn_by=principal.user, withdrawn_at=self.database.now())
            )
            if moved.rowcount == 0:
                ended = "withdrawn" if standing.withdrawn_by else "expired"
                raise Conflict(f"refusal {refusal_id} is {ended} already", ended)
            return self._read(connection, refusal_id, principal)

        return await self.database.write(work, durable=True)

    def demand_none(
        self,
        connection: Connection,
        requester: Principal,
        action: str,
        arguments: Mapping[str, Any],  # by slot type
    ) -> None:
        """Let pass what nobody refused beforehand.

        Raises:
            RefusedBeforehand: somebody has.
        """
        query = select(table).where(
            table.c.tenant_id == requester.tenant_id,
            table.c.action == action,
            or_(table.c.requester.is_(None), table.c.requester == requester.user),
            *self._standing(),
        )
        for row in connection.execute(query).mappings():
            if _fits(row["arguments"], arguments):
                raise RefusedBeforehand(action, row["reason"], row["refusal_id"])

    def _standing(self) -> tuple[ColumnElement[bool], ...]:
        return (
            table.c.withdrawn_at.is_(None),
            or_(table.c.until.is_(None), table.c.until > self.database.now()),
        )

    def _read(self, connection: Connection, refusal_id: str, principal: Principal) -> Refusal:
        query = select(table).where(
            table.c.refusal_id == refusal_id, table.c.tenant_id == principal.tenant_id
        )
        row = connection.execute(query).mappings().first()
        if row is None or not self._may(_refusal(row), principal):
            raise NotFound("refusal", refusal_id)
        return _refusal(row)

    def _demand_withdrawer(self, refusal: Refusal, principal: Principal) -> None:
        action = self.catalogue.actions.get(refusal.action)
        roles = action.approvers.roles if action else ()
        is_named = bool(roles) and principal.has_any(roles)  # no role named is nobody here
        if not is_named and principal.user != refusal.created_by:
            who = " or ".join((refusal.created_by, *roles))
            raise Forbidden(f"this refusal may be withdrawn by {who}")

    def _is_open_to(self, principal: Principal) -> ColumnElement[bool]:
        """Say in SQL what `_may` says of one."""
        known = self.catalogue.actions
        open_to = [name for name in known if principal.has_any(approver_roles(known[name]))]
        is_own = table.c.action.not_in(list(known)) & (table.c.created_by == principal.user)
        return or_(table.c.action.in_(open_to), is_own)

    def _may(self, refusal: Refusal, principal: Principal) -> bool:
        action = self.catalogue.actions.get(refusal.action)
        if action is None:  # its pack is not loaded: whoever made it may still end it
            return refusal.created_by == principal.user
        return principal.has_any(approver_roles(action))


def put_refusal(
    connection: Connection, database: Database, wanted: NewRefusal, principal: Principal
) -> Refusal:
    """Write a refusal down inside a transaction."""
    refusal_id = str(uuid4())
    now = database.now()
    connection.execute(
        insert(table).values(
            refusal_id=refusal_id,
            tenant_id=principal.tenant_id,
            action=wanted.action,
            arguments=dict(wanted.arguments),
            requester=wanted.requester,
            reason=wanted.reason,
            created_by=principal.user,
            created_at=now,
            until=None if wanted.minutes is None else now + wanted.minutes * 60,
        )
    )
    query = select(table).where(table.c.refusal_id == refusal_id)
    return _refusal(connection.execute(query).mappings().one())


def wished(wish: RefusalWish, standing: LedgerAction, reason: str | None) -> NewRefusal:
    """Make a refusal of what comes like the action that was just rejected."""
    return NewRefusal(
        action=standing.action,
        arguments=dict(standing.arguments) if wish.same == "arguments" else {},
        requester=standing.requester if wish.same == "requester" else None,
        reason=reason or "",
        minutes=wish.minutes,
    )


def _demand_approver(action: Action, principal: Principal) -> None:
    if principal.kind != "person":
        raise Forbidden("only a person may refuse beforehand, never a service")
    if not principal.has_any(approver_roles(action)):
        raise Forbidden(f"refusing this needs one of the roles {', '.join(approver_roles(action))}")


def _fits(refused: Mapping[str, Any], arguments: Mapping[str, Any]) -> bool:  # by slot type
    return all(
        name in arguments and rfc8785.dumps(arguments[name]) == rfc8785.dumps(value)
        for name, value in refused.items()
    )


def _refusal(row: RowMapping) -> Refusal:
    instants = {
        name: None if row[name] is None else datetime.fromtimestamp(row[name], UTC)
        for name in ("created_at", "until", "withdrawn_at")
    }
    return Refusal.model_validate({**row, **instants})
