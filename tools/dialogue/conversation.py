"""Decide on a message that answers what is open: a proposal, a question, chips or an approval.

No yes in words approves anything: it is told where an approval is given.
"""

import asyncio
from dataclasses import dataclass, replace

from state.approval import LedgerAction
from state.errors import Conflict, NotFound
from state.event import Event
from state.offer import Offer
from state.policy import ASKS, SMALL_TALK_MOODS, PolicyDecision
from state.principal import Principal
from state.session import OpenQuestion
from state.stages import Timed
from tools.dialogue.chitchat import fallback_while_pending, is_thanks
from tools.dialogue.dialogue_state import transition_for
from tools.dialogue.interpreter import Interpreter, Message
from tools.dialogue.pending_requests import (
    FollowUp,
    PriorRequest,
    asks_of_nothing,
    asks_of_pending,
    follow_up,
    named_things,
)
from tools.dialogue.personal import past, personal
from tools.dialogue.reply_decisions import (
    nothing_pending,
    nothing_to_answer,
    on_approval,
    on_chips,
    on_conditional,
    on_declined,
    on_elsewhere,
    on_open,
    on_resolved,
    on_retracted,
    reply,
    which_chip,
    with_retraction_notice,
)
from tools.dialogue.slot_answers import slot_answer
from tools.nlu.dialogue_acts.negated_orders import asks_undo
from tools.nlu.replies.corrections import is_mistake
from tools.nlu.replies.yes_no import approval_meant, is_retraction
from tools.platform.texts import t
from tools.ports import (
    HeuristicMatcher,
    Ledger,
    OfferAnswers,
    Offers,
    PastEvents,
    PendingApprovals,
    PersonalFacts,
    UndoQueries,
)

_CANDIDATES = 5
"""Heuristics that are kept of those that fit."""


