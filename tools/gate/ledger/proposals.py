"""Draft and propose an action: validate arguments, preview it, set its class.

Then write it to the ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, select, text
from sqlalchemy.dialects.sqlite import insert

from state.action import Action, ExecutionClass
from state.agent_call import AgentCall
from state.approval import LedgerAction
from state.errors import Conflict, Forbidden
from state.grant import Grant
from state.offer import ExplicitRequest
from state.preview import Preview
from state.principal import Principal
from state.proposal import Proposal
from tools.catalog import Catalogue
from tools.catalog.entity_values import must_be_looked_up
from tools.gate.approvals.approval_rules import Refusals, approvers_of
from tools.gate.approvals.approval_schedule import is_within_ask_budget
from tools.gate.approvals.grant_rows import METHOD
from tools.gate.approvals.grants import GrantedCall, Grants
from tools.gate.ledger.conflicts import (
    demand_first,
    demand_no_permit,
    demand_not_rejected,
    runs_unasked,
)
from tools.gate.ledger.handler_runner import Previewer
from tools.gate.ledger.operator_controls import why_frozen
from tools.gate.ledger.rows import (
    Policies,
    action_id_of,
    digest_of,
    put_action,
    read_action,
    record_entry,
)
from tools.gate.ledger.undo import demand_targets_unchanged
from tools.gate.risk.execution_class import raised_by_risk
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.offers import find_request
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action, ledger_approval


@dataclass(frozen=True)
class Draft:
    """What would run, for whom, and why it is of its class."""

    action: Action
    arguments: dict[str, Any]
    requester: Principal
    preview: Preview | None
    execution_class: ExecutionClass
    raised: tuple[str, ...]


@dataclass(frozen=True)
class ActionDrafter:
    """Reads proposals and edits the same way."""

    catalogue: Catalogue
    policies: Policies
    previewing: Previewer

    async def draft(
        self,
        name: str,
        given: Mapping[str, Any],  # by slot type
        requester: Principal,
        *,
        at_least: ExecutionClass = "A",
        raised: tuple[str, ...] = (),
    ) -> Draft:
        """Read an action as `requester` would have it done.

        Args:
            at_least: nothing lowers a class below this.
            raised: what has raised it so far.

        Raises:
            NotFound: no such action in the catalogue.
            InvalidArguments: the arguments do not fit.
            Forbidden: the requester may not ask for it.
            LookupFailed: what it names cannot be looked up.
            AgentError: its preview says that it cannot be done.
        """
        catalogue = self.catalogue.of_tenant(requester.tenant_id)
        action = catalogue.action(name)
        if (withheld := catalogue.why_withheld(name)) is not None:
            raise Forbidden(withheld)
        if not catalogue.may_ask(name, requester.roles):
            raise Forbidden(t("gate.ask_needs_role", name=name, roles=", ".join(action.roles)))
        arguments = catalogue.arguments(name, given)
        floor = max(action.floor, at_least)
        preview = None
        if must_be_looked_up(action, floor):
            await self.previewing.demand_looked_up(action, arguments, requester.tenant_id)
        if floor != "A":
            preview = await self.previewing.read(action, arguments, requester)
        # From the floor: what classify raised for its risk is not raised for the same once more.
        risk = raised_by_risk(
            action.floor,
            action,
            arguments,
            preview,
            self.policies.of(action),
            catalogue.pack(action.pack).policy.internal_domains,
        )
        return Draft(
            action=action,
            arguments=arguments,
            requester=requester,
            preview=preview,
            execution_class=max(floor, risk.execution_class),
            raised=tuple(dict.fromkeys((*raised, *risk.reasons))),
        )

    def values(
        self,
        draft: Draft,
        decision_id: str,
        *,
        now: ColumnElement[float],
        asked: bool,
        undone: LedgerAction | None,
    ) -> dict[str, Any]:
        """Lay out the row of a draft.

        Args:
            now: the database's clock.
            asked: people may answer from now on; otherwise it waits in the queue.
            undone: the action that it takes back, if any.

        Raises:
            Conflict: nobody's yes would be enough to take that back.
        """
        action, requester = draft.action, draft.requester
        frozen = self._frozen(draft)
        asks = draft.execution_class == "C"
        approvers = approvers_of(action, undone)
        minutes = self.policies.of(action).approval_minutes(action)
        ends = asked if asks else action.permit is not None
        return frozen | {
            "action_id": action_id_of(decision_id, frozen["digest"]),
            "tenant_id": requester.tenant_id,
            "decision_id": decision_id,
            "execution_class": draft.execution_class,
            "state": ("pending" if asked else "proposed") if asks else "approved",
            "requester": requester.user,
            "requester_roles": list(requester.roles),
            "approver_roles": list(approvers.roles),
            "quorum": approvers.quorum,
            "four_eyes": approvers.four_eyes,
            "proposed_at": now,
            "expires_at": now + minutes * 60 if ends else None,
            "asked_at": now if asks and asked else None,
            "raised": list(draft.raised),
            "undo_of": undone.action_id if undone is not None else None,
        }

    def _frozen(self, draft: Draft) -> dict[str, Any]:
        action, preview = draft.action, draft.preview
        catalogue = self.catalogue.of_tenant(draft.requester.tenant_id)
        schema_hash = catalogue.schema_hash(action.name)
        policy_version = self.policies.version_of(action)
        targets = dict(preview.versions) if preview else {}
        return {
            "action": action.name,
            "pack": action.pack,
            "arguments": draft.arguments,
            "summary": catalogue.summary(action.name, draft.arguments),
            "schema_hash": schema_hash,
            "policy_version": policy_version,
            "target_versions": targets,
            "preview": preview.model_dump(mode="json") if preview else None,
            "digest": digest_of(
                tenant_id=draft.requester.tenant_id,
                action=action.name,
                schema_hash=schema_hash,
                policy_version=policy_version,
                arguments=draft.arguments,
                targets=targets,
            ),
        }


UNDOES_APPROVED = "undo_of_approved"
"""What raises the undo of an action that people had to say yes to."""

# Built once: to build a statement takes longer than to run it.
_FIRST = (
    select(ledger_action.c.action_id)
    .where(
        ledger_action.c.decision_id == bindparam("wanted"), ledger_action.c.execution_class != "A"
    )
    .order_by(ledger_action.c.proposed_at, text("rowid"))
    .limit(1)
)
_CALL = select(decision.c.event["call"]).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.kind == "proposal"
)
_STANDING = select(decision.c.standing).where(decision.c.decision_id == bindparam("wanted"))
_KNOWN = select(ledger_action.c.action_id).where(ledger_action.c.action_id == bindparam("wanted"))


@dataclass(frozen=True)
class Proposer:
    """The first step of the ledger."""

    database: Database
    catalogue: Catalogue
    drafting: ActionDrafter
    refusals: Refusals
    grants: Grants

    async def propose(self, proposal: Proposal) -> LedgerAction:
        """Write an action down; proposing again returns the row there is.

        A decision leads to one action that changes something, ever: whatever it proposes later
        meets the first.

        A read may run at once. A write may run when the decision is a person's choice of exactly
        this, or an agent's call that policy lets run. Everything else is `pending` until people say
        yes, or `proposed` while its asker has caused as many questions this hour as one may.

        A call that a live grant covers takes one use of it, and is approved by whoever granted it.

        Raises:
            NotFound: no such action in the catalogue.
            InvalidArguments: the arguments do not fit.
            Forbidden: the requester may not ask for it, or a write was not chosen.
            Conflict: what it takes back is not as its action left it, or its decision is over.
            RefusedBeforehand: a standing refusal covers it.
            RejectedLately: an agent's call that a person has just rejected.
            AlreadyAsked: the same question of the same person is open, or its permit.
            LookupFailed: what it names cannot be looked up; nobody is asked.
            AgentError: its preview says that it cannot be done; nobody is asked.
        """
        tenant_id = proposal.requester.tenant_id
        action = self.catalogue.of_tenant(tenant_id).action(proposal.action)
        at_least, raised = proposal.at_least, proposal.raised
        if max(action.floor, at_least) > "A":
            first, undone = await self.database.read(
                lambda connection: (
                    _first_of(connection, proposal.decision_id),
                    _undone_by(connection, proposal.decision_id, proposal.action),
                )
            )
            if first is not None:
                return first
            if undone is not None and undone.execution_class == "C":
                at_least, raised = "C", (*raised, UNDOES_APPROVED)
        draft = await self.drafting.draft(
            proposal.action,
            proposal.arguments,
            proposal.requester,
            at_least=at_least,
            raised=raised,
        )
        return await self.database.write(
            lambda connection: self._insert(connection, proposal, draft),
            durable=draft.execution_class != "A",
        )

    def _insert(self, connection: Connection, proposal: Proposal, draft: Draft) -> LedgerAction:
        chosen = undone = None
        if draft.execution_class > "A":
            first = _first_of(connection, proposal.decision_id)
            if first is not None:
                return first
            self.refusals.demand_none(
                connection, proposal.requester, draft.action.name, draft.arguments
            )
            chosen = find_request(connection, proposal.decision_id)
            undone = _undone_by(connection, proposal.decision_id, draft.action.name)
        if draft.execution_class == "B":
            rules = self.drafting.policies.of(draft.action)
            asked: ExplicitRequest | AgentCall | None = chosen
            if chosen is None and runs_unasked(proposal.origin, rules):
                asked = _untainted_call(connection, proposal.decision_id)
            self._demand_exactly(asked, draft)
        values = self._values(connection, proposal, draft, undone)
        _demand_open(connection, values)
        if undone is not None:
            demand_targets_unchanged(connection, undone.action_id, draft.preview)
        self._demand_unasked(connection, draft, values)
        grant = None
        if draft.execution_class == "C" and undone is None:
            grant = self._granted(connection, proposal, draft)
        if grant is not None:
            return self._put_granted(connection, values, draft, grant)
        is_new = put_action(connection, self.database, values, actor=proposal.requester.user)
        if is_new and draft.execution_class == "B" and chosen is not None:
            _note_yes(connection, values, proposal.requester.user, "chip", self.database)
        return read_action(connection, values["action_id"])

    def _demand_unasked(
        self,
        connection: Connection,
        draft: Draft,
        values: dict[str, Any],  # by column
    ) -> None:
        """Let pass what is not asked for, permitted or, by an agent, just rejected already."""
        if draft.action.permit is not None:
            demand_no_permit(connection, self.database, values)
        if draft.execution_class == "C":
            minutes = self.drafting.policies.of(draft.action).duplicate_minutes
            demand_not_rejected(connection, self.database, values, minutes)
            demand_first(connection, self.database, values)

    def _granted(self, connection: Connection, proposal: Proposal, draft: Draft) -> Grant | None:
        if proposal.origin != "agent" or why_frozen(connection):
            return None
        call = GrantedCall(
            proposal.decision_id,
            draft.requester,
            draft.action,
            draft.arguments,
            draft.preview,
            draft.raised,
        )
        return self.grants.use(connection, call)

    def _put_granted(
        self,
        connection: Connection,
        values: dict[str, Any],  # by column
        draft: Draft,
        grant: Grant,
    ) -> LedgerAction:
        """Write down what a grant allows: its granter's yes and the grant stand in its entries."""
        granter, rules = grant.granted_by, self.drafting.policies.of(draft.action)
        minutes = rules.approval_minutes(draft.action)
        allowed = values | {
            "state": "approved",
            "asked_at": None,
            "expires_at": self.database.now() + minutes * 60,
            "decided_by": granter,
            "grant_id": grant.grant_id,
        }
        requester = draft.requester.user
        # Not as approved: that would stand for a yes of its requester.
        if put_action(connection, self.database, allowed, actor=requester, as_event="granted"):
            _note_yes(connection, allowed, granter, METHOD, self.database)
            for event in ("yes", "approved"):
                record_entry(
                    connection,
                    self.database,
                    tenant_id=allowed["tenant_id"],
                    action_id=allowed["action_id"],
                    actor=granter,
                    event=event,
                    body={"method": METHOD, "grant": grant.grant_id},
                )
        return read_action(connection, allowed["action_id"])

    def _values(
        self,
        connection: Connection,
        proposal: Proposal,
        draft: Draft,
        undone: LedgerAction | None,
    ) -> dict[str, Any]:  # by column
        asked = draft.execution_class != "C" or is_within_ask_budget(
            connection,
            self.database,
            proposal.requester,
            self.drafting.policies.of(draft.action),
            proposal.origin,
        )
        values = self.drafting.values(
            draft, proposal.decision_id, now=self.database.now(), asked=asked, undone=undone
        )
        return values | {"origin": proposal.origin, "phase": proposal.phase}

    def _demand_exactly(self, asked: ExplicitRequest | AgentCall | None, draft: Draft) -> None:
        """Let a write pass that a person chose, or an agent called, as exactly this."""
        name, catalogue = draft.action.name, self.catalogue.of_tenant(draft.requester.tenant_id)
        is_this = (
            asked is not None
            and asked.action == name
            and catalogue.arguments(name, asked.arguments) == draft.arguments
        )
        if not is_this:
            raise Forbidden(t("gate.needs_choice", action=name))


