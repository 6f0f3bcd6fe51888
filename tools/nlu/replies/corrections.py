"""Recognise words that change the request before them, whatever it was.

A correction, an addition, a condition on a yes, or the same for another thing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from state.policy import EntityMention, Routing
from tools.nlu.lexicon.closed_classes import CONDITION
from tools.nlu.replies.yes_no import YES

MOST_CHARACTERS = 200

_STRONG = (
    r"no+(?=[\s,.;:!-]*(?:[,.;:!-]|$|(?:not|the|i|we|sorry|wait|it|that|make|rather|actually)\b))"
    r"|nope|nah|oops|whoops|my mistake|my bad|correction|scratch that|strike that"
    r"|wrong(?: \w+)?(?=[,.;:!-])|wrong \w+(?=\s*$)"
    r"|not (?:that|this|it)(?: one)?|never ?mind|forget (?:it|that)"
)
_WEAK = (
    r"sorry|pardon|wait|hold on|hang on|actually|hm+|u[hm]+|er+|oh|ah|well|please|or|but"
    r"|on second thoughts?"
)
_LEAD = re.compile(rf"\W*(?:(?P<strong>{_STRONG})|(?:{_WEAK}))\b[\s,.;:!…-]*", re.IGNORECASE)
_MEANT = re.compile(
    r"\W*(?:better )?(?:(?:i|we) (?:(?:really|actually) )?(?:meant|mean|wanted)(?: to say)?"
    r"|(?:make|change|turn) (?:it|that)(?: to| into)?|it should (?:be|have been)"
    r"|let's (?:say|make it)"
    r"|rather)\b[\s,:]*(?:to (?=[a-z]+ ))?",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\W*not (?P<left>[^,;!?]{1,60}?)(?:(?:[,;]|\s[–—-]|\.(?=\s))\s*(?:but |rather )?|\s+but )"
    r"(?P<instead>.+)",
    re.IGNORECASE | re.DOTALL,
)
_CONTRAST_BEHIND = re.compile(
    r"(?P<instead>[^,;!?]{1,80}), (?:and )?not (?P<left>[^,;!?]{1,60})\W*", re.IGNORECASE
)
_TAIL = re.compile(
    r"[\s,]*\b(?:instead|rather|i mean|i meant)(?:[\s,]*(?:please|then|thanks))?\W*$", re.IGNORECASE
)
_OPENS = re.compile(rf"\W*(?:{YES}|then|so|and|right)\b[\s,.;:!-]*", re.IGNORECASE)
_NARROWS = re.compile(r"\W*(?:only|just)\s+(?=\S)", re.IGNORECASE)
_OF_IT = re.compile(r"\s+(?:of|from|off|out of) (?:it|that|this|them)\W*$", re.IGNORECASE)
_ADDS = re.compile(
    r"\W*(?:and|also|plus)\b[\s,]*(?P<more>.+?)(?:[\s,]*\b(?:too|as well|also)\b)?\W*"
    r"|\W*(?P<too>.+?)[\s,]*\b(?:too|as well|also)\b\W*",
    re.IGNORECASE | re.DOTALL,
)
_SAYS_YES = re.compile(rf"\W*(?:(?:{YES}|please|i approve|approved?)\b[\s,.!:-]*)+", re.IGNORECASE)
_PROVISO = re.compile(
    rf"(?:but|though|however|{CONDITION}|by|providing|assuming|except|only|just|first|not|in|at|on"
    r"|for|from|tomorrow|tonight|later|next|this (?:evening|afternoon|morning)|with(?:out)?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Correction:
    """What is wanted instead of what was asked for."""

    instead: str
    """Without the words that only say that it is one; empty: nothing else is named."""
    is_sure: bool
    """False: it is one only if the words fit the request that it would correct."""


def correction(text: str) -> Correction | None:
    """Read a text as a correction: `no, the back door`, `not refund, cancel it`, `only ten`.

    None: it says nothing that corrects.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    rest, is_sure, is_any = text, False, False
    while lead := _LEAD.match(rest):
        is_any, is_sure = True, is_sure or lead["strong"] is not None
        rest = rest[lead.end() :]
    if tail := _TAIL.search(rest):
        rest, is_any, is_sure = rest[: tail.start()], True, True
        while opened := _OPENS.match(rest):
            rest = rest[opened.end() :]
    if meant := _MEANT.match(rest):
        rest, is_any, is_sure = rest[meant.end() :], True, True
    if contrast := (_CONTRAST.fullmatch(rest) or _CONTRAST_BEHIND.fullmatch(rest)):
        return Correction(contrast["instead"].strip(), is_sure=True)
    if narrows := _NARROWS.match(rest):
        return Correction(_OF_IT.sub("", rest[narrows.end() :]).strip(), is_sure)
    return Correction(rest.strip(" .!,;"), is_sure) if is_any else None


