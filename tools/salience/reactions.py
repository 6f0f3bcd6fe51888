"""How somebody takes what was said to them: praise or annoyance, in a short answer to it."""

import re
from typing import Literal

Reaction = Literal["good", "bad"]

LONGEST_WORDS = 9
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
    if not said or said.endswith("?") or len(said.split()) > LONGEST_WORDS:
        return None
    if _BAD.fullmatch(said):
        return "bad"
    return "good" if _GOOD.fullmatch(said) else None


_TIMING = re.compile(r"\b(?:not now|bad timing|interrupting|distracting|disturbing)\b")
_WRONG = re.compile(r"\b(?:wrong|(?:not|no|un) ?help(?:ful)?|did not help|didn't help|useless)\b")


def attribution_of(text: str) -> Literal["not_wanted", "wrong_answer", "bad_timing"]:
    """Read what of it was bad: when it was said, what was said, or that it was said at all."""
    said = text.lower()
    if _TIMING.search(said):
        return "bad_timing"
    return "wrong_answer" if _WRONG.search(said) else "not_wanted"
