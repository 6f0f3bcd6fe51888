"""`The same for WO-1042`: what was asked for last is asked for again, with another thing."""

import re
from collections.abc import Sequence

from state.policy import EntityMention, PolicyDecision, Routing

_LEAD = r"\W*(?:(?:and|now|then|also|ok|okay|please|do|could you|can you|just|exactly)[ ,]+)*"
_SAME = re.compile(
    rf"{_LEAD}(?:(?:the )?(?:very )?same(?: (?:thing|again|goes|please))*|ditto|likewise)[ ,]*"
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


def same_for(text: str, routing: Routing) -> tuple[EntityMention, ...]:
    """Name the things for which the same is wanted; empty: something is said of its own."""
    lead = _SAME.match(text)
    things = _apart(routing.entities)
    if lead is not None:
        return things if things and _is_only(text, lead.end(), len(text), things) else ()
    if not things:
        return ()
    too = _TOO.fullmatch(text, things[-1].span[1])
    start = re.match(_LEAD, text, re.IGNORECASE)
    first = start.end() if start else 0
    return things if too and _is_only(text, first, too.start(), things) else ()


def same_as_what(text: str, routing: Routing) -> PolicyDecision | None:
    """Ask what is to be done where words name things alone: no other read is made of them.

    None: the same is not wanted, or something is said of its own.
    """
    things = same_for(text, routing)
    if not things:
        return None
    named = " and ".join(one.value for one in things)
    return PolicyDecision(
        intent="control",
        routing=routing,
        confidence=1.0,
        says=f"The same as what? Say in full what I should do with {named}.",
        reasons=("same_again", *routing.reasons),
    )


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
