"""Find the constraints of a request that no slot takes, and ask about or tell of them.

A time limit, a negated state, an unknown or dropped entity, or words that nothing covers.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from state.action import Action
from state.policy import Routing
from tools.catalog.pack_schema import EntityType
from tools.nlu import word_set
from tools.nlu.dialogue_acts.negation import denied_from, takes_denied
from tools.nlu.entities.references import Ambiguity
from tools.nlu.lexicon.cue_phrases import SHARES
from tools.nlu.slots.free_text import EDGES
from tools.nlu.values import ANY_DAY, Kind, extract_kinds
from tools.platform.texts import t

_WHEN = frozenset({Kind.DATE, Kind.PERIOD})
_PREPOSITION = re.compile(
    r"(?<!\w)(?:for|over|in|during|within|of|from|covering|since|after|before|until|till|by)"
    r"(?: the)? $",
    re.IGNORECASE,
)
_LIMITS = frozenset({"since", "after", "before", "until", "by"})
_TODAY = frozenset({"today"})
"""When a read is asked, and mostly no limit."""
_MINE = re.compile(
    r"(?<![\w'’])(?:(?:assigned|given|belonging) to me|mine|my (?:\S+ ){0,2}?(?:tasks?|jobs?"
    r"|work orders?|list|plate|duties|chores?|to-?dos?|rest|hours|sleep))(?![\w'’])",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?<!\w)(?:that|which|who) (?:is|are|was|were|has|have)(?: not|n't)"
    r" (?:\w+ )?\w+|(?<=\w )(?:has|have)(?: not|n't)(?: yet| been)? \w+(?:ed|en)(?!\w)",
    re.IGNORECASE,
)
_WHICH_ARE_NOT = re.compile(
    r"(?<!\w)(?:which|what) (?:\w+ ){1,3}(?:is|are|was|were)(?: not|n't) (?:\w+ )?\w+",
    re.IGNORECASE,
)
_SAYS_NOT = re.compile(r"(?<!\w)(?:is|are|was|were|has|have)(?: not|n't)(?!\w)")
_JOINED_BEFORE = re.compile(r"(?<!\w)(?:and|as well as|plus) (?:the |to |with )?$", re.IGNORECASE)
_OWNS = re.compile(r"['’]s?(?!\w)")
_OF_KIND = r"(?:with|under|has|have|carr(?:y|ies|ying)) (?:the |a )?{kind}|{kind}{last}?ed(?: as)?"
"""What stands before the name of a thing that others are sorted by: `labelled`, `with the tag`."""
_OF_TIME = frozenset({"year", "date", "since", "until", "period", "day", "days", "month"})
"""What the name of a slot says that takes a time, whatever its type."""
_TIMES = re.compile(r"(?<!\w)(?:week|month|year|yesterday|previous)(?!\w)")
"""In the choices of a slot that takes a span of days by its name."""
_SHARES = SHARES | word_set("half halves quarter quarters thirds part some most rest double")
_WHOSE = frozenset({"assignee", "crew", "person", "owner", "author"})
"""Names of slots that say whose a read is about."""


def unsupported_constraints(
    action: Action,
    routing: Routing,
    arguments: Mapping[str, Any],  # by slot type
    kinds: Mapping[str, EntityType] | None = None,
) -> tuple[str, ...]:
    """Name the limits that the text sets and this action, so filled, does not keep.

    Args:
        kinds: the entity types of its pack: a read may be limited to one that nothing is called.
    """
    is_read, patterns = action.floor == "A", list[re.Pattern[str]]()
    if is_read:
        patterns += _denials_of(action, arguments)
        patterns += [_MINE] if _is_anybodys(action, arguments) else []
    spans = [match.span() for pattern in patterns for match in pattern.finditer(routing.text)]
    if not _has_day(action, arguments):
        spans += _times_in(routing.text, is_read=is_read)
    kept = " ".join(_texts(arguments)).casefold()
    times = [
        (first, end)
        for first, end in spans
        if routing.text[first:end].casefold() not in kept and not _is_of_name((first, end), routing)
    ]
    things = [*_denied_values(action, routing, kept)] if is_read else []
    things += _dropped_things(action, routing, arguments, kept)
    if is_read:
        times += _unknown_things(action, routing, arguments, kinds or {})
    return tuple(routing.text[first:end] for first, end in _outermost({*times, *things}))


def _times_in(text: str, *, is_read: bool) -> Iterator[tuple[int, int]]:
    """Find the times that limit what is meant; of a change those that say since or until when."""
    for one in extract_kinds(text, ANY_DAY, _WHEN):
        word = _PREPOSITION.search(text, 0, one.start)
        is_bound = one.time.bound in _LIMITS or one.time.grain == "range"
        start = word.start() if word is not None else one.start
        if is_bound or (is_read and text[one.start : one.end].lower() not in _TODAY):
            owns = _OWNS.match(text, one.end)
            yield start, owns.end() if owns else one.end


def _denials_of(
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
) -> list[re.Pattern[str]]:
    """Give the patterns of a state that is denied, unless a slot took it or the action is of it."""
    if any(map(takes_denied, arguments)):
        return []
    is_about_it = any(map(_SAYS_NOT.search, action.examples))
    return [_DENIED] if is_about_it else [_DENIED, _WHICH_ARE_NOT]


def _denied_values(action: Action, routing: Routing, kept: str) -> Iterator[tuple[int, int]]:
    """Find values that were said not to be meant, and whose opposite no slot takes."""
    text = routing.text
    types = {slot.type for slot in action.slots.values() if not slot.required}
    said = [(one.value, one.span) for one in routing.entities if one.type in types]
    for slot in action.slots.values():
        for choice in slot.choices:
            matches = re.finditer(rf"(?<!\w){re.escape(choice)}(?!\w)", text, re.IGNORECASE)
            said += [(choice, match.span()) for match in matches]
    for value, (first, end) in said:
        start = denied_from(text, first)
        if start is not None and value.casefold() not in kept:
            yield start, end


def _unknown_things(
    action: Action,
    routing: Routing,
    arguments: Mapping[str, Any],  # by slot type
    kinds: Mapping[str, EntityType],
) -> Iterator[tuple[int, int]]:
    """Find a thing of a slot's kind that is named and that nothing is called: `tagged methods`."""
    for name, slot in action.slots.items():
        if name in arguments or slot.type not in kinds or takes_denied(name):
            continue
        words = (slot.type.replace("_", " "), *kinds[slot.type].words)
        said = "|".join(
            _OF_KIND.format(kind=re.escape(one), last=re.escape(one[-1])) for one in words
        )
        pattern = rf"(?<!\w)(?:{said}) (?P<name>\w[\w-]*)"
        for match in re.finditer(pattern, routing.text, re.IGNORECASE):
            if match["name"].lower() not in EDGES and not _is_of_name(match.span(), routing):
                yield match.span()


