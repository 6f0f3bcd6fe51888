"""Apply a message to its speaker's own pending request.

Retract, correct, add, make conditional, or report what waits. FollowUpReader decides from text and
session; PendingRequests carries it out on offers and the ledger.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.approval import LedgerAction
from state.errors import Conflict, NotFound
from state.event import Event
from state.offer import Offer
from state.policy import Mood, PolicyDecision, Routing
from state.principal import Principal
from state.session import OpenQuestion, Session
from tools.dialogue.chitchat import fallback_while_pending, is_small_talk, is_thanks
from tools.dialogue.follow_ups import (
    Correction,
    addition,
    correction,
    is_mistake,
    proviso,
    repeat_targets,
)
from tools.dialogue.interpreter import MessageInterpreter
from tools.dialogue.reply_decisions import (
    nothing_pending,
    on_approval,
    on_conditional,
    on_declined,
    on_elsewhere,
    on_open,
    on_retracted,
    with_retraction_notice,
)
from tools.dialogue.yes_no import is_retraction, leaves_pending
from tools.nlu.lexicon.verbs import bases
from tools.nlu.slots.answers import NO_ANSWER
from tools.ports import Ledger, OfferAnswers, PendingApprovals
from tools.response.template_replies import SMALL_TALK_MOODS

_ORDERS: frozenset[Mood] = frozenset({"command", "request"})
_ASKS: frozenset[Mood] = _ORDERS | {"question"}
_SURE = 0.6
"""Probability from which a refusal in free words takes something back."""
_IT = re.compile(r"\b(?:that one|this one|it|that|this|them|those|these)\b", re.IGNORECASE)
_YES_AFTER_ALL = re.compile(
    r"(?:y(?:es|e+a+h*|e+p|up)|do (?:it|that)|go ahead|please do)(?:,? please)?", re.IGNORECASE
)
"""Behind a no it takes nothing back, and approves nothing."""
_VERB = "verb:"


@dataclass(frozen=True)
class PriorRequest:
    """The request that waits."""

    action: str
    arguments: Mapping[str, Any]  # by slot type
    summary: str


@dataclass(frozen=True)
class FollowUp:
    """What follows for it, and the decision on what is wanted instead or beside it.

    takes_back: it is off. corrects: it is off, and `decision` stands instead. adds: both stand.
    hedges: a yes with a condition, `words`. asks: what waits, and for whom, is to be told.
    """

    kind: Literal["takes_back", "corrects", "adds", "hedges", "asks"]
    decision: PolicyDecision | None = None
    words: str = ""


@dataclass(frozen=True)
class FollowUpReader:
    """Reads messages in the light of the request before them."""

    reader: MessageInterpreter

    def of(self, event: Event, before: PriorRequest, session: Session) -> FollowUp | None:
        """Read what a message does to the request; None: it is about something else.

        Fixed phrases (`no`, `never mind`) are answered before: see approval_words.py.
        """
        text, action = event.text, self.reader.catalogue.actions.get(before.action)
        if action is None or action.floor == "A":
            return None  # what refines a read is for searches to say
        if condition := proviso(text):
            return FollowUp("hedges", words=condition)
        if (added := self._added(event, before, session)) is not None:
            return added
        said = correction(text)
        if said is not None and _YES_AFTER_ALL.fullmatch(said.instead):
            return FollowUp("asks")
        if said is not None and said.instead:
            corrected = self._corrected(event, said, before, session)
            if corrected is not None:
                return corrected
        return self._answered(event, before)

    def asks(self, event: Event, before: PriorRequest) -> bool:
        """Tell whether a message asks what waits, or gives a yes that counts nowhere."""
        if proviso(event.text):
            return True
        heard = self.reader.acts.of(event.text)
        is_asked = heard is not None and heard.act == "asks_pending"
        return is_asked and not self._is_whole(self.reader.routed(event), before)

    def asks_of_nothing(self, event: Event, session: Session) -> bool:
        """Tell whether a message asks what waits, and nothing else could be meant by it."""
        heard = self.reader.acts.of(event.text)
        if heard is None or heard.act != "asks_pending":
            return False
        read = self.reader.read(event, session)
        is_open = read.intent == "general" and not (read.action or read.alternatives or read.says)
        routing = read.routing
        return is_open and routing is not None and routing.mood in _ASKS and not routing.entities

    def _added(self, event: Event, before: PriorRequest, session: Session) -> FollowUp | None:
        """Take `the same for the desk fan` and `the desk fan too` for a second request."""
        routing = self.reader.routed(event)
        things = repeat_targets(event.text, routing)
        more = " and ".join(one.value for one in things) or addition(event.text)
        if not more or not routing.entities:
            return None
        found = self._fitting(event, more, before, session)
        return None if found is None else FollowUp("adds", found)

    def _answered(self, event: Event, before: PriorRequest) -> FollowUp | None:
        routing = self.reader.routed(event)
        if self._denies(routing, before):
            return FollowUp("takes_back")
        if self._is_whole(routing, before):
            return None
        if leaves_pending(event.text):
            return FollowUp("asks")
        heard = self.reader.acts.of(event.text)
        if heard is None or heard.act in ("hush", "speak_again"):
            return None
        is_no = heard.act == "takes_back" and routing.mood != "question"
        return FollowUp("takes_back" if is_no and heard.likely >= _SURE else "asks")

    def _corrected(
        self, event: Event, said: Correction, before: PriorRequest, session: Session
    ) -> FollowUp | None:
        rest = event.model_copy(update={"text": said.instead})
        routing = self.reader.routed(rest)
        is_order = routing.verb_family is not None and routing.mood in _ORDERS
        if not is_order:
            found = self._fitting(event, said.instead, before, session)
            if found is not None:
                return FollowUp("corrects", found, said.instead)
        if not said.is_sure:
            return None
        if routing.mood in _ASKS:
            whole = rest.model_copy(update={"text": self._in_full(said.instead, routing, before)})
            found = self.reader.read(whole, session)
            if found.action or found.alternatives or found.says:
                return FollowUp("corrects", found, said.instead)
        is_no_more = routing.mood != "statement" or is_small_talk(said.instead)
        return FollowUp("takes_back", words="" if is_no_more else said.instead)

    def _fitting(
        self, event: Event, words: str, before: PriorRequest, session: Session
    ) -> PolicyDecision | None:
        """Ask for the same action with the values that words name; None: they name no other."""
        action = self.reader.catalogue.actions.get(before.action)
        if action is None:
            return None
        slots = [name for name, slot in action.slots.items() if slot.type not in ("text", "list")]
        routing = self.reader.router.answer(
            words, action.name, slots, given={}, **self.reader.here.looks_in(event)
        )
        if routing is None or NO_ANSWER in routing.reasons:
            return None
        rest = event.model_copy(update={"text": words})
        question = self._question(action, before)
        found = self.reader.asked(rest, routing, session).answer(action, question)
        is_other = found.unclear or dict(found.arguments) != dict(before.arguments)
        return found if is_other else None

    def _question(self, action: Action, before: PriorRequest) -> OpenQuestion:
        return OpenQuestion(
            action=action.name,
            arguments=before.arguments,
            slots=(),
            confidence=self.reader.policy.forced_confidence,
            at=0.0,
        )

    def _in_full(self, words: str, routing: Routing, before: PriorRequest) -> str:
        """Put the thing of the request before in the place of `it`: `cancel it` has no list."""
        thing = next(self.things(before), "")
        if routing.entities or not thing:
            return words
        pointed = _IT.search(words)
        if pointed is None:
            return words
        return f"{words[: pointed.start()]}{thing}{words[pointed.end() :]}"

    def things(self, before: PriorRequest) -> Iterator[str]:
        """Give the things that the request before names, each by its canonical name."""
        action = self.reader.catalogue.actions.get(before.action)
        for name, value in before.arguments.items():
            slot = action.slots.get(name) if action else None
            if slot is not None and slot.type not in PRIMITIVE_SLOT_TYPES:
                yield from map(str, value) if isinstance(value, (list, tuple)) else [str(value)]

    def _denies(self, routing: Routing, before: PriorRequest) -> bool:
        """Tell whether a text forbids that very deed: `don't cancel O-1003`, of cancelling it."""
        named, things = {one.value for one in routing.entities}, set(self.things(before))
        if routing.mood != "negated" or not named or not named <= things:
            return False
        said = next((one for one in routing.reasons if one.startswith(_VERB)), "")
        verb = said.removeprefix(_VERB).partition("→")[0]
        action = self.reader.catalogue.actions.get(before.action)
        words = (*action.words, action.name.replace("_", " "), before.summary) if action else ()
        first = {word.casefold().partition(" ")[0] for word in words}
        return not first.isdisjoint({verb, *bases(verb)})

    def _is_whole(self, routing: Routing, before: PriorRequest) -> bool:
        """Tell whether a text is a request of its own, or names a thing of its own."""
        if {one.value for one in routing.entities} - set(self.things(before)):
            return True
        if routing.action is None or routing.mood not in _ASKS or routing.verb_family is None:
            return False
        tuning = self.reader.tuning
        # `Status?` is nearest to some read wherever there are reads.
        is_asked = routing.mood == "question"
        bar = tuning.auto_confidence if is_asked else tuning.ask_confidence
        return routing.asked_confidence >= bar and not self.reader.catalogue.missing(
            routing.action, routing.slots
        )


@dataclass(frozen=True)
class PendingRequests:
    """Applies messages to the request that waits, and decides on what they ask for instead."""

    messages: MessageInterpreter
    answers: OfferAnswers
    waiting: PendingApprovals
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
        read = FollowUpReader(self.messages).of
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
        return on_conditional(found.words, still) if found.kind == "hedges" else still

    async def beside(self, event: Event, decision_id: str, read: PolicyDecision) -> PolicyDecision:
        """Answer what asks for nothing in the light of what is open; else leave it as it is read.

        Nobody is told that nothing is done while what they asked for may still be approved: a
        refusal takes it back, and of anything else it is said what is open.
        """
        if event.user is None or event.relayed or not _asks_nothing(read, event.text):
            return read
        taken = await self.waiting.taken_back(event, decision_id)
        if taken is not None:  # this run was broken off behind it
            return on_retracted(taken, await self.waiting.newest(event))
        shown = await self.answers.shown(event)
        own = None if shown else await self.waiting.newest(event, own=True)
        before = _before(own, shown)
        if before is None:
            moved = await self.waiting.moved(event)
            is_no = moved is not None and _refuses(event.text, moved.summary)
            return on_elsewhere(moved) if moved is not None and is_no else read
        if _refuses(event.text, before.summary):
            off = FollowUp("takes_back")
            return await self._off(event, off, before, own, shown, is_off=False)
        follows = FollowUpReader(self.messages)
        told = fallback_while_pending(event, read, before.summary, follows.things(before))
        reasons = (*read.reasons, "is_open")
        update = {"says": told, "confidence": 1.0, "reasons": reasons}
        return read if told is None else read.model_copy(update=update)

    async def taken_back(self, event: Event, own: LedgerAction) -> PolicyDecision:
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
            return PolicyDecision(
                intent="control", confidence=1.0, says=str(fault), reasons=("not_taken_back",)
            )
        return None

    async def _of_others(self, event: Event, session: Session) -> PolicyDecision | None:
        """Tell whoever may approve it of what waits, when they ask; or that nothing does."""
        waiting = await self.waiting.newest(event)
        if waiting is None:
            reads = FollowUpReader(self.messages).asks_of_nothing
            asks = await asyncio.to_thread(reads, event, session)
            return nothing_pending() if asks else None
        before = PriorRequest(waiting.action, waiting.arguments, waiting.summary)
        asks = await asyncio.to_thread(FollowUpReader(self.messages).asks, event, before)
        return on_approval(waiting, event, self.address) if asks else None


def _asks_nothing(read: PolicyDecision, text: str) -> bool:
    """Tell whether a reading comes to manners or to the last word: see last_word.py."""
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
