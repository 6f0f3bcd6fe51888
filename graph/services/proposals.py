"""Agents' calls: propose, read, wait for and withdraw them; and the catalog they choose from."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Any

from graph.services.approvals import ApprovalService
from graph.toolbox import Toolbox
from state.action import DECLARED, Action, ExecutionClass
from state.agent_call import AgentCall
from state.approval import LedgerAction
from state.catalog_entry import CatalogEntry, Runs
from state.errors import AlreadyAsked, BadInput, Conflict, Forbidden, NotFound
from state.event import Event
from state.notice import NoticeKind
from state.offer import Offer
from state.principal import Principal, roles_in_words
from state.proposal_view import (
    CallResult,
    OpenPermit,
    PendingApproval,
    PendingChoice,
    ProposalStatus,
    ProposalView,
)
from state.reader import reader_of
from state.record import DecisionRecord
from state.stored_call import StoredCall
from tools.catalog import Catalogue
from tools.gate import Redactor, masked_arguments
from tools.platform.texts import t

LONGEST_CALL = 4_000
"""Characters of a call as people read it in a list; the dialog shows every argument whole."""

_STATUS_OF: Mapping[str, ProposalStatus] = {
    "proposed": "pending_approval",
    "pending": "pending_approval",
    "approved": "running",
    "started": "running",
    "succeeded": "executed",
    "failed": "failed",
    "unknown": "unknown",
    "rejected": "refused",
    "expired": "expired",
    "superseded": "refused",
    "stale": "refused",
}
"""The ledger's state to a status; see state/approval.py."""
_STATUS_OF_OUTCOME: Mapping[str, ProposalStatus] = {
    "awaiting_approval": "pending_approval",
    "offered": "needs_choice",
    "permitted": "permitted",
    "executed": "executed",
    "failed": "failed",
}
"""The outcome of a decision to a status; any other is a refusal."""
_RUNS: Mapping[ExecutionClass, Runs] = {
    "A": "at_once",
    "B": "after_choice",
    "C": "after_approval",
}