@dataclass(frozen=True)
class Conversation:
    """The stores that hold what is open, and the recognisers of answers to it."""

    messages: Interpreter
    heuristics: HeuristicMatcher
    offers: Offers
    undoing: UndoQueries
    answers: OfferAnswers
    waiting: PendingApprovals
    ledger: Ledger
    address: str | None = None
    """Where people reach the service; None: nothing serves, and a command is named."""
    facts: PersonalFacts | None = None
    past: PastEvents | None = None

    def message(self, state: Timed) -> Message:
        """Return the message of an event."""
        return self.messages.message(
            state.event,
            state.session,
            decision_id=state.arrival.decision_id,
            at=state.arrival.received_at.timestamp(),
        )

    async def with_question(self, message: Message) -> Message:
        """Add the question that a message may answer: `be quiet` and `why?` answer none."""
        asked = await self._open_question(message)
        return replace(message, question=asked) if asked and not message.is_meta else message

    async def undo(self, message: Message) -> PolicyDecision | None:
        """Recognise `undo that`."""
        return await self._undo(message) if asks_undo(message.text) else None

    async def proposal(self, message: Message) -> PolicyDecision | None:
        """Recognise an answer to what we proposed."""
        proposals, session = self.messages.proposals, message.session
        if proposals is None or session is None:
            return None
        return proposals.answered(message.event, session, message.at, self.messages.now)

    async def slots(self, message: Message) -> PolicyDecision | None:
        """Recognise the value that was asked for, or that it will not be given."""
        if message.question is None:
            return None
        return await asyncio.to_thread(slot_answer, message, message.question)

    async def chips(self, message: Message) -> PolicyDecision | None:
        """Recognise a yes, a no or a place as an answer to the chips that were shown."""
        if message.question is not None or message.plain is None:
            return None
        try:
            said = await self.answers.take(message.decision_id)
        except Conflict as conflict:  # what it would take back cannot be taken back any more
            return _nothing_to_undo(str(conflict), conflict.standing)
        if said is None:
            return None
        if said.standing == "pressed":
            return await self.choice(message)
        routing = await asyncio.to_thread(lambda: message.routing)
        is_no = said.standing == "declined"
        own = await self.waiting.newest(message.event, own=True) if is_no else None
        return on_chips(said, routing, still=own)

    async def approval(self, message: Message) -> PolicyDecision | None:
        """Recognise an answer to what waits: its own asker's no counts, no other does."""
        if message.question is not None:
            return None
        if message.plain is not None:
            return None if message.plain.kind == "place" else await self._on_waiting(message, "")
        named = approval_meant(message.text)
        if named is None:
            return None
        waiting = await self._on_waiting(message, named)
        return waiting if waiting is not None or named else await self._approves_chips(message)

    async def nothing_open(self, message: Message) -> PolicyDecision | None:
        """Recognise a plain answer to nothing; it may still point at something that was listed."""
        if message.question is not None or message.plain is None:
            return None
        return await self._beside(message, nothing_to_answer(await self._read(message)))

    async def follow_up(self, message: Message) -> PolicyDecision | None:
        """Recognise what changes the speaker's own open request, or asks about it.

        What a service passes on in somebody's name takes nothing back. What only others asked for
        is told of, to whoever may approve it.
        """
        event = message.event
        if message.is_meta or event.user is None or event.relayed:
            return None
        # This run may have been broken off behind it.
        taken = await self.waiting.taken_back(event, message.decision_id)
        own, shown = await self._own(event, taken)
        before = _before(own, shown)
        if before is None:
            return await self._of_others(message)
        found = await asyncio.to_thread(follow_up, message, before)
        if found is None:
            return None
        if found.kind in ("takes_back", "corrects"):
            return await self._off(event, found, before, own, shown, is_off=taken is not None)
        if found.kind == "adds":
            return found.decision
        still = on_approval(own, event, self.address) if own else on_open(shown) if shown else None
        return on_conditional(found.words, still) if found.kind == "hedges" and still else still

    async def reading(self, message: Message) -> PolicyDecision:
        """Read the words by themselves, and answer in the light of what is open."""
        read = await self._read(message)
        if read.intent == "undo":  # beside a wish for quiet
            update = {"beside": read.beside, "reasons": read.reasons}
            read = (await self._undo(message)).model_copy(update=update)
        elif _asks_openly(read) and self.heuristics.is_blocking(message.event):
            read = await self.suggested(message.event, read)
        if self.past is not None:
            read = await past(self.past, message, read)
        if self.facts is not None:
            read = await personal(self.facts, message, read)
        return await self._beside(message, read)

    async def choice(self, message: Message) -> PolicyDecision:
        """Decide on a pressed chip.

        It is read from our own table: what the event says about itself is no authority.
        """
        chosen = await self.offers.request(message.decision_id)
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
            stage_transition=transition_for(
                chosen.action, self.messages.catalogue, message.session
            ),
            reasons=(*chip, *undo),
        )

    def call(self, message: Message) -> PolicyDecision:
        """Take an agent's call as it is; it is no person's choice, so never explicit."""
        call = message.event.call
        if call is None:  # no such event is accepted
            return PolicyDecision(intent="proposal", reasons=("no_call",))
        return PolicyDecision(
            intent="proposal",
            action=call.action,
            arguments=call.arguments,
            confidence=1.0,
            stage_transition=transition_for(call.action, self.messages.catalogue, message.session),
            reasons=(f"call:{call.action}",),
        )

    async def suggested(self, event: Event, decided: PolicyDecision) -> PolicyDecision:
        """Lay heuristics that fit beside what found no answer."""
        blocks = self.heuristics.is_blocking(event)
        find = self.heuristics.fitting
        fitting = await asyncio.to_thread(find, event) if blocks else find(event)
        if not fitting:
            return decided
        best = fitting[0]
        reasons = (*decided.reasons, f"heuristic:{best.heuristic_id}")
        update = {"suggestion": best, "candidates": fitting[:_CANDIDATES], "reasons": reasons}
        return decided.model_copy(update=update)

    async def _read(self, message: Message) -> PolicyDecision:
        # On a thread: entities are looked up in the pack's own store.
        return await asyncio.to_thread(self.messages.read_message, message)

    async def _open_question(self, message: Message) -> OpenQuestion | None:
        """Give what this person was asked and has not answered yet."""
        event, session = message.event, message.session
        asked = session.questions.get(event.user or "") if session is not None else None
        if asked is None or message.at - asked.at >= self.messages.policy.question_seconds:
            return None
        # A decision that asks for a yes is in no session before it ends: it may be the answer.
        is_answered = await self.waiting.has_asked_since(event, asked.decision_id)
        return None if is_answered else asked

    async def _own(
        self, event: Event, taken: LedgerAction | None = None
    ) -> tuple[LedgerAction | None, Offer | None]:
        """Give the speaker's own open request, or the chips that they were shown since."""
        shown = await self.answers.shown(event)
        return taken or (None if shown else await self.waiting.newest(event, own=True)), shown

    async def _on_waiting(self, message: Message, named: str) -> PolicyDecision | None:
        """Take back what its own asker says no to; any other answer is not given here.

        None: nothing waits.
        """
        event = message.event
        taken = await self.waiting.taken_back(event, message.decision_id) if event.user else None
        if taken is not None:  # this run was broken off behind it
            return on_retracted(taken)
        # A no is about one's own first: of another's newer question it would be no answer at all.
        # What a service passes on in somebody's name is no answer of a person.
        own = None if event.relayed else await self.waiting.newest(event, named, own=True)
        if own is not None and is_retraction(event.text, own.summary):
            return await self._taken_back(event, own)
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
                if is_no and not await self._is_order(message):
                    return on_resolved(late, waiting)
        return None if waiting is None else on_approval(waiting, event, self.address)

    async def _approves_chips(self, message: Message) -> PolicyDecision | None:
        """Ask whoever approves chips which one they choose: `approve` is for what waits.

        None: none are shown, or the words say no.
        """
        shown = await self.answers.shown(message.event)
        if shown is None or is_retraction(message.text, shown.chips[0].summary):
            return None
        return which_chip(shown)

    async def _is_order(self, message: Message) -> bool:
        """Tell whether a no to what is settled asks for something now: `cancel it`, an order."""
        return nothing_to_answer(await self._read(message)).action is not None

    async def _undo(self, message: Message) -> PolicyDecision:
        """Find the person's own last action of this session; its undo is offered, never run.

        What they asked for after it and still waits is taken back instead.
        """
        event = message.event
        if event.user is None:
            return _nothing_to_undo()
        taken = await self.waiting.taken_back(event, message.decision_id)
        if taken is not None:  # this run was broken off behind it
            return on_retracted(taken)
        undo, told = None, _nothing_to_undo()
        try:
            undo = await self.undoing.newest(event.tenant_id, event.session_id, event.user)
        except Conflict as conflict:
            told = _nothing_to_undo(str(conflict), conflict.standing)
        own = None if event.relayed else await self.waiting.newest(event, own=True)
        if own is not None and (undo is None or _is_asked_after(own, undo.of)):
            return await self._taken_back(event, own)
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

    async def _beside(self, message: Message, read: PolicyDecision) -> PolicyDecision:
        """Answer what asks for nothing in the light of what is open; else leave it as it is read.

        Nobody is told that nothing is done while what they asked for may still be approved: a
        refusal takes it back, and of anything else it is said what is open.
        """
        event = message.event
        if event.user is None or event.relayed or not _asks_nothing(read, event.text):
            return read
        taken = await self.waiting.taken_back(event, message.decision_id)
        if taken is not None:  # this run was broken off behind it
            return on_retracted(taken, await self.waiting.newest(event))
        own, shown = await self._own(event)
        before = _before(own, shown)
        if before is None:
            moved = await self.waiting.moved(event)
            is_no = moved is not None and _refuses(event.text, moved.summary)
            return on_elsewhere(moved) if moved is not None and is_no else read
        if _refuses(event.text, before.summary):
            off = FollowUp("takes_back")
            return await self._off(event, off, before, own, shown, is_off=False)
        # After this answer a plain no is about what waits for approval, no longer about the chips.
        own = own or await self.waiting.newest(event, own=True)
        named = _before(own, None) or before
        things = named_things(self.messages, named)
        told = fallback_while_pending(event, read, named.summary, things, is_offered=own is None)
        reasons = (*read.reasons, "is_open")
        update = {"says": told, "confidence": 1.0, "reasons": reasons}
        return read if told is None else read.model_copy(update=update)

    async def _taken_back(self, event: Event, own: LedgerAction) -> PolicyDecision:
        """Take back what its own asker says no to."""
        if (fault := await self._withdraw(event, own)) is not None:
            return fault
        return on_retracted(own, await self.waiting.newest(event))

    async def _off(
        self,
        event: Event,
        found: FollowUp,
        before: PriorRequest,
        own: LedgerAction | None,
        shown: Offer | None,
        *,
        is_off: bool,
    ) -> PolicyDecision:
        """Call the request off, then decide on what is wanted instead."""
        if own is None and shown is not None:
            await self.answers.decline(shown)
        if own is not None and not is_off:
            fault = await self._withdraw(event, own)
            if fault is not None:
                return fault
        if found.decision is not None:
            return with_retraction_notice(before.summary, found.decision, found.words or event.text)
        if own is None:
            return on_declined(found.words)
        return on_retracted(own, await self.waiting.newest(event), instead=found.words)

    async def _withdraw(self, event: Event, own: LedgerAction) -> PolicyDecision | None:
        """Reject it in its asker's name; returns what there is to say where that fails."""
        speaker = Principal(
            user=own.requester, tenant_id=event.tenant_id, roles=event.roles, scopes=("ask",)
        )
        try:
            await self.ledger.take_back(own, speaker)
        except (Conflict, NotFound) as fault:  # somebody was faster, or its pack is gone
            return reply(str(fault), "not_taken_back")
        return None

    async def _of_others(self, message: Message) -> PolicyDecision | None:
        """Tell whoever may approve it of what waits, when they ask; or that nothing does."""
        waiting = await self.waiting.newest(message.event)
        if waiting is None:
            asks = await asyncio.to_thread(asks_of_nothing, message)
            return nothing_pending() if asks else None
        before = PriorRequest(waiting.action, waiting.arguments, waiting.summary)
        asks = await asyncio.to_thread(asks_of_pending, message, before)
        return on_approval(waiting, message.event, self.address) if asks else None


