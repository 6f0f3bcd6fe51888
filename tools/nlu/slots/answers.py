"""Read a text as the answer to a question for missing slots."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct
from tools.nlu.dialogue_acts.negation import is_retracted_by_sign, turns_down
from tools.nlu.entities.names import PackEntityType
from tools.nlu.lexicon.action_index import asked_with, keys_of
from tools.nlu.lexicon.normalization import Normal, word_set, words_of
from tools.nlu.lexicon.verbs import VerbLexicon
from tools.nlu.slots.entity_slots import MOST_CHOICES
from tools.nlu.slots.filling import FilledSlots, fill_entities, plain_value
from tools.nlu.slots.free_text import SlotContext
from tools.nlu.slots.number_slots import own_unit, value_in_unit, without_counts
from tools.nlu.values.numbers import numbers_in
from tools.nlu.values.units import MONEY, Number, measured


def unit_places(action: Action, name: str, normal: Normal) -> set[int]:
    """Find the words of the unit that a slot is held in, at a number: `20 euros`, `EUR 20`."""
    unit = own_unit(action, name)
    if unit is None:
        return set()
    return {
        place
        for one in numbers_in(normal)
        if one.unit and value_in_unit(action, name, one) is not None
        for place in _unit_at(normal, one)
    }


def _unit_at(normal: Normal, number: Number) -> list[int]:
    words = normal.words
    beside = [place for place in (number.first - 1, number.end) if 0 <= place < len(words)]
    own = measured(number.unit)
    is_money = own is not None and own.dimension in MONEY
    return [
        place
        for place in beside
        if words[place] == number.unit
        or (is_money and own == measured(words[place]))  # `€20 euros`
    ]


NO_ANSWER = "no_answer"
"""The reason of a text that names what was asked for and does not say that it is meant."""

_YES = word_set("yes y yeah yep sure true")
_NO = word_set("no n nope false")
_SAYS_NOTHING = word_set("the a an it its is please on in for of to one that this i mean meant")
_AGREES = _YES | word_set("ok okay please pls thanks")
_JOINS = word_set("with and by")
_BESIDE = (
    _SAYS_NOTHING
    | _JOINS
    | word_set(
        "pls thanks thank you cheers ok okay yes yeah yep sure right um uh er hmm well so then "
        "now just only exactly simply it's that's them those these number nr piece pieces pc pcs "
        "unit units each"
    )
)
"""Words beside a value that change nothing about it; `and` joins the values of several slots."""
_IN_MARKS = re.compile(r"\W*[\"'][^\"'\n]{1,60}[\"'][\s.!]*")
"""A name that its writer put into quotation marks, and nobody's speech."""
_MEASURED = re.compile(
    r"\b(?:in|by|with) (?=\d)|(?<!\w)[-$€£](?=\d)"
    r"|(?<=\d)(?: ?[%°€$£]| (?:of|them|those|these|each|pieces?|pcs?|units?)\b)"
)
"""A number that says how many, when or for how much, and not which one: `2000 of them`."""


def fill_missing(
    action: Action,
    missing: Sequence[str],
    read: SlotContext,
    act: DialogueAct,
    given: Mapping[str, Any],  # by slot type
    lexicon: VerbLexicon,
) -> FilledSlots:
    """Fill the slots that were asked for and no other; the whole text is about them.

    A value among words that deny, suppose, tell, ask or speak of something else is not the one
    that is meant: then nothing is filled, and the reason is NO_ANSWER.

    Args:
        given: the arguments that are known already, which an answer may say again.
    """
    if turns_down(read.spoken.normal):
        return FilledSlots({}, reasons=(NO_ANSWER,))
    filled, used = _fill(action, missing, read)
    if not (filled.values or filled.choices or filled.not_found):
        return filled
    is_free = any(_takes_words(action.slots[name]) for name in missing)
    is_meant = (
        _is_text_meant(action, filled, read, act, lexicon)
        if is_free
        else _says_nothing_else(action, missing, filled, read, act, used, given)
    )
    return filled if is_meant else FilledSlots({}, reasons=(NO_ANSWER,))


def _takes_words(slot: Slot) -> bool:
    return slot.type in ("text", "list") and not slot.choices


def _is_text_meant(
    action: Action, filled: FilledSlots, read: SlotContext, act: DialogueAct, lexicon: VerbLexicon
) -> bool:
    """Tell whether free words are what was asked for; a note may deny or tell what it likes.

    It is not when it calls the action off, or denies or supposes the thing that it names beside.
    """
    if act.mood == "negated" and act.reason in ("cancelled", "cancel"):
        return False
    if _AGREES.issuperset(read.spoken.normal.words):
        return False  # `Which note?` `yes`
    verb = act.ask.verb if act.ask is not None and act.mood == "negated" else None
    words = read.spoken.normal.words
    verbs = [lexicon.at(words, place) for place in range(len(words))] if verb is None else [verb]
    if act.mood == "negated" and act.reason == "denied":
        asked = asked_with(action, lexicon)
        first = next((one for one in verbs if one is not None), None)
        if first is not None and not asked.isdisjoint(keys_of(first)):
            return False
    names = {*filled.values, *filled.choices, *filled.not_found}
    names_thing = any(action.slots[name].type not in PRIMITIVE_SLOT_TYPES for name in names)
    return not names_thing or act.mood not in ("negated", "hypothetical", "reported")


