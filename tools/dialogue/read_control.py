"""Decide on messages about the assistant itself, by the reader's control label.

Its talking, its reminders and goals, why it did something and what was said, in words that no
fixed phrase has.
"""

from collections.abc import Mapping

from state.errors import NotFound
from state.policy import ASKS, PolicyDecision
from state.session import Session
from state.talk import TalkRequest
from tools.access.permissions import may_control
from tools.dialogue.chitchat import forget_me_reply, help_reply, who_reply
from tools.dialogue.interpreter import SURE, Message
from tools.dialogue.meta_requests import (
    named_template,
    topic_of_that,
    unknown_name_text,
    with_resolved_name,
)
from tools.dialogue.proposals import ask_reminder, incomplete_reminder
from tools.dialogue.quiet_requests import HUSHES, both, how_long, is_answered
from tools.dialogue.reply_decisions import control, refuse_control, reply
from tools.nlu.control.goals_and_reminders import find_goals
from tools.nlu.control.occasions import is_timed
from tools.nlu.control.read_requests import POINTERS, days_in, read_request, turned_words
from tools.nlu.control.requests import UNCLEAR, matches_topic, names_a_topic
from tools.nlu.lexicon.normalization import Normal, word_set
from tools.nlu.reader.reading import MOST, UNMEANT, Reading, requests_in, sentences_in, text_of
from tools.platform.texts import t

CLEAR = 0.9
"""Chance from which a request is followed though an action is routed."""
_ORDERS = frozenset({"quiet", "quiet_hours", "topic_off", "topic_on", "less", "more"})
"""Labels that no message has which wants nothing."""
_CHANGES_NOTHING = frozenset({"why", "said", "help", "who", "praise", "annoyed"})
_ASKS = frozenset({"why", "said", "help", "who", "missed", "goal_ask", "reminder"})
"""Labels of what may be a question."""
_ASKED = frozenset({"quiet", "mute", "goal", "remind", "suppress", "watch", "quiet_hours"})
"""Kinds that are asked about where they are told and not asked for; any other is left alone."""
_GOALS = frozenset({"goal_reached", "goal_progress", "no_goal"})
_NO_ASIDE = frozenset({"remind", "no_reminder", "reminders", "goals", "prompt", "unclear"})
"""Kinds whose answer needs the whole decision: what stands beside them is heeded with them."""
_OF_TOPIC = frozenset({"suppress", "watch", "forget"})
_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "why": ("explain", "asks_why_of_us"), "said": ("recall", "asks_what_was_said"),
}  # fmt: skip
_OF_OTHERS = frozenset({"remember", "cancel", "undo", "pending", "decision", "-"})
"""Labels that other recognisers answer."""
_DENIALS = word_set("don't dont not never no can't won't")
_ONESELF = word_set("i me my ich mich mir")


def read_control(message: Message) -> PolicyDecision | None:
    """Decide on a message about the assistant; None: it is about something else."""
    reading = message.reading
    if reading is None or reading.control in _OF_OTHERS or len(reading.tags) > MOST:
        return None
    label = reading.control
    if not _is_meant(reading, message) or _is_packs(message, reading):
        return None
    routing = message.routing
    if label in _QUESTIONS:
        intent, reason = _QUESTIONS[label]
        return PolicyDecision(intent=intent, confidence=1.0, routing=routing, reasons=(reason,))
    if label in ("praise", "annoyed"):
        reasons = ("small_talk", f"control:{label}", *routing.reasons)
        return PolicyDecision(intent="general", routing=routing, reasons=reasons)
    if label == "who" and not _ONESELF.isdisjoint(message.normal.words):
        return None  # `who am I?`
    if label in ("help", "who", "forget"):
        return _about_us(label, message)
    request = _request_of(reading, message)
    return None if request is None else _on_request(request, reading, message)


def with_thanks(message: Message, decision: PolicyDecision) -> PolicyDecision:
    """Add the reason of praise to a decision on thanks that ask for nothing, in whatever words."""
    asks = (decision.action, decision.talk, decision.proposes, decision.beside)
    reading = message.reading if decision.intent == "general" and not any(asks) else None
    if reading is None or reading.act != "thanks" or reading.act_chance < SURE:
        return decision
    if reading.control not in ("-", "praise") or message.routing.mood != "statement":
        return decision
    reasons = dict.fromkeys((*decision.reasons, "control:praise"))
    return decision.model_copy(update={"reasons": tuple(reasons)})


