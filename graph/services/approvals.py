"""Approvals, standing refusals, offers and actions as people answer them, and pinned MCP tools."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from graph.execution.retry import Retrier
from graph.execution.run_limiter import RunLimiter
from graph.toolbox import Toolbox
from state.action import DECLARED
from state.approval import ApprovalAnswer, LedgerAction
from state.dialog import ShownApproval
from state.errors import Busy, Conflict, Forbidden
from state.grant import Grant, NewGrant
from state.offer import Offer, whole_choice
from state.principal import Principal
from state.reader import Reader
from state.record import DecisionRecord
from state.refusal import NewRefusal, Refusal
from state.tool_pin import PinnedTool, ToolAcceptance
from tools.adapters.mcp.tool_pins import accepted_reason
from tools.catalog import ToolKey
from tools.gate import Redactor, masked_arguments
from tools.gate.approvals.answer_formats import read_answer
from tools.gate.approvals.approval_rules import MOST_LISTED
from tools.gate.approvals.decision import response_id
from tools.gate.approvals.dialog import approval_view
from tools.gate.ledger.undo import list_changes
from tools.gate.risk.execution_class import measures_of
from tools.platform.texts import t

Decide = Callable[[str], Awaitable[DecisionRecord]]
"""Decides an accepted event by its decision id."""


class ApprovalService:
    """Lists what waits for a person, takes the answers, and lets their threads go on."""

    def __init__(
        self, box: Toolbox, turns: RunLimiter, attempting: Retrier, decide: Decide
    ) -> None:
        self._box, self._turns, self._attempting, self._decide = box, turns, attempting, decide
        # The ledger's reads; its doors stay inside.
        self.get, self.list, self.queue = box.ledger.action, box.ledger.actions, box.ledger.queue

    def show(self, standing: LedgerAction) -> ShownApproval:
        """Draw an action for people: with its dialog, and every secret covered."""
        return approval_view(standing, self._box.governed, self._box.tuning.execution)

    def read_answer(self, given: Any, standing: LedgerAction) -> ApprovalAnswer | None:
        """Read an answer in any of the wire formats; None: it is none.

        Raises:
            Conflict: the pack of the action is not loaded here.
        """
        known = self._box.governed.of_tenant(standing.tenant_id).actions
        if (action := known.get(standing.action)) is None:
            raise Conflict(t("gate.needs_pack", pack=standing.pack), standing.state)
        return read_answer(given, standing, action)

    async def answer(
        self, asked: LedgerAction | str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        """Decide an approval in the ledger, then let its thread go on and wait for the end.

        Args:
            asked: its id, or what `get` has just returned for this principal.

        Raises:
            NotFound, Forbidden, Conflict, BadInput, AgentError: see ApprovalDecider.decide.
        """
        if isinstance(asked, str):
            asked = await self.get(asked, self._box.readers.of(principal))
        try:
            settled = await self._box.ledger.decide(asked, answer, principal)
        except Conflict as conflict:
            if conflict.standing == "expired":
                await self.settle_answered()
            raise
        await self.go_on(settled)
        if answer.decision == "respond":
            await self._decide(response_id(settled))
        told = await self._told(settled.action_id, principal)
        if settled.state == told.state == "pending":  # why a yes does not count is kept nowhere
            return told.model_copy(update={"reason": settled.reason})
        return told

    async def take_back(self, action_id: str, digest: str, principal: Principal) -> LedgerAction:
        """Let who asked for something call it off, asked or still queued; it is never a yes.

        Raises:
            NotFound, Forbidden, DigestMismatch, Conflict: see Ledger.take_back.
        """
        standing = await self.get(action_id, self._box.readers.of(principal))
        shown = standing.model_copy(update={"digest": digest})
        await self.go_on(await self._box.ledger.take_back(shown, principal))
        return await self._told(action_id, principal)

    async def settle(
        self, action_id: str, principal: Principal, happened: bool, evidence: str
    ) -> LedgerAction:
        """Say what became of an `unknown` action.

        Raises:
            NotFound, Forbidden, Conflict, BadInput: see ManualResolution.settle.
        """
        await self.get(action_id, self._box.readers.of(principal))
        await self._box.ledger.settle(action_id, principal, happened, evidence)
        return await self._told(action_id, principal)

    async def reconcile(self) -> Sequence[LedgerAction]:
        """Settle what was left started and start what was forgotten; list what was settled.

        Nobody can tell what became of some: people are told, and one of them settles it.
        """
        settled = await self._box.ledger.executing.reconcile()
        for standing in settled:
            if standing.state == "unknown":
                await self._tell("action_unknown", standing)
        return settled

    async def settle_answered(self) -> int:
        """Wake the threads whose question is answered or over; tell how many.

        Before that questions run out, after it those are asked for which there is room again, and
        people are told of the ones that will run out soon.
        """
        asking = self._box.ledger.asking
        await asking.expire_due()
        for asked in await asking.ask_next():
            if asked.state == "pending":
                await self._tell("approval", asked)
        for warned in await asking.warn_due():
            await self._tell("approval_expiring", warned)
        answered = await self._box.decisions.answered()
        await asyncio.gather(
            *(self._attempting.attempt(self._turns.wake, *each) for each in answered)
        )
        return len(answered)

    async def go_on(self, settled: LedgerAction) -> None:
        """Wake the thread of an action that people are not asked about any more."""
        if settled.state == "pending":  # people are asked still
            return
        event, thread_id, _standing = await self._box.decisions.find(settled.decision_id)
        with suppress(Busy):  # somebody is at its thread, or the next pulse will be
            await self._turns.wake(event, thread_id)

    async def _told(self, action_id: str, principal: Principal) -> LedgerAction:
        return await self._box.ledger.told(action_id, self._box.readers.of(principal))

    async def _tell(self, kind: Any, standing: LedgerAction) -> None:  # a NoticeKind
        told = self.show(standing).model_dump(mode="json", exclude={"preview"})
        event, _thread, _standing = await self._box.decisions.find(standing.decision_id)
        self._box.bus.tell(kind, standing.tenant_id, told, (event.session_id,))


class RefusalService:
    """Keeps standing refusals; whoever reads one sees no secret of it."""

    def __init__(self, box: Toolbox) -> None:
        self._refusals, self._catalogue = box.ledger.refusals, box.governed

    async def add(self, wanted: NewRefusal, principal: Principal) -> Refusal:
        """Refuse beforehand what fits. Raises as Refusals.add."""
        return self._covered(await self._refusals.add(wanted, principal), principal)

    async def list(
        self, principal: Principal, *, limit: int = MOST_LISTED, after: str | None = None
    ) -> Sequence[Refusal]:
        """List the standing refusals of actions that somebody may approve, a page of them.

        Raises:
            BadInput: none of those is called `after`.
        """
        found = await self._refusals.list(principal, limit=limit, after=after)
        return [self._covered(each, principal) for each in found]

    async def withdraw(self, refusal_id: str, principal: Principal) -> Refusal:
        """Let people be asked again. Raises as Refusals.withdraw."""
        return self._covered(await self._refusals.withdraw(refusal_id, principal), principal)

    def _covered(self, refusal: Refusal, principal: Principal) -> Refusal:
        action = self._catalogue.of_tenant(principal.tenant_id).actions.get(refusal.action)
        arguments = masked_arguments(action, refusal.arguments) if action else {}
        return refusal.model_copy(update={"arguments": arguments})


class GrantService:
    """Keeps grants; none holds a secret, for no pattern can cover one."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box
        self.list, self.revoke = box.ledger.grants.list, box.ledger.grants.revoke

    def has_amount(self, shown: LedgerAction) -> bool:
        """Tell whether a call is of a sum of money, so that a grant may be limited to one."""
        action = self._box.governed.of_tenant(shown.tenant_id).actions.get(shown.action)
        if action is None:
            return False
        return measures_of(action, shown.arguments, shown.preview).amount is not None

    async def add(self, wanted: NewGrant, principal: Principal) -> Grant:
        """Allow calls like an action that somebody may see. Raises as Grants.add."""
        await self._box.ledger.action(wanted.action_id, self._box.readers.of(principal))
        return await self._box.ledger.grants.add(wanted, principal)


