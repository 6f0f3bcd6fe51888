"""Fill entity slots: the one match, the choices or none, and the direction (`from`, `to`) meant."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from state.action import Action, Slot
from tools.nlu.dialogue_acts.negation import denied_from, takes_denied
from tools.nlu.entities.names import NamesOfEntityType, PackEntityType
from tools.nlu.entities.recognition import LAST_WORD_CONFIDENCE, Mention
from tools.nlu.entities.references import Asker, asker_in, parts_of_names, points_elsewhere
from tools.nlu.lexicon.cue_phrases import DETERMINERS, PREPOSITIONS
from tools.nlu.lexicon.normalization import singular, word_set, words_of
from tools.nlu.slots.free_text import EDGES, SlotContext, TextParts
from tools.nlu.values.date_offsets import BEGINS, ENDS

Side = Literal["to", "from"]

_TO, _FROM = word_set("to into onto"), word_set("from off")
_DIRECTED = re.compile(r"\b(from|off|of|to|into|onto) \{(\w+)\}")
_OF_THING = re.compile(r"\bof \{\w+\}")
"""Of two people one gives and one gets, `the shift of {giver} to {taker}`; of other kinds of things
it says nothing of a side."""
_ENDED = word_set("until till before by")
_BEGUN = word_set("since after")


def is_of_the_other_side(
    action: Action, name: str, words: Sequence[str], first: int, end: int
) -> bool:
    """Tell that what is taken from somebody, or they from it, does not go back to them.

    Args:
        name: the slot, such as `back_to`, or `payee` in `from {account} to {payee}`.
        first: where in `words` they are named, up to `end`.
    """
    side = side_of(action, name)
    if f"with {{{name}}}" in action.summary and _is_owner(action, words, end):
        return True
    said, behind = side_said(action, name, words, first, end), words[end : end + 1]
    if side == "to" and said != "to":
        return said == "from" or behind in (["from"], ["off"], ["away"])
    return side == "from" and said == "to"


def _is_owner(action: Action, words: Sequence[str], end: int) -> bool:
    """Tell `share Lena's library`, which is no library of ours, from `take Lena's access`."""
    own = words_of(action.object)
    is_whose = words[end - 1].endswith("'s") and tuple(words[end : end + len(own)]) == own
    behind = words[end + len(own) : end + len(own) + 1]
    return is_whose and (not behind or behind[0] in PREPOSITIONS)


def is_on_its_side(action: Action, name: str, words: Sequence[str], first: int, end: int) -> bool:
    """Tell whether what stands before a thing says that it belongs into this slot."""
    side = side_of(action, name)
    return side is not None and side == side_said(action, name, words, first, end)


def side_said(action: Action, name: str, words: Sequence[str], first: int, end: int) -> Side | None:
    """Give the side on which a thing is said to be: `from the account AC-2001`, `Ben's shift`."""
    type_ = action.slots[name].type
    skipped = DETERMINERS | set(words_of(type_))
    place = first - 1
    while place >= 0 and words[place] in skipped:
        place -= 1
    before = words[place] if place >= 0 else ""
    if before in _TO:
        return "to"
    is_of = _is_shared(action, type_) and (before == "of" or words[end - 1].endswith("'s"))
    return "from" if is_of or before in _FROM else None


@cache
def _sides(summary: str) -> Mapping[str, Side]:
    """Read `from {account} to {payee}`.

    Where it says `from` alone, a text may say `to` all the same: `delete the comment to WO-1042`.
    """
    said = _DIRECTED.findall(summary.lower())
    found: dict[str, Side] = {name: "to" if word in _TO else "from" for word, name in said}
    return found if "to" in found.values() else {}


def side_of(action: Action, name: str) -> Side | None:
    """Tell on which side a slot lies, by its name or by the summary; None: on neither."""
    parts = name.split("_")
    own: Side | None = "to" if "to" in parts else "from" if "from" in parts else None
    if own is not None:
        return own
    is_shared = _is_shared(action, action.slots[name].type)
    return _sides(action.summary if is_shared else _OF_THING.sub("", action.summary)).get(name)


def _is_shared(action: Action, type_: str) -> bool:
    return sum(slot.type == type_ for slot in action.slots.values()) > 1


def is_the_other_end(parts: Set[str], beside: Sequence[str]) -> bool:
    """Tell that nothing begins on a day: `export them until June`; or that nothing ends on it.

    Args:
        parts: of the name of the slot.
        beside: the two words before the day.
    """
    if parts & BEGINS:
        return not _ENDED.isdisjoint(beside) or list(beside) == ["up", "to"]
    return bool(parts & ENDS) and not _BEGUN.isdisjoint(beside)


MOST_CHOICES = 50
_LONGEST_NAME = 8
_SHORTEST_PART = 3
_SEVERAL = 2
"""So many things `both` takes."""
_JOINS = word_set("and or with against to from versus vs")
_BEFORE_A_NAME = word_set("to of for from with over on by")


@dataclass(frozen=True)
class EntityMatch:
    """What a slot's words name; `places` are those words when it is clear."""

    values: tuple[str, ...] = ()
    places: frozenset[int] = frozenset()
    choices: tuple[str, ...] = ()
    """Several things of one name; which one is for the person to say."""
    unclear: Mention | None = None
    """A name that could not be traced to one thing."""
    is_missed: bool = False
    """It was said as the name of a thing, and there is no such thing."""
    found: tuple[Mention, ...] = ()
    """Those of the things that only the slot's need of them made out."""


