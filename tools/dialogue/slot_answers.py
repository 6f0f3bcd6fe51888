"""Read a message as the answer to an open question for the slots of an action."""

from state.action import Action
from state.policy import ASKS, IMPLIED, PolicyDecision
from state.session import OpenQuestion
from tools.dialogue.interpreter import Message
from tools.dialogue.reply_decisions import reply
from tools.nlu.replies.yes_no import drops_question
from tools.nlu.slots.answers import NO_ANSWER
from tools.platform.texts import t

_DROPPED = reply(t("dialogue.left"), "question_dropped")
_LIMITED = reply(
    t("dialogue.limited"),
    "limit_not_followed",
)
_CALLED_OFF = frozenset({"denied", "cancelled"})
"""Signs of an answer that denies a doing, or takes it back: `don't cancel WO-1032`."""
_FREE = frozenset({"text", "list"})


def slot_answer(message: Message, question: OpenQuestion) -> PolicyDecision | None:
    """Complete what was asked for before with what is said now; None: it is no answer."""
    reader, event = message.reader, message.event
    action = reader.catalogue.actions.get(question.action)
    if action is None:
        return None
    lacking = reader.catalogue.missing(action.name, question.arguments)
    wanted = [name for name in dict.fromkeys([*lacking, *question.slots]) if name in action.slots]
    kinds = {action.slots[name].type for name in wanted}
    if "boolean" not in kinds:  # there a yes or a no is the value
        if message.plain is not None and message.plain.kind == "yes" and not lacking:
            return _LIMITED
        if drops_question(event.text):
            return _DROPPED
    routing = reader.router.answer(
        event.text, action.name, wanted, given=question.arguments, **reader.here.looks_in(event)
    )
    if routing is None:
        return _DROPPED if _takes_back(message) else None
    # `PO-1997 please` has no verb, and sounds like whatever is mostly asked of an order.
    is_value, is_free = NO_ANSWER not in routing.reasons, not kinds.isdisjoint(_FREE)
    if not (is_value and not is_free) and _is_request(message, action, is_free=is_free):
        return None
    if not is_value and routing.sign in _CALLED_OFF:
        return _DROPPED
    return reader.resolver(event, routing, message.session).answer(action, question)


def _is_request(message: Message, asked: Action, *, is_free: bool) -> bool:
    """Tell whether a text asks for something of its own, and answers no question for slots.

    Free words may sound like a request and be the note that was asked for: then it takes
    as much confidence as running it would.
    """
    reader, routing = message.reader, message.routing
    if routing.action is None or routing.mood not in ASKS or IMPLIED in routing.reasons:
        return False
    if routing.action == asked.name:
        return not reader.catalogue.missing(asked.name, routing.slots)
    bar = reader.tuning.auto_confidence if is_free else reader.tuning.ask_confidence
    return routing.confidence >= bar and routing.verb_family is not None


def _takes_back(message: Message) -> bool:
    routed = message.routing
    return (
        message.takes_back
        and routed.mood != "question"
        and not (routed.action and routed.verb_family)
    )
