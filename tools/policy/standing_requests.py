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
from tools.policy.following import Before, Followed, FollowUps
from tools.policy.messages import MessageReader
from tools.policy.plain_replies import (
    nothing_waits,
    on_approval,
    on_declined,
    on_hedged,
    on_open,
    on_taken_back,
    taken_back_first,
)
from tools.ports import Answers, Ledger, Waiting


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


def _before(own: LedgerAction | None, shown: Offer | None) -> Before | None:
    if own is not None:
        return Before(own.action, own.arguments, own.summary)
    if shown is not None:
        chip = shown.chips[0]
        return Before(chip.action, chip.arguments, chip.summary)
    return None
