"""Rules of approval: who may answer, whose votes still count, and standing refusals.

A standing refusal rejects matching actions in advance; it never allows one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import rfc8785
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    RowMapping,
    and_,
    bindparam,
    insert,
    or_,
    select,
    update,
)

from state.action import Action, Approvers
from state.approval import ApprovalAnswer, LedgerAction
from state.channel import ChannelTuning
from state.errors import BadInput, Conflict, Forbidden, NotFound, RefusedBeforehand
from state.execution import ExecutionTuning
from state.principal import Principal
from state.refusal import NewRefusal, Refusal, RefusalWish
from tools.access import is_valid_key
from tools.catalog import Catalogue
from tools.catalog.arguments import read_some
from tools.gate.ledger.hash_chain import sealed_entries
from tools.gate.risk.execution_class import confirmation_phrase, format_amount, measures_of
from tools.platform.texts import t
from tools.platform.unicode_safety import passes_for_any
from tools.storage import Database, KeysetPage
from tools.storage.tables.decisions import api_key
from tools.storage.tables.ledger import ledger_approval
from tools.storage.tables.ledger import standing_refusal as table


def approver_roles(action: Action) -> tuple[str, ...]:
    """Name the roles that may say yes to an action; empty: any."""
    return action.approvers.roles or action.roles


def approvers_of(action: Action, undone: LedgerAction | None) -> Approvers:
    """Settle who says yes to an action; to the undo of an approved one nobody less than to that.

    Args:
        undone: the action that it takes back, if any.

    Raises:
        Conflict: the two are approved by other roles, so that nobody's yes is enough.
    """
    own = action.approvers
    if undone is None or undone.execution_class != "C":
        return own.model_copy(update={"roles": approver_roles(action)})
    roles = undone.approver_roles or approver_roles(action)
    if own.roles and undone.approver_roles:
        roles = tuple(role for role in undone.approver_roles if role in own.roles)
        if not roles:
            raise Conflict(
                t("gate.undo_other_roles", summary=undone.summary, name=action.name),
                "no_approver",
            )
    return own.model_copy(
        update={
            "roles": roles,
            "quorum": max(own.quorum, undone.quorum),
            "four_eyes": own.four_eyes or undone.four_eyes,
        }
    )


def demand_answerer(standing: LedgerAction, principal: Principal, answer: ApprovalAnswer) -> None:
    """Let pass whoever may give an approval this answer: an approver, or who takes it back.

    Taking back is a plain no of who asked. One that stands for what comes like it binds others too,
    and is an approver's.

    Raises:
        Forbidden: neither of the two.
    """
    if not takes_back(standing, principal, answer):
        demand_approver(standing, principal, answer.decision)


def takes_back(standing: LedgerAction, principal: Principal, answer: ApprovalAnswer) -> bool:
    """Tell whether who asked calls it off; that is heard before it is asked, too."""
    is_theirs = principal.kind == "person" and principal.user == standing.requester
    is_plain = answer.decision == "reject" and answer.standing is None
    return is_theirs and is_plain and "ask" in principal.scopes


def demand_approver(
    standing: LedgerAction, principal: Principal, decision: str = "approve"
) -> None:
    """Let pass whoever may give this answer to an approval.

    With four eyes neither who asked nor who wrote the arguments may say yes to them, under no name
    that could be read as theirs; what somebody wrote they may still take back or write anew. What
    is said instead of an answer becomes a message of who says it, and other arguments are another
    request of who writes them: their key has to be good for asking then.

    Raises:
        Forbidden: not a person, without the role, or one of the two where four eyes are due.
    """
    if principal.kind != "person":
        raise Forbidden(t("gate.only_people_answer"))
    if "approve" not in principal.scopes:
        raise Forbidden(t("gate.key_cannot_answer"))
    if decision in ("respond", "edit") and "ask" not in principal.scopes:
        said = "a response" if decision == "respond" else "an edit"
        raise Forbidden(t("gate.key_cannot_ask", said=said))
    if not principal.has_any(standing.approver_roles):
        raise Forbidden(
            t("gate.needs_role_to_answer", approver_roles=", ".join(standing.approver_roles))
        )
    if not standing.four_eyes:
        return
    if passes_for_any(principal.user, (standing.requester,)):
        raise Forbidden(t("gate.four_eyes_asker", action=standing.action))
    if decision == "approve" and passes_for_any(principal.user, (standing.editor,)):
        raise Forbidden(t("gate.four_eyes_editor", action=standing.action))


def why_sign_in(
    standing: LedgerAction, action: Action, channels: ChannelTuning, rules: ExecutionTuning
) -> str:
    """Tell why a yes to an action needs a person who is signed in; empty: a link is enough.

    Args:
        rules: those of this action, see ExecutionTuning.of.
    """
    measures = measures_of(action, standing.arguments, standing.preview)
    amount = rules.amount if channels.amount is None else channels.amount
    if standing.execution_class > channels.highest_class:
        return t("channel.sign_in.class", class_=standing.execution_class)
    if confirmation_phrase(action, measures, rules) is not None and not channels.typed:
        return t("channel.sign_in.typed")
    if measures.amount is not None and measures.amount > amount:
        return t("channel.sign_in.amount", most=format_amount(amount, measures.currency))
    if channels.count is not None and (measures.count or 0) > channels.count:
        return t("channel.sign_in.count", most=channels.count)
    return ""


def counts_as_yes(standing: LedgerAction, principal: Principal, answer: ApprovalAnswer) -> bool:
    """Tell whether an edit is also its editor's yes: not where four eyes are due."""
    return answer.decision == "approve" or not (
        standing.four_eyes and passes_for_any(principal.user, (standing.requester, standing.editor))
    )


