"""Read what a message does to its speaker's own pending request.

It takes the request back, corrects it, adds to it, ties a yes to a condition, or asks what waits.
conversation.py carries it out on offers and the ledger.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.policy import ASKS, ORDERS, PolicyDecision, Routing
from state.session import OpenQuestion
from tools.dialogue.chitchat import is_small_talk
from tools.dialogue.interpreter import Interpreter, Message
from tools.nlu.lexicon.verbs import bases
from tools.nlu.replies.corrections import Correction, addition, correction, proviso, repeat_targets
from tools.nlu.replies.yes_no import leaves_pending
from tools.nlu.slots.answers import NO_ANSWER

_IT = re.compile(r"\b(?:that one|this one|it|that|this|them|those|these)\b", re.IGNORECASE)
_YES_AFTER_ALL = re.compile(
    r"(?:y(?:es|e+a+h*|e+p|up)|do (?:it|that)|go ahead|please do)(?:,? please)?", re.IGNORECASE
)
"""Behind a no it takes nothing back, and approves nothing."""


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


def follow_up(message: Message, before: PriorRequest) -> FollowUp | None:
    """Read what a message does to the request; None: it is about something else.

    Fixed phrases (`no`, `never mind`) are answered before: see yes_no.py.
    """
    text, action = message.text, _action(message.reader, before)
    if action is None or action.floor == "A":
        return None  # what refines a read is for searches to say
    if condition := proviso(text):
        return FollowUp("hedges", words=condition)
    if (added := _added(message, before)) is not None:
        return added
    said = correction(text)
    if said is not None and _YES_AFTER_ALL.fullmatch(said.instead):
        return FollowUp("asks")
    corrected = _corrected(message, said, before) if said is not None and said.instead else None
    return corrected or _answered(message, before)


def asks_of_pending(message: Message, before: PriorRequest) -> bool:
    """Tell whether a message asks what waits, or gives a yes that counts nowhere."""
    if proviso(message.text):
        return True
    return message.asks_pending and not _is_whole(message, before)


def asks_of_nothing(message: Message) -> bool:
    """Tell whether a message asks what waits, and nothing else could be meant by it."""
    if not message.asks_pending:
        return False
    read = message.reader.read_message(message)
    is_open = read.intent == "general" and not (read.action or read.alternatives or read.says)
    routing = read.routing
    return is_open and routing is not None and routing.mood in ASKS and not routing.entities


def named_things(reader: Interpreter, before: PriorRequest) -> Iterator[str]:
    """Give the things that the request before names, each by its canonical name."""
    action = _action(reader, before)
    for name, value in before.arguments.items():
        slot = action.slots.get(name) if action else None
        if slot is not None and slot.type not in PRIMITIVE_SLOT_TYPES:
            yield from map(str, value) if isinstance(value, (list, tuple)) else [str(value)]


def _action(reader: Interpreter, before: PriorRequest) -> Action | None:
    return reader.catalogue.actions.get(before.action)


def _added(message: Message, before: PriorRequest) -> FollowUp | None:
    """Take `the same for the desk fan` and `the desk fan too` for a second request."""
    routing = message.routing
    things = repeat_targets(message.text, routing)
    more = " and ".join(one.value for one in things) or addition(message.text)
    if not more or not routing.entities:
        return None
    found = _fitting(message, more, before)
    return None if found is None else FollowUp("adds", found)


def _answered(message: Message, before: PriorRequest) -> FollowUp | None:
    if _denies(message, before):
        return FollowUp("takes_back")
    if _is_whole(message, before):
        return None
    if leaves_pending(message.text):
        return FollowUp("asks")
    if message.takes_back and message.routing.mood != "question":
        return FollowUp("takes_back")
    return FollowUp("asks") if message.asks_pending else None


def _corrected(message: Message, said: Correction, before: PriorRequest) -> FollowUp | None:
    reader = message.reader
    rest = message.event.model_copy(update={"text": said.instead})
    routing = reader.routed(rest)
    is_order = routing.verb_family is not None and routing.mood in ORDERS
    if not is_order and (found := _fitting(message, said.instead, before)) is not None:
        return FollowUp("corrects", found, said.instead)
    if not said.is_sure:
        return None
    if routing.mood in ASKS:
        text = _in_full(reader, said.instead, routing, before)
        found = reader.read(rest.model_copy(update={"text": text}), message.session)
        if found.action or found.alternatives or found.says:
            return FollowUp("corrects", found, said.instead)
    is_no_more = routing.mood != "statement" or is_small_talk(said.instead)
    return FollowUp("takes_back", words="" if is_no_more else said.instead)


def _fitting(message: Message, words: str, before: PriorRequest) -> PolicyDecision | None:
    """Ask for the same action with the values that words name; None: they name no other."""
    reader, event, action = message.reader, message.event, _action(message.reader, before)
    if action is None:
        return None
    slots = [name for name, slot in action.slots.items() if slot.type not in ("text", "list")]
    routing = reader.router.answer(
        words, action.name, slots, given={}, **reader.here.looks_in(event)
    )
    if routing is None or NO_ANSWER in routing.reasons:
        return None
    question = OpenQuestion(
        action=action.name,
        arguments=before.arguments,
        slots=(),
        confidence=reader.policy.forced_confidence,
        at=0.0,
    )
    rest = event.model_copy(update={"text": words})
    found = reader.resolver(rest, routing, message.session).answer(action, question)
    is_other = found.unclear or dict(found.arguments) != dict(before.arguments)
    return found if is_other else None


def _in_full(reader: Interpreter, words: str, routing: Routing, before: PriorRequest) -> str:
    """Put the thing of the request before in the place of `it`: `cancel it` has no list."""
    thing, pointed = next(named_things(reader, before), ""), _IT.search(words)
    if routing.entities or not thing or pointed is None:
        return words
    return f"{words[: pointed.start()]}{thing}{words[pointed.end() :]}"


def _denies(message: Message, before: PriorRequest) -> bool:
    """Tell whether a text forbids that very deed: `don't cancel O-1003`, of cancelling it."""
    routing, things = message.routing, set(named_things(message.reader, before))
    named = {one.value for one in routing.entities}
    if routing.mood != "negated" or not named or not named <= things:
        return False
    verb, action = routing.said_verb, _action(message.reader, before)
    words = (*action.words, action.name.replace("_", " "), before.summary) if action else ()
    first = {word.casefold().partition(" ")[0] for word in words}
    return not first.isdisjoint({verb, *bases(verb)})


def _is_whole(message: Message, before: PriorRequest) -> bool:
    """Tell whether a text is a request of its own, or names a thing of its own."""
    reader, routing = message.reader, message.routing
    if {one.value for one in routing.entities} - set(named_things(reader, before)):
        return True
    if routing.action is None or routing.mood not in ASKS or routing.verb_family is None:
        return False
    # `Status?` is nearest to some read wherever there are reads.
    is_asked, tuning = routing.mood == "question", reader.tuning
    bar = tuning.auto_confidence if is_asked else tuning.ask_confidence
    return routing.asked_confidence >= bar and not reader.catalogue.missing(
        routing.action, routing.slots
    )