class Doorbell:
    """Wakes whoever waits for a decision to change; rings from any thread."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None

    def ring(self, decision_id: str) -> None:
        """Wake those who wait for a decision."""
        if self._loop is not None and decision_id in self._waiting:
            with suppress(RuntimeError):  # its loop has ended, and who waited with it
                self._loop.call_soon_threadsafe(self._wake, decision_id)

    @contextmanager
    def listen(self, decision_ids: Sequence[str]) -> Iterator[asyncio.Event]:
        """Give an event that is set when one of these decisions changes."""
        self._loop = asyncio.get_running_loop()
        rung = asyncio.Event()
        for each in decision_ids:
            self._waiting[each].add(rung)
        try:
            yield rung
        finally:
            for each in decision_ids:
                self._waiting[each].discard(rung)
                if not self._waiting[each]:
                    del self._waiting[each]

    def _wake(self, decision_id: str) -> None:
        for each in self._waiting.get(decision_id, ()):
            each.set()


class ProposalService:
    """The door for agents: typed calls in, their status out. It executes nothing itself."""

    def __init__(self, box: Toolbox, approvals: ApprovalService) -> None:
        self._box, self._approvals = box, approvals
        self._calls, self._redactor = box.ledger.calls, Redactor(box.governed)
        self.doorbell = Doorbell()

    def catalog(self, principal: Principal) -> tuple[CatalogEntry, ...]:
        """List the actions that a caller may ask for, with the schema of their arguments."""
        catalogue = self._catalogue(principal)
        return tuple(self._entry(catalogue, action) for action in self._askable(principal))

    def _askable(self, principal: Principal) -> Iterator[Action]:
        """Go through the actions that a caller may ask for, by name."""
        catalogue = self._catalogue(principal)
        for name, action in sorted(catalogue.actions.items()):
            if catalogue.may_ask(name, principal.roles) and _may_run(action, principal):
                yield action

    def _catalogue(self, principal: Principal) -> Catalogue:
        return self._box.catalogue.of_tenant(principal.tenant_id)

    def argument_schema(self, name: str, principal: Principal) -> Mapping[str, Any]:
        """Write the arguments of an action as JSON Schema.

        Raises:
            NotFound: there is no such action for the caller's tenant.
        """
        return self._catalogue(principal).argument_schema(name)

    def runs(self, action: Action) -> Runs:
        """Tell when an untainted call of an action runs."""
        if action.floor == "B" and self._box.tuning.execution.of(action).agent_writes == "run":
            return "at_once"
        return _RUNS[action.floor]

    def _entry(self, catalogue: Catalogue, action: Action) -> CatalogEntry:
        return CatalogEntry(
            name=action.name,
            pack=action.pack,
            summary=action.summary,
            description=action.description,
            arguments=catalogue.argument_schema(action.name),
            effect=action.effect,
            execution_class=action.floor,
            runs=self.runs(action),
            mode="execute" if action.permit is None else "permit",
            approver_roles=action.approvers.roles,
            quorum=action.approvers.quorum,
            four_eyes=action.approvers.four_eyes,
            approval_minutes=action.approvers.expires_minutes,
            undo_minutes=action.undo_minutes if action.undo else None,
            examples=action.examples[:3],
        )

    def read(self, call: AgentCall, principal: Principal) -> AgentCall:
        """Read a call strictly, as it would run.

        Raises:
            BadInput: no pack has the action; the message names those that are spelled alike.
            InvalidArguments: every argument that is missing, unknown or wrong.
            Forbidden: somebody proposes what only the agent that keeps it can run.
        """
        catalogue = self._catalogue(principal)
        if call.action not in catalogue.actions:
            known = (each.name for each in self._askable(principal))
            alike = ", ".join(get_close_matches(call.action, known, n=3))
            raise BadInput(t("proposal.unknown_action", action=call.action, alike=alike))
        if not _may_run(catalogue.action(call.action), principal):
            known_as = "only_agents" if principal.kind != "service" else "only_keeper"
            raise Forbidden(t(f"gate.declared.{known_as}", name=call.action))
        arguments = catalogue.arguments(call.action, call.arguments)
        return call.model_copy(update={"arguments": arguments})

    def text(self, call: AgentCall, principal: Principal | None = None) -> str:
        """Write a call as people read it, its secrets covered.

        Args:
            principal: whose tenant's tools it may be of; None: an action of a pack.
        """
        catalogue = self._box.catalogue if principal is None else self._catalogue(principal)
        action = catalogue.action(call.action)
        arguments = json.dumps(masked_arguments(action, call.arguments), ensure_ascii=False)
        reason = t("proposal.reason", reason=call.reason) if call.reason else ""
        sources = t("proposal.sources", sources=", ".join(call.sources)) if call.sources else ""
        lines = (f"{call.action}({arguments})"[:LONGEST_CALL], reason, sources)
        return "\n".join(filter(None, lines))

    async def same_open(self, event: Event) -> str | None:
        """Name the proposal of the same asker that waits for a choice of exactly this."""
        call, catalogue = event.call, self._box.catalogue.of_tenant(event.tenant_id)
        if call is None or call.again or catalogue.action(call.action).floor == "A":
            return None
        return await self._calls.awaiting_choice(call.action, call.arguments, event)

    async def view(self, proposal_id: str, principal: Principal) -> ProposalView:
        """Tell where a call stands.

        Raises:
            NotFound: there is none, or it is closed to the caller.
        """
        stored = await self._calls.read(proposal_id, self._box.readers.of(principal))
        return await self._view(stored)

    async def wait(self, proposal_id: str, principal: Principal, seconds: float) -> ProposalView:
        """Tell where a call stands as soon as that is final, or at the latest in some seconds.

        Raises:
            NotFound: there is none, or it is closed to the caller.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + seconds
        while True:
            view = await self.view(proposal_id, principal)
            if not view.is_awaited or clock() >= until:
                return view
            watched = filter(None, (proposal_id, view.chosen_decision_id, view.duplicate_of))
            with self.doorbell.listen(tuple(watched)) as rung:
                # Read once more: it may have changed before anybody listened.
                if not (view := await self.view(proposal_id, principal)).is_awaited:
                    return view
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(until):
                        await rung.wait()

    def hear(self, kind: NoticeKind, data: Mapping[str, Any]) -> None:
        """Wake who waits for what a notice is about, and tell where an agent's call stands."""
        decision_id = data.get("decision_id")
        if kind not in ("decision", "approval", "action_unknown") or not isinstance(
            decision_id, str
        ):
            return
        self.doorbell.ring(decision_id)
        if data.get("intent") == "proposal":
            self._tell_outcome(decision_id, DecisionRecord.model_validate(data))

    async def chosen(self, shown: Offer, record: DecisionRecord) -> None:
        """Wake who waits for a call whose suggestion was chosen, and tell what came of it."""
        with suppress(NotFound):  # a person's words led to it, and no call
            await self._calls.read(shown.decision_id, reader_of(shown.tenant_id))
            self.doorbell.ring(shown.decision_id)
            self._tell_outcome(shown.decision_id, record)

    def _tell_outcome(self, proposal_id: str, record: DecisionRecord) -> None:
        status = _STATUS_OF_OUTCOME.get(record.outcome, "refused")
        self._tell(proposal_id, status, record, record.session_id)

    def _tell(
        self,
        proposal_id: str,
        status: ProposalStatus,
        of: DecisionRecord | LedgerAction,
        session_id: str,
    ) -> None:
        told = {
            "proposal_id": proposal_id,
            "decision_id": of.decision_id,
            "status": status,
            "action": of.action,
            "action_id": of.action_id,
            "session_id": session_id,
        }
        self._box.bus.tell("proposal", of.tenant_id, told, (session_id,))

    async def withdraw(self, proposal_id: str, principal: Principal) -> ProposalView:
        """Call off what has not begun.

        Raises:
            NotFound: there is none, or it is closed to the caller.
            Forbidden: somebody else proposed it.
            Conflict: it has begun or is over; `standing` says how it stands.
        """
        stored = await self._calls.read(proposal_id, self._box.readers.of(principal))
        if principal.user not in (stored.event.sender, stored.event.user):
            raise Forbidden(t("proposal.not_yours"))
        view = await self._view(stored)
        if view.status == "needs_choice" and stored.offer is not None:
            await self._calls.withdraw(stored.offer)
        elif view.status == "pending_approval" and view.approval is not None:
            if view.duplicate_of is not None:
                raise Conflict(t("proposal.duplicate_open", other=view.duplicate_of), view.status)
            standing = await self._box.ledger.newest(view.approval.id)
            asker = principal.model_copy(update={"user": standing.requester})
            await self._approvals.take_back(standing.action_id, standing.digest, asker)
        elif view.status == "permitted" and (left := await self.standing(stored)) is not None:
            await self._box.ledger.permits.withdraw(left.action_id, principal)
        else:
            raise Conflict(t("proposal.over", status=view.status), view.status)
        self.doorbell.ring(proposal_id)
        return await self.view(proposal_id, principal)

    def moved(self, stored: StoredCall, standing: LedgerAction) -> None:
        """Wake who waits for a call, and tell where it stands."""
        proposal_id, session_id = stored.event.decision_id, stored.event.session_id
        self.doorbell.ring(proposal_id)
        self._tell(proposal_id, _STATUS_OF[standing.state], standing, session_id)

    async def standing(self, stored: StoredCall) -> LedgerAction | None:
        """Read the action of a call as it is by now; None: it led to none."""
        told = stored.chosen or stored.record
        if told is None or told.action_id is None:
            return None
        with suppress(NotFound):  # its session was forgotten
            return await self._box.ledger.newest(told.action_id)
        return None

    async def _view(self, stored: StoredCall) -> ProposalView:
        if stored.record is None:
            return self._drawn(stored, "accepted", None)
        standing = await self.standing(stored)
        if standing is None:
            return self._drawn(stored, _without_action(stored), None)
        if standing.state == "approved" and standing.pack == DECLARED:
            return self._drawn(stored, "permitted", standing)
        return self._drawn(stored, _STATUS_OF[standing.state], standing)

    def _drawn(
        self,
        stored: StoredCall,
        status: ProposalStatus,
        standing: LedgerAction | None,
    ) -> ProposalView:
        event, call, record = stored.event, stored.call, stored.record
        catalogue = self._box.governed.of_tenant(event.tenant_id)
        action = catalogue.actions.get(call.action)
        shown = None if standing is None else self._approvals.show(standing)
        if shown is not None:
            arguments: Mapping[str, Any] = shown.arguments
            summary = shown.summary
        else:
            arguments = masked_arguments(action, call.arguments) if action else {}
            summary = catalogue.summary(call.action, arguments) if action else ""
        if (
            standing is not None
            and standing.state == "rejected"
            and standing.reason == t("gate.withdrawn")
        ):
            status = "withdrawn"
        result = None
        if standing is not None and status == "executed":
            kept = standing.result or {}
            result = CallResult(
                text=str(kept.get("text", "")),
                data=kept.get("data") or {},
                changed=tuple(kept.get("changed") or ()),
            )
        told = stored.chosen or record
        is_duplicate = told is not None and told.reason == AlreadyAsked.code
        reasons = [*(standing.raised if standing else ()), *([told.reason] if told else ())]
        return ProposalView(
            proposal_id=event.decision_id,
            status=status,
            action=call.action,
            arguments=arguments,
            summary=summary,
            execution_class=standing.execution_class
            if standing
            else (told.execution_class if told else None),
            reasons=tuple(dict.fromkeys(reasons)),
            message=_message(status, stored, standing, summary),
            result=result,
            approval=self._approval(standing) if status == "pending_approval" else None,
            choice=self._choice(stored.offer) if status == "needs_choice" else None,
            permit=OpenPermit(digest=standing.digest, expires_at=standing.expires_at)
            if standing is not None and status == "permitted"
            else None,
            edited=standing is not None and standing.editor is not None,
            chosen_decision_id=stored.chosen_decision_id,
            duplicate_of=standing.decision_id if is_duplicate and standing else None,
            decided_by=standing.decided_by if standing else None,
            decision_id=event.decision_id,
            session_id=event.session_id,
            proposed_by=event.sender or event.user,
            on_behalf_of=event.user if event.user != event.sender else None,
            proposed_at=stored.accepted_at,
        )

    def _approval(self, standing: LedgerAction | None) -> PendingApproval | None:
        if standing is None:
            return None
        shown = self._approvals.show(standing)
        return PendingApproval(
            id=shown.action_id,
            url=self._page(f"approvals/{shown.action_id}"),
            digest=shown.digest,
            state=shown.state,
            expires_at=shown.expires_at,
            approver_roles=shown.approver_roles,
            quorum=shown.quorum,
            approvals=shown.approvals,
            dialog=shown.dialog,
        )

    def _choice(self, offer: Offer | None) -> PendingChoice | None:
        if offer is None:
            return None
        [chip] = self._redactor.offer(offer).chips
        return PendingChoice(
            offer_id=offer.offer_id,
            chip_id=chip.chip_id,
            url=self._page(f"offers#{offer.offer_id}"),
            summary=chip.summary,
            expires_at=offer.expires_at,
        )

    def _page(self, path: str) -> str | None:
        address = self._box.settings.public_url
        return None if address is None else f"{address.rstrip('/')}/console/{path}"


