"""Does a person ask what was said before: by them, by us, or by anybody?"""

import re
from dataclasses import dataclass
from typing import Literal

_BEFORE = r"(?:(?:so|and|but|ok|okay|hey|wait|hm+|please|tell me|remind me)[, ]+)*"
_ABOUT = r"(?: (?:about|of|on|regarding) (?:the |a |an |my |our )?(?P<{name}>.{{2,80}}?))"
_TIME = r"(?: (?:before|earlier|today|yesterday|last time|just now|a (?:moment|minute) ago))*"
_SAID = r"(?:say|said|tell (?:you|me|us)|told (?:you|me|us)|mention|mentioned|write|talk)"
_I = re.compile(rf"{_BEFORE}what (?:did|have) (?:i|we) {_SAID}{_ABOUT.format(name='topic')}{_TIME}")
_YOU = re.compile(
    rf"{_BEFORE}what (?:did|have) you {_SAID}(?: (?:me|us))?{_ABOUT.format(name='topic')}{_TIME}"
)
_LAST = re.compile(
    rf"{_BEFORE}what (?:did|was it) you (?:just )?(?:say|said|tell me|told me)(?: just now)?"
    rf"|{_BEFORE}what was that(?: again)?|{_BEFORE}(?:say that again|come again|repeat that)"
)
_THING = r"(?: (?:with|to) (?:the |a |an |my |our )?(?P<thing>.{2,80}?))"
_ANY = re.compile(
    rf"{_BEFORE}what (?:do you (?:remember|recall|know)|happened(?: lately| recently)?)"
    rf"(?:{_ABOUT.format(name='topic')}|{_THING}){_TIME}"
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
    said = " ".join(text.replace("’", "'").lower().split()).rstrip(" .!?")[:200]
    if match := _I.fullmatch(said):
        return RecallQuestion("person", match["topic"])
    if match := _YOU.fullmatch(said):
        return RecallQuestion("us", match["topic"])
    return RecallQuestion("us") if _LAST.fullmatch(said) else None


def loose_recall_question(text: str) -> RecallQuestion | None:
    """Recognise what a pack may understand otherwise: `what do you know about the pump?`."""
    said = " ".join(text.replace("’", "'").lower().split()).rstrip(" .!?")[:200]
    match = _ANY.fullmatch(said)
    if match is None:
        return None
    return RecallQuestion("anybody", match["topic"] or match["thing"], "what happened" in said)