def decide_beside(message: Message) -> PolicyDecision | None:
    """Decide on both of a control request and what else is asked; None: it is not both."""
    reading = message.reading
    if message.is_part or reading is None or len(reading.tags) > MOST or message.is_packs_own:
        return None
    for parts in (requests_in(message.normal, reading), sentences_in(message.normal)):
        if len(parts) != 2:
            continue
        halves = [_part(message, text_of(message.normal, one)) for one in parts]
        if not all(map(_stands_alone, halves)):
            continue
        asked = [(_request(own), other) for own, other in (halves, reversed(halves))]
        # What quiet is asked for is said first: of the other the whole answer is wanted.
        for request, other in sorted(asked, key=lambda one: not _is_quiet(one[0])):
            if request is None or request.kind in _NO_ASIDE:
                continue
            found = message.reader.read_message(other)
            # `I must call mum at six, don't let me forget` asks for one reminder.
            is_same = found.talk is not None and found.talk.kind == request.kind
            if is_answered(found) and not (is_same and request.kind not in _OF_TOPIC):
                may = may_control(request, message.reader.catalogue, message.event.roles)
                return both(request, other.text, found, may=may)
    return None


def _stands_alone(half: Message) -> bool:
    """Tell whether a part is meant, and about a thing of its own: in `drop them` it is not."""
    reading = half.reading
    if reading is None or reading.act in UNMEANT:
        return False
    words = zip(half.normal.words, reading.tags, strict=True)
    things = {word for word, tag in words if tag == "o"}
    return not things or not things <= POINTERS


def _is_quiet(request: TalkRequest | None) -> bool:
    return request is not None and request.kind in HUSHES


def _part(message: Message, text: str) -> Message:
    event = message.event.model_copy(update={"text": text})
    return message.reader.message(event, message.session, is_part=True)


def _request(message: Message) -> TalkRequest | None:
    """Give the control request that a message is, by a fixed phrase or by the reader."""
    if message.is_packs_own:
        return None
    if message.control is not None:
        return message.control
    reading = message.reading
    if reading is None or not _is_meant(reading, message) or _is_packs(message, reading):
        return None
    request = _request_of(reading, message)
    decided = None if request is None else _on_request(request, reading, message)
    return None if decided is None else decided.talk


def _request_of(reading: Reading, message: Message) -> TalkRequest | None:
    if reading.control in ("style", "style_reset"):
        named = named_template(message.normal.words, message.reader.catalogue)
        if named is not None:
            return named
    return read_request(message.normal, reading, message.reader.now)


def _is_meant(reading: Reading, message: Message) -> bool:
    """Tell whether the label counts: what asks, denies, tells or supposes it changes nothing."""
    if reading.control_chance < SURE:
        return False
    if reading.control in _CHANGES_NOTHING:
        return True
    mood, is_order = message.routing.mood, reading.act in ("command", "request")
    if reading.act == "question" and reading.want == "info":
        return reading.control in _ASKS
    if mood == "reported" or (reading.want == "none" and reading.control in _ORDERS):
        return False
    if mood == "hypothetical":
        is_clear = reading.act == "command" and reading.act_chance >= CLEAR
        return is_clear and next(reading.spans("c"), None) is None
    if mood == "negated" and reading.control == "reminder_cancel" and is_order:
        # `Stop reminding me`: the denial is the order; `don't stop` is none.
        return _DENIALS.isdisjoint(message.normal.words)
    if mood == "negated":
        turned = turned_words().get(reading.control)
        return turned is not None and turned.isdisjoint(message.normal.words)
    if mood == "question":
        return reading.control in _ASKS or (is_order and reading.wants["change"] >= CLEAR)
    # The grammar sees no order: that takes a clear label, or an act that is one.
    return mood != "statement" or is_order or reading.control_chance >= CLEAR


def _is_packs(message: Message, reading: Reading) -> bool:
    """Tell whether a pack has an action for it."""
    routing, tuning = message.routing, message.reader.tuning
    if routing.asked_confidence >= tuning.auto_confidence:
        return True
    is_routed = routing.asked_confidence >= tuning.ask_confidence
    is_clear = reading.control_chance >= CLEAR
    if message.is_packs_own or message.resolver.refined() is not None:
        return True
    if is_routed and (bool(routing.entities) or not is_clear):
        return True
    labels, overrides = message.reader.labels, message.reader.overrides
    action = routing.action
    return bool(action and labels and overrides.owns(action, message.text, reading.control, labels))


