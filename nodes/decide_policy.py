"""What is asked, and what is allowed? Code decides, before any model is near."""

import asyncio
from dataclasses import dataclass

from state.approval import LedgerAction
from state.channels import State
from state.errors import Conflict
from state.event import Event
from state.policy import PolicyDecision
from state.session import OpenQuestion
from state.stages import Timed
from tools.dialogue.dialogue_state import transition_for
from tools.dialogue.interpreter import MessageInterpreter, SlotQuestions
from tools.dialogue.meta_requests import is_meta_request
from tools.dialogue.pending_requests import PendingRequests
from tools.dialogue.reply_decisions import (
    nothing_to_answer,
    on_approval,
    on_chips,
    on_elsewhere,
    on_resolved,
    on_retracted,
)
from tools.dialogue.yes_no import PlainAnswer, approval_meant, is_retraction, plain_answer
from tools.memory.heuristics.matching import HeuristicMatcher
from tools.nlu.dialogue_acts.negated_orders import asks_undo
from tools.ports import Ledger, OfferAnswers, Offers, PendingApprovals, UndoQueries

CANDIDATES = 5
"""Heuristics that are kept of those that fit."""
_ASKS = ("command", "request", "question")


@dataclass(frozen=True)
class DecidePolicy:
    """Read messages with the router, choices from the store, notices with heuristics."""

    messages: MessageInterpreter
    heuristics: HeuristicMatcher
    offers: Offers
    undoing: UndoQueries
    answers: OfferAnswers
    waiting: PendingApprovals
    ledger: Ledger
    address: str | None = None
    """Where people reach the service; None: nothing serves."""

    @property
    def _standing(self) -> PendingRequests:
        return PendingRequests(self.messages, self.answers, self.waiting, self.ledger, self.address)

    async def __call__(self, state: Timed) -> State:
        match state.event.kind:
            case "choice":
                return {"policy": await self._choice(state)}
            case "message":
                return {"policy": await self._message(state)}
            case "ambient" | "signal" | "tick":
                return {"policy": await self._notice(state)}

    async def _message(self, state: Timed) -> PolicyDecision:
        event = state.event
        if asks_undo(event.text):
            return await self._undo(state)
        now = state.arrival.received_at.timestamp()
        proposals = self.messages.proposals
        if proposals and (taken := proposals.answered(event, state.session, now)):
            return taken
        # `be quiet` and `why did you do that?` answer nothing.
        asked = await self._open_question(state, now)
        if asked and not is_meta_request(event.text):
            read = SlotQuestions(self.messages).answered
            answered = await asyncio.to_thread(read, event, asked, state.session)
            if answered is not None:
                return answered
        elif plain := plain_answer(event.text):
            return await self._plainly(state, plain)
        elif (named := approval_meant(event.text)) is not None:
            on_waiting = await self._on_waiting(state, named)
            if on_waiting is not None:
                return on_waiting
        if (followed := await self._followed(state)) is not None:
            return followed
        decision_id = state.arrival.decision_id
        return await self._standing.beside(event, decision_id, await self._read(state))

    async def _followed(self, state: Timed) -> PolicyDecision | None:
        """Take a message for what is said of the speaker's own request that still waits."""
        event, decision_id = state.event, state.arrival.decision_id
        if is_meta_request(event.text):
            return None
        return await self._standing.followed(event, decision_id, state.session)

    async def _read(self, state: Timed) -> PolicyDecision:
        event = state.event
        # On a thread: entities are looked up in the pack's own store.
        read = await asyncio.to_thread(self.messages.read, event, state.session)
        if read.intent == "undo":  # beside a wish for quiet
            update = {"beside": read.beside, "reasons": read.reasons}
            return (await self._undo(state)).model_copy(update=update)
        is_open = read.intent == "general" and read.action is None and not read.says
        asks = read.routing is not None and read.routing.mood in _ASKS
        is_learned = is_open and asks and self.heuristics.is_blocking(event)
        return await self._suggested(event, read) if is_learned else read

    async def _open_question(self, state: Timed, now: float) -> OpenQuestion | None:
        """Give what this person was asked and has not answered yet; now: seconds since 1970."""
        event = state.event
        asked = state.session.questions.get(event.user or "")
        if asked is None or now - asked.at >= self.messages.policy.question_seconds:
            return None
        # A decision that asks for a yes is in no session before it ends: it may be the answer.
        is_answered = await self.waiting.has_asked_since(event, asked.decision_id)
        return None if is_answered else asked

    async def _plainly(self, state: Timed, plain: PlainAnswer) -> PolicyDecision:
        """Take a yes, a no or a place for an answer to the chips, or to what waits.

        Where there is neither it may still point at something that was listed.
        """
        event = state.event
        try:
            said = await self.answers.take(state.arrival.decision_id)
        except Conflict as conflict:  # what it would take back cannot be taken back any more
            return PolicyDecision(
                intent="undo", confidence=1.0, says=str(conflict), reasons=(conflict.standing,)
            )
        if said is not None and said.standing == "pressed":
            return await self._choice(state)
        if said is not None:
            routing = await asyncio.to_thread(self.messages.routed, event)
            is_no = said.standing == "declined"
            own = await self.waiting.newest(event, own=True) if is_no else None
            return on_chips(said, routing, still=own)
        on_waiting = None if plain.kind == "place" else await self._on_waiting(state)
        if on_waiting is not None:
            return on_waiting
        read = await asyncio.to_thread(self.messages.read, event, state.session)
        decision_id = state.arrival.decision_id
        return await self._standing.beside(event, decision_id, nothing_to_answer(read))

    async def _on_waiting(self, state: Timed, named: str = "") -> PolicyDecision | None:
        """Take back what its own asker says no to; any other answer is not given here.

        None: nothing waits.
        """
        event, decision_id = state.event, state.arrival.decision_id
        taken = await self.waiting.taken_back(event, decision_id) if event.user else None
        if taken is not None:  # this run was broken off behind it
            return on_retracted(taken)
        # A no is about one's own first: of another's newer question it would be no answer at all.
        # What a service passes on in somebody's name is no answer of a person.
        own = None if event.relayed else await self.waiting.newest(event, named, own=True)
        if own is not None and is_retraction(event.text, own.summary):
            return await self._standing.taken_back(event, own)
        if own is None and not (event.relayed or named):
            moved = await self.waiting.moved(event)
            if moved is not None and is_retraction(event.text, moved.summary):
                return on_elsewhere(moved)
        waiting = await self.waiting.newest(event, named)
        if not event.relayed and not named:
            late = await self.waiting.just_settled(event)
            # What was taken back before is news only where nothing else may be meant.
            if late is not None and (waiting is None or late.state != "rejected"):
                is_no = is_retraction(event.text, late.summary)
                if is_no and not await self._is_order(state):
                    return on_resolved(late, waiting)
        return None if waiting is None else on_approval(waiting, event, self.address)

    async def _is_order(self, state: Timed) -> bool:
        """Tell whether a no to what is settled asks for something now: `cancel it`, an order."""
        read = await asyncio.to_thread(self.messages.read, state.event, state.session)
        return nothing_to_answer(read).action is not None

    async def _undo(self, state: Timed) -> PolicyDecision:
        """Find the person's own last action of this session; its undo is offered, never run.

        What they asked for after it and still waits is taken back instead.
        """
        event = state.event
        if event.user is None:
            return _nothing_to_undo()
        taken = await self.waiting.taken_back(event, state.arrival.decision_id)
        if taken is not None:  # this run was broken off behind it
            return on_retracted(taken)
        undo, told = None, _nothing_to_undo()
        try:
            undo = await self.undoing.newest(event.tenant_id, event.session_id, event.user)
        except Conflict as conflict:
            told = _nothing_to_undo(str(conflict), conflict.standing)
        own = None if event.relayed else await self.waiting.newest(event, own=True)
        if own is not None and (undo is None or _is_asked_after(own, undo.of)):
            return await self._standing.taken_back(event, own)
        if undo is None:
            return told
        return PolicyDecision(
            intent="undo",
            action=undo.action,
            arguments=undo.arguments,
            confidence=1.0,
            undo_of=undo.of.action_id,
            reasons=(f"undo_of:{undo.of.action_id}",),
        )

    async def _notice(self, state: Timed) -> PolicyDecision:
        if (own := state.arrival.initiative) is not None:
            about = (f"initiative:{own.kind}", own.about)
            return PolicyDecision(intent="initiative", says=state.event.text, reasons=about)
        return await self._suggested(state.event, PolicyDecision(intent="notice"))

    async def _suggested(self, event: Event, decided: PolicyDecision) -> PolicyDecision:
        """Lay heuristics that fit beside what policy found no answer to."""
        blocks = self.heuristics.is_blocking(event)
        find = self.heuristics.fitting
        fitting = await asyncio.to_thread(find, event) if blocks else find(event)
        if not fitting:
            return decided
        best = fitting[0]
        reasons = (*decided.reasons, f"heuristic:{best.heuristic_id}")
        update = {"suggestion": best, "candidates": fitting[:CANDIDATES], "reasons": reasons}
        return decided.model_copy(update=update)

    async def _choice(self, state: Timed) -> PolicyDecision:
        # The click is read from our own table: what the event says about itself is no authority.
        chosen = await self.offers.request(state.arrival.decision_id)
        if chosen is None:
            return PolicyDecision(intent="choice", reasons=("no_such_click",))
        chip = (f"chip:{chosen.chip_id} of {chosen.offer_id}",) if chosen.offer_id else ()
        undo = (f"undo_of:{chosen.undo_of}",) if chosen.undo_of else ()
        return PolicyDecision(
            intent="choice",
            action=chosen.action,
            arguments=chosen.arguments,
            confidence=1.0,
            explicit=True,
            offer_id=chosen.offer_id,
            undo_of=chosen.undo_of,
            stage_transition=transition_for(chosen.action, self.messages.catalogue, state.session),
            reasons=(*chip, *undo),
        )


def _nothing_to_undo(
    says: str = "There is nothing of yours here that I could undo.",
    reason: str = "nothing_to_undo",
) -> PolicyDecision:
    return PolicyDecision(intent="undo", confidence=1.0, says=says, reasons=(reason,))


def _is_asked_after(asked: LedgerAction, done: LedgerAction) -> bool:
    return asked.proposed_at >= (done.finished_at or done.proposed_at)