def is_mistake(text: str) -> bool:
    """Tell whether a text says that something was wrong, and nothing else: `sorry, wrong door`."""
    rest, is_sure = text, False
    while lead := _LEAD.match(rest):
        is_sure, rest = is_sure or lead["strong"] is not None, rest[lead.end() :]
    return is_sure and "?" not in text and not re.search(r"\w", rest)


def addition(text: str) -> str | None:
    """Give what a text wants the same for: `and the desk fan too`; None: it adds nothing."""
    if len(text) > MOST_CHARACTERS:
        return None
    said = _SAYS_YES.match(text)
    rest = text[said.end() :] if said else text
    found = _ADDS.fullmatch(rest)
    return (found["more"] or found["too"]).strip() if found else None


def proviso(text: str) -> str | None:
    """Give the condition that a yes is tied to: `only ten` of `yes, but only ten`.

    None: it begins with no yes, or is a yes and nothing else, or something is asked for behind it.
    """
    said = _SAYS_YES.match(text)
    if said is None or len(text) > MOST_CHARACTERS:
        return None
    rest = text[said.end() :].strip(" .!")
    return rest if _PROVISO.match(rest) else None


_REPEAT_LEAD = (
    r"\W*(?:(?:and|now|then|also|ok|okay|please|do|could you|can you|just|exactly)[ ,]+)*"
)
_SAME = re.compile(
    rf"{_REPEAT_LEAD}"
    r"(?:(?:the )?(?:very )?same(?: (?:thing|again|goes|please))*|ditto|likewise)[ ,]*"
    r"(?:for|with|to|on|of|about)? *",
    re.IGNORECASE,
)
_TOO = re.compile(r"[ ,]*(?:too|as well|also|likewise|ditto)(?:[ ,]+please)?\W*", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?:(?:and|or|the|our|please|again|too|as well|also|now|then|for|with|job|work order|paper"
    r"|task|part|purchase order|document|certificate)\b|[\W_])*",
    re.IGNORECASE,
)
"""What may stand around the names of things without saying what is to be done with them."""


def repeat_targets(text: str, routing: Routing) -> tuple[EntityMention, ...]:
    """Name the things for which the same is wanted; empty: something is said of its own."""
    lead = _SAME.match(text)
    things = _apart(routing.entities)
    if lead is not None:
        return things if things and _is_only(text, lead.end(), len(text), things) else ()
    if not things:
        return ()
    too = _TOO.fullmatch(text, things[-1].span[1])
    start = re.match(_REPEAT_LEAD, text, re.IGNORECASE)
    first = start.end() if start else 0
    return things if too and _is_only(text, first, too.start(), things) else ()


def _apart(entities: Sequence[EntityMention]) -> tuple[EntityMention, ...]:
    """Give the things in the order of the text, one where two names share words."""
    kept: list[EntityMention] = []
    for one in sorted(entities, key=lambda each: (each.span[0], -each.span[1])):
        if not kept or one.span[0] >= kept[-1].span[1]:
            kept.append(one)
    return tuple(kept)


def _is_only(text: str, first: int, end: int, things: Sequence[EntityMention]) -> bool:
    """Tell whether a stretch of text holds names of things and little words alone."""
    place = first
    for one in things:
        if one.span[0] < place or not _BETWEEN.fullmatch(text, place, one.span[0]):
            return False
        place = one.span[1]
    return _BETWEEN.fullmatch(text, place, max(end, place)) is not None