def demand_whole(answer: ApprovalAnswer) -> None:
    """Let pass an answer that carries what it needs, and nothing else.

    Raises:
        BadInput: it does not.
    """
    if (answer.decision == "edit") != (answer.arguments is not None):
        raise BadInput(t("gate.edit_arguments"))
    if answer.standing is not None and answer.decision != "reject":
        raise BadInput(t("gate.standing_needs_reject"))
    if answer.decision == "respond" and not (answer.reason or "").strip():
        raise BadInput(t("gate.respond_needs_reason"))


_SAID_YES = ("yes", "proposed approved")
"""At the gate; and by choosing a chip, which proposes and allows in one."""
_YES = select(ledger_approval.c.approver).where(
    ledger_approval.c.action_id == bindparam("action"),
    ledger_approval.c.decision == "approve",
    ledger_approval.c.digest_seen == bindparam("digest"),
)


def standing_yeses(
    connection: Connection,
    database: Database,
    standing: LedgerAction,
    roles: tuple[str, ...],
    *,
    four_eyes: bool,
) -> list[str]:
    """List the people whose yes to exactly this action still counts.

    A vote counts with the sealed entry that was made with it: one that another hand wrote into
    the database is none. Names that could be read as one another are one person. Whoever has keys
    must have one that is good now and carries one of `roles` (none: any role); somebody without
    any key answered on this machine, and the yes counts as it was given.
    """
    found = connection.scalars(_YES, {"action": standing.action_id, "digest": standing.digest})
    entered = {
        entry.actor
        for entry in sealed_entries(connection, database, standing.action_id)
        if entry.event in _SAID_YES
    }
    barred = (standing.requester, standing.editor) if four_eyes else ()
    counted: list[str] = []
    for approver in sorted(entered.intersection(found)):
        is_another = not passes_for_any(approver, (*barred, *counted))
        if is_another and not why_yes_is_void(
            connection, database, standing.tenant_id, approver, roles
        ):
            counted.append(approver)
    return counted


def why_yes_is_void(
    connection: Connection,
    database: Database,
    tenant_id: str,
    approver: str,
    roles: tuple[str, ...],
) -> str:
    """Tell why the keys of somebody leave their yes worthless now; empty: they do not.

    A name without keys is read as one that has some: else another spelling would revive them.
    """
    has_keys = api_key.c.tenant_id == tenant_id
    users = connection.scalars(select(api_key.c.user).where(has_keys).distinct()).all()
    names = (
        [approver] if approver in users else [u for u in users if passes_for_any(approver, (u,))]
    )
    keys = _keys(connection, database, tenant_id, names)
    good = [key for key in keys if key.is_good and key.kind == "person"]
    if not keys or any(_carries(key, roles) for key in good):
        return ""
    if good:
        return t("gate.yes_without_role", user=approver, roles=", ".join(roles))
    return t("gate.yes_without_key", user=approver)


def may_still_ask(
    connection: Connection, database: Database, standing: LedgerAction, roles: tuple[str, ...]
) -> bool:
    """Tell whether who asked could ask today: an action runs with the asker's rights, not ours.

    As for a yes: somebody without any key asked on this machine or through a bridge.
    """
    keys = _keys(connection, database, standing.tenant_id, [standing.requester])
    return not keys or any(key.is_good and _carries(key, roles) for key in keys)


def _keys(
    connection: Connection, database: Database, tenant_id: str, users: Sequence[str]
) -> Sequence[Row[Any]]:  # roles, kind, is_good
    query = select(api_key.c.roles, api_key.c.kind, is_valid_key(database).label("is_good"))
    is_theirs = (api_key.c.tenant_id == tenant_id) & api_key.c.user.in_(users)
    return connection.execute(query.where(is_theirs)).all()


def _carries(key: Row[Any], roles: tuple[str, ...]) -> bool:
    return not roles or bool(set(roles) & set(key.roles))


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
        action = self.catalogue.of_tenant(principal.tenant_id).action(wanted.action)
        _demand_approver(action, principal)
        if action.floor == "A":
            raise BadInput(t("gate.reads_need_no_refusal", name=action.name))
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
        paging = KeysetPage(is_theirs, (table.c.created_at, table.c.refusal_id), descending=True)
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
            raise Forbidden(t("gate.only_people_withdraw"))

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
                raise Conflict(t("gate.refusal_over", refusal_id=refusal_id, ended=ended), ended)
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
        known = self.catalogue.of_tenant(principal.tenant_id).actions
        action = known.get(refusal.action)
        roles = action.approvers.roles if action else ()
        is_named = bool(roles) and principal.has_any(roles)  # no role named is nobody here
        if not is_named and principal.user != refusal.created_by:
            who = " or ".join((refusal.created_by, *roles))
            raise Forbidden(t("gate.refusal_withdrawn_by", who=who))

    def _is_open_to(self, principal: Principal) -> ColumnElement[bool]:
        """Say in SQL what `_may` says of one."""
        known = self.catalogue.of_tenant(principal.tenant_id).actions
        open_to = [name for name in known if principal.has_any(approver_roles(known[name]))]
        is_own = table.c.action.not_in(list(known)) & (table.c.created_by == principal.user)
        return or_(table.c.action.in_(open_to), is_own)

    def _may(self, refusal: Refusal, principal: Principal) -> bool:
        action = self.catalogue.of_tenant(principal.tenant_id).actions.get(refusal.action)
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


def refusal_from_wish(wish: RefusalWish, standing: LedgerAction, reason: str | None) -> NewRefusal:
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
        raise Forbidden(t("gate.only_people_refuse"))
    if not principal.has_any(approver_roles(action)):
        raise Forbidden(t("gate.needs_role_to_refuse", roles=", ".join(approver_roles(action))))


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
