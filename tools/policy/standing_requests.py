"""What a speaker asked for before and still waits: taken back, corrected, hedged or asked about."""

import asyncio
from dataclasses import dataclass

from state.approval import LedgerAction
from state.errors import Conflict, NotFound
from state.event import Event
from state.offer import Offer
from state.policy import PolicyDecision
from state.principal import Principal
from state.session import Session
from tools.policy.approval_words import takes_back
from tools.policy.follow_ups import is_mistake
from tools.policy.following import Before, Followed, FollowUps
from tools.policy.last_word import word_beside
from tools.policy.manners import is_thanks
from tools.policy.messages import MessageReader
from tools.policy.plain_replies import (
    nothing_waits,
    on_approval,
    on_declined,
    on_elsewhere,
    on_hedged,
    on_open,
    on_taken_back,
    taken_back_first,
)
from tools.ports import Answers, Ledger, Waiting
from tools.strategy.fallback import TALK


@dataclass(frozen=True)
class StandingRequests:
    """Applies messages to the request that waits, and decides on what they ask for instead."""

    messages: MessageReader
    answers: Answers
    waiting: Waiting
    ledger: Ledger
    address: str | None = None
    """Where people reach the service; None: a command alone is there."""

    async def followed(
        self, event: Event, decision_id: str, session: Session
    ) -> PolicyDecision | None:
        """Decide on a message about its speaker's own open request; None: it is about none.

        What a service passes on in somebody's name takes nothing back. What only others asked for
        is told of, to whoever may approve it.
        """
        if event.user is None or event.relayed:
            return None
        # This run may have been broken off behind it.
        taken = await self.waiting.taken_back(event, decision_id)
        shown = await self.answers.shown(event)
        own = taken or (None if shown else await self.waiting.newest(event, own=True))
        before = _before(own, shown)
        if before is None:
            return await self._of_others(event, session)
        read = FollowUps(self.messages).of
        found = await asyncio.to_thread(read, event, before, session)
        if found is None:
            return None
        if found.kind in ("takes_back", "corrects"):
            return await self._off(event, found, before, own, shown, is_off=taken is not None)
        if found.kind == "adds":
            return found.decision
        still = on_approval(own, event, self.address) if own else on_open(shown) if shown else None
        if still is None:
            return None
        return on_hedged(found.words, still) if found.kind == "hedges" else still

    async def beside(self, event: Event, decision_id: str, read: PolicyDecision) -> PolicyDecision:
        """Answer what asks for nothing in the light of what is open; else leave it as it is read.

        Nobody is told that nothing is done while what they asked for may still be approved: a
        refusal takes it back, and of anything else it is said what is open.
        """
        if event.user is None or event.relayed or not _asks_nothing(read, event.text):
            return read
        taken = await self.waiting.taken_back(event, decision_id)
        if taken is not None:  # this run was broken off behind it
            return on_taken_back(taken, await self.waiting.newest(event))
        shown = await self.answers.shown(event)
        own = None if shown else await self.waiting.newest(event, own=True)
        before = _before(own, shown)
        if before is None:
            moved = await self.waiting.moved(event)
            is_no = moved is not None and _refuses(event.text, moved.summary)
            return on_elsewhere(moved) if moved is not None and is_no else read
        if _refuses(event.text, before.summary):
            off = Followed("takes_back")
            return await self._off(event, off, before, own, shown, is_off=False)
        follows = FollowUps(self.messages)
        told = word_beside(event, read, before.summary, follows.things(before))
        reasons = (*read.reasons, "is_open")
        update = {"says": told, "confidence": 1.0, "reasons": reasons}
        return read if told is None else read.model_copy(update=update)

    async def taken_back(self, event: Event, own: LedgerAction) -> PolicyDecision:
        """Take back what its own asker says no to."""
        if (fault := await self._withdraw(event, own)) is not None:
            return fault
        return on_taken_back(own, await self.waiting.newest(event))

    async def _off(
        self,
        event: Event,
        found: Followed,
        before: Before,
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
            return taken_back_first(before.summary, found.decision, found.words or event.text)
        if own is None:
            return on_declined(found.words)
        return on_taken_back(own, await self.waiting.newest(event), instead=found.words)

    async def _withdraw(self, event: Event, own: LedgerAction) -> PolicyDecision | None:
        """Reject it in its asker's name; returns what there is to say where that fails."""
        speaker = Principal(
            user=own.requester, tenant_id=event.tenant_id, roles=event.roles, scopes=("ask",)
        )
        try:
            await self.ledger.take_back(own, speaker)
        except (Conflict, NotFound) as fault:  # somebody was faster, or its pack is gone
            return PolicyDecision(
                intent="control", confidence=1.0, says=str(fault), reasons=("not_taken_back",)
            )
        return None

    async def _of_others(self, event: Event, session: Session) -> PolicyDecision | None:
        """Tell whoever may approve it of what waits, when they ask; or that nothing does."""
        waiting = await self.waiting.newest(event)
        if waiting is None:
            reads = FollowUps(self.messages).asks_of_nothing
            asks = await asyncio.to_thread(reads, event, session)
            return nothing_waits() if asks else None
        before = Before(waiting.action, waiting.arguments, waiting.summary)
        asks = await asyncio.to_thread(FollowUps(self.messages).asks, event, before)
        return on_approval(waiting, event, self.address) if asks else None


def _asks_nothing(read: PolicyDecision, text: str) -> bool:
    """Tell whether a reading comes to manners or to the last word: see last_word.py."""
    if read.intent != "general" or read.action or read.alternatives or read.routing is None:
        return False
    if is_thanks(text) or "small_talk" in read.reasons:
        return True
    return not read.says and read.routing.mood in TALK


def _refuses(text: str, summary: str) -> bool:
    return takes_back(text, summary) or is_mistake(text)


def _before(own: LedgerAction | None, shown: Offer | None) -> Before | None:
    if own is not None:
        return Before(own.action, own.arguments, own.summary)
    if shown is not None:
        chip = shown.chips[0]
        return Before(chip.action, chip.arguments, chip.summary)
    return None
