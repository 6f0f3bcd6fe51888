"""Explain a routing: reason codes, heard words, entities and slots; advise a pack's author."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.policy import EntityMention, Routing
from tools.nlu.entities.recognition import POSSESSIVE, Mention
from tools.nlu.intents.ranking import THE_SAME, Ranked
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.normalization import Token
from tools.nlu.lexicon.verbs import family_of
from tools.nlu.lexicon.verbs import family_of as family_of_verb
from tools.nlu.slots.date_slots import side_of_span
from tools.nlu.slots.entity_slots import side_of
from tools.nlu.slots.filling import FilledSlots, fill_slots
from tools.nlu.slots.free_text import SlotContext, TextParts
from tools.nlu.values.date_offsets import BEGINS, ENDS, date_direction_of


def remaining_words_of(reading: ParsedUtterance) -> str | None:
    """Give the text without the clauses that do not count; None: all of them do."""
    act, tokens = reading.act, reading.normal.tokens
    if not act.kept or len(act.kept) == len(act.cut.clauses):
        return None
    spans = [(clause.first, clause.end) for clause in act.kept]
    if act.cut.content_first is not None:
        spans.append((act.cut.content_first, len(tokens)))
    return "; ".join(
        reading.normal.written(tokens[first].start, tokens[end - 1].end) for first, end in spans
    )


def answer_of(
    reading: ParsedUtterance, action: Action, missing: Sequence[str], filled: FilledSlots
) -> Routing:
    """Describe a text that answers what was asked about an action."""
    return Routing(
        text=reading.normal.original,
        normalized=reading.normal.text,
        tokens=tuple(reading.normal.words),
        action=action.name,
        confidence=0.0,
        mood=reading.act.mood,
        sign=reading.act.reason,
        verb_family=family_of_verb(action.verb),
        target_object=action.object,
        target_container=action.container,
        slots=filled.values,
        missing_slots=tuple(name for name in missing if name not in filled.values),
        entities=entities_of(reading, filled.found),
        choices=filled.choices,
        not_found=filled.not_found,
        reasons=(*filled.reasons, *reading.names.failed),
    )


def matched_words_of(reading: ParsedUtterance, today: date | None) -> SlotContext:
    """Sort the words by their part, for filling slots."""
    verb = reading.verb
    spoken = TextParts(
        normal=reading.normal,
        things=reading.things,
        asked=reading.asked,
        kept=reading.kept,
        verb_words=frozenset(range(verb.first, verb.end) if verb is not None else ()),
        content_first=reading.act.cut.content_first,
        meant=reading.meant,
        clauses=[range(one.first, one.end) for one in reading.act.cut.clauses],
    )
    return SlotContext(spoken, reading.mentions, reading.names, today, reading.asker)


def filled_of(action: Action, reading: ParsedUtterance, today: date | None) -> FilledSlots:
    """Fill the slots of an action; for one without any, the words need no sorting."""
    return fill_slots(action, matched_words_of(reading, today)) if action.slots else FilledSlots({})


def verb_family_of(reading: ParsedUtterance, action: Action | None) -> str | None:
    """Name the family of the verb that was said, else of the action that was meant."""
    own = family_of_verb(action.verb) if action is not None else None
    if reading.verb is None:
        return own or reading.evidence.implied_family
    families = reading.verb.families
    is_meant = action is not None and action.name in reading.verb.actions
    return own if own in families or is_meant else families[0]


def target_of(reading: ParsedUtterance, action: Action | None) -> str | None:
    """Name the object that was said, else that of the action."""
    things = reading.things
    if action is not None and any(thing.name == action.object for thing in things.all):
        return action.object
    if things.targets:
        return max(things.targets, key=lambda thing: (thing.strength, -thing.first)).name
    return action.object if action is not None else None


def container_of(reading: ParsedUtterance, action: Action | None) -> str | None:
    """Name what the action goes into, else what was said to be gone into."""
    if action is not None and action.container is not None:
        return action.container
    named = [thing.name for thing in reading.things.containers]
    return named[0] if named else None


def entities_of(
    reading: ParsedUtterance, found: Sequence[Mention] = ()
) -> tuple[EntityMention, ...]:
    """List every thing that was named, with its place in the text as it was sent.

    Args:
        found: what filling the slots made out; what stands within one of these names nothing else.
    """
    tokens = reading.normal.tokens
    others = (
        one
        for one in reading.mentions
        if not any(more.first <= one.first and one.end <= more.end for more in found)
    )
    return tuple(
        EntityMention(
            type=mention.kind.type,
            value=mention.value,
            confidence=round(mention.confidence, 4),
            span=reading.normal.span(tokens[mention.first].start, _end_of(tokens[mention.end - 1])),
        )
        for mention in sorted((*others, *found), key=lambda mention: mention.first)
    )


def _end_of(token: Token) -> int:
    return token.end - (len(POSSESSIVE) if token.text.endswith(POSSESSIVE) else 0)


_LONGEST_EXAMPLE = 80


def grounds_of(
    reading: ParsedUtterance,
    best: Action,
    ranked: Ranked,
    filled: FilledSlots,
    telling: Sequence[str],
    *,
    is_named: bool,
) -> Iterator[str]:
    """Name what spoke for the best action.

    Args:
        telling: words that speak for it.
        is_named: False where all that did not suffice.
    """
    for written, meant in reading.slips:
        yield f"spelling:{written}→{meant}"
    if reading.report is not None:
        yield f"reports:{reading.report}"
    if reading.verb is not None:
        families = reading.verb.families
        own = family_of(best.verb)
        yield f"verb:{reading.verb.phrase}→{own if own in families else families[0]}"
    named = {thing.name for thing in reading.things.all}
    if best.object in named:
        yield f"object:{best.object}"
    if best.container is not None and best.container in named:
        yield f"container:{best.container}"
    for slot in filled.values:
        yield f"slot:{slot}"
    if telling:
        yield f"words:{','.join(telling)}"
    if ranked.near is not None:
        yield f'near:"{_shortened(ranked.near)}" {ranked.cosine:.2f}'
    if not is_named:
        is_near = best.object in named or ranked.cosine >= THE_SAME
        yield "not_sure" if is_near else "none_is_near"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]}…"


_WORD = re.compile(r"\w+")


def advice_on(actions: Mapping[str, Action]) -> Iterator[str]:
    """Give it a sentence each."""
    yield from _shared_examples(actions)
    if not actions:
        yield "there is no action yet: nothing that is said comes to anything"
    yield from _own_yes(actions)
    for action in actions.values():
        for names in _alike(action):
            first, last = names[:2]
            yield (
                f"{action.name}: nothing tells {first} from {last}; let the summary do it,"
                f" such as: from {{{first}}} to {{{last}}}"
            )


def _own_yes(actions: Mapping[str, Action]) -> Iterator[str]:
    """Tell what needs a yes that is its asker's own, unless one role does all there is."""
    roles = {role for one in actions.values() for role in (*one.roles, *one.approvers.roles)}
    for name, action in actions.items():
        is_own = not (action.approvers.roles or action.approvers.four_eyes)
        if action.floor == "C" and is_own and len(roles) != 1:
            yield (
                f"{name}: whoever may ask for it may also say yes to it; name other roles under"
                " approvers, or set four_eyes"
            )


def _shared_examples(actions: Mapping[str, Action]) -> Iterator[str]:
    """Tell which examples two actions have: labelled data have some."""
    owners: dict[tuple[str, ...], str] = {}
    for name, action in actions.items():
        for text in action.examples:
            owner = owners.setdefault(tuple(_WORD.findall(text.casefold())), name)
            if owner != name:
                yield f"{text!r} is an example of {owner} and of {name}: of neither can it be sure"


def _alike(action: Action) -> Iterator[Sequence[str]]:
    """Find the slots that take the same kind of thing, or day, and lie on no side of their own."""
    alike: dict[object, list[str]] = defaultdict(list)
    for name, slot in action.slots.items():
        is_thing = slot.type not in PRIMITIVE_SLOT_TYPES
        if is_thing and not slot.many and not name.startswith("except_"):
            alike[slot.type, side_of(action, name)].append(name)
        is_end = side_of_span(action, name) or not (BEGINS | ENDS).isdisjoint(name.split("_"))
        if slot.type == "date" and not is_end:
            alike[slot.type, date_direction_of(action, name)].append(name)
    for names in alike.values():
        if len(names) > 1:
            yield names