def match_entity(action: Action, name: str, read: SlotContext, used: set[int]) -> EntityMatch:
    """Read the things a slot is told: the best one, or for a slot of many all of them."""
    slot = action.slots[name]
    kind = PackEntityType(action.pack, slot.type)
    parts = _in_parts(slot, read, kind)
    named = _named(action, name, read, used, (*read.mentions, *parts))
    found = (one for one in parts if named.places.issuperset(range(one.first, one.end)))
    return replace(named, found=tuple(found))


def _named(
    action: Action, name: str, read: SlotContext, used: set[int], mentions: Sequence[Mention]
) -> EntityMatch:
    slot = action.slots[name]
    kind = PackEntityType(action.pack, slot.type)
    words = read.beside_verb
    fitting = [
        mention
        for mention in mentions
        if mention.kind == kind
        and mention.first in read.spoken.kept
        and not used.intersection(range(mention.first, mention.end))
        and not is_of_the_other_side(action, name, words, mention.first, mention.end)
    ]
    if not fitting and takes_denied(name):
        return EntityMatch()
    if (run := _in_runs(action, slot, kind, fitting, read)) is not None:
        return run
    if not fitting:
        asker = _asker(action, slot, read, kind)
        if asker is not None:
            return EntityMatch(values=(asker.name,), places=frozenset({asker.place}))
        return _named_behind(slot, read, kind)
    if action.floor == "A" and not slot.required:
        fitting = [one for one in fitting if _is_denied(one, read) == takes_denied(name)]
        if not fitting:
            return EntityMatch()
    own = _asked_about(fitting, read.spoken)
    if not own:
        told = _told(fitting, action, slot, read)
        if told is not None:
            return told
    fitting = own or fitting
    fitting.sort(key=lambda mention: _rank(mention, action, name, read))
    if slot.many:
        return _all_of(fitting, slot, read, kind)
    return _one_of(fitting[0], fitting, slot, read, kind)


def _in_parts(slot: Slot, read: SlotContext, kind: PackEntityType) -> Sequence[Mention]:
    """Find things by parts of their names where one is required and none is named in full.

    Of several that are asked for, one more: `compare P-3 and graph attention`.
    """
    if not slot.required:
        return ()
    own = [one for one in read.mentions if one.kind == kind]
    if own and not slot.many:
        return ()
    spoken = read.spoken
    free = spoken.kept - spoken.verb_words
    found = list(parts_of_names(spoken.normal, free, read.mentions, read.names.of(kind)))
    return found if not own else [one for one in found if _is_joined(one, own, spoken)]


def _is_joined(mention: Mention, others: Sequence[Mention], spoken: TextParts) -> bool:
    """Tell whether nothing but `and` or the like stands between a thing and another one."""
    words = spoken.normal.words
    gaps = (words[min(one.end, mention.end) : max(one.first, mention.first)] for one in others)
    return any(len(gap) == 1 and gap[0] in _JOINS for gap in gaps)


def _asked_about(fitting: list[Mention], spoken: TextParts) -> list[Mention]:
    """Leave out what is only told of before: `PO-2000 is too dear, approve PO-2004`.

    Nothing is left where all of it is.
    """
    own = [one for one in fitting if one.first in spoken.asked or one.first in spoken.meant]
    if not own:
        return []
    return [one for one in fitting if one in own or one.first >= spoken.asked.start]


def _told(
    fitting: Sequence[Mention], action: Action, slot: Slot, read: SlotContext
) -> EntityMatch | None:
    """Read things that are only told of before; None: they are what is asked about."""
    told = {mention.value for mention in fitting if mention.is_known}
    if len(told) > 1 and not slot.many:  # which of them was not said
        return EntityMatch(choices=_in_order(told))
    words = read.spoken.normal.words
    head = words_of(slot.type)[-1]  # `order` of a purchase order
    nouns = {place for place, word in enumerate(words) if singular(word) == head}
    nouns |= {thing.first for thing in read.spoken.things.all if thing.name == slot.type}
    is_changed = action.floor != "A" and slot.type == action.object
    if is_changed and points_elsewhere(words, read.spoken.asked, nouns):
        return EntityMatch()  # `approve another one` is about none of them
    return None


