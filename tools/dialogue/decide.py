"""Decide what a message means: the first recogniser of one ordered table that knows it.

The table has three parts. What is open comes first: a message may answer it. Whatever answers
nothing is read by itself, and whatever asks for an action is resolved to one.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import structlog

from state.policy import PolicyDecision
from tools.dialogue import recognisers as words
from tools.dialogue.conversation import Conversation
from tools.dialogue.intent_resolution import IntentResolver
from tools.dialogue.interpreter import Interpreter, Message
from tools.dialogue.personal import oneself
from tools.dialogue.quiet_requests import decide_with_quiet
from tools.dialogue.read_control import decide_beside, read_control, with_thanks

_log = structlog.get_logger("dialogue.decide")

Decide = TypeVar("Decide", bound=Callable[..., object])


class Row(NamedTuple, Generic[Decide]):
    """A recogniser: its name, what it decides, and why it stands where it does."""

    name: str
    decide: Decide
    why: str


OPEN: Sequence[Row[Callable[[Conversation, Message], Awaitable[PolicyDecision | None]]]] = (
    Row("undo", Conversation.undo, "`undo that` is about what was done: nothing open asks for it"),
    Row("proposal", Conversation.proposal, "a bare yes is for what we proposed last of all"),
    Row("slots", Conversation.slots, "a value that was asked for may sound like anything"),
    Row("chips", Conversation.chips, "a yes, no or place is for chips: they are newer than a wait"),
    Row("approval", Conversation.approval, "a no takes back what waits; a yes in words is none"),
    Row("nothing_open", Conversation.nothing_open, "a bare yes or no that answers nothing"),
    Row("follow_up", Conversation.follow_up, "corrections and additions name a thing of their own"),
    Row("reading", Conversation.reading, "nothing open is meant: the words count by themselves"),
)

READING: Sequence[Row[Callable[[Message], PolicyDecision | None]]] = (
    Row("beside", decide_beside, "two requests, told apart by their verbs"),
    Row("beside_quiet", decide_with_quiet, "two requests: every other row would take one of them"),
    Row("program", words.program, "code is no sentence, whatever words it holds"),
    Row("about_us", words.about_us, "fixed phrases are surer than what any model routes"),
    Row("facts", words.declared_facts, "what is declared is kept, whatever is asked beside it"),
    Row("oneself", oneself, "told of oneself it is kept, unless a pack has an action for it"),
    Row("read_control", read_control, "other people's words for what the fixed phrases are for"),
    Row("open_ended_quiet", words.open_ended_quiet, "its end may stand in words of their own"),
    Row("manners", words.manners, "`thanks` and `help` name no action"),
    Row("small_talk", words.small_talk, "greetings route to whatever is nearest"),
    Row("why", words.why, "past tense names actions that are not asked for"),
    Row("recall", words.recall, "so does what happened, unless an action tells it"),
    Row("decision", words.decision_taken, "a decision is noted and not carried out"),
    Row("no_search", words.no_search, "there is nothing that its words could change"),
    Row("goal", words.goal, "told in passing: only where hardly anything is asked"),
    Row("action", lambda message: message.resolved, "what is left asks for an action, or nothing"),
)


def _conditional(resolver: IntentResolver) -> PolicyDecision | None:
    """Ask about a change that hangs on a condition: it is neither done nor offered without."""
    order = resolver.conditional()
    if order is None:
        return None
    asked = resolve(order)
    return asked if asked.unclear and asked.action == order.routing.action else None


RESOLUTION: Sequence[Row[Callable[[IntentResolver], PolicyDecision | None]]] = (
    Row("same_again", IntentResolver.same_again, "`the same` names no action of its own"),
    Row("conditional", _conditional, "the change must not be done without its condition"),
    Row("forced", IntentResolver.forced, "a pack's own words for a read beat what was learnt"),
    Row("refined", IntentResolver.refined, "a short follow-up is about the search before it"),
    Row("read_or_change", IntentResolver.read_or_change, "worse than to ask is the wrong kind"),
    Row("routed", IntentResolver.routed, "the router's best, when it is worth it"),
    Row("no_action", IntentResolver.no_action, "chips, or nothing"),
)


def resolve(resolver: IntentResolver) -> PolicyDecision:
    """Return what the first row of RESOLUTION decides."""
    return _first(RESOLUTION, resolver)


def _first(
    rows: Sequence[Row[Callable[..., PolicyDecision | None]]], *given: object
) -> PolicyDecision:
    for row in rows:
        if (found := row.decide(*given)) is not None:
            _log.debug("recognised", row=row.name)
            return found
    raise AssertionError("the last row decides")


@dataclass(frozen=True)
class MessageInterpreter(Interpreter):
    """Reads messages by READING and RESOLUTION."""

    def read_message(self, message: Message) -> PolicyDecision:
        """Decide on the words. See Interpreter.read_message."""
        return with_thanks(message, _first(READING, message))

    def resolve(self, resolver: IntentResolver) -> PolicyDecision:
        """Decide on the action by RESOLUTION."""
        return resolve(resolver)


async def decide_message(conversation: Conversation, message: Message) -> PolicyDecision:
    """Return what the first row of the table decides."""
    message = await conversation.with_question(message)
    for row in OPEN:
        if (found := await row.decide(conversation, message)) is not None:
            _log.debug("recognised", row=row.name)
            return found
    raise AssertionError("the last row decides")
