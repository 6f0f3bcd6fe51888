"""Recognise control requests: mute, unmute, suppress or watch a topic, raise the threshold.

Change traits, character or skills.
"""

import re
from collections.abc import Mapping
from datetime import datetime

from state.personality import TraitName
from state.talk import TalkKind, TalkRequest
from tools.nlu.control.goals_and_reminders import goal_request, reminder_request
from tools.nlu.values.engine import ANY_DAY
from tools.nlu.values.model import Time
from tools.nlu.values.views import (
    clock_text,
    duration_in_seconds,
    hours_in,
    timed_values,
    without_duration,
)
from tools.platform.clock import DAY_SECONDS

PLAIN_STEPS = 2.0
"""`be formal`, without a `more`: as much as `much more formal`."""
_STYLE_LEAD = (
    r"^(?:please |ok |okay |hey |can you |could you |would you |i want you to |you should )*"
)
_DEGREES: Mapping[str, float] = {
    "a bit": 0.5, "a little": 0.5, "a little bit": 0.5, "slightly": 0.5, "somewhat": 0.5,
    "much": 2.0, "a lot": 2.0, "lots": 2.0, "far": 2.0, "way": 2.0, "even": 1.0, "": 1.0,
}  # fmt: skip
_DEGREE = rf"(?:(?P<degree>{'|'.join(filter(None, _DEGREES))}) )?"
_UP: Mapping[TraitName, str] = {
    "humor": r"funny|humorous|playful|witty|amusing|jokes?|joking|humou?r|puns?",
    "sarcasm": r"sarcastic(?:ally)?|sarcasm|snarky|snark|ironic(?:al)?|irony",
    "formality": r"formal(?:ly|ity)?|polite(?:ly)?|professional(?:ly)?|official",
    "proactive": r"proactive|talkative|forthcoming",
    "enthusiasm": r"enthusiastic(?:ally)?|enthusiasm|excited|energetic|cheerful|lively",
    "helpfulness": r"helpful|supportive",
    "verbosity": r"verbose|detailed|wordy|chatty|long-winded",
}
_DOWN: Mapping[TraitName, str] = {
    "humor": r"serious(?:ly)?",
    "sarcasm": r"sincere(?:ly)?",
    "formality": r"casual(?:ly)?|informal(?:ly)?|relaxed|familiar|friendly",
    "proactive": r"reserved|reactive",
    "enthusiasm": r"calm(?:ly)?|sober|matter-of-fact",
    "verbosity": r"brief(?:ly)?|short|concise(?:ly)?|terse(?:ly)?|to the point|succinct",
}
_COMPARED: Mapping[str, tuple[TraitName, int]] = {
    "funnier": ("humor", 1), "wittier": ("humor", 1), "kinder": ("sarcasm", -1),
    "nicer": ("sarcasm", -1), "politer": ("formality", 1), "friendlier": ("formality", -1),
    "livelier": ("enthusiasm", 1), "calmer": ("enthusiasm", -1), "briefer": ("verbosity", -1),
    "shorter": ("verbosity", -1), "chattier": ("verbosity", 1), "wordier": ("verbosity", 1),
}  # fmt: skip
_WORDS = "|".join((*_UP.values(), *_DOWN.values()))
_BE = r"(?:be|sound|talk|speak|write|act|keep it|make it|stay|get)"
_STEP = re.compile(
    rf"{_STYLE_LEAD}(?:{_BE} )?{_DEGREE}(?P<way>more|less|fewer) (?P<word>{_WORDS})"
    r"(?: (?:to|with|towards) me)?(?: now| please)*$"
)
_COMPARATIVE = re.compile(
    rf"{_STYLE_LEAD}{_BE} {_DEGREE}(?P<compared>{'|'.join(_COMPARED)})"
    r"(?: (?:to|with) me)?(?: now| please)*$"
)
_TOO = re.compile(rf"^(?:you are|you're|that is|that's|this is) {_DEGREE}too (?P<word>{_WORDS})$")
_NONE = re.compile(
    rf"{_STYLE_LEAD}(?:no (?:more )?|stop (?:being |the |your )?|quit (?:being |the |your )?"
    rf"|(?:don't|do not|never) be |(?P<so>(?:don't|do not|stop) be(?:ing)? (?:so|that) ))"
    rf"(?P<word>{_WORDS})(?: any ?more| at all| now| please)*$"
)
_PLAIN_STYLE = re.compile(
    rf"{_STYLE_LEAD}{_BE} (?:more )?(?P<word>{_WORDS})(?: with me)?(?: now| please)*$"
)
_TEMPLATE = re.compile(
    rf"{_STYLE_LEAD}(?:(?:switch|change|go) to|use|take|set|become|be|act (?:as|like)) "
    r"(?:(?:the|a|an|your) )?(?P<template>[\w][\w -]{0,60}?) (?:personality|character|persona)"
    r"(?: now| please)*$"
)
_AS_USUAL = re.compile(
    rf"{_STYLE_LEAD}(?:(?:reset|restore) (?:your |the )?(?:personality|character|traits|manner)"
    r"|(?:be|act) (?:like )?your(?:self| usual self| normal self| old self)"
    r"|(?:talk|speak) (?:as usual|normally)(?: again)?)(?: again| now| please)*$"
)
_LOAD = re.compile(
    rf"{_STYLE_LEAD}(?:load|enable|use|activate|turn on|switch on) (?:the |your )?"
    r"(?P<skill>[\w][\w -]{0,60}?) skill(?: again| now| please)*$"
)
_UNLOAD = re.compile(
    rf"{_STYLE_LEAD}"
    r"(?:unload|disable|deactivate|turn off|switch off|drop|stop using) (?:the |your )?"
    r"(?P<skill>[\w][\w -]{0,60}?) skill(?: now| please)*$"
)


