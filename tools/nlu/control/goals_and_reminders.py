"""Recognise goals (declared, in progress, reached, given up) and reminder requests.

(what to remind of, after which delay or at which time of which day).
"""

import re

from state.attention import Goal
from state.talk import TalkRequest
from tools.nlu.control.time_expressions import CLOCK, SPAN, clock_time, seconds_of
from tools.nlu.lexicon.closed_classes import CARDINALS, NUMBER_VALUES, WEEKDAY
from tools.platform.clock import DAY_SECONDS
from tools.platform.text_comparison import long_words

_LEAD = r"^(?:so |and |ok |okay |today |tonight |yes |right )*,? ?"
_AIM = (
    r"finish|complete|reach|build|beat|learn|get|make|win|explore|defeat|craft|find|clear|write|ship"
    r"|solve|repair|rebuild|unlock|collect|pass|read through|get through"
)
_GOAL_DAY = r"(?:,? (?P<day>today|tonight|tomorrow|this (?:morning|afternoon|evening|week)))?"
_DECLARED = re.compile(
    rf"{_LEAD}(?:i|we)(?: really)? (?:want to|would like to|plan to|intend to|mean to|am going to"
    rf"|are going to|hope to)(?: finally)? (?P<topic>(?:{_AIM}) .{{3,120}}?){_GOAL_DAY}$"
)
_MY_GOAL = re.compile(
    r"^(?:my|our) goal (?:for )?(?:(?P<day>today|tonight|this week|now) )?is "
    r"(?!(?:not|never|no longer)\b)(?:to )?(?P<topic>.{3,120})$"
)
_WORKED_AT = re.compile(
    rf"{_LEAD}(?:i|we)(?: am|'m| are|'re)(?: still)? (?:trying to|working on)"
    r" (?P<topic>.{3,120}?)(?: (?:right )?now)?$"
)
_REACHED = re.compile(
    rf"{_LEAD}(?:(?:i|we)(?: have|'ve)?(?: finally| just)* (?:finished|completed|reached|built|did"
    r"|done|beat|beaten|won|solved|made|got)(?: with)? (?P<what>.{3,120})"
    r"|(?P<that>.{3,120}?) (?:is|are) (?:finally |now )?(?:done|finished|completed?|built))$"
)
_PARTS = {"half": 0.5, "a quarter": 0.25, "a third": 0.33, "two thirds": 0.67, "almost": 0.9}
_PARTS |= {"nearly": 0.9, "three quarters": 0.75, "halfway": 0.5}
_PART = rf"(?P<part>{'|'.join(_PARTS)}|(?P<percent>\d{{1,3}}) ?(?:%|percent))"
_PROGRESS = re.compile(
    rf"{_LEAD}(?:(?P<that>.{{3,120}}?) (?:is|are) {_PART}(?: of the way)?(?: done| finished| built"
    r"| complete| there)?"
    rf"|(?:i|we)(?: am|'m| are|'re) {_PART.replace('part>', 'half>').replace('percent>', 'share>')}"
    r" (?:done )?(?:with|through) (?P<what>.{3,120}))$"
)
_GIVEN_UP = re.compile(
    r"^(?:please |ok |okay )*(?:(?:forget|drop|clear|remove) (?:(?P<all>(?:all )?my goals?)"
    r"|(?:my|the) (?P<goal>.{3,80}?) goal|(?:my|the) goal (?:to|of|about) (?P<to>.{3,80})))$"
)
_GAVE_UP = re.compile(
    rf"{_LEAD}(?:i|we)(?: have|'ve)? (?:gave|given|give) up on (?P<on>.{{3,80}})$"
)
_GOALS_LISTED = re.compile(
    r"^(?:please )?(?:what(?: are|'s| is| were) (?:my|our) goals?|(?:list|show)(?: me)? (?:my|our)"
    r" goals?|how (?:far|am i doing|are we doing) (?:am i |are we )?with (?:my|our) goals?"
    r"|how(?: is|'s| are) (?:my|our) goals?(?: going| doing| coming along)?)$"
)
_ENDS = {"tonight": "23:59", "today": "23:59", "this evening": "23:59", "tomorrow": "23:59"}
_ENDS |= {"this morning": "12:00", "this afternoon": "18:00"}
_WEEK_SECONDS = 7 * DAY_SECONDS
_SHARED = 0.5
"""Share of a goal's longer words that a name or an event has to have."""


def goal_request(said: str) -> TalkRequest | None:
    """Read what is plainly about goals, in lower-case words; None for any other text."""
    if match := _MY_GOAL.match(said):
        return _aim(match)
    if match := _GIVEN_UP.match(said):
        return TalkRequest(kind="no_goal", topic=match["goal"] or match["to"])
    return TalkRequest(kind="goals") if _GOALS_LISTED.match(said) else None


def goal_statement(said: str, aims: tuple[str, ...]) -> TalkRequest | None:
    """Read a goal that is told in passing, or how an open one goes; None: neither.

    Args:
        aims: the open goals; progress and ends are of one of them, or they are nothing to us.
    """
    if match := _DECLARED.match(said):
        return _aim(match)
    if match := _PROGRESS.match(said):
        topic = _of_an_aim(match["that"] or match["what"], aims)
        if topic is not None:
            return TalkRequest(kind="goal_progress", topic=topic, value=_share(match))
    if match := _GAVE_UP.match(said):
        topic = _of_an_aim(match["on"], aims)
        if topic is not None:
            return TalkRequest(kind="no_goal", topic=topic)
    if match := _REACHED.match(said):
        topic = _of_an_aim(match["what"] or match["that"], aims)
        if topic is not None:
            return TalkRequest(kind="goal_reached", topic=topic)
    return None


def goal_in_progress(said: str) -> TalkRequest | None:
    """Read what somebody is at: it may be a goal, and is asked about."""
    match = _WORKED_AT.match(said)
    return TalkRequest(kind="goal", topic=match["topic"]) if match else None


def is_about_goal(goal: str, text: str) -> bool:
    """Tell whether a text has most of a goal's longer words, or all of the text's are in it."""
    wanted, said = long_words(goal), long_words(text)
    shared = len(wanted & said)
    return bool(shared) and (shared >= _SHARED * len(wanted) or said <= wanted)


def _aim(match: re.Match[str]) -> TalkRequest:
    day = match["day"] or ""
    if day == "this week":
        return TalkRequest(kind="goal", topic=match["topic"], seconds=_WEEK_SECONDS)
    return TalkRequest(
        kind="goal", topic=match["topic"], until=_ENDS.get(day), tomorrow=day == "tomorrow"
    )


def _of_an_aim(topic: str | None, aims: tuple[str, ...]) -> str | None:
    return next((aim for aim in aims if topic and is_about_goal(aim, topic)), None)


def _share(match: re.Match[str]) -> float:
    number = match["percent"] or match["share"]
    if number:
        return min(1.0, int(number) / 100)
    return _PARTS[match["part"] or match["half"]]


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
    rf"|tomorrow|yesterday|daily|weekly|noon|midnight|{WEEKDAY})\b)"
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
_NUMBERS = {"a": 1, **{word: NUMBER_VALUES[word] for word in CARDINALS[:7]}}
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


def find_goals(goals: tuple[Goal, ...], named: str | None) -> tuple[Goal, ...]:
    """Find the open goals that a name means: an id, words about it, or None for all."""
    return tuple(
        goal
        for goal in goals
        if goal.standing == "open"
        and (named is None or goal.goal_id == named or is_about_goal(goal.text, named))
    )
