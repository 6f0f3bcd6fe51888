"""Decide on what people tell of themselves, and on questions about it.

What they tell is kept with their name: how they want to be called in their profile, a fact as a
marked utterance. Nothing of it is an order.
"""

from state.policy import UNKNOWN_VERB, PolicyDecision
from state.talk import TalkRequest
from tools.dialogue.interpreter import SURE, Message
from tools.dialogue.reply_decisions import control, reply
from tools.nlu.control.meta_questions import loose_recall_question, past_question
from tools.nlu.control.personal import (
    TOLD,
    asks_own_name,
    corrected_value,
    fact_of,
    forgetting,
    in_second_person,
    is_asked_to_remember,
    naming,
)
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.reader.reading import Reading
from tools.platform.texts import t
from tools.ports import PastEvents, PersonalFacts

CLEAR = 0.9
"""Chance from which a statement counts as one."""
_HOW_TO = "how_to"
"""Sign of a question for the way to have something done."""
_SUBJECT = 3
"""Words of a question among which its subject stands: `what am I`."""
_OWN = word_set("my mine our ours")
_ONESELF = _OWN | word_set("i me we us i'm am")


def oneself(message: Message) -> PolicyDecision | None:
    """Recognise what somebody tells of themselves to be remembered, and their own name."""
    reading, event = message.reading, message.event
    if message.is_packs_own:
        return None
    is_told = reading is not None and _is_told(reading)
    request = naming(event.text, is_told=is_told) if _may_name(message, reading) else None
    if request is None and asks_own_name(event.text):
        return _own_name(message)
    if request is None and is_told and not _is_routed(message):
        request = TalkRequest(kind="fact", topic=fact_of(event.text))
    if request is None and (topic := forgetting(event.text)) and not _is_routed(message):
        request = TalkRequest(kind="no_fact", topic=topic)
    if request is None:
        return None
    if event.user is None:
        return reply(t("answer.fact.no_name"), "nobody_told")
    return control(f"talk_request:{request.kind}", talk=request, routing=message.routing)


async def past(events: PastEvents, message: Message, read: PolicyDecision) -> PolicyDecision:
    """Look up how often something happened, if that is asked and no pack may know it."""
    is_ours = read.intent in ("general", "recall")
    # `Has this happened before?` sounds like what was missed.
    is_ours = is_ours or (read.talk is not None and read.talk.kind == "prompt")
    if read.says or not is_ours or read.alternatives or message.is_meta or _is_routed(message):
        return read
    asked = past_question(message.normal, message.reading)
    if asked is None:
        return read
    says = await events.answer(message.event, asked.things, asked.words)
    reasons = ("asks_what_happened", *read.reasons)
    return PolicyDecision(
        intent="recall", confidence=1.0, says=says, routing=read.routing, reasons=reasons
    )


async def personal(facts: PersonalFacts, message: Message, read: PolicyDecision) -> PolicyDecision:
    """Look up what a decision needs of what its speaker told: nothing else may be asked for."""
    reading, event = message.reading, message.event
    if read.talk is not None and read.talk.kind == "no_fact":
        return await _forgotten(facts, message, read)
    if read.says or read.talk or reading is None or event.user is None:
        return read
    if read.action is not None:
        return await _beside_action(facts, message, read)
    # `What did I say about it?` asks for the very words.
    is_loose = read.intent == "recall" and message.recall_question is None
    if is_loose:
        return await _answered(facts, message, read)
    if read.intent != "general" or message.is_small_talk or message.reaction:
        return read
    if (value := corrected_value(event.text)) is not None:
        change = await facts.corrected(event, value)
        if change is not None:
            says = t("answer.fact.replaced", fact=in_second_person(change.topic or ""))
            return control("talk_request:fact", says=says, talk=change, routing=read.routing)
    if reading.want == "info":
        return await _answered(facts, message, read)
    return _with_reason(read) if _tells(message, reading) else read