def style_request(said: str) -> TalkRequest | None:
    """Recognise a wish about the manner; `said` is lower case, without its full stop.

    `less sarcastic` and `too sarcastic` are a step down, `be formal` and `don't be so casual` two
    up, `no sarcasm` is none at all. How long a step is stands in policy.toml.
    """
    if match := _STEP.match(said) or _COMPARATIVE.match(said) or _TOO.match(said):
        return _step(match)
    if match := _NONE.match(said):
        trait, sign = _trait_of(match["word"])
        if match["so"]:
            return TalkRequest(kind="trait", trait=trait, steps=-sign * PLAIN_STEPS)
        return TalkRequest(kind="trait", trait=trait, value=0.0) if sign > 0 else None
    if match := _PLAIN_STYLE.match(said):
        trait, sign = _trait_of(match["word"])
        return TalkRequest(kind="trait", trait=trait, steps=sign * PLAIN_STEPS)
    if match := _TEMPLATE.match(said):
        return TalkRequest(kind="template", topic=_named(match["template"]))
    if _AS_USUAL.match(said):
        return TalkRequest(kind="as_usual")
    if match := _UNLOAD.match(said):
        return TalkRequest(kind="unload_skill", topic=_named(match["skill"]))
    if match := _LOAD.match(said):
        return TalkRequest(kind="load_skill", topic=_named(match["skill"]))
    return None


def _step(match: re.Match[str]) -> TalkRequest:
    given = match.groupdict()
    if compared := given.get("compared"):
        trait, sign = _COMPARED[compared]
    else:
        trait, sign = _trait_of(given["word"])
        sign = sign if given.get("way") == "more" else -sign
    steps = sign * _DEGREES[given.get("degree") or ""]
    return TalkRequest(kind="trait", trait=trait, steps=steps)


def _trait_of(word: str) -> tuple[TraitName, int]:
    for sign, words in ((1, _UP), (-1, _DOWN)):
        for trait, pattern in words.items():
            if re.fullmatch(pattern, word):
                return trait, sign
    raise AssertionError(word)  # the patterns above are made of these words


def _named(said: str) -> str:
    return re.sub(r"[ -]+", "_", said.strip())


