"""Decide on requests for quiet: how long it holds, and what else the same message asks for.

`Be quiet for ten minutes, and why did you do that?` is both.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from state.action import Action
from state.policy import ASKS, ASKS_NOTHING, Mood, PolicyDecision, Routing
from state.talk import Aside, TalkKind, TalkRequest
from tools.access.permissions import may_control
from tools.dialogue.chitchat import is_thanks
from tools.dialogue.dialogue_acts import LEAST
from tools.dialogue.interpreter import Message
from tools.dialogue.pack_intents import is_plain_statement
from tools.dialogue.reply_decisions import control, refuse_control
from tools.nlu import control_request, words_of
from tools.nlu.control.meta_questions import self_question
from tools.nlu.control.requests import LONGEST_SECONDS, UNCLEAR, names_a_topic
from tools.nlu.dialogue_acts.negated_orders import asks_undo
from tools.nlu.intent_classifier.calibration import OFFERED
from tools.nlu.lexicon.normalization import MAX_READ, singular
from tools.nlu.values import (
    ANY_DAY,
    AT_A_TIME,
    Amount,
    Kind,
    Recurrence,
    Time,
    Value,
    as_instant,
    extract_kinds,
    hours_in,
    seconds_of,
)
from tools.platform.texts import t
from tools.ports import Catalogue

SURE = 0.75
"""Probability from which quiet is set; below it, it is asked."""
_SPANS = frozenset({Kind.DURATION})
_ON_DAYS = frozenset({Kind.RECURRENCE, Kind.DATE})
_AT_CLOCK = frozenset({"recurrence_at"})
_ENDS = frozenset({"until", "before", "by"})
_OPEN_END = re.compile(
    r"\b(?:while|during|as long as|unless|except|until|till|but|only|when|whenever)\b[^,;.!?]*"
)
_ABOUT = re.compile(
    r"\b(?:mute|silence|pause|snooze|stop|hold|skip|no(?: more)?|(?:turn|switch) off)"
    r" (?:(?:the|all|any|my|your|of|those|these) )*(?P<topic>\w[\w -]{1,40}?)"
    r" (?:alerts?|notifications?|messages?|warnings?|news|updates?|announcements?)\b"
)
_QUIET_FOREIGN = re.compile(r"[:\"“”>](?!\d)")
"""Marks of words that are somebody else's, or that are to be written down; `22:00` has none."""
_SELF = re.compile(r"^(?:\W*(?:ok|okay|hey|hi|hello|sorry|well|so|oh)\W+)*(?:i|i'm|im|we|we're)\b")


@dataclass(frozen=True)
class _Hush:
    """What is asked for, and what of the words it does not follow."""

    request: TalkRequest
    left_out: str
    is_sure: bool


def decide_quiet(message: Message, likely: float) -> PolicyDecision | None:
    """Decide on what sounds like a wish for quiet; None: it tells or asks of something.

    Args:
        likely: probability that it is one.
    """
    now = message.reader.now
    hush = _hush_in(message.text, message.routing, likely, now) if likely >= LEAST else None
    if hush is None:
        return None
    if not _may(hush.request, message):
        return refuse_control()
    return _decided(hush, message.routing)


def decide_quiet_end(message: Message) -> PolicyDecision | None:
    """Decide on what sounds like the end of a quiet; None: it is about a thing, or a question."""
    routing, request = message.routing, TalkRequest(kind="talk")
    if routing.entities or _is_of_others(message.text, routing):
        return None
    if not _may(request, message):
        return refuse_control()
    return control("talk_request:talk", "heard_as_speak_again", talk=request, routing=routing)


def _may(request: TalkRequest, message: Message) -> bool:
    return may_control(request, message.reader.catalogue, message.event.roles)


def _is_of_others(text: str, routing: Routing) -> bool:
    return routing.mood in ("question", "reported") or _QUIET_FOREIGN.search(text) is not None


def names_object(routing: Routing, action: Action) -> bool:
    """Tell whether a text names what an action is about: `silence the alarm`, `use a timer`."""
    about = {*action.name.split("_"), *action.object.split("_")} - {routing.said_verb, action.verb}
    return not about.isdisjoint(singular(word) for word in words_of(routing.text))


def is_open_ended_quiet(found: PolicyDecision | None) -> bool:
    """Tell whether fixed phrases leave open how long the quiet is to hold: `until 5`."""
    talk = found.talk if found is not None else None
    return talk is not None and (
        talk == UNCLEAR or (talk.kind == "mute" and talk.until is not None)
    )


def _hush_in(text: str, routing: Routing, likely: float, now: datetime) -> _Hush | None:
    said = " ".join(text.replace("’", "'").casefold().split()).rstrip(" .!")
    if _is_of_others(text, routing) or routing.entities or is_plain_statement(said):
        return None
    request = _request(said, now)
    timed = request.kind != "quiet"
    is_own = _SELF.match(said) is not None
    is_asked = _is_vague(said, now) or "?" in text
    is_sure = likely >= SURE and not is_asked and (timed or not is_own)
    return _Hush(request, _left_out(said, request), is_sure)