def _on_request(request: TalkRequest, reading: Reading, message: Message) -> PolicyDecision | None:
    event, session, catalogue = message.event, message.session, message.reader.catalogue
    if not may_control(request, catalogue, event.roles):
        return refuse_control()
    named = _named(request, message)
    if isinstance(named, PolicyDecision) or named is None:
        return named
    request = named
    if request.kind in _GOALS:
        return _of_goal(request, session, event.user)
    if request.kind == "forget" and not _has_rule(request.topic or "", session):
        if reading.control != "unwatch":
            return None
        request = request.model_copy(update={"kind": "suppress"})  # `no more printer alerts`
    # Who is at something, or tells what they have to do, has asked for nothing yet.
    if request.kind in ("goal", "remind") and reading.act == "statement":
        return _told(request, message)
    if request == UNCLEAR:
        return control("talk_request:unclear", talk=request, routing=message.routing)
    return control(
        f"talk_request:{request.kind}",
        talk=request,
        proposes=incomplete_reminder(request),
        left_out=_left_out(request, message.normal, reading),
        routing=message.routing,
    )


def _named(request: TalkRequest, message: Message) -> TalkRequest | PolicyDecision | None:
    """Put the names that are meant into a request; a decision: there is none. None: it is none."""
    catalogue = message.reader.catalogue
    try:
        request = with_resolved_name(request, catalogue)
    except NotFound as unknown:
        return reply(unknown_name_text(unknown, catalogue), "no_such_manner")
    if request.topic is not None and not names_a_topic(request.topic):
        request = request.model_copy(update={"topic": topic_of_that(request, message)})
    if request.kind in _OF_TOPIC and not names_a_topic(request.topic or ""):
        return UNCLEAR if message.routing.mood in ASKS else None
    reading = message.reading
    is_doubtful = reading is not None and reading.control_chance < CLEAR
    is_untimed = request.kind == "remind" and not is_timed(request)
    return None if is_untimed and is_doubtful else request


def _told(request: TalkRequest, message: Message) -> PolicyDecision | None:
    """Take a goal that is told plainly; what else somebody has to do or is at is asked about."""
    proposals, event, session = message.reader.proposals, message.event, message.session
    aims = session.aims_of(event.user) if session is not None else ()
    plain = proposals.told(event, aims) if proposals is not None else None
    return plain or (_asked(request) if request.kind in _ASKED else None)


def _asked(request: TalkRequest) -> PolicyDecision:
    reasons = (f"talk_request:{request.kind}", "is_asked")
    return control(*reasons, says=_question(request), proposes=request)


def _question(request: TalkRequest) -> str:
    if request.kind == "goal":
        return t("dialogue.ask_goal", topic=request.topic)
    if request.kind == "remind":
        return ask_reminder(request)
    return t("dialogue.ask_quiet", how_long=how_long(request))


def _left_out(request: TalkRequest, normal: Normal, reading: Reading) -> str:
    """Name the limits that it does not follow: an exception, a condition, an open end, days."""
    if request.kind not in (*HUSHES, "suppress"):
        return ""
    tokens = normal.tokens
    limits = [
        normal.written(tokens[first].start, tokens[end - 1].end)
        for _tag, first, end in reading.spans("xct" if request.kind == "quiet" else "xc")
    ]
    if request.kind == "quiet_hours":
        limits += days_in(normal.text)
    said = ", ".join(f"“{one}”" for one in limits)
    return t("dialogue.not_followed", limits=said) if said else ""


def _of_goal(
    request: TalkRequest, session: Session | None, user: str | None
) -> PolicyDecision | None:
    """Find the open goals that are meant; None: of none of them is told anything."""
    goals = tuple(one for one in (session.goals if session else ()) if one.is_of(user))
    drops, names = request.kind == "no_goal", names_a_topic(request.topic or "")
    meant = find_goals(goals, request.topic if names else None)
    if not meant or (len(meant) > 1 and not drops):
        says = t("dialogue.no_goal", topic=request.topic if names else None)
        return reply(says, "no_such_goal") if drops else None
    topic = meant[0].text if not drops else request.topic if names else None
    return control(f"talk_request:{request.kind}", talk=request.model_copy(update={"topic": topic}))


def _has_rule(topic: str, session: Session | None) -> bool:
    """Tell whether a topic is watched or left alone."""
    rules = session.topics if session is not None else ()
    return any(matches_topic(one.topic, topic) or matches_topic(topic, one.topic) for one in rules)


def _about_us(label: str, message: Message) -> PolicyDecision:
    catalogue, event = message.reader.catalogue, message.event
    says = {
        "help": lambda: help_reply(catalogue, event.roles),
        "who": lambda: who_reply(catalogue, event.roles),
        "forget": lambda: forget_me_reply(event.user),
    }[label]()
    reasons = ("manners", *message.routing.reasons)
    return PolicyDecision(
        intent="general", routing=message.routing, says=says, confidence=1.0, reasons=reasons
    )
