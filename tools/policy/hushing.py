"""A wish for quiet in whatever words: how long it holds, and what of it cannot be kept."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from state.action import Action
from state.event import Event
from state.policy import PolicyDecision, Routing
from state.talk import TalkRequest
from tools.policy.dialogue_acts import LEAST
from tools.policy.talk_rights import REFUSAL, may_ask_for
from tools.policy.telling import states
from tools.ports import Catalogue
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import singular
from tools.salience.requests import LONGEST_SECONDS, UNCLEAR, names_a_topic
from tools.salience.spans import CLOCK, SPAN, clock_time, hours_between, seconds_of

SURE = 0.75
"""Probability from which quiet is set; below it, it is asked."""
_WRITTEN = (
    *("one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_WRITTEN_HOUR = re.compile(
    rf"\b(until|till|til|before|by|from|to|and|between) ({'|'.join(_WRITTEN)})"
    r"\b(?! (?:minutes?|mins?|hours?|seconds?|days?))"
)
_NAMED_TIMES = {
    "morning": "08:00",
    "lunch": "12:00",
    "lunchtime": "12:00",
    "afternoon": "13:00",
    "tonight": "18:00",
    "evening": "18:00",
    "dinner": "18:00",
    "tomorrow": "08:00",
}
_UNTIL = re.compile(
    rf"\b(?:until|till|til|before|by) (?:(?P<day>tomorrow|today|this|the) )?(?:at )?"
    rf"(?:{CLOCK}|(?P<named>{'|'.join(_NAMED_TIMES)}))\b(?! ?(?:min|hour|sec|day))"
    r"(?: (?P<behind>tomorrow))?"
)
_HOURS = re.compile(
    rf"\b(?:from|between) {CLOCK.replace('clock', 'starts')} (?:to|until|till|and|-)"
    rf" {CLOCK.replace('clock', 'ends')}(?!\d)"
)
_OF_DAYS = re.compile(
    r"\b(?:on )?(?:weekdays|weekends|week ?nights|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
)
_OPEN_END = re.compile(
    r"\b(?:while|during|as long as|unless|except|until|till|but|only|when|whenever)\b[^,;.!?]*"
)
_ABOUT = re.compile(
    r"\b(?:mute|silence|pause|snooze|stop|hold|skip|no(?: more)?|(?:turn|switch) off)"
    r" (?:(?:the|all|any|my|your|of|those|these) )*(?P<topic>\w[\w -]{1,40}?)"
    r" (?:alerts?|notifications?|messages?|warnings?|news|updates?|announcements?)\b"
)
_VERB = "verb:"
_FOREIGN = re.compile(r"[:\"“”>](?!\d)")
"""Marks of words that are somebody else's, or that are to be written down; `22:00` has none."""
_SELF = re.compile(r"^(?:\W*(?:ok|okay|hey|hi|hello|sorry|well|so|oh)\W+)*(?:i|i'm|im|we|we're)\b")


@dataclass(frozen=True)
class _Hush:
    """What is asked for, and what of the words it does not follow."""

    request: TalkRequest
    left_out: str
    is_sure: bool


def hushed(
    event: Event, routing: Routing, likely: float, now: datetime, catalogue: Catalogue
) -> PolicyDecision | None:
    """Decide on what sounds like a wish for quiet; None: it tells or asks of something.

    Args:
        likely: probability that it is one.
        now: in the zone of the clock on the wall.
    """
    hush = _hush_in(event.text, routing, likely, now) if likely >= LEAST else None
    if hush is None:
        return None
    if not may_ask_for(hush.request, catalogue, event.roles):
        reasons = ("talk_refused",)
        return PolicyDecision(intent="control", confidence=1.0, says=REFUSAL, reasons=reasons)
    return _decided(hush, routing)


def speaking_again(event: Event, routing: Routing, catalogue: Catalogue) -> PolicyDecision | None:
    """Decide on what sounds like the end of a quiet; None: it is about a thing, or a question."""
    if routing.entities or routing.mood in ("question", "reported") or _FOREIGN.search(event.text):
        return None
    request = TalkRequest(kind="talk")
    if not may_ask_for(request, catalogue, event.roles):
        reasons = ("talk_refused",)
        return PolicyDecision(intent="control", confidence=1.0, says=REFUSAL, reasons=reasons)
    return PolicyDecision(
        intent="control",
        routing=routing,
        confidence=1.0,
        talk=request,
        reasons=("talk_request:talk", "heard_as_speak_again"),
    )


def names_object(routing: Routing, action: Action) -> bool:
    """Tell whether a text names what an action is about: `silence the alarm`, `use a timer`."""
    verbs = {
        one[len(_VERB) :].partition("→")[0] for one in routing.reasons if one.startswith(_VERB)
    }
    about = {*action.name.split("_"), *action.object.split("_")} - verbs - {action.verb}
    return not about.isdisjoint(singular(word) for word in words_of(routing.text))


