"""Recognise goals (declared, in progress, reached, given up) and reminder requests.

(what to remind of, after which delay or at which time of which day).
"""

import re
from datetime import datetime

from state.attention import Goal
from state.talk import LONGEST_SECONDS, TalkRequest
from tools.nlu.control.occasions import event_reminder, repeat_of
from tools.nlu.lexicon.verbs import IRREGULAR, bases
from tools.nlu.values.model import PARTS_OF_DAY, Kind, Recurrence, Value
from tools.nlu.values.views import as_instant, timed_values
from tools.platform.clock import DAY_SECONDS
from tools.platform.text_comparison import keywords_of, long_words

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
_DONE = re.compile(
    rf"{_LEAD}(?:(?:i|we)(?: have|'ve)?(?: finally| just| now| already)* (?P<verb>[a-z]+)"
    rf" (?P<what>(?!no\b|not\b|nothing\b).{{3,120}})"
    r"|(?P<that>.{3,120}?) (?:is|are|(?:has|have) been)(?: finally| now| already)*"
    r" (?P<past>[a-z]+))$"
)
"""What was done, by the verb of the goal itself: `I found the diamonds`."""
_ARTICLES = keywords_of("the a an some my our all")
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
    return _done(said, aims)


def _done(said: str, aims: tuple[str, ...]) -> TalkRequest | None:
    match = _DONE.match(said)
    if match is None:
        return None
    verb, told = match["verb"] or match["past"], match["what"] or match["that"]
    verbs = {*bases(verb), IRREGULAR.get(verb)}
    for aim in aims:
        own = next((word for word in aim.lower().split() if word != "to"), "")
        # The whole of it: who found a map of the diamonds has not found them.
        rest = keywords_of(told) - _ARTICLES
        if own in verbs and rest <= keywords_of(aim) and is_about_goal(aim, told):
            return TalkRequest(kind="goal_reached", topic=aim)
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
_WHAT = r"(?:to|of|about|that|for) (?P<what>.{2,200}?)(?: please)?$"
_ASKED = re.compile(rf"{_REMIND}(?:,? |$)(?P<rest>.*)$")
_MATTER = re.compile(rf"(?:,? {_WHAT}|: ?(?!\d)(?P<told>.{{2,200}}?)(?: please)?$)")
_REPEATED = re.compile(rf"^(?P<when>.{{3,60}}?),? (?P<asks>{_REMIND.removeprefix('^')}),? {_WHAT}")
_CLOCK = r"[\w:.]{1,8}(?: ?[ap]m\b)?"
_HOURS = re.compile(rf",? (?:from|between) {_CLOCK} (?:to|and|until|till) {_CLOCK}")
_MATTER_FIRST = re.compile(r"(?:to|of|about|that|for) (?P<what>.{2,200})$")
_WITHOUT_TIME = re.compile(
    rf"{_REMIND} to (?P<what>.{{2,200}}?)(?: (?:later|some ?time))?(?: please)?$"
)
_CUE = re.compile(r",? *(?:(?:on|at|by) )?(?:the )?")
_IS_OF_MATTER = re.compile(r"\b(?:for|of|from|with|than) $")
"""Before a time that says what the matter is, not when it is wanted."""
_IN_TIME = re.compile(r"(?:in|at|on|by|before|after|until|next|this|half|noon|midnight)\b ?")
"""Before what can only be a time: it is asked which."""
_WHICH_ONES = (
    r"(?:(?:next|last|latest|newest|first|second|third|final|old|older|oldest|new|recent|previous"
    r"|past|other|others|same|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}|2nd|3rd"
    r"|few|several|current|upcoming|pending|remaining|active"
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
_MEANT = (
    r"^(?:so |and |also |ok |okay )*(?:i|we) (?:still )?(?:need to|have to|must|should|want to"
    r"|(?:have )?got to|ought to|am going to|will have to|mustn't forget to|must not forget to) "
)
_INFERRED = re.compile(rf"{_MEANT}(?P<what>.{{2,200}})$")
_LATER = re.compile(r",? (?:later|in a (?:bit|while)|soon)$")
LONGEST = 400
WHICH_REMINDER = "which reminder"
REMINDED_WHEN = "reminded when"
"""What is unclear, in the topic of a request that is."""
UNTIMED = TalkRequest(kind="unclear", topic=REMINDED_WHEN)
_REMINDS = re.compile(_REMIND)
_ALONE = re.compile(r"(?:(?:ok|okay|please|say|on),? )*")


def reminder_request(text: str, now: datetime) -> TalkRequest | None:
    """Recognise a request about reminders; None for any other text.

    Without a time only `remind me to …` is one, and nothing is put down: then it is asked when.

    Args:
        text: in one line, without a full stop; what to remind of is kept as it is written.
        now: the time here, which `tomorrow` and `Friday` are counted from.
    """
    said = text.lower()
    if len(text) > LONGEST or len(said) != len(text):
        return UNTIMED if _REMINDS.match(said) else None
    if _LISTED.match(said):
        return TalkRequest(kind="reminders")
    if match := _CALLED_OFF.match(said):
        if match["order"]:
            return TalkRequest(kind="unclear", topic=WHICH_REMINDER)
        return TalkRequest(kind="no_reminder", topic=match["what"] or match["named"])
    if "remind" in said and not timed_values(text, now.date()):
        waiting = event_reminder(text, _REMIND)
        if waiting is not None:
            return waiting
    if match := _REPEATED.match(said):
        return _repeated(text, match, now)
    if match := _ASKED.match(said):
        return _reminder(text, match.start("rest"), now)
    return None


def _repeated(text: str, match: re.Match[str], now: datetime) -> TalkRequest | None:
    """Read a reminder whose time stands before it: `every Monday at 9 remind me to …`."""
    times = timed_values(text[: match.start("asks")], now.date())
    if len(times) != 1 or not _CUE.fullmatch(text[: times[0].start].lower()):
        return None
    if text[times[0].end : match.start("asks")].strip(" ,"):
        return None
    return timed_reminder(times[0], text[slice(*match.span("what"))], now)


def _reminder(text: str, start: int, now: datetime) -> TalkRequest | None:
    """Read the rest of `remind me`: when and of what, in either order."""
    rest = text[start:]
    times = timed_values(rest, now.date())
    is_first = bool(times) and _CUE.fullmatch(rest.lower(), 0, times[0].start) is not None
    end = times[0].end if times else 0
    if times and times[0].kind is Kind.RECURRENCE and (hours := _HOURS.match(rest.lower(), end)):
        end, times = hours.end(), times[:1]
    behind = rest[times[0].end : end] if times else ""
    if is_first and (matter := _MATTER.match(rest.lower(), end)):
        group = "what" if matter["what"] else "told"
        return timed_reminder(times[0], rest[slice(*matter.span(group))], now, behind)
    is_last = times and not _IS_OF_MATTER.search(rest.lower(), 0, times[-1].start)
    is_last = is_last and rest[max(end, times[-1].end) :].lower().strip() in ("", "please")
    head = _cue_before(rest, times[-1]) if is_last else 0
    if match := _MATTER_FIRST.match(rest.lower(), 0, head):
        return timed_reminder(times[-1], rest[slice(*match.span("what"))], now, behind)
    if match := _WITHOUT_TIME.match(text.lower()):
        return TalkRequest(kind="remind", topic=_what(text[slice(*match.span("what"))]))
    is_time = is_first or _IN_TIME.match(rest.lower()) is not None
    return UNTIMED if is_time else None


def _cue_before(text: str, value: Value) -> int:
    """Give where the words end that a time behind them hangs on, without its comma and `on`."""
    return len(re.sub(r",? *(?:\b(?:on|at))? *$", "", text[: value.start].lower()))


def time_of_answer(text: str, asked: TalkRequest, now: datetime) -> TalkRequest | None:
    """Complete a reminder that lacked its time with an answer such as `in 20 minutes`."""
    said = " ".join(text.lower().split()).rstrip(".!")
    times = timed_values(said, now.date())
    if len(times) != 1 or not _ALONE.fullmatch(said[: times[0].start]):
        return None
    if said[times[0].end :] not in ("", " please"):
        return None
    found = timed_reminder(times[0], asked.topic or "", now)
    return None if found is UNTIMED else found


def inferred_reminder(text: str, *, later_seconds: float, now: datetime) -> TalkRequest | None:
    """Read a reminder that somebody may want who tells what they have to do, and when.

    Args:
        later_seconds: what `later` means.
    """
    whole = " ".join(text.replace("’", "'").split()).rstrip(".!")
    said = whole.lower()
    if len(whole) > LONGEST or len(said) != len(whole) or not (match := _INFERRED.match(said)):
        return None
    start = match.start("what")
    if later := _LATER.search(said):
        what = _what(whole[start : later.start()])
        return TalkRequest(kind="remind", topic=what, seconds=later_seconds) if what else None
    times = timed_values(whole[start:], now.date())
    if not times or times[-1].end != len(whole) - start:
        return None
    what = whole[start : start + _cue_before(whole[start:], times[-1])]
    found = timed_reminder(times[-1], what, now) if len(what) > 1 else UNTIMED
    return None if found is UNTIMED else found


def timed_reminder(value: Value, what: str, now: datetime, behind: str = "") -> TalkRequest:
    """Put a reminder down for a moment: by the clock of today or tomorrow, else so far from now.

    Args:
        behind: what stands behind the time, if it comes back: `from 9 to 17`.
    """
    if isinstance(value.payload, Recurrence):
        repeats = repeat_of(value.payload, behind)
        return (
            TalkRequest(kind="remind", topic=_what(what), repeats=repeats) if repeats else UNTIMED
        )
    due = as_instant(value, now)
    if due is None or (due - now).total_seconds() > LONGEST_SECONDS:
        return UNTIMED
    said = value.time
    days = (due.date() - now.date()).days
    is_of_clock = bool(said.clocks or said.grain in PARTS_OF_DAY) and days in (0, 1)
    if is_of_clock:
        tomorrow = days == 1 and said.grain != "clock"
        return TalkRequest(
            kind="remind", topic=_what(what), until=f"{due:%H:%M}", tomorrow=tomorrow
        )
    seconds = (due - now).total_seconds()
    if said.away is not None and not said.clocks:
        seconds = round(seconds)
    return TalkRequest(kind="remind", topic=_what(what), seconds=seconds)


def _what(said: str) -> str:
    return re.sub(r"^(?:the fact )?that ", "", said.removesuffix(" please")).strip(" ,")


def find_goals(goals: tuple[Goal, ...], named: str | None) -> tuple[Goal, ...]:
    """Find the open goals that a name means: an id, words about it, or None for all."""
    return tuple(
        goal
        for goal in goals
        if goal.standing == "open"
        and (named is None or goal.goal_id == named or is_about_goal(goal.text, named))
    )
