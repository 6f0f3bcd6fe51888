"""Does a person ask why we did something, did not, or are silent: not why people decided?"""

import re
from dataclasses import dataclass
from typing import Literal

_BEFORE = r"(?:(?:so|and|but|ok|okay|hey|wait|hm+|please|tell me)[, ]+)*"
_THAT = r"(?: (?:me|us))?(?: (?:that|this|it|so|anything|something|nothing))?(?: (?:just )?now)?"
_DO = r"do|say|tell|speak|talk|warn|alert|remind|ask|offer|show|run|answer|refuse|reject|decline"
_DONE = r"done|said|told|spoken|warned|alerted|reminded|asked|offered|shown|run|answered|refused"
_ABOUT = r"(?: (?:about|of) (?:the |a |an )?(?P<{name}>.{{2,80}}))?"
_QUIET = r"(?:quiet|silent|mute|muted|so silent|not (?:talking|speaking|answering|saying anything))"
_SILENT = re.compile(
    rf"{_BEFORE}why (?:(?:are|were|is|was) (?:you|it) (?:(?:so|still|being|all) )*{_QUIET}"
    r"|so (?:quiet|silent)|the silence|(?:don't|do) you (?:not )?(?:talk|speak)(?: to me)?)"
    r"(?: now)?"
)
_DID_NOT = re.compile(
    rf"{_BEFORE}why (?:(?:didn't|won't|don't|wouldn't) you|(?:did|do|would|will) you not)"
    rf" (?:{_DO}){_THAT}{_ABOUT.format(name='not_done')}"
    rf"|{_BEFORE}why (?:haven't you|have you not) (?:{_DONE}){_THAT}"
    rf"{_ABOUT.format(name='not_said')}"
)
_DID = re.compile(
    rf"{_BEFORE}(?:why (?:did|do|would) you|what made you) (?:{_DO}){_THAT}"
    rf"{_ABOUT.format(name='done')}"
    rf"|{_BEFORE}why (?:have|had) you (?:{_DONE}){_THAT}{_ABOUT.format(name='said')}"
)


@dataclass(frozen=True)
class SelfQuestion:
    """What is asked of our own doing."""

    about: Literal["silence", "done", "not_done"]
    topic: str = ""


def self_question(text: str) -> SelfQuestion | None:
    """Recognise a question about what we did; None for any other text."""
    said = " ".join(text.replace("’", "'").lower().split()).rstrip(" .!?")[:200]
    if _SILENT.fullmatch(said):
        return SelfQuestion("silence")
    if match := _DID_NOT.fullmatch(said):
        return SelfQuestion("not_done", match["not_done"] or match["not_said"] or "")
    if match := _DID.fullmatch(said):
        return SelfQuestion("done", match["done"] or match["said"] or "")
    return None