def _dropped_things(
    action: Action,
    routing: Routing,
    arguments: Mapping[str, Any],  # by slot type
    kept: str,
) -> Iterator[tuple[int, int]]:
    """Find whose it is, or who else is meant, where no slot took them: `Tom's`, `and Tom`.

    A read is told of for whose it is, and for a second one of what it is of: what else it names is
    mostly what it is about.
    """
    text, is_read = routing.text, action.floor == "A"
    kinds = {action.slots[name].type for name in arguments if name in action.slots}
    taken = [one.span for one in routing.entities if one.value.casefold() in kept]
    for one in routing.entities:
        first, end = one.span
        owns = _OWNS.match(text[end:])
        is_joined = _JOINED_BEFORE.search(text[:first]) and (not is_read or one.type in kinds)
        is_more = owns or is_joined
        is_taken = any(span[0] < end and first < span[1] for span in taken)
        if is_more and not is_taken and text[first:end].casefold() not in kept:
            yield first, end + (owns.end() if owns and is_read else 0)


def uncovered_limits(
    action: Action, routing: Routing, missing: Sequence[str], *, bare: bool = True
) -> tuple[str, ...]:
    """Name the words that nothing of a change takes, and that it may not be done without.

    Of what needs a yes, whatever is left is one: `as store credit`, `the VAT of`. Where a thing is
    missing such words may name it, and it is asked for anyway.

    Args:
        bare: of what needs a yes, words that nothing ties to the order are such words, too.
    """
    if routing.action != action.name:
        return ()
    is_grave = action.floor == "C" and not missing
    found = routing.uncovered
    return tuple(one.text for one in found if one.narrows or (is_grave and (bare or one.attaches)))