def _says_nothing_else(
    action: Action,
    missing: Sequence[str],
    filled: FilledSlots,
    read: SlotContext,
    act: DialogueAct,
    used: set[int],
    given: Mapping[str, Any],  # by slot type
) -> bool:
    """Tell whether every word is of a value, says again what is known, or says nothing.

    What else people say beside a value takes it back in more ways than anyone can list: `not 4`,
    `we have 4 left`, `WO-1032 must stay`, `WO-1032, but only if Ben agrees`.
    """
    normal = read.spoken.normal
    is_foreign = bool(act.cut.quoted) and _IN_MARKS.fullmatch(normal.text) is None
    if is_foreign or normal.is_cut or normal.is_disguised or "?" in normal.text:
        return False
    if is_retracted_by_sign(normal):
        return False
    is_of_things = all(action.slots[name].type not in PRIMITIVE_SLOT_TYPES for name in missing)
    if is_of_things and _MEASURED.search(normal.text):
        return False
    open_kinds = {
        PackEntityType(action.pack, action.slots[name].type)
        for name in (*filled.choices, *filled.not_found)
    }
    places = used | {
        place
        for mention in read.mentions
        if mention.kind in open_kinds
        for place in range(mention.first, mention.end)
    }
    kinds = {action.slots[name].type for name in missing}
    named = {place for one in read.mentions for place in range(one.first, one.end)}
    places |= {
        place
        for thing in read.spoken.things.all
        if thing.name in kinds
        for place in {*range(thing.first, thing.end)} - named  # `the job WO-1042`
    }
    known = {word for value in given.values() for word in words_of(str(value))}
    for name in missing:
        slot = action.slots[name]
        known |= {*name.split("_"), *slot.type.split("_")}
        known |= (_YES | _NO) if slot.type == "boolean" else frozenset()
    known |= {*(action.object or "").split("_"), *(action.container or "").split("_")}
    known.discard("")  # else every `s` would be known: `PO-1997 /s`

    def says_more(place: int) -> bool:
        word = normal.tokens[place].text
        if place in places or word in _BESIDE or {word, word.removesuffix("s")} & known:
            return False
        return not any(read.names.of(kind).resolve_all([word]) for kind in open_kinds)

    return not any(map(says_more, range(len(normal.tokens))))


def _fill(
    action: Action, missing: Sequence[str], read: SlotContext
) -> tuple[FilledSlots, set[int]]:
    """Fill what the words give, whatever else they say, and tell which words those are."""
    everything = range(len(read.spoken.normal.tokens))
    spoken = read.spoken._replace(asked=everything, kept=frozenset(everything), content_first=None)
    asked = action.model_copy(update={"slots": {name: action.slots[name] for name in missing}})
    read = without_counts(asked, replace(read, spoken=spoken))
    used: set[int] = set()
    things = fill_entities(asked, read, used, set())
    values, choices = dict(things.values), dict(things.choices)
    for name, slot in asked.slots.items():
        if slot.type not in PRIMITIVE_SLOT_TYPES:
            if name not in values and name not in choices and name not in things.not_found:
                kind = PackEntityType(action.pack, slot.type)
                _by_part_of_name(name, slot, kind, read, values, choices, used)
            continue
        is_all_used = used.issuperset(everything) and _takes_words(slot)
        value = _value(asked, name, read, used) if not is_all_used else None  # a lone `WO-1042`
        if value is not None:
            values[name] = value
            if slot.type in ("integer", "number"):
                used |= unit_places(action, name, read.spoken.normal)
    return FilledSlots(values, choices, things.not_found, things.reasons), used


def _by_part_of_name(
    name: str,
    slot: Slot,
    kind: PackEntityType,
    read: SlotContext,
    values: dict[str, Any],  # by slot type
    choices: dict[str, tuple[str, ...]],
    used: set[int],
) -> None:
    """Take `1042` for the only id with that number, `seal change` for the only name with it."""
    tokens = read.spoken.normal.tokens
    telling = {
        place: token.text
        for place, token in enumerate(tokens)
        if place not in used and token.text not in _SAYS_NOTHING | _JOINS
    }
    words = {place: word for place, word in telling.items() if not word.isdigit()}
    telling = words or telling  # in `departure, 3` the number is another slot's
    said = list(telling.values())
    if len(said) == 1 and said[0].isdigit():
        ids = (read.names.of(kind).canonical or {}).values()
        found = {one for one in ids if "".join(filter(str.isdigit, one)) == said[0]}
    else:
        found = read.names.of(kind).resolve_all(said)
    if not found:
        return
    used.update(telling)
    if len(found) == 1:
        (value,) = found
        values[name] = [value] if slot.many else value
    else:
        choices[name] = tuple(sorted(found)[:MOST_CHOICES])


def _value(action: Action, name: str, read: SlotContext, used: set[int]) -> Any:  # by slot type
    slot = action.slots[name]
    text = read.spoken.normal.original.strip()
    words = set(read.spoken.normal.words)
    match slot.type:
        case "json":
            return None
        case "text" if slot.choices:
            return plain_value(action, name, read, used)
        case "boolean" if words & (_YES | _NO):
            return None if words & _YES and words & _NO else bool(words & _YES)
        case "list":
            return _items(text)
        case "text":
            return _items(text) if slot.many else text
    return plain_value(action, name, read, used)


def _items(text: str) -> list[str]:
    parts = text.replace(" and ", ",").replace(";", ",").replace("\n", ",").split(",")
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))
