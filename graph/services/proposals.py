"""Agents' calls: propose, read, wait for and withdraw them; and the catalog they choose from."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Any

from graph.presenters.proposal import (
    duplicate_of,
    message_of,
    result_of,
    status_of,
    status_of_record,
)
from graph.services.approvals import ApprovalService
from graph.toolbox import Toolbox
from state.action import Action, ExecutionClass
from state.agent_call import AgentCall
from state.approval import LedgerAction
from state.catalog_entry import CatalogEntry, Runs
from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.notice import NoticeKind
from state.offer import Offer
from state.principal import Principal
from state.proposal_view import (
    OpenPermit,
    PendingApproval,
    PendingChoice,
    ProposalStatus,
    ProposalView,
)
from state.reader import Reader, reader_of
from state.record import DecisionRecord
from state.stored_call import StoredCall
from tools.catalog import Catalogue
from tools.gate import Redactor, masked_arguments
from tools.platform.texts import t

MOST_READ = 400
"""Calls that are read at most for a page of those of one status."""
LONGEST_CALL = 4_000
"""Characters of a call as people read it in a list; the dialog shows every argument whole."""

_RUNS: Mapping[ExecutionClass, Runs] = {
    "A": "at_once",
    "B": "after_choice",
    "C": "after_approval",
}


class StatusWaiters:
    """Those who wait for a decision to change; they are notified from any thread."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None

    def notify(self, decision_id: str) -> None:
        """Wake those who wait for a decision."""
        if self._loop is not None and decision_id in self._waiting:
            with suppress(RuntimeError):  # its loop has ended, and who waited with it
                self._loop.call_soon_threadsafe(self._wake, decision_id)

    @contextmanager
    def watch(self, decision_ids: Sequence[str]) -> Iterator[asyncio.Event]:
        """Give an event that is set when one of these decisions changes."""
        self._loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        for each in decision_ids:
            self._waiting[each].add(changed)
        try:
            yield changed
        finally:
            for each in decision_ids:
                self._waiting[each].discard(changed)
                if not self._waiting[each]:
                    del self._waiting[each]

    def is_awaited(self, decision_id: str) -> bool:
        """Tell whether anybody waits for a decision."""
        return decision_id in self._waiting

    def _wake(self, decision_id: str) -> None:
        for each in self._waiting.get(decision_id, ()):
            each.set()


