"""Grants: a person's yes in advance to calls within a pattern, for a while and up to a limit.

The ledger alone finds the grant that covers a call; nothing that is proposed can name one. What a
grant is, every use and its revocation stand in the hash chain, in entries of the action that it
started from: a row that another hand wrote or changed covers nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    insert,
    or_,
    select,
    update,
)

from state.action import Action
from state.approval import LedgerAction
from state.errors import BadInput, Conflict, DigestMismatch, Forbidden, NotFound
from state.event import Event
from state.grant import ArgumentPattern, Grant, NewGrant
from state.preview import Preview
from state.principal import Principal
from state.proposal import WANTED_AGAIN
from tools.catalog import Catalogue
from tools.catalog.arguments import read_some
from tools.catalog.entity_values import by_canonical_name
from tools.gate.approvals.approval_rules import approver_roles, demand_approver, why_yes_is_void
from tools.gate.approvals.grant_rows import (
    MADE,
    USED,
    end_grant,
    enter_grant,
    exact,
    find_grant,
    grant_hash,
    read_grant,
    sealed_grant,
    to_grant,
    why_not_grantable,
)
from tools.gate.ledger.rows import Policies, read_action
from tools.gate.risk.execution_class import confirmation_phrase, measures_of
from tools.platform.serialization import canonical_json
from tools.platform.texts import t
from tools.storage import Database, KeysetPage
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import approval_grant as table

MOST_LISTED = 200
_STARTS_FROM = ("pending", "approved", "started", "succeeded")
"""States of an action that a grant may start from: nobody said no to it, and it did not fail."""
_CALL = select(decision.c.event).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.kind == "proposal"
)


@dataclass(frozen=True)
class GrantedCall:
    """A call as it is to be written down, for a grant to cover it or not."""

    decision_id: str
    requester: Principal
    action: Action
    arguments: Mapping[str, Any]  # by slot type
    preview: Preview | None
    raised: Sequence[str]


@dataclass(frozen=True)
class Grants:
    """Made, listed, used and revoked; by those who may approve the action."""

    database: Database
    catalogue: Catalogue
    policies: Policies

    async def add(self, wanted: NewGrant, principal: Principal) -> Grant:
        """Allow from now on what fits `wanted`, of the requester and agent of its action.

        Raises:
            NotFound: no such action in the tenant.
            Forbidden: not a person who may approve it, or nothing that can be granted.
            DigestMismatch: something else was shown.
            Conflict: somebody said no to the action, or it failed.
            BadInput: the pattern fits no slot, not the action itself, or is beyond what policy has.
        """

        def work(connection: Connection) -> Grant:
            return self._add(connection, wanted, principal)

        return await self.database.write(work, durable=True)

    async def list(
        self, principal: Principal, *, limit: int = MOST_LISTED, after: str | None = None
    ) -> list[Grant]:
        """List the grants that can still be used, of the actions that `principal` may approve.

        Raises:
            BadInput: none of those is called `after`, the last one of the page before.
        """
        known = self.catalogue.of_tenant(principal.tenant_id).actions
        open_to = [name for name in known if principal.has_any(approver_roles(known[name]))]
        is_theirs = and_(
            table.c.tenant_id == principal.tenant_id,
            or_(table.c.action.in_(open_to), table.c.granted_by == principal.user),
        )
        paging = KeysetPage(is_theirs, (table.c.created_at, table.c.grant_id), descending=True)
        query = select(table).where(*self._live())

        def work(connection: Connection) -> list[Grant]:
            page = paging.page(connection, query, limit=limit, after=after)
            return [to_grant(row) for row in connection.execute(page).mappings()]

        return await self.database.read(work)

    async def revoke(self, grant_id: str, principal: Principal) -> Grant:
        """End a grant: people are asked again, and what it allowed and has not begun is stale.

        Raises:
            NotFound: none of that id in the tenant, or none that `principal` may see.
            Forbidden: not a person.
            Conflict: it has ended already.
        """
        if principal.kind != "person":
            raise Forbidden(t("gate.grant.only_people_revoke"))

        def work(connection: Connection) -> Grant:
            found = find_grant(connection, grant_id)
            if found is None or not self._may_see(found, principal):
                raise NotFound("grant", grant_id)
            if not end_grant(connection, self.database, found, principal.user, self._live()):
                ended = "revoked" if found.revoked_by else "used up or expired"
                raise Conflict(t("gate.grant.over", grant=grant_id, ended=ended), "over")
            return read_grant(connection, grant_id)

        return await self.database.write(work, durable=True)

    def use(self, connection: Connection, call: GrantedCall) -> Grant | None:
        """Take one use of a grant that covers a call; None: none does, and people are asked.

        Who calls, for whom and what is read from the event that was accepted, never from a thread.
        """
        agent = self._agent_of(connection, call)
        if agent is None or self._why_never(call.action, call.arguments, call.preview):
            return None
        query = (
            select(table)
            .where(
                table.c.tenant_id == call.requester.tenant_id,
                table.c.action == call.action.name,
                table.c.requester == call.requester.user,
                table.c.agent == agent,
                table.c.schema_hash == self._schema_hash(call),
                *self._live(),
            )
            .order_by(table.c.until, table.c.grant_id)
        )
        found = [to_grant(row) for row in connection.execute(query).mappings()]
        return next((each for each in found if self._takes(connection, each, call)), None)

    def _add(self, connection: Connection, wanted: NewGrant, principal: Principal) -> Grant:
        standing = read_action(connection, wanted.action_id, principal.tenant_id)
        demand_approver(standing, principal)
        roles = standing.approver_roles
        if void := why_yes_is_void(
            connection, self.database, standing.tenant_id, principal.user, roles
        ):
            raise Forbidden(void)
        if standing.digest != wanted.digest:
            raise DigestMismatch(standing.action_id)
        if standing.state not in _STARTS_FROM:
            raise Conflict(t("gate.grant.not_allowed", state=standing.state), standing.state)
        catalogue = self.catalogue.of_tenant(standing.tenant_id)
        action = catalogue.action(standing.action)
        event = _event_of(connection, standing.decision_id)
        if event is None or event.call is None or event.sender is None:
            raise Forbidden(t("gate.grant.only_calls"))
        why = self._why_not(standing, action) or (
            t("gate.grant.tainted") if _is_tainted(event, standing.raised) else ""
        )
        if why:
            raise Forbidden(why)
        if standing.schema_hash != catalogue.schema_hash(action.name):
            raise Conflict(t("gate.stale.catalog"), standing.state)
        patterns = self._patterns(catalogue, action, wanted.arguments)
        if not fits(patterns, standing.arguments):
            raise BadInput(t("gate.grant.does_not_fit"))
        return self._put(connection, wanted, principal, standing, patterns, event.sender)

    def _put(
        self,
        connection: Connection,
        wanted: NewGrant,
        principal: Principal,
        standing: LedgerAction,
        patterns: Mapping[str, ArgumentPattern],
        agent: str,
    ) -> Grant:
        rules = self.policies.grants
        action = self.catalogue.of_tenant(standing.tenant_id).action(standing.action)
        measures = measures_of(action, standing.arguments, standing.preview)
        if wanted.minutes > rules.longest_days * 1440:
            raise BadInput(t("gate.grant.too_long", days=rules.longest_days))
        if (wanted.uses or 1) > rules.most_uses:
            raise BadInput(t("gate.grant.too_many", most=rules.most_uses))
        if wanted.amount is not None and measures.amount is None:
            raise BadInput(t("gate.grant.no_amount", action=standing.action))
        grant_id, now = str(uuid4()), self.database.now()
        uses = wanted.uses or rules.most_uses
        connection.execute(
            insert(table).values(
                grant_id=grant_id,
                tenant_id=standing.tenant_id,
                action=standing.action,
                pack=standing.pack,
                schema_hash=standing.schema_hash,
                arguments={
                    name: each.model_dump(mode="json", exclude_defaults=True)
                    for name, each in patterns.items()
                },
                requester=standing.requester,
                agent=agent,
                raised=list(standing.raised),
                currency=measures.currency,
                granted_by=principal.user,
                action_id=standing.action_id,
                digest=standing.digest,
                created_at=now,
                until=now + wanted.minutes * 60,
                uses=uses,
                amount=wanted.amount,
                uses_left=uses,
                amount_left=wanted.amount,
            )
        )
        made = read_grant(connection, grant_id)
        body = {"row_sha256": grant_hash(connection, grant_id)}
        enter_grant(connection, self.database, made, principal.user, MADE, body)
        return made

    def _patterns(
        self, catalogue: Catalogue, action: Action, given: Mapping[str, ArgumentPattern]
    ) -> dict[str, ArgumentPattern]:
        """Read the values of patterns as those of a call are read.

        Raises:
            BadInput, InvalidArguments: a pattern fits no value of its slot, or the slot is secret.
        """
        kinds = catalogue.entities.get(action.pack, {})

        def canonical(name: str, value: Any) -> Any:  # by slot type
            return by_canonical_name(action, read_some(action, {name: value}), kinds)[name]

        read: dict[str, ArgumentPattern] = {}
        for name, pattern in given.items():
            slot = action.slots.get(name)
            if slot is None:
                raise BadInput(t("gate.grant.no_slot", action=action.name, name=name))
            if slot.secret:
                raise BadInput(t("gate.grant.secret", name=name))
            is_number = slot.type in ("number", "integer") and not slot.many
            if pattern.at_most is not None and not is_number:
                raise BadInput(t("gate.grant.no_number", name=name))
            changed: dict[str, Any] = {}
            if pattern.equals is not None:
                changed["equals"] = canonical(name, pattern.equals)
            changed["one_of"] = tuple(canonical(name, one) for one in pattern.one_of)
            read[name] = pattern.model_copy(update=changed)
        return read

    def _why_not(self, standing: LedgerAction, action: Action) -> str:
        if standing.execution_class != "C":
            return t("gate.grant.needs_no_yes", action=action.name)
        if standing.undo_of is not None:
            return t("gate.grant.undo")
        if standing.quorum > 1 or standing.four_eyes:
            return t("gate.grant.several_people", action=action.name)
        return self._why_never(action, standing.arguments, standing.preview)

    def _why_never(
        self,
        action: Action,
        arguments: Mapping[str, Any],  # by slot type
        preview: Preview | None,
    ) -> str:
        """Tell why people are asked about a call whatever was granted; empty: they need not be."""
        if why := why_not_grantable(action, self.policies):
            return why
        rules = self.policies.of(action)
        if confirmation_phrase(action, measures_of(action, arguments, preview), rules):
            return t("gate.grant.typed")
        return ""

    def _agent_of(self, connection: Connection, call: GrantedCall) -> str | None:
        """Name whose key proposed exactly this call, untainted; None: nobody's did."""
        event = _event_of(connection, call.decision_id)
        if event is None or event.call is None or _is_tainted(event, call.raised):
            return None
        catalogue = self.catalogue.of_tenant(call.requester.tenant_id)
        is_this = (
            event.tenant_id == call.requester.tenant_id
            and event.user == call.requester.user
            and event.call.action == call.action.name
            and catalogue.arguments(call.action.name, event.call.arguments) == dict(call.arguments)
        )
        return event.sender if is_this else None

    def _schema_hash(self, call: GrantedCall) -> str:
        return self.catalogue.of_tenant(call.requester.tenant_id).schema_hash(call.action.name)

    def _takes(self, connection: Connection, grant: Grant, call: GrantedCall) -> bool:
        roles = approver_roles(call.action)
        granter, tenant_id = grant.granted_by, grant.tenant_id
        if (
            not fits(grant.arguments, call.arguments)
            or not set(call.raised) - {WANTED_AGAIN} <= set(grant.raised)
            or why_yes_is_void(connection, self.database, tenant_id, granter, roles)
        ):
            return False
        sealed = sealed_grant(connection, self.database, grant)
        if not sealed.is_whole or sealed.is_revoked or sealed.uses >= grant.uses:
            return False
        left = grant.amount_left
        cost: float | None = None
        if grant.amount is not None:
            measures = measures_of(call.action, call.arguments, call.preview)
            cost = measures.amount
            if cost is None or left is None or measures.currency != grant.currency:
                return False
            spent = sealed.amount + exact(cost)
            left = float(exact(left) - exact(cost))
            if left < 0 or spent > exact(grant.amount):
                return False
        taken = connection.execute(
            update(table)
            .where(
                table.c.grant_id == grant.grant_id,
                table.c.uses_left == grant.uses_left,
                table.c.amount_left.is_not_distinct_from(grant.amount_left),
                *self._live(),
            )
            .values(uses_left=grant.uses_left - 1, amount_left=left)
        )
        if taken.rowcount == 0:
            return False
        body = {"decision": call.decision_id, "amount": cost, "uses_left": grant.uses_left - 1}
        enter_grant(connection, self.database, grant, call.requester.user, USED, body)
        return True

    def _live(self) -> tuple[ColumnElement[bool], ...]:
        return (
            table.c.revoked_at.is_(None),
            table.c.uses_left > 0,
            table.c.until > self.database.now(),
        )

    def _may_see(self, grant: Grant, principal: Principal) -> bool:
        if grant.tenant_id != principal.tenant_id:
            return False
        action = self.catalogue.of_tenant(grant.tenant_id).actions.get(grant.action)
        is_approver = action is not None and principal.has_any(approver_roles(action))
        return is_approver or grant.granted_by == principal.user


def fits(
    patterns: Mapping[str, ArgumentPattern],
    arguments: Mapping[str, Any],  # by slot type
) -> bool:
    """Tell whether each argument fits its pattern, and none is there that has no pattern."""
    given = {name: value for name, value in arguments.items() if value is not None}
    return set(given) <= set(patterns) and all(
        _fits(pattern, given.get(name)) for name, pattern in patterns.items()
    )


def _fits(pattern: ArgumentPattern, value: Any) -> bool:  # by slot type; None: not given
    if pattern.any:
        return True
    if value is None:
        return False
    if pattern.at_most is not None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and 0 <= value <= pattern.at_most
    written = canonical_json([value])
    return any(written == canonical_json([one]) for one in pattern.one_of or (pattern.equals,))


def _event_of(connection: Connection, decision_id: str) -> Event | None:
    """Read the proposal that a decision is, as it was accepted; None: it is none."""
    found = connection.scalar(_CALL, {"wanted": decision_id})
    return None if found is None else Event.model_validate(found)


def _is_tainted(event: Event, raised: Sequence[str]) -> bool:
    return event.call is None or event.call.tainted or "tainted" in raised
