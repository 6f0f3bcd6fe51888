"""Approvals, offers and standing refusals as people answer them.

And the review of pinned MCP tools.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from graph.execution.retry import Retrier, build_dead_letters
from graph.execution.run_limiter import RunLimiter
from graph.telemetry.decision_metrics import HarmAlarm
from graph.wiring.toolbox import Toolbox
from state.approval import ActionState, ApprovalAnswer, LedgerAction
from state.dialog import ShownApproval
from state.errors import Busy, Conflict
from state.offer import Offer
from state.principal import Principal
from state.reader import Reader
from state.record import DecisionRecord
from state.refusal import NewRefusal, Refusal
from state.tool_pin import PinnedTool, ToolAcceptance
from state.tuning import ServiceTuning
from tools.access.permissions import SessionReaders
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.mcp.tool_pins import accepted_reason
from tools.catalog.action_catalog import ToolKey
from tools.gate.approvals.answer_formats import read_answer
from tools.gate.approvals.approval_rules import MOST_LISTED
from tools.gate.approvals.decision import response_id
from tools.gate.approvals.dialog import approval_view
from tools.gate.redaction import Redactor, masked_arguments
from tools.observability.metrics_export import backlog, backlog_exposition
from tools.observability.policy_quality import SqlQuality
from tools.observability.query_log import SqlQueryLog
from tools.response.delivery import Subscription
from tools.storage.decision_rows import SqlRecords
from tools.storage.idempotency import SqlIdempotency


@dataclass(frozen=True)
class PinnedTools:
    """Reads and accepts for whoever may; pins are the deployment's, and no tenant's own."""

    box: Toolbox

    async def list(self) -> Sequence[PinnedTool]:
        """List every pin, changed ones first."""
        return await self.box.tool_pins.list(self.box.catalogue.packs)

    async def accept(self, given: ToolAcceptance, principal: Principal) -> PinnedTool:
        """Pin a tool as it is described now. See SqlToolPins.accept for what it raises."""
        pinned = await self.box.tool_pins.accept(given, principal, self.box.catalogue.packs)
        key = ToolKey.of(given.id)
        self.box.catalogue.withheld.withhold(key, accepted_reason(key))
        return pinned


class ApprovalService(ABC):
    """The half of the Executive that people answer; the other half is graph/executive.py."""

    def __init__(self, box: Toolbox, turns: RunLimiter) -> None:
        self._box = box
        self._turns = turns
        attempts = box.tuning.service.decision_attempts
        self._attempting = Retrier(build_dead_letters(box), turns, attempts)
        self.alarm = HarmAlarm(box.queries)
        box.bus.hear = turns.observing.hear
        self.answers = SqlIdempotency(box.database)
        """The answers kept for whoever sends the same request again."""

    @property
    def queries(self) -> SqlQueryLog:
        """Hand out the log of what people asked."""
        return self._box.queries

    async def operating(self, tenant_id: str) -> str:
        """Write what operators watch, for Prometheus: counters since the start, and what waits."""
        waiting = await backlog(self._box.database, tenant_id)
        return self._turns.observing.exposition(tenant_id) + backlog_exposition(waiting, tenant_id)

    @property
    def records(self) -> SqlRecords:
        """Hand out what was decided, to be read many at once."""
        return self._box.records

    @property
    def quality(self) -> SqlQuality:
        """Hand out how well policy keeps its word."""
        return self._box.quality

    @property
    def encoders(self) -> tuple[Encoder, ...]:
        """Hand out what turns sentences into vectors; empty: nothing does."""
        return self._box.encoders

    @property
    def service_tuning(self) -> ServiceTuning:
        """Tell how much may be asked at once."""
        return self._box.tuning.service

    @abstractmethod
    async def decide(self, decision_id: str) -> DecisionRecord:
        """Run a decision. See Executive.decide."""

    async def offers(
        self,
        whose: Reader | str,
        *,
        open_only: bool = True,
        limit: int = 200,
        after: str | None = None,
    ) -> list[Offer]:
        """List offers, newest first. See SqlOffers.list."""
        listed = await self._box.offers.list(whose, open_only=open_only, limit=limit, after=after)
        return list(map(Redactor(self._box.governed).offer, listed))

    async def offer(self, offer_id: str, whose: Reader | str) -> Offer:
        """Read one offer; NotFound when they see none of that id."""
        return Redactor(self._box.governed).offer(await self._box.offers.get(offer_id, whose))

    async def approvals(
        self,
        whose: Reader | str,
        *,
        state: ActionState | None = "pending",
        limit: int = 100,
        after: str | None = None,
    ) -> list[LedgerAction]:
        """List Class C actions: what waits by what runs out first. See Ledger.actions."""
        return await self._box.ledger.actions(whose, state=state, limit=limit, after=after)

    @property
    def readers(self) -> SessionReaders:
        """Tell who may read which session."""
        return self._box.readers

    def reader(self, principal: Principal) -> Reader:
        """Tell what a caller may read. See Readers.of."""
        return self._box.readers.of(principal)

    def subscribe(self, reader: Reader, *, after: int | None = None) -> Subscription:
        """Listen to what one may hear from now on, or since one notice. See Bus.listen."""
        return self._box.bus.listen(reader, after=after)

    async def queue(
        self, whose: Reader | str, states: Collection[ActionState], *, limit: int = 100
    ) -> tuple[list[LedgerAction], int]:
        """List what waits by what runs out first, and count it. See Ledger.queue."""
        return await self._box.ledger.queue(whose, states, limit=limit)

    async def approval(self, action_id: str, whose: Reader | str) -> LedgerAction:
        """Read one action of the ledger; NotFound when they see none of that id."""
        return await self._box.ledger.action(action_id, whose)

    def show(self, standing: LedgerAction) -> ShownApproval:
        """Draw an action for people: with its dialog, and every secret covered."""
        return approval_view(standing, self._box.governed, self._box.tuning.execution)

    def read_answer(self, given: Any, standing: LedgerAction) -> ApprovalAnswer | None:
        """Read an answer in any wire format; None: it is none.

        See tools/gate/approvals/answer_formats.py.
        """
        action = self._box.governed.actions.get(standing.action)
        return None if action is None else read_answer(given, standing, action)

    async def answer(
        self, action_id: str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        """Decide an approval in the ledger, then let its thread go on and wait for the end.

        Raises:
            NotFound, Forbidden, Conflict, BadInput, AgentError: see Deciding.decide.
        """
        await self.approval(action_id, self.reader(principal))
        try:
            settled = await self._box.ledger.decide(action_id, answer, principal)
        except Conflict as conflict:
            if conflict.standing == "expired":
                await self.settle_answered()
            raise
        await self._go_on(settled)
        if answer.decision == "respond":
            await self.decide(response_id(settled))
        return await self._box.ledger.told(settled.action_id, self.reader(principal))

    async def take_back(self, action_id: str, digest: str, principal: Principal) -> LedgerAction:
        """Let who asked for something call it off, asked or still queued; it is never a yes.

        Raises:
            NotFound, Forbidden, DigestMismatch, Conflict: see Ledger.take_back.
        """
        standing = await self.approval(action_id, self.reader(principal))
        shown = standing.model_copy(update={"digest": digest})
        settled = await self._box.ledger.take_back(shown, principal)
        await self._go_on(settled)
        return await self._box.ledger.told(action_id, self.reader(principal))

    async def settle(
        self, action_id: str, principal: Principal, happened: bool, evidence: str
    ) -> LedgerAction:
        """Say what became of an `unknown` action. See Settling.settle for what it raises."""
        await self.approval(action_id, self.reader(principal))
        await self._box.ledger.settle(action_id, principal, happened, evidence)
        return await self._box.ledger.told(action_id, self.reader(principal))

    async def reconcile(self) -> int:
        """Settle what was left started and start what was forgotten; tell how many were settled.

        Nobody can tell what became of some: people are told, and one of them settles it.
        """
        settled = await self._box.ledger.executing.reconcile()
        for standing in settled:
            if standing.state == "unknown":
                await self._tell("action_unknown", standing)
        return len(settled)

    async def refuse(self, wanted: NewRefusal, principal: Principal) -> Refusal:
        """Refuse beforehand what fits. See Refusals.add for what it raises."""
        return self._covered(await self._box.ledger.refusals.add(wanted, principal))

    async def refusals(
        self, principal: Principal, *, limit: int = MOST_LISTED, after: str | None = None
    ) -> Sequence[Refusal]:
        """List the standing refusals of actions that somebody may approve, a page of them.

        Raises:
            BadInput: none of those is called `after`.
        """
        found = await self._box.ledger.refusals.list(principal, limit=limit, after=after)
        return [self._covered(each) for each in found]

    async def withdraw_refusal(self, refusal_id: str, principal: Principal) -> Refusal:
        """Let people be asked again. See Refusals.withdraw for what it raises."""
        return self._covered(await self._box.ledger.refusals.withdraw(refusal_id, principal))

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

    async def _go_on(self, settled: LedgerAction) -> None:
        if settled.state == "pending":  # people are asked still
            return
        event, thread_id, _standing = await self._box.decisions.find(settled.decision_id)
        with suppress(Busy):  # somebody is at its thread, or the next pulse will be
            await self._turns.wake(event, thread_id)

    def _covered(self, refusal: Refusal) -> Refusal:
        action = self._box.governed.actions.get(refusal.action)
        arguments = masked_arguments(action, refusal.arguments) if action else {}
        return refusal.model_copy(update={"arguments": arguments})

    async def _tell(self, kind: Any, standing: LedgerAction) -> None:  # a NoticeKind
        told = self.show(standing).model_dump(mode="json", exclude={"preview"})
        event, _thread, _standing = await self._box.decisions.find(standing.decision_id)
        self._box.bus.tell(kind, standing.tenant_id, told, (event.session_id,))
