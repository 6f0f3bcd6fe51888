"""Being pickier in words: only what is important, or used to one thing."""

import re

from state.talk import TalkRequest
from tools.salience.spans import SPAN, seconds_of

_PLEASE = r"^(?:please |ok |okay |can you |could you )*"
_PICKY = re.compile(
    rf"{_PLEASE}(?:only (?:tell me|say|mention)(?: me)? (?:what is |what's |the )?"
    r"(?:really |very )?important(?: things| stuff| news)?|be (?:pickier|more selective))"
    rf"(?: for {SPAN})?$"
)
_USED_TO = re.compile(
    rf"{_PLEASE}(?:get used to (?:the )?(?P<one>.{{2,80}}?)"
    r"|treat (?:the )?(?P<other>.{2,80}?) as (?:normal|usual|nothing (?:new|special)))$"
)
_USUAL = re.compile(rf"{_PLEASE}(?:be as picky as (?:usual|ever)|don't be (?:so )?picky)$")


def pickiness_request(said: str) -> TalkRequest | None:
    """Read a wish for a higher threshold, or for boredom with one thing, in lower-case words."""
    if match := _PICKY.match(said):
        seconds = seconds_of(match) if match["span"] else None
        return TalkRequest(kind="threshold", seconds=seconds)
    if _USUAL.match(said):
        return TalkRequest(kind="threshold", step=0.0)
    if match := _USED_TO.match(said):
        return TalkRequest(kind="habituate", topic=match["one"] or match["other"])
    return None
