"""Goals in words: declared, on the way, reached, given up, or only worked at."""

import re

from state.talk import TalkRequest
from tools.clock import DAY_SECONDS
from tools.salience.conditions import words_of

_LEAD = r"^(?:so |and |ok |okay |today |tonight |yes |right )*,? ?"
_AIM = (
    r"finish|complete|reach|build|beat|learn|get|make|win|explore|defeat|craft|find|clear|write|ship"
    r"|solve|repair|rebuild|unlock|collect|pass|read through|get through"
)
_DAY = r"(?:,? (?P<day>today|tonight|tomorrow|this (?:morning|afternoon|evening|week)))?"
_DECLARED = re.compile(
    rf"{_LEAD}(?:i|we)(?: really)? (?:want to|would like to|plan to|intend to|mean to|am going to"
    rf"|are going to|hope to)(?: finally)? (?P<topic>(?:{_AIM}) .{{3,120}}?){_DAY}$"
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
_LISTED = re.compile(
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
    return TalkRequest(kind="goals") if _LISTED.match(said) else None


def goal_told(said: str, aims: tuple[str, ...]) -> TalkRequest | None:
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


def goal_worked_at(said: str) -> TalkRequest | None:
    """Read what somebody is at: it may be a goal, and is asked about."""
    match = _WORKED_AT.match(said)
    return TalkRequest(kind="goal", topic=match["topic"]) if match else None


def is_about_goal(goal: str, text: str) -> bool:
    """Tell whether a text has most of a goal's longer words, or all of the text's are in it."""
    wanted, said = _long_words(goal), _long_words(text)
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


def _long_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words_of(text) if len(word) > 3)