def _tells(message: Message, reading: Reading) -> bool:
    """Tell whether a message only tells something, and nothing of a pack's own things."""
    routing = message.routing
    is_told = reading.act == "statement" and reading.act_chance >= CLEAR
    is_plain = routing.mood == "statement" and routing.mood_sign not in UNKNOWN_VERB
    is_of_others = bool(routing.entities) or "you" in message.normal.words
    return is_told and reading.want == "none" and is_plain and not is_of_others


async def _beside_action(
    facts: PersonalFacts, message: Message, read: PolicyDecision
) -> PolicyDecision:
    """Keep what a pack's action is asked to remember; answer what a read is only a guess for."""
    if is_asked_to_remember(message.event.text):
        return _with_reason(read)
    reading, routing = message.reading, message.routing
    is_guess = routing.asked_confidence < message.reader.tuning.auto_confidence
    if reading is None or reading.want != "info" or not is_guess or routing.entities:
        return read
    return await _answered(facts, message, read)


def _with_reason(read: PolicyDecision) -> PolicyDecision:
    return read.model_copy(update={"reasons": (*read.reasons, TOLD)})


async def _answered(facts: PersonalFacts, message: Message, read: PolicyDecision) -> PolicyDecision:
    told = await facts.answer(message.event)
    if told is None and not (read.action or read.alternatives) and _asks_of_oneself(message, read):
        told = t("answer.fact.unknown")
    if told is None:
        return read
    reasons = ("asks_what_was_told", *read.reasons)
    return PolicyDecision(
        intent="recall", confidence=1.0, says=told, routing=read.routing, reasons=reasons
    )


def _asks_of_oneself(message: Message, read: PolicyDecision) -> bool:
    """Tell whether only the speaker could have told it: `what is my favourite colour?`."""
    if read.intent == "recall":
        is_said = loose_recall_question(message.text) is None
        return is_said and not _OWN.isdisjoint(message.normal.words)
    routing = message.routing
    is_of_us = routing.action is not None or bool(routing.entities) or routing.sign == _HOW_TO
    words = message.normal.words
    # `What happens when I delete it?` is about what we do: its speaker stands behind its verb.
    is_own = not _OWN.isdisjoint(words) or not _ONESELF.isdisjoint(words[:_SUBJECT])
    return is_own and not is_of_us


async def _forgotten(
    facts: PersonalFacts, message: Message, read: PolicyDecision
) -> PolicyDecision:
    topic = (read.talk.topic if read.talk else None) or ""
    found = await facts.about(message.event, topic)
    if found is None:
        return reply(t("answer.fact.none"), "no_such_fact", routing=read.routing)
    talk = TalkRequest(kind="no_fact", topic=found.text)
    says = t("control.done.no_fact", topic=in_second_person(found.text))
    return read.model_copy(update={"talk": talk, "says": says})


def _own_name(message: Message) -> PolicyDecision | None:
    session, user = message.session, message.event.user
    called = session.profile.called if session is not None and user == session.person else None
    if called:
        return reply(t("answer.fact.called", name=called), "asks_own_name")
    if user is None or "who am i" in message.normal.text.lower():
        return None  # all that is kept of them is told
    return reply(t("answer.fact.user", user=user), "asks_own_name")


def _is_told(reading: Reading) -> bool:
    if reading.control != "remember" or reading.control_chance < SURE:
        return False
    return reading.act in ("statement", "command", "request", "correction")


def _may_name(message: Message, reading: Reading | None) -> bool:
    """Tell whether `call me …` may be a name: the reader knows it from `call me at five`."""
    if reading is None or reading.act == "denied":
        return True
    return reading.control in ("remember", "style", "-") and not _is_routed(message)


def _is_routed(message: Message) -> bool:
    """Tell whether a pack may have an action for it."""
    routing = message.routing
    is_named = routing.action is not None  # as sure as a statement may be: `note: buy coal`
    return is_named or routing.asked_confidence >= message.reader.tuning.ask_confidence