_THRESHOLD_LEAD = r"^(?:please |ok |okay |can you |could you )*"
_PICKY = re.compile(
    rf"{_THRESHOLD_LEAD}(?:only (?:tell me|say|mention)(?: me)? (?:what is |what's |the )?"
    r"(?:really |very )?important(?: things| stuff| news)?|be (?:pickier|more selective))"
    r"(?: for (?P<span>.{1,60}))?$"
)
_USED_TO = re.compile(
    rf"{_THRESHOLD_LEAD}(?:get used to (?:the )?(?P<one>.{{2,80}}?)"
    r"|treat (?:the )?(?P<other>.{2,80}?) as (?:normal|usual|nothing (?:new|special)))$"
)
_USUAL = re.compile(rf"{_THRESHOLD_LEAD}(?:be as picky as (?:usual|ever)|don't be (?:so )?picky)$")


def threshold_request(said: str) -> TalkRequest | None:
    """Read a wish for a higher threshold, or for boredom with one thing, in lower-case words."""
    if match := _PICKY.match(said):
        seconds = duration_in_seconds(match["span"]) if match["span"] else None
        is_read = seconds is not None or not match["span"]
        return TalkRequest(kind="threshold", seconds=seconds) if is_read else None
    if _USUAL.match(said):
        return TalkRequest(kind="threshold", step=0.0)
    if match := _USED_TO.match(said):
        return TalkRequest(kind="habituate", topic=match["one"] or match["other"])
    return None


# It is asked of us at the head of a clause, and ends what is said; "write in the log: ... be
# quiet for an hour" and "they were told to be quiet for an hour" are something else.
_PLURALS = (("s", ("",)), ("es", ("",)), ("ies", ("y",)), ("ves", ("f", "fe")))
"""Endings of plurals and what stands for them in the singular."""
_COURTESY = re.compile(
    r"(?:, ?(?:please|will you|would you|thanks|thank you|ok|okay))+$", re.IGNORECASE
)
_GREETED = re.compile(
    r"\W*(?:(?:good )?(?:morning|evening|afternoon)|good (?:day|night)|hi|hiya|hello|hey|yo|ok|okay"
    r"|alright|all right|well|so|right|now|listen|look|oh|ah|u[hm]+|please|sorry|thanks|thank you)"
    r"(?: (?:there|then|again|all|everyone|everybody|friend))?(?:[\s,.;:!-]+(?=\S)|$)",
    re.IGNORECASE,
)
"""What people say before they come to it: `hello, watch for wolves`."""
_HEAD = r"^(?:[^:]*[.,;!] )?(?:(?:please|ok|okay|(?:can|could|would) you),? )*"
_QUIETLY = (
    r"(?:(?:be|stay|keep) quiet|silence|no talking|shut up|mute|hush|(?:don't|do not) talk"
    r"|(?:don't|do not) disturb(?: me)?|dnd|leave me alone)(?: yourself)?(?: please)?"
)
_PLEASE = r"^(?:please |ok |okay |can you |could you )*"
_ASKED = rf"(?:{_HEAD}{_QUIETLY}|{_PLEASE}quiet(?: please)?)"
_MUTE = re.compile(rf"{_ASKED},? for (?P<span>.{{1,60}}?)(?: please)?$")
_UNTIL = re.compile(rf"{_ASKED},? (?P<until>(?:until|till) .{{1,40}}?)(?: please)?$")
# Quiet is asked for, and how long cannot be read: then it is asked. What goes on with something
# else to do ("... and close WO-1042") is no request about the talking alone.
_UNREADABLE = re.compile(
    rf"{_PLEASE}(?:{_QUIETLY}|quiet(?: please)?),? (?:(?:for|until|till) (?!.*\b(?:and|then)\b)"
    r"[^,;:.]{1,40}|forever|always|today|tonight|tomorrow|(?:all|the whole|this|every|at) "
    r"(?:day|night|evening|morning|afternoon|weekend|week))$"
)
_HOURS = re.compile(
    rf"{_PLEASE}(?:(?:be|stay|keep) quiet every (?:night|day|evening|morning)"
    rf"|(?:set |keep )?(?:my |the )?quiet hours(?: are)?|no talking every (?:night|day))"
    r",? (?P<hours>(?:from |between )?[\w:. ]{1,20} (?:to|until|till|and|-) [\w:. ]{1,12})$"
)
_LEFT_ALONE = re.compile(
    rf"{_PLEASE}(?:(?:stop|quit) (?:telling me|talking|reminding me|bothering me|notifying me"
    r"|warning me|alerting me|going on)|(?:don't|do not) (?:tell me|talk|bother me|remind me"
    r"|notify me|alert me)|shut up|enough|no more (?:news|updates|messages|notifications"
    r"|reminders|talk)|i (?:don't|do not) want to hear(?: anything| any more| more)?)"
    r" (?:about|of|with) (?P<topic>.{2,80}?)"
    rf"(?P<alarms>,? (?:not )?even (?:the )?(?:alarms|threats|alerts)|,? alarms (?:included|too))?"
    r"(?: for (?P<now>now))?$"
)
_ABOUT_AGAIN = re.compile(
    rf"{_PLEASE}(?:you (?:can|may) )?(?:(?:tell me|talk) about (?P<again>.{{2,80}}) again"
    r"|stop (?:watching (?:out )?for|keeping an eye (?:out for|on)|looking out for)"
    r" (?P<watched>.{2,80}))$"
)
_PLAIN: Mapping[TalkKind, re.Pattern[str]] = {
    "quiet": re.compile(
        rf"{_PLEASE}(?:be quiet|stay quiet|keep quiet|shut up|hush|silence|mute|quiet"
        r"|(?:don't|do not) disturb(?: me)?|dnd)"
        r"(?: now| please| for now| (?:for )?(?:a (?:while|bit|moment)|awhile))*$"
    ),
    "no_quiet_hours": re.compile(
        rf"{_PLEASE}(?:no|stop|end|forget|remove|clear) (?:the |my )?quiet hours$"
    ),
    "talk": re.compile(
        rf"{_PLEASE}(?:you (?:can|may) (?:talk|speak)(?: again| now)?|unmute|speak freely"
        r"|stop being quiet|talk to me|(?:don't|do not) (?:be|stay|keep) (?:quiet|silent)"
        r"|(?:you )?(?:don't|do not) (?:have|need) to be quiet"
        r"(?: any more| anymore)?)(?: now| please)*$"
    ),
    "prompt": re.compile(
        r"^(?:hey |so |ok |okay )*(?:what's up|what is up|what's new|what is new|anything new"
        r"|any news|(?:what|anything) did i miss|did i miss (?:anything|something)"
        r"|what have i missed|what (?:happened|was there) while i was (?:away|gone|busy))$"
    ),
    "less": re.compile(rf"{_PLEASE}(?:(?:talk|speak|say) less|you talk too much|less talk)$"),
    "more": re.compile(
        rf"{_PLEASE}(?:you (?:can|may) )?(?:(?:talk|speak|say) more|you talk too little|more talk)$"
    ),
    "watch": re.compile(
        rf"{_PLEASE}(?:watch (?:out )?for|look out for|keep an eye (?:out for|on)|let me know about"
        r"|(?:warn|alert) me (?:about|of)"
        r"|tell me (?:about any|when there (?:is|are)|(?:when|if) you see))"
        r" (?P<topic>.{2,80}?)$"
    ),
}


