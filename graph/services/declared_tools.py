"""The tools that agents keep: as they are declared and reviewed, and permits to run them."""

from collections.abc import Sequence
from typing import Literal

from graph.services.proposals import ProposalService
from graph.toolbox import Toolbox
from state.action import DECLARED
from state.approval import LedgerAction
from state.declared_tool import DeclaredTool, KeptTool, Permit, PermitOutcome
from state.errors import Conflict, Forbidden
from state.principal import Principal
from state.proposal_view import ProposalView
from state.stored_call import StoredCall
from tools.catalog import Catalogue
from tools.gate import SqlDeclaredTools, StoredTool
from tools.platform.texts import t


class DeclaredToolService:
    """The tools that agents keep: declared, listed, removed, and accepted by people."""

    def __init__(self, box: Toolbox, proposals: ProposalService) -> None:
        self._box, self._proposals = box, proposals
        self._kept: SqlDeclaredTools = box.declared

    async def declare(
        self, tools: Sequence[DeclaredTool], principal: Principal
    ) -> tuple[KeptTool, ...]:
        """Declare tools and list how each of them stands. Raises as SqlDeclaredTools.declare."""
        await self._kept.declare(tools, principal)
        names = {tool.name for tool in tools}
        return tuple(each for each in await self.list(principal) if each.name in names)

    async def list(self, principal: Principal) -> tuple[KeptTool, ...]:
        """List the tools that the agents of the caller's tenant keep."""
        catalogue = self._box.governed.of_tenant(principal.tenant_id)
        stored = await self._kept.list(principal.tenant_id)
        return tuple(self._shown(catalogue, one) for one in stored if one.name in catalogue.actions)

    async def remove(self, name: str, principal: Principal) -> None:
        """Remove one. Raises as SqlDeclaredTools.remove."""
        await self._kept.remove(name, principal)

    def _shown(self, catalogue: Catalogue, one: StoredTool) -> KeptTool:
        action = catalogue.action(one.name)
        standing: Literal["pinned", "changed", "withheld"] = "pinned"
        if one.seen is not None:
            standing = "withheld" if one.is_withheld else "changed"
        return KeptTool(
            name=one.name,
            id=one.id,
            keeper=one.keeper,
            description=one.pinned.description,
            summary=action.summary,
            arguments=catalogue.argument_schema(one.name),
            effect=action.effect,
            execution_class=action.floor,
            runs=self._proposals.runs(action),
            standing=standing,
            sha256=one.sha256,
            declared_at=one.declared_at,
            accepted_by=one.accepted_by,
            seen_sha256=one.seen_sha256,
        )


class PermitService:
    """Lets an agent run its own tool for a call that may run, and takes its word on the end."""

    def __init__(self, box: Toolbox, proposals: ProposalService) -> None:
        self._box, self._proposals, self._permits = box, proposals, box.ledger.permits

    async def take(self, proposal_id: str, digest: str, principal: Principal) -> Permit:
        """Let the agent that proposed a call run its own tool for it, once.

        Raises:
            NotFound: there is none, or it is closed to the caller.
            Forbidden: somebody else proposed it or keeps the tool, or it is no agent's key.
            DigestMismatch: it is not what was approved.
            Conflict: it may not begin; `standing` says how it stands.
        """
        stored, standing = await self._own(proposal_id, principal)
        taken = await self._permits.take(standing.action_id, digest, principal)
        await self._proposals.tell(proposal_id)
        return Permit(
            permit=taken.secret,
            proposal_id=proposal_id,
            action=stored.call.action,
            arguments=taken.arguments,
            digest=digest,
            expires_at=taken.until,
        )

    async def report(
        self, proposal_id: str, given: PermitOutcome, principal: Principal
    ) -> ProposalView:
        """Take an agent's word on what came of its own tool.

        Raises:
            NotFound: there is none, or it is closed to the caller.
            Forbidden: somebody else proposed it or keeps the tool, or the permit is another one.
            Conflict: it never began, has ended, or its permit has run out.
        """
        _stored, standing = await self._own(proposal_id, principal)
        await self._permits.end(standing.action_id, given, principal)
        await self._proposals.tell(proposal_id)
        return await self._proposals.view(proposal_id, principal)

    async def _own(self, proposal_id: str, principal: Principal) -> tuple[StoredCall, LedgerAction]:
        """Read a call of one's own tool, and how it stands."""
        reader = self._box.readers.of(principal)
        stored = await self._box.ledger.calls.read(proposal_id, reader)
        if principal.kind != "service" or principal.user != stored.event.sender:
            raise Forbidden(t("proposal.not_yours_to_run"))
        standing = await self._proposals.standing(stored)
        if standing is None:
            status = (await self._proposals.view(proposal_id, principal)).status
            raise Conflict(t("gate.permit.not_open", state=status), status)
        if standing.pack != DECLARED:
            raise Conflict(t("gate.permit.not_ours", action=standing.action), standing.state)
        known = self._box.governed.of_tenant(principal.tenant_id).actions.get(standing.action)
        if known is not None and known.permit is not None and known.permit.keeper != principal.user:
            raise Forbidden(t("gate.declared.only_keeper", name=standing.action))
        return stored, standing