def _decided(hush: _Hush, routing: Routing) -> PolicyDecision:
    """Set quiet where it is clear, and ask otherwise."""
    request, reasons = hush.request, (f"talk_request:{hush.request.kind}", "heard_as_hush")
    if hush.is_sure:
        return control(*reasons, talk=request, left_out=hush.left_out, routing=routing)
    says = t("dialogue.ask_quiet", how_long=_how_long(request))
    return control(*reasons, says=says, proposes=request, routing=routing)


def _request(said: str, now: datetime) -> TalkRequest:
    spans = extract_kinds(said, now.date(), _SPANS)
    seconds = next((found for one in spans if (found := _seconds_of(one))), None)
    about = _ABOUT.search(said)
    if about and names_a_topic(about["topic"]):
        return TalkRequest(kind="suppress", topic=about["topic"], seconds=seconds)
    if daily := hours_in(said):
        return TalkRequest(kind="quiet_hours", hours=daily)
    if until := _until(said, now):
        return _muted_until(until, now) or TalkRequest(kind="quiet")
    return TalkRequest(kind="mute", seconds=seconds) if seconds else TalkRequest(kind="quiet")


def _seconds_of(span: Value) -> float | None:
    """Give how long a span is; None: a quiet may not be that long."""
    of = span.payload if isinstance(span.payload, Amount) else span.time.away
    seconds = seconds_of(of) if of is not None and not of.is_vague else 0
    return seconds if 0 < seconds <= LONGEST_SECONDS else None


def _until(said: str, now: datetime) -> Value | None:
    """Find the time that a quiet is to end by."""
    times = extract_kinds(said, now.date(), AT_A_TIME)
    bounds = (one for one in times if isinstance(one.payload, Time))
    return next((one for one in bounds if one.time.bound in _ENDS), None)


def _is_vague(said: str, now: datetime) -> bool:
    """Tell whether it is to end with a part of a day, or a day, and no time of the clock."""
    until = _until(said, now)
    return until is not None and not until.time.clocks


def _muted_until(until: Value, now: datetime) -> TalkRequest | None:
    """Read the end of a mute: the next time that the clock shows it, or that of another day.

    A day alone ends the quiet in its morning.
    """
    said = until.time if until.time.grain != "day" else replace(until.time, grain="morning")
    ends = as_instant(replace(until, kind=Kind.INSTANT, payload=said), now)
    seconds = (ends - now).total_seconds() if ends else 0
    if ends is None or seconds > 2 * LONGEST_SECONDS:
        return None
    if seconds > LONGEST_SECONDS:
        return TalkRequest(kind="mute", seconds=seconds)
    return TalkRequest(kind="mute", until=f"{ends:%H:%M}")


def _left_out(said: str, request: TalkRequest) -> str:
    is_daily = request.kind == "quiet_hours"
    back = extract_kinds(said, ANY_DAY, _ON_DAYS, without=_AT_CLOCK) if is_daily else ()
    days = [one for one in back if one.kind is Kind.DATE or _names_days(one)]
    if days:
        return t("dialogue.not_followed", limits=f"“{said[days[0].start : days[0].end]}”")
    rest = said if request.kind == "quiet" else ""
    end = _OPEN_END.search(rest)
    return t("dialogue.not_followed", limits=f"“{end[0].strip()}”") if end else ""


def _how_long(request: TalkRequest) -> str:
    if request.until:
        return t("dialogue.quiet_until", until=request.until)
    if request.seconds:
        return t("dialogue.quiet_minutes", seconds=request.seconds / 60)
    if request.hours:
        return t("dialogue.quiet_hours", hours=request.hours)
    if request.topic:
        return t("dialogue.quiet_topic", topic=request.topic)
    return t("dialogue.quiet_a_while")


def _names_days(back: Value) -> bool:
    return isinstance(back.payload, Recurrence) and back.payload.unit == "week"


_JOINS = re.compile(
    r"\s*(?:[,.;!?]\s*(?:and then|and|then)?|\s(?:and then|and|then))\s+(?!a (?:half|quarter)\b)",
    re.IGNORECASE,
)
"""`An hour and a half` is one span, and joins nothing."""
_QUIETS = re.compile(r"\b(?:quiet|silen|talk|shut|mute|hush|disturb|dnd|alone)", re.IGNORECASE)
_COMPOUND_FOREIGN = re.compile(r"[:\"“”>]")
"""Marks of words that are somebody else's, or that are to be written down."""
_COURTESY = re.compile(r"[,.;!]\s*(?:thanks|thank you|please)\W*$", re.IGNORECASE)
_HUSHES: frozenset[TalkKind] = frozenset({"mute", "quiet", "quiet_hours"})
_FREE: frozenset[TalkKind] = frozenset({"remind", "goal", "goal_progress", "goal_reached"})
"""Requests that take any words: `remind me to go home and be quiet` may mean both of them."""
_ANSWERED = ("explain", "recall", "journal", "decision", "undo")
"""Intents of what is answered without an action."""


