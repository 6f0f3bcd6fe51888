"""An Executive that decides in memory by a few words, to try the routes without the graph."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from graph.execution.run_limiter import Accepted
from graph.settings import Settings
from state.action import Action, Slot
from state.approval import ApprovalAnswer, LedgerAction
from state.dialog import ShownApproval
from state.errors import Conflict, DigestMismatch, Forbidden, InvalidArguments, NotFound
from state.event import Event
from state.offer import Chip, Offer
from state.principal import Principal
from state.reader import Reader, reader_of
from state.record import DecisionRecord, DecisionTrace, Outcome
from state.tuning import ServiceTuning
from tests.stages import TUNING
from tools.access.permissions import SessionReaders
from tools.catalog.action_catalog import Catalogue
from tools.gate.approvals.answer_formats import read_answer
from tools.ingest import IngestKinds
from tools.response.delivery import NoticeBus

CLOSE = Action(
    name="close_work_order",
    pack="vessel",
    summary="Close work order {work_order}",
    verb="update",
    object="work_order",
    slots={"work_order": Slot(type="work_order", required=True)},
    effect="destructive",
    handler="handlers:close_work_order",
)
NOW = datetime(2026, 2, 7, 14, 32, tzinfo=UTC)


@dataclass
class MemoryKeys:
    principals: dict[str, Principal] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def principal_of(self, secret: str) -> Principal | None:
        self.asked.append(secret)
        return self.principals.get(secret)


@dataclass
class MemoryExecutive:
    """Words decide: `close WO-n` asks for a yes, `note` offers chips, `boom` breaks."""

    catalogue: Catalogue = field(default_factory=lambda: Catalogue.of(()))
    keys: MemoryKeys = field(default_factory=MemoryKeys)
    degraded: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    events: dict[str, Event] = field(default_factory=dict)
    decided: dict[str, DecisionRecord] = field(default_factory=dict)
    ledger: dict[str, LedgerAction] = field(default_factory=dict)
    chips: dict[str, Offer] = field(default_factory=dict)
    notices: NoticeBus = field(default_factory=NoticeBus)
    gate: asyncio.Event | None = None
    service_tuning: ServiceTuning = TUNING.service
    refusal: Exception | None = None
    settings: Settings = field(default_factory=Settings)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    readers: SessionReaders = field(default_factory=SessionReaders)
    ingest: IngestKinds = field(default_factory=IngestKinds)

    def __post_init__(self) -> None:
        self.records, self.offers = MemoryRecords(self), MemoryOffers(self)
        self.approvals = MemoryApprovals(self.ledger)

    async def until_recorded(self, count: int) -> None:
        async with asyncio.timeout(60), self.changed:
            await self.changed.wait_for(lambda: len(self.decided) >= count)

    async def accept(self, event: Event) -> Accepted:
        if self.refusal:
            raise self.refusal
        known = event.decision_id in self.events
        self.events.setdefault(event.decision_id, event)
        return Accepted(event, known)

    async def accept_all(self, events: list[Event]) -> list[Accepted]:
        return [await self.accept(event) for event in events]

    async def submit(self, event: Event) -> DecisionRecord:
        return await self.decide_accepted(await self.accept(event))

    async def decide_accepted(self, accepted: Accepted) -> DecisionRecord:
        return accepted.mark(await self.decide(accepted.decision_id))

    async def decide(self, decision_id: str) -> DecisionRecord:
        if self.gate:
            await self.gate.wait()
        await asyncio.sleep(0)
        if decision_id not in self.decided:
            self.decided[decision_id] = self._decided(self.events[decision_id])
            self.tell("decision", self.decided[decision_id])
            async with self.changed:
                self.changed.notify_all()
        return self.decided[decision_id]

    async def problems(self) -> list[str]:
        return self.reasons

    def tell(self, kind: Any, record: DecisionRecord) -> None:  # a NoticeKind
        data = {"decision_id": record.decision_id, "text": record.text}
        self.notices.tell(kind, record.tenant_id, data, (record.session_id,))

    def _decided(self, event: Event) -> DecisionRecord:
        if "boom" in event.text:
            raise RuntimeError(f"secret words: {event.text}")
        outcome: Outcome = "spoke"
        action_id = offer_id = None
        if "close WO-" in event.text:
            outcome, action_id = "awaiting_approval", f"act-{len(self.ledger)}"
            self.ledger[action_id] = _pending(action_id, event)
        elif "note" in event.text:
            outcome, offer_id = "offered", f"offer-{len(self.chips)}"
            self.chips[offer_id] = _offer(offer_id, event)
        return DecisionRecord(
            event_id=event.event_id,
            decision_id=event.decision_id,
            outcome=outcome,
            spoke=True,
            reason="words",
            text=event.text[:100],
            session_id=event.session_id,
            tenant_id=event.tenant_id,
            action_id=action_id,
            offer_id=offer_id,
            recorded_at=NOW + timedelta(seconds=len(self.decided)),
        )


@dataclass
class MemoryRecords:
    executive: MemoryExecutive

    async def trace(self, decision_id: str, whose: Reader | str) -> DecisionTrace:
        record = self.executive.decided.get(decision_id)
        if record is None or record.tenant_id != reader_of(whose).tenant_id:
            raise NotFound("decision", decision_id)
        event = self.executive.events[decision_id].model_dump(mode="json")
        return DecisionTrace(record=record, event=event, stages={}, thread_id=decision_id)

    async def newest(
        self,
        whose: Reader | str,
        *,
        session_id: str | None = None,
        outcome: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[DecisionRecord]:
        found = [
            record
            for record in reversed(self.executive.decided.values())
            if record.tenant_id == reader_of(whose).tenant_id
            and session_id in (None, record.session_id)
            and outcome in (None, record.outcome)
        ]
        if before:
            ids = [record.decision_id for record in found]
            found = found[ids.index(before.rpartition("/")[2]) + 1 :]
        return found[:limit]


@dataclass
class MemoryApprovals:
    ledger: dict[str, LedgerAction]

    async def list(
        self,
        whose: Reader | str,
        *,
        state: str = "pending",
        limit: int = 100,
        after: str | None = None,
    ) -> list[LedgerAction]:
        mine = [
            each for each in self.ledger.values() if each.tenant_id == reader_of(whose).tenant_id
        ]
        return [each for each in mine if each.state == state][:limit]

    async def get(self, action_id: str, whose: Reader | str) -> LedgerAction:
        found = self.ledger.get(action_id)
        if found is None or found.tenant_id != reader_of(whose).tenant_id:
            raise NotFound("approval", action_id)
        return found

    def show(self, standing: LedgerAction) -> ShownApproval:
        return ShownApproval(**dict(standing))

    def read_answer(self, given: Any, standing: LedgerAction) -> ApprovalAnswer | None:
        return read_answer(given, standing, CLOSE)

    async def answer(
        self, asked: LedgerAction | str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        action_id = asked if isinstance(asked, str) else asked.action_id
        standing = await self.get(action_id, principal.tenant_id)
        if not principal.has_any(standing.approver_roles):
            raise Forbidden("answering this needs the role captain")
        if answer.digest != standing.digest:
            raise DigestMismatch(action_id)
        if standing.state != "pending":
            raise Conflict(f"approval {action_id} is {standing.state} already", standing.state)
        if answer.arguments is not None and "work_order" not in answer.arguments:
            raise InvalidArguments(standing.action, ["work_order: required"])
        changes: dict[str, Any] = {"state": "succeeded", "decided_by": principal.user}
        if answer.decision == "reject":
            changes["state"] = "rejected"
        if answer.arguments is not None:
            changes["arguments"] = dict(answer.arguments)
        self.ledger[action_id] = standing.model_copy(update=changes)
        return self.ledger[action_id]


@dataclass
class MemoryOffers:
    executive: MemoryExecutive

    async def list(
        self,
        whose: Reader | str,
        *,
        open_only: bool = True,
        limit: int = 200,
        after: str | None = None,
    ) -> list[Offer]:
        mine = [
            each
            for each in self.executive.chips.values()
            if each.tenant_id == reader_of(whose).tenant_id
        ]
        return [each for each in mine if not (open_only and each.chosen)]

    async def get(self, offer_id: str, whose: Reader | str) -> Offer:
        for offer in await self.list(whose, open_only=False):
            if offer.offer_id == offer_id:
                return offer
        raise NotFound("offer", offer_id)

    async def choose(
        self,
        offer_id: str,
        chip_id: str,
        principal: Principal,
        arguments: Mapping[str, Any] | None = None,
    ) -> DecisionRecord:
        offer = self.executive.chips.get(offer_id)
        if offer is None or offer.tenant_id != principal.tenant_id:
            raise NotFound("offer", offer_id)
        if chip_id not in [chip.chip_id for chip in offer.chips]:
            raise NotFound("chip", chip_id)
        if offer.chosen:
            raise Conflict(f"offer {offer_id} is chosen", "chosen")
        self.executive.chips[offer_id] = offer.model_copy(update={"chosen": chip_id})
        event = Event(
            kind="choice", text="chosen", tenant_id=principal.tenant_id, user=principal.user
        )
        return await self.executive.submit(event)


def _pending(action_id: str, event: Event) -> LedgerAction:
    return LedgerAction(
        action_id=action_id,
        tenant_id=event.tenant_id,
        decision_id=event.decision_id,
        action="close_work_order",
        pack="vessel",
        execution_class="C",
        arguments={"work_order": "WO-1042"},
        digest="d" * 64,
        summary="Close work order WO-1042",
        state="pending",
        requester=event.user or "nobody",
        requester_roles=(event.role,) if event.role else (),
        approver_roles=("captain",),
        quorum=1,
        four_eyes=False,
        proposed_at=NOW,
        expires_at=NOW + timedelta(minutes=15),
    )


def _offer(offer_id: str, event: Event) -> Offer:
    chip = Chip(
        chip_id="chip-1",
        action="add_note_to_work_order",
        arguments={},
        summary="Add a note",
        confidence=0.7,
    )
    return Offer(
        offer_id=offer_id,
        decision_id=event.decision_id,
        tenant_id=event.tenant_id,
        session_id=event.session_id,
        chips=(chip,),
        reason="ambiguous",
        expires_at=NOW + timedelta(hours=1),
    )