LONGEST_SECONDS = DAY_SECONDS
"""A day: nobody remembers a longer mute, and nothing is kept for longer."""
UNCLEAR = TalkRequest(kind="unclear")
_ANYTHING = re.compile(
    r"the|an|any|all|this|that|these|those|it|its|and|or|of|in|on|at|to|for|with|from|about|my|your"
    r"|our|me|you|us|we|they|them|he|she|him|her|his|their|is|are|was|be|not|no|everything"
    r"|anything|something|nothing|everyone|everybody|anyone|anybody|someone|things?|stuff"
    r"|so|here|there|now|more|else|what|which|who|whatever|others?|another|such|one"
)


def control_request(text: str, now: datetime | None = None) -> TalkRequest | None:
    """Recognise a request about the talking itself, greeted or not; None for any other text.

    Args:
        now: the time here, from which a day is counted; not given, it is read from the clock.
    """
    here = now or datetime.now().astimezone()
    found, rest = _request(text, here), text
    while found is None and (greeted := _GREETED.match(rest)):
        rest = rest[greeted.end() :]
        found = _request(rest, here)
    return found


def _request(text: str, now: datetime) -> TalkRequest | None:
    whole = re.sub(r"[\s]+", " ", text.replace("’", "'").strip()).rstrip(".!?")
    whole = _COURTESY.sub("", whole)
    if reminding := reminder_request(whole, now):
        return reminding
    said = whole.lower()[:200]
    if about_goals := goal_request(said):
        return about_goals
    if quiet := _quiet_request(said):
        return quiet
    if match := _ABOUT_AGAIN.match(said):
        topic = _topic(match["again"] or match["watched"])
        return TalkRequest(kind="forget", topic=topic) if names_a_topic(topic) else None
    for kind, pattern in _PLAIN.items():
        if match := pattern.match(said):
            return _plainly(kind, match.groupdict().get("topic"))
    return UNCLEAR if _UNREADABLE.match(said) else threshold_request(said) or style_request(said)