def _asks_openly(read: PolicyDecision) -> bool:
    """Tell whether a reading asks for something that nothing here can do."""
    is_open = read.intent == "general" and read.action is None and not read.says
    return is_open and read.routing is not None and read.routing.mood in ASKS


def _asks_nothing(read: PolicyDecision, text: str) -> bool:
    """Tell whether a reading comes to manners or to the last word."""
    if read.intent != "general" or read.action or read.alternatives or read.routing is None:
        return False
    if is_thanks(text) or "small_talk" in read.reasons:
        return True
    return not read.says and read.routing.mood in SMALL_TALK_MOODS


def _refuses(text: str, summary: str) -> bool:
    return is_retraction(text, summary) or is_mistake(text)


def _before(own: LedgerAction | None, shown: Offer | None) -> PriorRequest | None:
    if own is not None:
        return PriorRequest(own.action, own.arguments, own.summary)
    if shown is not None:
        chip = shown.chips[0]
        return PriorRequest(chip.action, chip.arguments, chip.summary)
    return None


def _nothing_to_undo(says: str = "", reason: str = "nothing_to_undo") -> PolicyDecision:
    says = says or t("dialogue.nothing_to_undo")
    return PolicyDecision(intent="undo", confidence=1.0, says=says, reasons=(reason,))


def _is_asked_after(asked: LedgerAction, done: LedgerAction) -> bool:
    return asked.proposed_at >= (done.finished_at or done.proposed_at)