def _may_run(action: Action, principal: Principal) -> bool:
    """Tell whether it is ours to run, or the caller is the agent that keeps it."""
    if action.permit is None:
        return True
    return principal.kind == "service" and principal.user == action.permit.keeper


def _without_action(stored: StoredCall) -> ProposalStatus:
    """Tell where a call stands that is not in the ledger."""
    record = stored.record
    if record is None:
        return "accepted"
    if record.outcome == "offered":
        if stored.chosen is not None:  # chosen, and then refused: a role or a rule was missing
            return "failed" if stored.chosen.outcome == "failed" else "refused"
        if stored.chosen_decision_id is not None:
            return "running"
        if stored.is_withdrawn:
            return "withdrawn"
        return "needs_choice"
    return "failed" if record.outcome == "failed" else "refused"


def _sentence(said: str) -> str:
    """End a reason as a sentence ends: others stand behind it."""
    said = said.strip()
    return said if not said or said[-1] in ".!?" else f"{said}."


def _message(
    status: ProposalStatus, stored: StoredCall, standing: LedgerAction | None, summary: str
) -> str:
    """Say in words how a call stands, for the model that made it."""
    told = stored.chosen or stored.record
    match status:
        case "executed":
            return str((standing.result or {}).get("text", "")) if standing else ""
        case "pending_approval":
            who = roles_in_words(standing.approver_roles) if standing else ""
            return t("proposal.says.pending_approval", summary=summary, who=who)
        case "refused" | "failed" | "unknown" if standing is not None:
            return t(
                f"proposal.says.{status}",
                summary=summary,
                reason=_sentence(standing.reason or ""),
                who=standing.decided_by,
            )
        case "refused" | "failed":
            said = _sentence(told.text if told else "")
            return t(f"proposal.says.{status}", summary=summary, reason=said, who=None)
        case _:
            return t(f"proposal.says.{status}", summary=summary)
