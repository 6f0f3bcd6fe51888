"""Is a text a plain answer to what was offered, and nothing else: yes, no, or a place?"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from tools.policy.calling_off import PARTED
from tools.policy.polite_orders import plain_orders
from tools.routing.words.normalise import normalise

MOST_CHARACTERS = 60
LAST = -1
"""The place of `the last one`."""
SOME = 0
"""The place of `pick one` and `both`, which name none."""

YES = (
    r"y(?:e{1,4}s{1,4}|e+a+h*|e+p+|u+p+)?|ok{1,3}|okay|sure|alright|all right|of course"
    r"|absolutely|definitely|exactly|correct|please do|do (?:it|that|so)"
    r"|go ahead(?: (?:with|and do) (?:it|that))?|go for it"
    r"|proceed|make it so|that one|that's (?:it|the one|right)|sounds good|confirm(?:ed)?"
)
NO = (
    r"no|n|nope|nah|naw|never|nein|niet|nee|non|nvm|pass"
    r"|never ?mind|not (?:that|this|now|that one|this one)"
    r"|none(?: of (?:these|those|them))?|neither(?: of them)?|cancel(?: (?:it|that))?"
    r"|forget (?:it|that|about it)|leave it|drop it"
    r"|skip(?: (?:it|that|this))?"
    rf"|call {PARTED} off|(?:call off|abort)(?: (?:it|that|this))?"
    r"|(?:scrap|scratch|strike|belay) (?:it|that)"
    r"|(?:cancel|abort|call off) (?:my|this|that|the) (?:request|question)"
    r"|don't(?: (?:do )?(?:it|that))?|do not(?: do (?:it|that))?|no way|rather not|better not"
)
_SOME = r"both|all|all (?:of )?(?:these|those|them)|both of (?:these|those|them)"
_SOME += r"|either|any|(?:either|any)(?: one)?(?: of (?:these|those|them))?|whichever"
_NO_OBJECTION = r"no (?:issues?|problems?|worries|objections?)"
"""What people say before a yes, and what is neither by itself."""
_MANNERS = r"please|thanks|thank you|then|now"
_ORDINALS = ("first", "second", "third", "fourth")
_CARDINALS = ("one", "two", "three", "four")
_BETWEEN = r"[\s,.!;:-]"  # a question mark makes a question of it
_PLACE = re.compile(
    rf"(?:(?:{YES}){_BETWEEN}+)?(?:i mean |(?P<some>i want |take |use |pick |choose ))?"
    r"(?:(?:the )?(?P<ordinal>first|second|third|fourth|last|1st|2nd|3rd|4th)"
    r"(?: (?:one|option|choice|chip|suggestion))?"
    # Bare `no` before a number is no place: `no one` and `no 1` are heard as a no to it.
    r"|(?P<named>number |option |choice |chip[ -]?|#|no\. ?(?=[1-9])|\((?=[1-9]\)))?"
    rf"(?P<number>[1-9]|one|two|three|four)\)?|(?P<any>{_SOME}))"
    rf"(?:{_BETWEEN}+(?:{_MANNERS}))*{_BETWEEN}*"
)
_ALL_YES = re.compile(
    rf"(?:{_NO_OBJECTION}{_BETWEEN}+)?(?:(?:{YES})(?:{_BETWEEN}+|$)(?:(?:{_MANNERS})(?:{_BETWEEN}+|$))*)+"
)
_ALL_NO = re.compile(rf"(?:(?:{NO})(?:{_BETWEEN}+|$)(?:(?:{_MANNERS})(?:{_BETWEEN}+|$))*)+")

_THUMB = re.compile(r"\s*(?:(?P<yes>[👍👌✅])|[👎❌🚫⛔✖])[🏻-🏿]?\ufe0f?[\s!]*")
"""A sign by itself, in any colour of skin; among words it is no answer."""
_NOD = re.compile(
    rf"(?:{_NO_OBJECTION}{_BETWEEN}+)?(?:ok|okay|alright|all right|sure){_BETWEEN}+"
    rf"(?:thanks|thank you){_BETWEEN}*"
)
"""What people say to an answer and not to a question."""


@dataclass(frozen=True)
class PlainAnswer:
    """What a text answers; `place` counts from 1, or is LAST or SOME."""

    kind: Literal["yes", "no", "place"]
    place: int = 0


def plain_answer(text: str) -> PlainAnswer | None:
    """Read a text that is such an answer as a whole; one with anything else in it is none.

    A yes beside a no is neither, and what stands in quotation marks or asks back answers nothing:
    `can you call it off?` has only the form of a question.
    Only plain letters count: what cannot be seen, or only looks like letters, says nothing.
    """
    if thumb := _THUMB.fullmatch(text):
        return PlainAnswer("yes" if thumb["yes"] else "no")
    if len(text) > MOST_CHARACTERS or not all(map(_is_plain, text)):
        return None
    normal = normalise(text)
    said = normal.text.strip()
    if not said or normal.is_disguised:
        return None
    if any(map(_ALL_NO.fullmatch, plain_orders(said))):
        return PlainAnswer("no")
    if "?" in said:
        return None
    if _ALL_YES.fullmatch(said):
        return None if _NOD.fullmatch(said) else PlainAnswer("yes")
    place = _PLACE.fullmatch(said)
    return PlainAnswer("place", _number(place)) if place else None


def _is_plain(character: str) -> bool:
    return character.isascii() or unicodedata.category(character)[0] in "PZ"


def _number(place: re.Match[str]) -> int:
    ordinal, number = place["ordinal"], place["number"]
    if ordinal:
        if ordinal == "last":
            return LAST
        return _ORDINALS.index(ordinal) + 1 if ordinal in _ORDINALS else int(ordinal[0])
    if place["any"] or (place["some"] and not place["named"]):
        return SOME  # `i want 2` may as well say how many
    return _CARDINALS.index(number) + 1 if number in _CARDINALS else int(number)