class ProposalService:
    """The door for agents: typed calls in, their status out. It executes nothing itself."""

    def __init__(self, box: Toolbox, approvals: ApprovalService) -> None:
        self._box, self._approvals = box, approvals
        self._calls, self._redactor = box.ledger.calls, Redactor(box.governed)
        self.waiters = StatusWaiters()
        self._telling: set[asyncio.Task[None]] = set()

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
            approval_minutes=self._box.tuning.execution.approval_minutes(action),
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

    def text(self, call: AgentCall, principal: Principal) -> str:
        """Write a call as people read it, its secrets covered.

        Args:
            principal: who proposes it, and whose tenant's tools it may be of.
        """
        action = self._catalogue(principal).action(call.action)
        values = masked_arguments(action, call.arguments).items()
        arguments = ", ".join(
            f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
            for name, value in values
        )
        reason = t("proposal.reason", reason=call.reason) if call.reason else ""
        sources = t("proposal.sources", sources=", ".join(call.sources)) if call.sources else ""
        lines = (f"{call.action}({arguments})"[:LONGEST_CALL], reason, sources)
        return " · ".join(filter(None, lines))

    async def list(
        self,
        principal: Principal,
        *,
        status: ProposalStatus | None = None,
        agent: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> tuple[Sequence[ProposalView], str | None]:
        """List calls, newest first, and name the last one that was read; None: there are no more.

        A status is known only once a call is read: a page may hold fewer than `limit` and not be
        the last one.

        Raises:
            BadInput: the caller sees no call `after`.
        """
        reader = self._box.readers.of(principal)
        found: list[ProposalView] = []
        for _ in range(MOST_READ // limit):
            page = await self._calls.page(reader, agent=agent, limit=limit, after=after)
            for stored in page:
                after = stored.event.decision_id
                view = await self._view(stored, reader)
                if status in (None, view.status):
                    found.append(view)
                    if len(found) == limit:
                        return found, after
            if len(page) < limit:
                return found, None
        return found, after

    async def view(self, proposal_id: str, principal: Principal) -> ProposalView:
        """Tell where a call stands.

        Raises:
            NotFound: there is none, or it is closed to the caller.
        """
        reader = self._box.readers.of(principal)
        return await self._view(await self._calls.read(proposal_id, reader), reader)

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
            with self.waiters.watch(tuple(watched)) as changed:
                # Read once more: it may have changed before anybody listened.
                if not (view := await self.view(proposal_id, principal)).is_awaited:
                    return view
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(until):
                        await changed.wait()

    def hear(self, kind: NoticeKind, data: Mapping[str, Any]) -> None:
        """Wake who waits for what a notice is about, and tell where an agent's call stands."""
        decision_id = data.get("decision_id")
        if kind not in ("decision", "approval", "action_unknown") or not isinstance(
            decision_id, str
        ):
            return
        self.waiters.notify(decision_id)
        if data.get("intent") == "proposal":
            self._tell_outcome(decision_id, DecisionRecord.model_validate(data))
        elif kind == "action_unknown":
            self._tell_soon(decision_id)

    async def chosen(self, shown: Offer, record: DecisionRecord) -> None:
        """Wake who waits for a call whose suggestion was chosen, and tell what came of it."""
        with suppress(NotFound):  # a person's words led to it, and no call
            await self._calls.read(shown.decision_id, reader_of(shown.tenant_id))
            self.waiters.notify(shown.decision_id)
            self._tell_outcome(shown.decision_id, record)

    async def reconcile(self) -> None:
        """Settle what was left started, and tell of suggestions and permits that have run out."""
        settled = await self._approvals.reconcile()
        lapsed = (each.decision_id for each in settled if each.state == "expired")
        for decision_id in (*lapsed, *await self._calls.expire_offers()):
            await self.tell(decision_id)

    async def tell(self, decision_id: str) -> None:
        """Wake who waits for a call, and tell where it stands.

        Args:
            decision_id: of the call, or of what a person chose of it; of anything else nothing
                is told.
        """
        stored = await self._calls.find(decision_id)
        if stored is None or stored.record is None:
            return
        standing = await self.standing(stored)
        self.waiters.notify(stored.event.decision_id)
        status = status_of(stored, standing)
        of = standing or stored.chosen or stored.record
        self._tell(stored.event.decision_id, status, of, stored.event.session_id)

    def _tell_soon(self, decision_id: str) -> None:
        telling = asyncio.get_running_loop().create_task(self.tell(decision_id))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    def _tell_outcome(self, proposal_id: str, record: DecisionRecord) -> None:
        status = status_of_record(record)
        if status is None:
            self._tell_soon(proposal_id)
        else:
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
        reader = self._box.readers.of(principal)
        stored = await self._calls.read(proposal_id, reader)
        if principal.user not in (stored.event.sender, stored.event.user):
            raise Forbidden(t("proposal.not_yours"))
        view = await self._view(stored, reader)
        if view.duplicate_of is not None and view.is_open:
            raise Conflict(t("proposal.duplicate_open", other=view.duplicate_of), view.status)
        left = await self.standing(stored)
        if view.status == "needs_choice" and stored.offer is not None:
            is_over = await self._calls.withdraw(stored.offer)
        elif view.status in ("pending_approval", "permitted") and left is not None:
            await self._approvals.go_on(
                await self._box.ledger.permits.withdraw(left.action_id, principal)
            )
            is_over = True
        else:
            is_over = False
        told = await self.view(proposal_id, principal)
        if not is_over:
            raise Conflict(t(f"proposal.over.{told.status}"), told.status)
        if view.status != "pending_approval":  # else the record of its thread tells of it
            await self.tell(proposal_id)
        return told

    async def standing(self, stored: StoredCall) -> LedgerAction | None:
        """Read the action of a call as it is by now; None: it led to none."""
        told = stored.chosen or stored.record
        if told is None or told.action_id is None:
            return None
        with suppress(NotFound):  # its session was forgotten
            return await self._box.ledger.newest(told.action_id)
        return None

    async def _view(self, stored: StoredCall, reader: Reader) -> ProposalView:
        """Tell where a call stands to a reader of its session.

        A duplicate's question may have been asked in a session that is closed to them: they are
        told how it stands, and nothing of what was said there.
        """
        standing = await self.standing(stored)
        status = status_of(stored, standing)
        if standing is None:
            return self._drawn(stored, status, None)
        try:
            shown = await self._box.ledger.action(standing.action_id, reader)
        except NotFound:
            untold = standing.model_copy(update={"reason": None, "decided_by": None})
            return self._drawn(stored, status, untold, is_closed=True)
        return self._drawn(stored, status, shown)

    def _drawn(
        self,
        stored: StoredCall,
        status: ProposalStatus,
        standing: LedgerAction | None,
        *,
        is_closed: bool = False,
    ) -> ProposalView:
        event, call, record = stored.event, stored.call, stored.record
        arguments, summary = self._shown(stored, standing)
        result = result_of(standing) if standing is not None and status == "executed" else None
        told = stored.chosen or record
        first = None if is_closed else duplicate_of(stored, standing)
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
            message=message_of(status, stored, standing, summary),
            result=result,
            approval=self._approval(standing)
            if status == "pending_approval" and not is_closed
            else None,
            choice=self._choice(stored.offer) if status == "needs_choice" else None,
            permit=OpenPermit(digest=standing.digest, expires_at=standing.expires_at)
            if standing is not None and status == "permitted"
            else None,
            edited=standing is not None and standing.editor is not None,
            chosen_decision_id=stored.chosen_decision_id,
            duplicate_of=first,
            decided_by=standing.decided_by if standing else None,
            decision_id=event.decision_id,
            session_id=event.session_id,
            proposed_by=event.sender or event.user,
            on_behalf_of=event.user if event.user != event.sender else None,
            proposed_at=stored.accepted_at,
        )

    def _shown(
        self, stored: StoredCall, standing: LedgerAction | None
    ) -> tuple[Mapping[str, Any], str]:
        """Give the arguments as they run, secrets covered, and the action in words."""
        if standing is not None:
            shown = self._approvals.show(standing)
            return shown.arguments, shown.summary
        catalogue = self._box.governed.of_tenant(stored.event.tenant_id)
        action = catalogue.actions.get(stored.call.action)
        if action is None:
            return {}, ""
        arguments = masked_arguments(action, stored.call.arguments)
        return arguments, catalogue.summary(action.name, arguments)

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