def _is_denied(mention: Mention, read: SlotContext) -> bool:
    normal = read.spoken.normal
    return denied_from(normal.text, normal.tokens[mention.first].start) is not None


def _rank(
    mention: Mention, action: Action, name: str, read: SlotContext
) -> tuple[bool, bool, bool, bool, int]:
    words = read.spoken.normal.words
    before = words[max(0, mention.first - 2) : mention.first]
    is_container = action.container == action.slots[name].type
    is_in_place = is_container and bool({"to", "on", "in"} & set(before))
    is_told = _is_told(mention, read.spoken)
    is_meant = is_on_its_side(action, name, read.beside_verb, mention.first, mention.end)
    return (is_told, not mention.is_known, not is_meant, not is_in_place, mention.first)


def _is_told(mention: Mention, spoken: TextParts) -> bool:
    return spoken.content_first is not None and mention.first >= spoken.content_first


def _all_of(
    fitting: list[Mention], slot: Slot, read: SlotContext, kind: PackEntityType
) -> EntityMatch:
    """Take all that are named; when one of them is unclear, none: all were asked for."""
    asked = [mention for mention in fitting if not _is_told(mention, read.spoken)] or fitting
    each = [_one_of(mention, asked, slot, read, kind) for mention in asked]
    unclear = next((one for one in each if not one.values), None)
    if unclear is not None and _is_every(unclear, len(asked), read):
        span = frozenset(place for one in asked for place in range(one.first, one.end))
        return EntityMatch(values=unclear.choices, places=span | {min(span) - 1})
    if unclear is not None:
        # A choice between several would be of one thing, and more than one was asked for.
        is_alone = len({(mention.first, mention.end) for mention in asked}) == 1
        return unclear if is_alone or unclear.is_missed else EntityMatch(unclear=unclear.unclear)
    in_order = sorted(asked, key=lambda mention: mention.first)
    return EntityMatch(
        values=tuple(dict.fromkeys(mention.value for mention in in_order)),
        places=frozenset().union(*(one.places for one in each)),
    )


_THROUGH = word_set("to through thru until till")
Run = tuple[range, tuple[str, ...]]
"""The words of a run of things, and those things."""


def runs_in(kind: PackEntityType, mentions: Sequence[Mention], read: SlotContext) -> Sequence[Run]:
    """Find runs of known things, in their order: `V03 through V06`, `vans 2 to 4`, `V01-V03`."""
    names, normal = read.names.of(kind), read.spoken.normal
    words, tokens, found = normal.words, normal.tokens, list[Run]()
    for one in mentions:
        gap = normal.text[tokens[one.end - 1].end : tokens[one.end].start] \
            if one.end < len(words) else ""  # fmt: skip
        place = one.end + (gap.strip() != "-")
        if place >= len(words) or not (gap.strip() == "-" or words[one.end] in _THROUGH):
            continue
        other = next((more for more in mentions if more.first == place), None)
        last = other.value if other else _numbered_as(names, one.value, words[place])
        if things := _from_to(names, one.value, last):
            found.append((range(one.first, other.end if other else place + 1), things))
    for place, word in enumerate(words):
        ends = word.split("-")
        begin, end = (names.phrases.at(ends, at) for at in (0, 1))
        if len(ends) == _SEVERAL and begin and end and place in read.spoken.kept:
            things = _from_to(names, begin.payloads[0], end.payloads[0])
            found += [(range(place, place + 1), things)] if things else []
    return found


def _numbered_as(names: NamesOfEntityType, like: str, number: str) -> str | None:
    """Find the thing of a number whose name is else that of another: V04 as V02."""
    if not number.isdigit():
        return None
    head = like.rstrip("0123456789")
    found = [
        one
        for one in names.in_order
        if one.startswith(head) and one[len(head) :].lstrip("0") == number.lstrip("0")
    ]
    return found[0] if len(found) == 1 and head != like else None


def _from_to(names: NamesOfEntityType, first: str, last: str | None) -> tuple[str, ...]:
    order = names.in_order
    if last is not None and not {first, last} & {*order}:
        order = _counted(first, last)  # of things known by their pattern
    if last is None or first not in order or last not in order:
        return ()
    things = order[order.index(first) : order.index(last) + 1]
    return things if len(things) <= MOST_CHOICES else ()


