"""What is said to a question for a value: it is completed, dropped, or something else is meant."""

from dataclasses import dataclass

from state.action import Action
from state.event import Event
from state.policy import IMPLIED, Mood, PolicyDecision
from state.session import OpenQuestion, Session
from tools.policy.approval_words import drops_question
from tools.policy.messages import MessageReader
from tools.policy.plain_answers import plain_answer
from tools.routing.slots.answering import NO_ANSWER

_DROPPED = PolicyDecision(
    intent="control",
    confidence=1.0,
    says="All right, I leave it.",
    reasons=("question_dropped",),
)
_LIMITED = PolicyDecision(
    intent="control",
    confidence=1.0,
    says="Not as it was said: I cannot follow all of it. Say it again without that, or in full.",
    reasons=("limit_not_followed",),
)
_CALLED_OFF = frozenset({"denied", "cancelled"})
"""Signs of an answer that denies a doing, or takes it back: `don't cancel WO-1032`."""
_ASKS: frozenset[Mood] = frozenset({"command", "request", "question"})


@dataclass(frozen=True)
class OpenQuestions:
    """Reads messages for the value that was asked for."""

    reader: MessageReader

    def answered(
        self, event: Event, question: OpenQuestion, session: Session | None = None
    ) -> PolicyDecision | None:
        """Complete what was asked for before with what is said now; None: it is no answer."""
        action = self.reader.catalogue.actions.get(question.action)
        if action is None:
            return None
        still = [*self.reader.catalogue.missing(action.name, question.arguments), *question.slots]
        wanted = [name for name in dict.fromkeys(still) if name in action.slots]
        may_be_no = any(action.slots[name].type == "boolean" for name in wanted)
        plain = None if may_be_no else plain_answer(event.text)
        is_whole = not self.reader.catalogue.missing(action.name, question.arguments)
        if plain is not None and plain.kind == "yes" and is_whole:
            return _LIMITED
        if not may_be_no and drops_question(event.text):
            return _DROPPED
        routing = self.reader.router.answer(
            event.text,
            action.name,
            wanted,
            given=question.arguments,
            **self.reader.here.looks_in(event),
        )
        # `PO-1997 please` has no verb, and sounds like whatever is mostly asked of an order.
        is_value = routing is not None and NO_ANSWER not in routing.reasons
        is_free = any(action.slots[name].type in ("text", "list") for name in wanted)
        is_clear = is_value and not is_free
        if routing is None or (not is_clear and self._is_request(event, action, is_free=is_free)):
            return _DROPPED if routing is None and self._takes_back(event) else None
        if NO_ANSWER in routing.reasons and routing.sign in _CALLED_OFF:
            return _DROPPED
        return self.reader.asked(event, routing, session).answer(action, question)

    def _is_request(self, event: Event, asked: Action, *, is_free: bool) -> bool:
        """Tell whether a text asks for something of its own, and answers no question for slots.

        Free words may sound like a request and be the note that was asked for: then it takes
        as much confidence as running it would.
        """
        routing = self.reader.routed(event)
        if routing.action is None or routing.mood not in _ASKS or IMPLIED in routing.reasons:
            return False
        if routing.action == asked.name:
            return not self.reader.catalogue.missing(asked.name, routing.slots)
        bar = self.reader.tuning.auto_confidence if is_free else self.reader.tuning.ask_confidence
        return routing.confidence >= bar and routing.verb_family is not None

    def _takes_back(self, event: Event) -> bool:
        heard = self.reader.acts.of(event.text)
        if heard is None or heard.act != "takes_back":
            return False
        routed = self.reader.routed(event)
        return routed.mood != "question" and not (routed.action and routed.verb_family)