def _quiet_request(said: str) -> TalkRequest | None:
    """Read a mute, quiet hours, or a topic that is to be left alone."""
    if match := _MUTE.match(said):
        seconds = duration_in_seconds(match["span"])
        if seconds is not None:
            return TalkRequest(kind="mute", seconds=seconds) if _is_a_time(seconds) else UNCLEAR
    if (match := _UNTIL.match(said)) and (until := _clock_of(match["until"])):
        return TalkRequest(kind="mute", until=until)
    if match := _HOURS.match(said):
        hours = hours_in(match["hours"])
        return TalkRequest(kind="quiet_hours", hours=hours) if hours else UNCLEAR
    left, seconds = without_duration(said)
    if match := _LEFT_ALONE.match(left):
        return _left_alone(match, seconds)
    return None


def names_a_topic(topic: str) -> bool:
    """Tell whether a topic has a word of its own: `the` or `everything` fits any event."""
    return any(
        len(word) > 1 and not _ANYTHING.fullmatch(word)
        for word in re.findall(r"\w+", topic.lower())
    )


def matches_topic(topic: str, *texts: str) -> bool:
    """Tell whether every word of a topic stands in one of the texts, plural or not."""
    words = [_singulars(word) for word in re.findall(r"\w+", topic.lower())]
    for text in texts:
        present = set().union(*map(_singulars, re.findall(r"\w+", text.lower())))
        if words and all(word & present for word in words):
            return True
    return False


def _singulars(word: str) -> set[str]:
    """List what a word may be the plural of, and the word: `wolves` of `wolf` and of `wolve`."""
    forms = {word}
    for ending, instead in _PLURALS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            forms |= {word.removesuffix(ending) + one for one in instead}
    return forms


def _clock_of(said: str) -> str | None:
    """Read `until 8` as that time; None: it is another than one of the clock."""
    found = timed_values(said, ANY_DAY)
    is_clock = len(found) == 1 and (found[0].start, found[0].end) == (0, len(said))
    is_clock = is_clock and isinstance(found[0].payload, Time) and not found[0].payload.options
    return clock_text(found[0].time.clocks) if is_clock and found[0].time.clocks else None


def _left_alone(match: re.Match[str], seconds: float | None) -> TalkRequest:
    topic = _topic(match["topic"])
    if not names_a_topic(topic) or not (seconds is None or _is_a_time(seconds)):
        return UNCLEAR
    alarms = match["alarms"] is not None
    return TalkRequest(kind="suppress", topic=topic, seconds=seconds, threats=alarms)


def _plainly(kind: TalkKind, said: str | None) -> TalkRequest | None:
    topic = _topic(said) if said else None
    if kind == "watch" and not names_a_topic(topic or ""):
        return None
    return TalkRequest(kind=kind, topic=topic)


def _is_a_time(seconds: float) -> bool:
    return 0 < seconds <= LONGEST_SECONDS


def _topic(said: str) -> str:
    said = re.sub(r"^(?:the|any|a|an) ", "", said)
    said = re.sub(r"(?: (?:any ?more|again|ever|forever|please|now|right now|at all))+$", "", said)
    # "Inventory changes" are what is told of the inventory: no event has to say that it changes.
    bare = re.sub(r" (?:changes|updates|news|notifications)$", "", said)
    return (bare if names_a_topic(bare) else said).strip()