def uncovered_rest(action: Action, routing: Routing) -> tuple[str, ...]:
    """Name the words that nothing takes and that its chip has to show: `footage`, `for the shelf`.

    Of what never needs a yes a bare word is mostly another name for what it does.
    """
    if routing.action != action.name:
        return ()
    is_grave = action.floor == "C"
    found = routing.uncovered if action.floor != "A" else ()
    return tuple(one.text for one in found if is_grave or one.attaches)


def unsupported_note(limits: Sequence[str]) -> str:
    """Write the sentence that goes with an answer; empty where all was followed."""
    return t("dialogue.not_followed", limits=_quoted(limits)) if limits else ""


def constraint_question(
    limits: Sequence[str], action: Action, understood: str, missing: Sequence[str] = ()
) -> Ambiguity | None:
    """Ask before a change that would not keep a limit it was asked with; a read is told of it.

    Args:
        understood: the action with what was read for it, as a person is shown it.
        missing: the slots that it needs besides.
    """
    if not limits or action.floor == "A":
        return None
    question = t(
        "dialogue.partly",
        understood=understood,
        limits=_quoted(limits),
        question=_question(limits, action, missing),
    )
    return Ambiguity(question=question)


def amount_slots(limits: Sequence[str], action: Action) -> tuple[str, ...]:
    """Name the slots that an answer to the question about these limits fills, such as an amount."""
    said = frozenset(word for words in limits for word in words.casefold().split())
    if action.floor == "A" or said.isdisjoint(_SHARES):
        return ()
    return tuple(name for name, slot in action.slots.items() if slot.type in ("integer", "number"))


def _question(limits: Sequence[str], action: Action, missing: Sequence[str]) -> str:
    """Ask for what is missing, and for the amount where a part of one was said."""
    if missing:
        return t("dialogue.which", names=" and ".join(missing).replace("_", " "))
    amounts = [action.slots[name].type for name in amount_slots(limits, action)]
    if not amounts:
        return t("dialogue.how_meant")
    return t("dialogue.how_many") if set(amounts) == {"integer"} else t("dialogue.how_much")


def _quoted(limits: Sequence[str]) -> str:
    return ", ".join(f"“{words}”" for words in limits)


def _has_day(action: Action, arguments: Mapping[str, Any]) -> bool:
    return any(
        action.slots[name].type == "date"
        or not _OF_TIME.isdisjoint(name.split("_"))
        or any(map(_TIMES.search, action.slots[name].choices))
        for name in arguments
        if name in action.slots
    )


def _is_anybodys(action: Action, arguments: Mapping[str, Any]) -> bool:
    """Tell whether a read could be limited to somebody's, and is not."""
    whose = [
        name
        for name, slot in action.slots.items()
        if name in _WHOSE and not slot.required and action.object != slot.type
    ]
    return bool(whose) and not any(name in arguments for name in whose)


def _outermost(spans: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Leave out what is said within more that is told: `last week` of `from last week`."""
    return sorted(
        (first, end)
        for first, end in spans
        if not any(
            other != (first, end) and other[0] <= first and end <= other[1] for other in spans
        )
    )


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    values: list[str] = []
    for value in arguments.values():
        values += map(str, value) if isinstance(value, (list, tuple)) else [str(value)]
    return values


def _is_of_name(span: tuple[int, int], routing: Routing) -> bool:
    first, end = span
    return any(one.span[0] < end and first < one.span[1] for one in routing.entities)
