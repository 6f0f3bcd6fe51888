"""Read the sentiment of a message, and praise or annoyance as feedback on the last reply."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

_MOST_SENTIMENT_WORDS = 12
"""A longer message is about something: its `great` or `stuck` is no outcry."""
_AM = r"i(?:'m| am)(?: so| just| really)?"
_IT_IS = r"(?:this|that|it) is(?: so| just| really)?"
_FEELS: Mapping[float, tuple[str, ...]] = {
    -0.8: (
        r"i (?:just )?(?:give up|quit)",
        r"i(?:'ve| have)? had enough",
        r"keep (?:on )?(?:dying|losing|failing)",
        r"nothing works",
        r"lost everything",
        rf"{_AM} (?:done|lost|desperate)",
    ),
    -0.6: (
        r"ugh+|argh+|grr+|damn(?: it)?|oh no",
        rf"{_IT_IS} (?:impossible|hopeless|unfair|frustrating|terrible|awful|stupid)",
        r"i hate (?:this|it|that)",
        rf"{_AM} (?:stuck|frustrated|upset|angry|sad)",
        r"so frustrat(?:ing|ed)",
        r"(?:died|dead|lost|failed) again",
    ),
    -0.3: (rf"{_AM} (?:tired|bored|confused)", r"sigh|meh|too hard"),
    0.4: (r"nice|good|great|thanks|thank you|cool|finally|lol|haha+",),
    0.6: (
        r"i (?:did|made|got|found|won|beat) (?:it|them|one)",
        r"love (?:it|this|that)|perfect|excellent|it works",
    ),
    0.8: (
        r"yay+|yes{3,}|woo+(?:hoo+)?|awesome|amazing|fantastic",
        r"best (?:day|game|run) ever",
    ),
}
_PATTERNS = tuple(
    (value, re.compile(rf"(?<![\w'])(?:{'|'.join(words)})(?![\w'])"))
    for value, words in _FEELS.items()
)
_DENIED = re.compile(r"(?:\bnot|n't|\bnever|\bno)(?: \w+){0,2} $")


def sentiment(text: str) -> float:
    """Tell how somebody feels who says this, -1 to 1; 0 when nothing of it says so.

    The strongest word of each side counts once; a denied one counts on the other side, by half.
    """
    said = " ".join(text.replace("’", "'").lower().split())
    if len(said.split()) > _MOST_SENTIMENT_WORDS:
        return 0.0
    found = [0.0]
    for value, pattern in _PATTERNS:
        for match in pattern.finditer(said):
            denied = _DENIED.search(said[: match.start()])
            found.append(-0.5 * value if denied else value)
    return round(max(-1.0, min(1.0, max(found) + min(found))), 4)


Reaction = Literal["good", "bad"]

_MOST_REACTION_WORDS = 9
"""A longer message is about something of its own."""
_LEAD = r"(?:(?:oh|ok|okay|well|hey|please|yes|no|ah|wow),? )*"
_IS = r"(?:that|this|it|you)(?:'s| is| are|'re| was| were) (?:really |so |very |just )?"
_TAIL = (
    r"(?:,? (?:now|again|please|already|at all|thanks|thank you|a lot|so much|very much"
    r"|me|for (?:that|this|telling me|the (?:warning|hint|news))))*"
)
_BAD = re.compile(
    rf"{_LEAD}(?:not now|(?:stop|quit) (?:it|that|this)"
    rf"|{_IS}(?:annoying|useless|wrong|distracting|disturbing|no help|not helpful|unhelpful)"
    r"|how annoying|useless|nobody asked(?: you)?|i (?:already )?know(?: that)?|wrong|bad timing"
    r"|who cares|i (?:don't|do not) care|you(?:'re| are) (?:interrupting|bothering)"
    rf"|(?:that|this) (?:did not|didn't|doesn't|does not) help|leave me alone){_TAIL}"
)
_PRAISE = (
    rf"(?:thanks?|thank you|cheers|good (?:to know|catch|call|point)|nice(?: one)?"
    rf"|well (?:spotted|done)|great|perfect|excellent|(?:very )?helpful"
    rf"|{_IS}(?:helpful|useful|great|good)|(?:that|this) helps)"
)
_GOOD = re.compile(rf"{_LEAD}{_PRAISE}(?:[,.!]* {_PRAISE})*{_TAIL}")


def reaction(text: str) -> Reaction | None:
    """Read a short message as a reaction to what was said; None: it is none."""
    said = re.sub(r"\s+", " ", text[:200].replace("’", "'").strip().lower()).rstrip(".!")
    if not said or said.endswith("?") or len(said.split()) > _MOST_REACTION_WORDS:
        return None
    if _BAD.fullmatch(said):
        return "bad"
    return "good" if _GOOD.fullmatch(said) else None


READ_AS: Mapping[str, Reaction] = {"control:praise": "good", "control:annoyed": "bad"}
"""Reasons of a decision on a message that the reader labels so, in whatever words."""


def reaction_in(text: str, reasons: Iterable[str]) -> Reaction | None:
    """Read a reaction from the words, or from the reasons of what was decided on them."""
    return reaction(text) or next((READ_AS[one] for one in reasons if one in READ_AS), None)


_TIMING = re.compile(r"\b(?:not now|bad timing|interrupting|distracting|disturbing)\b")
_WRONG = re.compile(r"\b(?:wrong|(?:not|no|un) ?help(?:ful)?|did not help|didn't help|useless)\b")


def attribution_of(text: str) -> Literal["not_wanted", "wrong_answer", "bad_timing"]:
    """Read what of it was bad: when it was said, what was said, or that it was said at all."""
    said = text.lower()
    if _TIMING.search(said):
        return "bad_timing"
    return "wrong_answer" if _WRONG.search(said) else "not_wanted"