class OfferService:
    """Shows offers with their secrets covered, and takes a click on one of their chips."""

    def __init__(
        self,
        box: Toolbox,
        decide: Decide,
        chosen: Callable[[Offer, DecisionRecord], Awaitable[None]],
    ) -> None:
        """Build it; `chosen` is told of a choice when that is decided."""
        self._box, self._decide, self._redactor = box, decide, Redactor(box.governed)
        self._chosen, self.count = chosen, box.offers.count

    async def list(
        self,
        whose: Reader | str,
        *,
        open_only: bool = True,
        limit: int = 200,
        after: str | None = None,
    ) -> list[Offer]:
        """List offers, newest first; `after`: the last one of the page before."""
        listed = await self._box.offers.list(whose, open_only=open_only, limit=limit, after=after)
        return [self._redactor.offer(each) for each in listed]

    async def get(self, offer_id: str, whose: Reader | str) -> Offer:
        """Read one offer; NotFound when they see none of that id."""
        return self._redactor.offer(await self._box.offers.get(offer_id, whose))

    async def choose(
        self,
        offer_id: str,
        chip_id: str,
        principal: Principal,
        arguments: Mapping[str, Any] | None = None,
    ) -> DecisionRecord:
        """Take a person's click on a chip: an event of its own, judged again.

        Raises:
            NotFound, Conflict: see SqlOffers.choose.
            InvalidArguments, Forbidden: it could not run; the chip stays.
        """
        box = self._box
        shown = await box.offers.get(offer_id, box.readers.of(principal))
        catalogue = box.catalogue.of_tenant(principal.tenant_id)
        for chip in shown.chips:
            if chip.chip_id == chip_id:
                whole = whole_choice(chip, arguments or {})
                catalogue.arguments(chip.action, whole)
                if not catalogue.may_ask(chip.action, principal.roles):
                    raise Forbidden(t("gate.chip_role", action=chip.action))
        event = await box.offers.choose(offer_id, chip_id, principal, arguments or {})
        record = await self._decide(event.decision_id)
        await self._chosen(shown, record)
        return record


