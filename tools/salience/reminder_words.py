"""Reminders in words: what, and in how long or at what time of which day."""

import re

from state.talk import TalkRequest
from tools.clock import DAY_SECONDS
from tools.salience.spans import CLOCK, SPAN, clock_time, seconds_of

_PLEASE = r"(?:please |ok |okay |hey |can you |could you |would you )*"
_REMIND = (
    rf"^{_PLEASE}(?:(?:set|make|add) (?:me )?a reminder|remind (?:me|us)"
    r"|(?:don't|do not) let me forget)"
)
_DAY = r"(?P<day>today|tonight|tomorrow)"
_DAYS = r"(?P<days>\d{1,2}|a|one|two|three|four|five|six|seven) days?"
_DAY_AFTER = _DAY.replace("day>", "day_after>")
_WHEN = rf"(?:in (?:{_DAYS}|{SPAN})|(?:{_DAY},? )?at {CLOCK}(?:,? {_DAY_AFTER})?)"
_WHAT = r"(?:to|of|about|that|for) (?P<what>.{2,200}?)"
_PATTERNS = (
    re.compile(rf"{_REMIND},? {_WHEN},? {_WHAT}(?: please)?$"),
    re.compile(rf"{_REMIND} {_WHAT},? {_WHEN}(?: please)?$"),
    re.compile(rf"{_REMIND},? {_WHEN}: ?(?!\d)(?P<what>.{{2,200}}?)(?: please)?$"),
)
_WITHOUT_TIME = re.compile(
    rf"{_REMIND} to (?P<what>.{{2,200}}?)(?: (?:later|some ?time))?(?: please)?$"
)
_AT_SOME_TIME = re.compile(
    rf"{_REMIND},? (?:(?:in|at|on|by|before|after|until|every|each|next|this|half|today|tonight"
    r"|tomorrow|yesterday|daily|weekly|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)"
    r" ?(?!(?:what|which|whose)\b)\S"
)
"""A reminder is asked for, and when it is meant cannot be read."""
_WHICH_ONES = (
    r"(?:(?:next|last|latest|newest|first|second|third|final|old|older|oldest|new|recent|previous"
    r"|past|other|others|same|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}|2nd|3rd"
    r"|few|several|daily|weekly|hourly|current|upcoming|pending|remaining|active"
    r"|existing|of|the|my|our) )+"
)
"""Tells reminders apart by their order or age, and names none by what it is about."""
_CALLED_OFF = re.compile(
    rf"^{_PLEASE}(?:cancel|forget|drop|remove|delete|clear) "
    r"(?:(?:all )?(?:my|the|our|any) reminders?|all reminders)"
    r"(?: (?:about|of|to|for) (?:the |a |an )?(?P<what>.{2,80}))?$"
    rf"|^{_PLEASE}(?:cancel|forget|drop|remove|delete|clear) "
    rf"(?:my|the|our) (?:(?P<order>{_WHICH_ONES})|(?P<named>.{{2,60}}?) )reminders?$"
)
_LISTED = re.compile(
    rf"^{_PLEASE}(?:(?:what|which)(?: are| is|'s)? (?:my|our|the) reminders?(?: today)?"
    r"|(?:what|which) reminders (?:do (?:i|we) have|are (?:there|set|waiting))"
    r"|(?:list|show)(?: me)?(?: all)? (?:my|our|the) reminders"
    r"|what did i (?:ask|tell) you to remind me (?:of|about))$"
)
_WHEN_ALONE = re.compile(rf"^(?:ok |okay |please |say )*{_WHEN}(?: please)?$")
_MEANT = (
    r"^(?:so |and |also |ok |okay )*(?:i|we) (?:still )?(?:need to|have to|must|should|want to"
    r"|(?:have )?got to|ought to|am going to|will have to|mustn't forget to|must not forget to) "
)
_INFERRED = (
    re.compile(rf"{_MEANT}(?P<what>.{{2,200}}?),? {_WHEN}$"),
    re.compile(rf"{_MEANT}(?P<what>.{{2,200}}?),? (?P<later>later|in a (?:bit|while)|soon)$"),
)
_SAME_DAY = ("today", "tonight", "")
_NUMBERS = {
    "a": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
}
LONGEST = 400
WHICH_REMINDER = "which reminder"
REMINDED_WHEN = "reminded when"
"""What is unclear, in the topic of a request that is."""


def reminder_request(text: str) -> TalkRequest | None:
    """Recognise a request about reminders; None for any other text.

    Without a time only `remind me to …` is one, and nothing is put down: then it is asked when.

    Args:
        text: in one line, without a full stop; what to remind of is kept as it is written.
    """
    said = text.lower()
    if len(text) > LONGEST or len(said) != len(text):
        return _unread(said)
    if _LISTED.match(said):
        return TalkRequest(kind="reminders")
    if match := _CALLED_OFF.match(said):
        if match["order"]:
            return TalkRequest(kind="unclear", topic=WHICH_REMINDER)
        return TalkRequest(kind="no_reminder", topic=match["what"] or match["named"])
    for pattern in _PATTERNS:
        if match := pattern.match(said):
            return _timed(match, text)
    if match := _WITHOUT_TIME.match(said):
        return TalkRequest(kind="remind", topic=_what(match, text))
    return _unread(said)


def time_of_answer(text: str, asked: TalkRequest) -> TalkRequest | None:
    """Complete a reminder that lacked its time with an answer such as `in 20 minutes`."""
    match = _WHEN_ALONE.match(" ".join(text.lower().split()).rstrip(".!"))
    return None if match is None else _at(match, asked.topic or "")


def inferred_reminder(text: str, *, later_seconds: float) -> TalkRequest | None:
    """Read a reminder that somebody may want who tells what they have to do, and when.

    Args:
        later_seconds: what `later` means.
    """
    whole = " ".join(text.replace("’", "'").split()).rstrip(".!")
    said = whole.lower()
    if len(whole) > LONGEST or len(said) != len(whole):
        return None
    for pattern in _INFERRED:
        if match := pattern.match(said):
            if match.groupdict().get("later"):
                what = _what(match, whole)
                return TalkRequest(kind="remind", topic=what, seconds=later_seconds)
            request = _timed(match, whole)
            is_a_time = request.seconds or request.until
            return request if is_a_time else None
    return None


def _unread(said: str) -> TalkRequest | None:
    is_one = _AT_SOME_TIME.match(said)
    return TalkRequest(kind="unclear", topic=REMINDED_WHEN) if is_one else None


def _timed(match: re.Match[str], text: str) -> TalkRequest:
    return _at(match, _what(match, text))


def _at(match: re.Match[str], what: str) -> TalkRequest:
    if match["days"]:
        days = _NUMBERS.get(match["days"]) or int(match["days"])
        return TalkRequest(kind="remind", topic=what, seconds=days * DAY_SECONDS)
    if match["span"]:
        return TalkRequest(kind="remind", topic=what, seconds=seconds_of(match))
    day = match["day"] or match["day_after"] or ""
    until = clock_time(match, "clock")
    if until is not None and day == "tonight" and until < "12:00" and not match["clock_half"]:
        until = f"{int(until[:2]) + 12:02}{until[2:]}"
    tomorrow = day not in _SAME_DAY
    return TalkRequest(kind="remind", topic=what, until=until, tomorrow=tomorrow)


def _what(match: re.Match[str], text: str) -> str:
    said = text[slice(*match.span("what"))]
    return re.sub(r"^(?:the fact )?that ", "", said).strip(" ,")