@dataclass(frozen=True)
class _Wish:
    """A wish for quiet at one end of a message."""

    request: TalkRequest
    rest: str
    is_last: bool
    is_parted: bool
    """A mark stands between the two, so that the one is no part of the other's sentence."""


def decide_with_quiet(message: Message) -> PolicyDecision | None:
    """Decide on both of a wish for quiet and what stands beside it; None: it is not both."""
    if message.is_part:
        return None
    catalogue = message.reader.catalogue
    for wish in _parted(message.text):
        rest = message.event.model_copy(update={"text": wish.rest})
        if asks_undo(wish.rest):
            found = PolicyDecision(intent="undo")
        else:
            found = message.reader.read(rest, message.session, is_part=True)
        if _is_beside(wish, found, catalogue):
            return _both(wish, found, may=_may(wish.request, message))
    return None


def control_requests_in(text: str) -> Iterator[TalkRequest]:
    """Give the request about the talking that a message is, and those beside a wish for quiet."""
    whole = control_request(text)
    rests = (control_request(wish.rest) for wish in _parted(text))
    yield from (one for one in (whole, *rests) if one is not None)


def _is_beside(wish: _Wish, found: PolicyDecision, catalogue: Catalogue) -> bool:
    """Tell whether they are two; behind other words, a wish for quiet may be one of those."""
    if _mood(found) in ASKS_NOTHING:
        return False
    if not wish.is_last or found.intent == "undo" or _asks_of_us(wish.rest):
        return True
    if found.action is not None or found.alternatives:
        # `note that they shall be quiet for an hour` is about what is noted.
        return not _is_told_words(found, catalogue)
    if found.talk is not None:
        return wish.is_parted or found.talk.kind not in _FREE
    return wish.is_parted and _is_answered(wish, found)


def _both(wish: _Wish, found: PolicyDecision, *, may: bool) -> PolicyDecision:
    request, rest = wish.request, wish.rest
    reasons = (f"beside:{request.kind}", *found.reasons)
    is_asked = found.action is not None or bool(found.alternatives)
    if not (is_asked or _is_answered(wish, found)) and not may:
        return found.model_copy(update={"says": t("dialogue.refused.control"), "reasons": reasons})
    # `be quiet for an hour, then you can talk again`: that is how a mute ends anyway.
    is_end = found.talk is not None and found.talk.kind == "talk"
    if is_end or not (is_asked or _is_answered(wish, found)):
        sign = found.routing.sign if found.routing is not None else ""
        is_open = not is_end and (_mood(found) in ASKS or sign.startswith("unknown"))
        told = t("dialogue.no_action_for", rest=rest.strip(" .!?")) if is_open else ""
        alone = {"intent": "control", "confidence": 1.0, "talk": request, "says": ""}
        return found.model_copy(update={**alone, "left_out": told, "reasons": reasons})
    aside = Aside(
        talk=request if may else None, says="" if may else t("dialogue.refused.control"), rest=rest
    )
    update: dict[str, object] = {"beside": aside, "reasons": reasons}
    if is_asked and may:  # a wish that is refused leaves one request, which is decided as ever
        update |= {"held": "several_requests", "force_tool": None}
        update |= {"confidence": min(found.confidence, OFFERED)}
    return found.model_copy(update=update)


def _is_answered(wish: _Wish, found: PolicyDecision) -> bool:
    is_said = bool(found.says) and not is_thanks(wish.rest)
    return is_said or found.talk is not None or found.intent in _ANSWERED


def _asks_of_us(text: str) -> bool:
    """Tell whether a question about our doing names nothing: a topic may be any words."""
    asked = self_question(text)
    return asked is not None and not asked.topic


def _mood(found: PolicyDecision) -> Mood:
    return found.routing.mood if found.routing is not None else "statement"


def _parted(text: str) -> Iterator[_Wish]:
    """Give each wish for quiet at either end, with what else is said."""
    if len(text) > MAX_READ or not _QUIETS.search(text) or _COMPOUND_FOREIGN.search(text):
        return
    text = _COURTESY.sub("", text)
    for join in _JOINS.finditer(text):
        mark = "?" if "?" in join[0] else ""
        before, behind = f"{text[: join.start()]}{mark}", text[join.end() :]
        is_parted = any(one in join[0] for one in ",.;!?")
        for own, rest, is_last in ((before, behind, False), (behind, before, True)):
            request = None if re.search(r"[,.;!?]\s", own) else control_request(own)
            if request is not None and request.kind in _HUSHES and rest.strip(" .!?"):
                yield _Wish(request, rest, is_last, is_parted)


def _is_told_words(found: PolicyDecision, catalogue: Catalogue) -> bool:
    action = catalogue.actions.get(found.action or "")
    given = found.arguments
    return action is not None and any(
        slot.type in ("text", "list") and not slot.choices and (slot.required or name in given)
        for name, slot in action.slots.items()
    )
