"""Which things do the words for one slot name: one, several to choose from, or nothing?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from state.action import Action, Slot
from tools.routing.slots.asker import Asker, asker_in
from tools.routing.slots.directions import is_of_the_other_side, is_on_its_side
from tools.routing.slots.read import Read
from tools.routing.slots.texts.free_text import EDGES, Spoken
from tools.routing.speech_acts.denied_values import denied_from, takes_denied
from tools.routing.things.antecedent import points_elsewhere
from tools.routing.things.entities import LAST_WORD_CONFIDENCE, Mention
from tools.routing.things.names import Kind
from tools.routing.things.parts import parts_of_names
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import singular, word_set

MOST_CHOICES = 50
_LONGEST_NAME = 8
_SHORTEST_PART = 3
_SEVERAL = 2
"""So many things `both` takes."""
_JOINS = word_set("and or with against to from versus vs")
_BEFORE_A_NAME = word_set("to of for from with over on by")


@dataclass(frozen=True)
class Named:
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


def named_by(action: Action, name: str, read: Read, used: set[int]) -> Named:
    """Read the things a slot is told: the best one, or for a slot of many all of them."""
    slot = action.slots[name]
    kind = Kind(action.pack, slot.type)
    parts = _in_parts(slot, read, kind)
    named = _named(action, name, read, used, (*read.mentions, *parts))
    found = (one for one in parts if named.places.issuperset(range(one.first, one.end)))
    return replace(named, found=tuple(found))


def _named(
    action: Action, name: str, read: Read, used: set[int], mentions: Sequence[Mention]
) -> Named:
    slot = action.slots[name]
    kind = Kind(action.pack, slot.type)
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
        return Named()
    if not fitting:
        asker = _asker(action, slot, read, kind)
        if asker is not None:
            return Named(values=(asker.name,), places=frozenset({asker.place}))
        return _named_behind(slot, read, kind)
    if action.floor == "A" and not slot.required:
        fitting = [one for one in fitting if _is_denied(one, read) == takes_denied(name)]
        if not fitting:
            return Named()
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


def _in_parts(slot: Slot, read: Read, kind: Kind) -> Sequence[Mention]:
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


def _is_joined(mention: Mention, others: Sequence[Mention], spoken: Spoken) -> bool:
    """Tell whether nothing but `and` or the like stands between a thing and another one."""
    words = spoken.normal.words
    gaps = (words[min(one.end, mention.end) : max(one.first, mention.first)] for one in others)
    return any(len(gap) == 1 and gap[0] in _JOINS for gap in gaps)


def _asked_about(fitting: list[Mention], spoken: Spoken) -> list[Mention]:
    """Leave out what is only told of before: `PO-2000 is too dear, approve PO-2004`.

    Nothing is left where all of it is.
    """
    own = [one for one in fitting if one.first in spoken.asked or one.first in spoken.meant]
    if not own:
        return []
    return [one for one in fitting if one in own or one.first >= spoken.asked.start]


def _told(fitting: Sequence[Mention], action: Action, slot: Slot, read: Read) -> Named | None:
    """Read things that are only told of before; None: they are what is asked about."""
    told = {mention.value for mention in fitting if mention.is_known}
    if len(told) > 1 and not slot.many:  # which of them was not said
        return Named(choices=_in_order(told))
    words = read.spoken.normal.words
    head = words_of(slot.type)[-1]  # `order` of a purchase order
    nouns = {place for place, word in enumerate(words) if singular(word) == head}
    nouns |= {thing.first for thing in read.spoken.things.all if thing.name == slot.type}
    is_changed = action.floor != "A" and slot.type == action.object
    if is_changed and points_elsewhere(words, read.spoken.asked, nouns):
        return Named()  # `approve another one` is about none of them
    return None


def _is_denied(mention: Mention, read: Read) -> bool:
    normal = read.spoken.normal
    return denied_from(normal.text, normal.tokens[mention.first].start) is not None


def _rank(
    mention: Mention, action: Action, name: str, read: Read
) -> tuple[bool, bool, bool, bool, int]:
    words = read.spoken.normal.words
    before = words[max(0, mention.first - 2) : mention.first]
    is_container = action.container == action.slots[name].type
    is_in_place = is_container and bool({"to", "on", "in"} & set(before))
    is_told = _is_told(mention, read.spoken)
    is_meant = is_on_its_side(action, name, read.beside_verb, mention.first, mention.end)
    return (is_told, not mention.is_known, not is_meant, not is_in_place, mention.first)


def _is_told(mention: Mention, spoken: Spoken) -> bool:
    return spoken.content_first is not None and mention.first >= spoken.content_first


def _all_of(fitting: list[Mention], slot: Slot, read: Read, kind: Kind) -> Named:
    """Take all that are named; when one of them is unclear, none: all were asked for."""
    asked = [mention for mention in fitting if not _is_told(mention, read.spoken)] or fitting
    each = [_one_of(mention, asked, slot, read, kind) for mention in asked]
    unclear = next((one for one in each if not one.values), None)
    if unclear is not None and _is_every(unclear, len(asked), read):
        span = frozenset(place for one in asked for place in range(one.first, one.end))
        return Named(values=unclear.choices, places=span | {min(span) - 1})
    if unclear is not None:
        # A choice between several would be of one thing, and more than one was asked for.
        is_alone = len({(mention.first, mention.end) for mention in asked}) == 1
        return unclear if is_alone or unclear.is_missed else Named(unclear=unclear.unclear)
    in_order = sorted(asked, key=lambda mention: mention.first)
    return Named(
        values=tuple(dict.fromkeys(mention.value for mention in in_order)),
        places=frozenset().union(*(one.places for one in each)),
    )


def _is_every(named: Named, asked: int, read: Read) -> bool:
    """Tell whether `both fans` are all that there are: what several names end with."""
    one, words = named.unclear, read.spoken.normal.words
    if one is None or asked != 1 or one.first == 0:
        return False
    return len(named.choices) == _SEVERAL and words[one.first - 1] == "both"


def _one_of(
    mention: Mention, fitting: Sequence[Mention], slot: Slot, read: Read, kind: Kind
) -> Named:
    place = (mention.first, mention.end)
    twins = {o.value for o in fitting if (o.first, o.end) == place and o.is_known}
    if len(twins) > 1:
        return Named(choices=_in_order(twins))
    if mention.is_known:
        return Named(values=(mention.value,), places=frozenset(range(*place)))
    if mention.confidence == LAST_WORD_CONFIDENCE:
        word = read.spoken.normal.tokens[mention.first].text
        choices = read.names.of(kind).heads.get(word, set()) if slot.required else set()
        return Named(choices=_in_order(choices), unclear=mention)
    return Named(unclear=mention, is_missed=not _is_told(mention, read.spoken))


def _asker(action: Action, slot: Slot, read: Read, kind: Kind) -> Asker | None:
    """Find whoever asks: for a slot that needs somebody, or a read that is limited to them."""
    if not slot.required and action.floor != "A":
        return None
    spoken, names = read.spoken, read.names.of(kind)
    return asker_in(spoken.normal, names, read.asker, spoken.kept, limits=not slot.required)


def _named_behind(slot: Slot, read: Read, kind: Kind) -> Named:
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
            return Named(values=(value,), places=places)
        if found and slot.required:
            return Named(choices=_in_order(found))
    return _named_in_part(slot, read, kind)


def _named_in_part(slot: Slot, read: Read, kind: Kind) -> Named:
    """Read `to Anna` as a part of names; it is never enough to be sure, so it is a choice."""
    if not slot.required:
        return Named()
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
                return Named(choices=_in_order(found), unclear=unclear)
    return Named()


def _in_order(choices: set[str]) -> tuple[str, ...]:
    return tuple(sorted(choices)[:MOST_CHOICES])