def _untainted_call(connection: Connection, decision_id: str) -> AgentCall | None:
    """Read the call that a decision is, from our own tables alone; None: it is none, or tainted.

    A thread's state can be written into: what it says of itself runs nothing.
    """
    found = connection.scalar(_CALL, {"wanted": decision_id})
    call = AgentCall.model_validate(found) if found else None
    return None if call is None or call.tainted else call


def _first_of(connection: Connection, decision_id: str) -> LedgerAction | None:
    # Not what an edit made of it: executing the first one leads there. Asked before anything is
    # read anew: once it has run, its preview would say that it cannot be done again.
    found = connection.execute(_FIRST, {"wanted": decision_id}).scalar()
    return None if found is None else read_action(connection, found)


def _undone_by(connection: Connection, decision_id: str, action: str) -> LedgerAction | None:
    """Read what a decision takes back, from our own tables alone; None: nothing.

    What a proposal or an event says of itself takes nothing back.
    """
    chosen = find_request(connection, decision_id)
    if chosen is None or chosen.undo_of is None or chosen.action != action:
        return None
    return read_action(connection, chosen.undo_of)


def _demand_open(
    connection: Connection,
    values: dict[str, Any],  # by column
) -> None:
    """Let nothing new begin in a decision that is over: it may have been given up meanwhile.

    Raises:
        Conflict: it has its record.
    """
    standing = connection.scalar(_STANDING, {"wanted": values["decision_id"]})
    if (
        standing == "recorded"
        and connection.scalar(_KNOWN, {"wanted": values["action_id"]}) is None
    ):
        raise Conflict(t("gate.decision_over"), "recorded")


def _note_yes(
    connection: Connection,
    values: dict[str, Any],  # by column
    approver: str,
    method: str,
    database: Database,
) -> None:
    connection.execute(
        insert(ledger_approval).values(
            action_id=values["action_id"],
            approver=approver,
            decision="approve",
            digest_seen=values["digest"],
            method=method,
            decided_at=select(database.now()).scalar_subquery(),
        )
    )