class ActionService:
    """Lists what was asked to be changed, and takes it back."""

    def __init__(self, box: Toolbox, decide: Decide) -> None:
        self._box, self._decide = box, decide
        self.list = partial(list_changes, box.database)

    async def undo(self, action_id: str, principal: Principal) -> DecisionRecord:
        """Take back what was done: an event of its own, judged again.

        Raises:
            NotFound, Forbidden, Conflict: see UndoService.ask.
        """
        reader = self._box.readers.of(principal)
        event = await self._box.undoing.ask(action_id, principal, reader=reader)
        return await self._decide(event.decision_id)


@dataclass(frozen=True)
class PinnedTools:
    """Reads and accepts for whoever may.

    Pins of MCP tools are the deployment's, those of agents' own tools their tenant's.
    """

    box: Toolbox

    async def list(self, whose: Principal | None = None) -> Sequence[PinnedTool]:
        """List every pin, changed ones first; for somebody, those of their agents' tools too."""
        pins = await self.box.tool_pins.list(self.box.catalogue.packs)
        if whose is None:
            return pins
        both = (*pins, *await self.box.declared.pins(whose.tenant_id))
        return sorted(both, key=lambda one: (one.standing == "pinned", one.id))

    async def accept(self, given: ToolAcceptance, principal: Principal) -> PinnedTool:
        """Pin a tool as it is described now.

        Raises as SqlToolPins.accept, and for an agent's own tool as SqlDeclaredTools.accept.
        """
        if ToolKey.of(given.id).pack == DECLARED:
            return await self.box.declared.accept(given, principal)
        pinned = await self.box.tool_pins.accept(given, principal, self.box.catalogue.packs)
        key = ToolKey.of(given.id)
        self.box.catalogue.withheld.withhold(key, accepted_reason(key))
        return pinned