def is_open_hush(found: PolicyDecision | None) -> bool:
    """Tell whether fixed phrases leave open how long the quiet is to hold: `until 5`."""
    talk = found.talk if found is not None else None
    return talk is not None and (
        talk == UNCLEAR or (talk.kind == "mute" and talk.until is not None)
    )


def _hush_in(text: str, routing: Routing, likely: float, now: datetime) -> _Hush | None:
    said = " ".join(text.replace("’", "'").casefold().split()).rstrip(" .!")
    is_of_others = routing.mood in ("question", "reported") or _FOREIGN.search(text)
    if is_of_others or routing.entities or states(said):
        return None
    request = _request(said, now)
    timed = request.kind != "quiet"
    is_own = _SELF.match(said) is not None
    until = _UNTIL.search(said)
    is_vague = until is not None and until["named"] is not None
    is_asked = is_vague or "?" in text
    is_sure = likely >= SURE and not is_asked and (timed or not is_own)
    return _Hush(request, _left_out(said, request), is_sure)


def _decided(hush: _Hush, routing: Routing) -> PolicyDecision:
    """Set quiet where it is clear, and ask otherwise."""
    request, reasons = hush.request, (f"talk_request:{hush.request.kind}", "heard_as_hush")
    if hush.is_sure:
        return PolicyDecision(
            intent="control",
            routing=routing,
            confidence=1.0,
            talk=request,
            left_out=hush.left_out,
            reasons=reasons,
        )
    return PolicyDecision(
        intent="control",
        routing=routing,
        confidence=1.0,
        says=f"Shall I be quiet{_how_long(request)}? Say yes or no.",
        proposes=request,
        reasons=reasons,
    )


def _request(said: str, now: datetime) -> TalkRequest:
    said = _WRITTEN_HOUR.sub(_in_digits, said)
    # A unit by itself is none: the m of `I'm`.
    spans = (
        one for one in re.finditer(rf"(?<!\w){SPAN}", said) if re.search(r"[\d ]", one["span"])
    )
    seconds = next((seconds_of(span) for span in spans), None)
    seconds = seconds if seconds and 0 < seconds <= LONGEST_SECONDS else None
    about = _ABOUT.search(said)
    if about and names_a_topic(about["topic"]):
        return TalkRequest(kind="suppress", topic=about["topic"], seconds=seconds)
    if hours := _HOURS.search(said):
        daily = hours_between(hours)
        if daily is not None:
            return TalkRequest(kind="quiet_hours", hours=daily)
    if until := _UNTIL.search(said):
        return _muted_until(until, now) or TalkRequest(kind="quiet")
    if seconds:
        return TalkRequest(kind="mute", seconds=seconds)
    return TalkRequest(kind="quiet")


def _muted_until(until: re.Match[str], now: datetime) -> TalkRequest | None:
    """Read the end of a mute: the next time that the clock shows it, or that of tomorrow."""
    named = until["named"]
    clock = _NAMED_TIMES[named] if named else clock_time(until, "clock")
    if clock is None:
        return None
    is_tomorrow = "tomorrow" in (until["day"], until["behind"], named)
    hour, minute = map(int, clock.split(":"))
    is_open = not named and until["clock_half"] is None and until["clock_minute"] is None
    halves = {hour, (hour + 12) % 24} if is_open and 1 <= hour <= 12 and not is_tomorrow else {hour}
    ends = min(_next(now, one, minute, is_tomorrow=is_tomorrow) for one in halves)
    seconds = (ends - now).total_seconds()
    if seconds > LONGEST_SECONDS:
        return TalkRequest(kind="mute", seconds=seconds) if seconds <= 2 * LONGEST_SECONDS else None
    return TalkRequest(kind="mute", until=f"{ends:%H:%M}")


def _next(now: datetime, hour: int, minute: int, *, is_tomorrow: bool) -> datetime:
    at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if is_tomorrow:
        return at + timedelta(days=1)
    return at if at > now else at + timedelta(days=1)


def _left_out(said: str, request: TalkRequest) -> str:
    days = _OF_DAYS.search(said) if request.kind == "quiet_hours" else None
    if days is not None:
        return f"Not followed: “{days[0]}”."
    rest = said if request.kind == "quiet" else ""
    end = _OPEN_END.search(rest)
    return f"Not followed: “{end[0].strip()}”." if end else ""


def _how_long(request: TalkRequest) -> str:
    if request.until:
        return f" until {request.until}"
    if request.seconds:
        return f" for {request.seconds / 60:g} minutes"
    if request.hours:
        return f" every day from {request.hours}"
    return f" about {request.topic}" if request.topic else " for a while"


def _in_digits(match: re.Match[str]) -> str:
    return f"{match[1]} {_WRITTEN.index(match[2]) + 1}"