def _counted(first: str, last: str) -> tuple[str, ...]:
    head = first.rstrip("0123456789")
    begin, end = first.removeprefix(head), last.removeprefix(head)
    if not (begin.isdecimal() and end.isdecimal() and last.startswith(head)):
        return ()
    numbers = range(int(begin), min(int(end), int(begin) + MOST_CHOICES) + 1)
    return tuple(f"{head}{number:0{len(begin)}d}" for number in numbers)


def _in_runs(
    action: Action,
    slot: Slot,
    kind: PackEntityType,
    mentions: Sequence[Mention],
    read: SlotContext,
) -> EntityMatch | None:
    """Take runs of things, and what is named beside them; None: there is none for this slot."""
    is_clear = slot.many and not _is_shared(action, slot.type)
    is_clear = is_clear and all(mention.is_known for mention in mentions)
    runs = runs_in(kind, mentions, read) if is_clear else ()
    if not runs:
        return None
    taken = frozenset(place for places, _things in runs for place in places)
    alone = [one for one in mentions if one.first not in taken]
    said = [(places.start, things) for places, things in runs]
    said += [(one.first, (one.value,)) for one in alone]
    return EntityMatch(
        values=tuple(dict.fromkeys(one for _at, things in sorted(said) for one in things)),
        places=taken.union(place for one in alone for place in range(one.first, one.end)),
    )


def _is_every(named: EntityMatch, asked: int, read: SlotContext) -> bool:
    """Tell whether `both fans` are all that there are: what several names end with."""
    one, words = named.unclear, read.spoken.normal.words
    if one is None or asked != 1 or one.first == 0:
        return False
    return len(named.choices) == _SEVERAL and words[one.first - 1] == "both"


def _one_of(
    mention: Mention,
    fitting: Sequence[Mention],
    slot: Slot,
    read: SlotContext,
    kind: PackEntityType,
) -> EntityMatch:
    place = (mention.first, mention.end)
    twins = {o.value for o in fitting if (o.first, o.end) == place and o.is_known}
    if len(twins) > 1:
        return EntityMatch(choices=_in_order(twins))
    if mention.is_known:
        return EntityMatch(values=(mention.value,), places=frozenset(range(*place)))
    if mention.confidence == LAST_WORD_CONFIDENCE:
        word = read.spoken.normal.tokens[mention.first].text
        choices = read.names.of(kind).heads.get(word, set()) if slot.required else set()
        return EntityMatch(choices=_in_order(choices), unclear=mention)
    return EntityMatch(unclear=mention, is_missed=not _is_told(mention, read.spoken))


def _asker(action: Action, slot: Slot, read: SlotContext, kind: PackEntityType) -> Asker | None:
    """Find whoever asks: for a slot that needs somebody, or a read that is limited to them."""
    if not slot.required and action.floor != "A":
        return None
    spoken, names = read.spoken, read.names.of(kind)
    return asker_in(spoken.normal, names, read.asker, spoken.kept, limits=not slot.required)


def _named_behind(slot: Slot, read: SlotContext, kind: PackEntityType) -> EntityMatch:
    """Read the words right behind `work order` as the name of one, or a part of several names."""
    words = read.spoken.normal.words
    for thing in read.spoken.things.all:
        if thing.name != slot.type:
            continue
        end = thing.end
        stop = min(read.spoken.asked.stop, thing.end + _LONGEST_NAME)
        while end < stop and words[end] not in EDGES:
            end += 1
        found = read.names.of(kind).resolve_all(words[thing.end : end])
        if len(found) == 1:
            (value,) = found
            places = frozenset(range(thing.end, end))
            return EntityMatch(values=(value,), places=places)
        if found and slot.required:
            return EntityMatch(choices=_in_order(found))
    return _named_in_part(slot, read, kind)


def _named_in_part(slot: Slot, read: SlotContext, kind: PackEntityType) -> EntityMatch:
    """Read `to Anna` as a part of names; it is never enough to be sure, so it is a choice."""
    if not slot.required:
        return EntityMatch()
    words = read.spoken.normal.words
    stop = read.spoken.content_first or len(words)
    for place in range(1, stop):
        is_behind = words[place - 1] in _BEFORE_A_NAME and words[place].isalpha()
        if is_behind and place in read.spoken.kept and len(words[place]) >= _SHORTEST_PART:
            found = read.names.of(kind).resolve_all([words[place]])
            if len(found) > 1:
                unclear = Mention(
                    kind, words[place], LAST_WORD_CONFIDENCE, place, place + 1, is_known=False
                )
                return EntityMatch(choices=_in_order(found), unclear=unclear)
    return EntityMatch()


def _in_order(choices: set[str]) -> tuple[str, ...]:
    return tuple(sorted(choices)[:MOST_CHOICES])
