"""Draft an action: its arguments read, its effect foreseen, its class settled; nothing written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement

from state.action import Action, ExecutionClass
from state.approval import LedgerAction
from state.errors import Forbidden
from state.preview import Preview
from state.principal import Principal
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.looking_up import must_be_looked_up
from tools.classification.execution_class import raised_by_risk
from tools.ledger.approvers import approvers_of
from tools.ledger.digest import Policies, action_id_of, digest_of
from tools.ledger.previewing import Previewing


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
class Drafting:
    """Reads proposals and edits the same way."""

    catalogue: Catalogue
    policies: Policies
    previewing: Previewing

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
        action = self.catalogue.action(name)
        if (withheld := self.catalogue.why_withheld(name)) is not None:
            raise Forbidden(withheld)
        if not self.catalogue.may_ask(name, requester.roles):
            raise Forbidden(f"{name} needs one of the roles {', '.join(action.roles)}")
        arguments = self.catalogue.arguments(name, given)
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
            self.catalogue.pack(action.pack).policy.internal_domains,
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
        minutes = approvers.expires_minutes
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
            "expires_at": now + minutes * 60 if asks and asked else None,
            "asked_at": now if asks and asked else None,
            "raised": list(draft.raised),
            "undo_of": undone.action_id if undone is not None else None,
        }

    def _frozen(self, draft: Draft) -> dict[str, Any]:
        action, preview = draft.action, draft.preview
        schema_hash = self.catalogue.schema_hash(action.name)
        policy_version = self.policies.version_of(action)
        targets = dict(preview.versions) if preview else {}
        return {
            "action": action.name,
            "pack": action.pack,
            "arguments": draft.arguments,
            "summary": self.catalogue.summary(action.name, draft.arguments),
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
