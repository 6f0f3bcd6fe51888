"""Recognise questions about what was said before, and about what we did or left undone.

Fixed phrases are known by themselves. Of a question in other words the reader says that it is one;
`read_…` take it apart.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from state.action import Action
from tools.nlu.lexicon.normalization import Normal, normalise, word_set
from tools.nlu.lexicon.verbs import inflected
from tools.nlu.reader.reading import Reading

_SELF_BEFORE = r"(?:(?:so|and|but|ok|okay|hey|wait|hm+|please|tell me)[, ]+)*"
_BEFORE = r"(?:(?:so|and|but|ok|okay|hey|wait|hm+|please|tell me|remind me)[, ]+)*"
_TOPIC = r"(?: (?:about|of|on|regarding) (?:the |a |an |my |our )?(?P<topic>.{2,80}?))"
_TIME = r"(?: (?:before|earlier|today|yesterday|last time|just now|a (?:moment|minute) ago))*"
_SAID = r"(?:say|said|tell (?:you|me|us)|told (?:you|me|us)|mention|mentioned|write|talk)"
_I = re.compile(rf"{_BEFORE}what (?:did|have) (?:i|we) {_SAID}{_TOPIC}{_TIME}")
_YOU = re.compile(rf"{_BEFORE}what (?:did|have) you {_SAID}(?: (?:me|us))?{_TOPIC}{_TIME}")
_LAST = re.compile(
    rf"{_BEFORE}what (?:did|was it) you (?:just )?(?:say|said|tell me|told me)(?: just now)?"
    rf"|{_BEFORE}what was that(?: again)?|{_BEFORE}(?:say that again|come again|repeat that)"
)
_THING = r"(?: (?:with|to) (?:the |a |an |my |our )?(?P<thing>.{2,80}?))"
_ANY = re.compile(
    rf"{_BEFORE}what (?:do you (?:remember|recall|know)|happened(?: lately| recently)?)"
    rf"(?:{_TOPIC}|{_THING}){_TIME}"
)


@dataclass(frozen=True)
class RecallQuestion:
    """Whose words are asked for, and about what; an empty topic asks for the last ones."""

    by: Literal["person", "us", "anybody"]
    topic: str = ""
    happened: bool = False
    """What became of a thing is asked, which hardly any action tells."""


def recall_question(text: str) -> RecallQuestion | None:
    """Recognise a question about what was said; None for any other text."""
    said = _folded(text)
    if match := _I.fullmatch(said):
        return RecallQuestion("person", match["topic"])
    if match := _YOU.fullmatch(said):
        return RecallQuestion("us", match["topic"])
    return RecallQuestion("us") if _LAST.fullmatch(said) else None


def loose_recall_question(text: str) -> RecallQuestion | None:
    """Recognise what a pack may understand otherwise: `what do you know about the pump?`."""
    said = _folded(text)
    match = _ANY.fullmatch(said)
    if match is None:
        return None
    return RecallQuestion("anybody", match["topic"] or match["thing"], "what happened" in said)


_SELF_THAT = (
    r"(?: (?:me|us))?(?: (?:that|this|it|so|anything|something|nothing))?(?: (?:just )?now)?"
)
_DO = r"do|say|tell|speak|talk|warn|alert|remind|ask|offer|show|run|answer|refuse|reject|decline"
_DONE = r"done|said|told|spoken|warned|alerted|reminded|asked|offered|shown|run|answered|refused"
_SELF_ABOUT = r"(?: (?:about|of) (?:the |a |an )?(?P<{name}>.{{2,80}}))?"
_QUIET = r"(?:quiet|silent|mute|muted|so silent|not (?:talking|speaking|answering|saying anything))"
_SILENT = re.compile(
    rf"{_SELF_BEFORE}why (?:(?:are|were|is|was) (?:you|it) (?:(?:so|still|being|all) )*{_QUIET}"
    r"|so (?:quiet|silent)|the silence|(?:don't|do) you (?:not )?(?:talk|speak)(?: to me)?)"
    r"(?: now)?"
)
_DID_NOT = re.compile(
    rf"{_SELF_BEFORE}why (?:(?:didn't|won't|don't|wouldn't) you|(?:did|do|would|will) you not)"
    rf" (?:{_DO}){_SELF_THAT}{_SELF_ABOUT.format(name='not_done')}"
    rf"|{_SELF_BEFORE}why (?:haven't you|have you not) (?:{_DONE}){_SELF_THAT}"
    rf"{_SELF_ABOUT.format(name='not_said')}"
)
_DID = re.compile(
    rf"{_SELF_BEFORE}(?:why (?:did|do|would) you|what made you) (?:{_DO}){_SELF_THAT}"
    rf"{_SELF_ABOUT.format(name='done')}"
    rf"|{_SELF_BEFORE}why (?:have|had) you (?:{_DONE}){_SELF_THAT}{_SELF_ABOUT.format(name='said')}"
)


@dataclass(frozen=True)
class SelfQuestion:
    """What is asked of our own doing."""

    about: Literal["silence", "done", "not_done"]
    topic: str = ""


def self_question(text: str) -> SelfQuestion | None:
    """Recognise a question about what we did; None for any other text."""
    said = _folded(text)
    if _SILENT.fullmatch(said):
        return SelfQuestion("silence")
    if match := _DID_NOT.fullmatch(said):
        return SelfQuestion("not_done", match["not_done"] or match["not_said"] or "")
    if match := _DID.fullmatch(said):
        return SelfQuestion("done", match["done"] or match["said"] or "")
    return None


def _folded(text: str) -> str:
    return " ".join(text.replace("’", "'").lower().split()).rstrip(" .!?")[:200]


_ASKS_WHY = re.compile(
    r"^\s*(?:so |and |remind me |tell me )*(?:why (?:did|do|are|were|was|is|have|had|aren't|didn't)"
    r"|what (?:did we|was|have we|had we) (?:decide|decided)|what was (?:the )?decision)\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"^\s*(?:so |and |remind me |tell me )*why (?:was|were|wasn't|weren't|has|have|hasn't|haven't)"
    r"\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]+")


def asks_why(text: str) -> bool:
    """Tell whether a text asks for a reason or a decision at all."""
    return _ASKS_WHY.match(text) is not None


def asks_why_done(text: str, actions: Iterable[Action]) -> bool:
    """Tell whether it asks why something was done that an action can do: "why was it closed?"."""
    found = _PASSIVE.match(text.replace("’", "'"))
    if found is None:
        return False
    said = {word.lower() for word in _WORD.findall(found["rest"])}
    return any(
        past in said
        for action in actions
        if action.effect != "read"
        for word in action.words
        for past, (_base, form) in inflected(word).items()
        if form == "past"
    )


_READ_ABOUT = re.compile(
    r"\b(?:about|of|on|regarding|with|mention(?:ed)?|tell (?:me|us)|told (?:me|us|you)"
    r"|warn (?:me|us)|say|said)\s+(?:that |to (?:you|me|us) )?(?:about |of )?"
    r"(?:the |a |an |my |our |any )?(?P<topic>[^?.!]{2,80})"
)
_READ_POINTER = re.compile(
    r"(?:that|this|it|so|anything|something|nothing|again|just now|now|earlier)"
)
_DENIES = re.compile(r"n't\b|\bnot\b|\bnever\b|\bno\b|\bnt\b")
_OF_SILENCE = re.compile(r"\b(?:quiet|silent|silence|mute|muted|talking|speaking|talk|speak)\b")
_BY_US = re.compile(r"\byou (?:just )?(?:say|said|tell|told|mention)|\bthat again\b|\brepeat\b")
_BY_PERSON = re.compile(r"\b(?:i|we)\b")


def read_recall_question(text: str) -> RecallQuestion:
    """Say whose words a question about what was said asks for."""
    said = _read_folded(text)
    topic = _read_topic(said)
    if _BY_PERSON.search(said):
        return RecallQuestion("person", topic)
    if _BY_US.search(said):
        return RecallQuestion("us", topic)
    return RecallQuestion("anybody", topic or said)


def read_self_question(text: str) -> SelfQuestion:
    """Say whether it asks why we did something, did not, or are silent."""
    said = _read_folded(text)
    topic = _read_topic(said)
    if not topic and _OF_SILENCE.search(said):
        return SelfQuestion("silence")
    return SelfQuestion("not_done" if _DENIES.search(said) else "done", topic)


def _read_topic(said: str) -> str:
    found = [one["topic"].strip() for one in _READ_ABOUT.finditer(said)]
    return next((one for one in found if not _READ_POINTER.fullmatch(one)), "")


def _read_folded(text: str) -> str:
    return " ".join(normalise(text[:300]).text.split()).rstrip(" .!?")


_PAST_OFTEN = re.compile(r"\bhow (?:often|many times|frequently)\b")
_PAST_BEFORE = re.compile(
    r"^(?:so |and |but )?(?:has|have|had|did|was|were|is|are)\b.*\b(?:before|ever|already|again"
    r"|in the past|earlier)$|^(?:is|was) (?:this|that|it) the first time\b"
)
_PAST_LAST = re.compile(
    r"\bwhen (?:did|was|has|have|were)\b.*\blast\b|\bwhen (?:was|is) the last time\b"
    r"|\bhow long (?:ago|is it since|since)\b.*\b(?:last|did|was)\b"
)
_PAST_POINTS = word_set("this that it these those")
_PAST_ONESELF = word_set("i me my we us our you your")
_NO_THING = word_set(
    "how often many times frequently has have had did was were is are do does before ever already"
    " again in the past earlier when last time a an of long ago since today yesterday so far and"
    " this that it to be been happen happens happened occur occurs occurred first"
)
_GO_OFF = re.compile(r"\b(?:go|goes|went|gone|going) off\b")
"""Of an alarm it means that it sounds, not that it is switched off."""


class PastQuestion(NamedTuple):
    """A question about what happened in a session."""

    things: str
    """The words for what it happened to; empty: to the last event, which `this` points at."""
    words: str
    """The question, as a state of the thing is read from it."""


def past_question(normal: Normal, reading: Reading | None) -> PastQuestion | None:
    """Recognise such a question; None: it asks for something else, or about who speaks."""
    said = " ".join(normal.text.lower().split()).rstrip("?!. ")
    if not any(pattern.search(said) for pattern in (_PAST_OFTEN, _PAST_BEFORE, _PAST_LAST)):
        return None
    words = normal.words
    if not _PAST_ONESELF.isdisjoint(words):
        return None
    tags = reading.tags if reading is not None else ("o",) * len(words)
    named = zip(words, tags, strict=True)
    things = [word for word, tag in named if tag in "oa" and word not in _NO_THING]
    points = not _PAST_POINTS.isdisjoint(words)
    if not things and not points:
        return None
    return PastQuestion(" ".join(things), _GO_OFF.sub("", said))
