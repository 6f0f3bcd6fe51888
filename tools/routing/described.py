"""Put what was read from a text into the words of a routing."""

from collections.abc import Sequence
from datetime import date

from state.action import Action
from state.policy import EntityMention, Routing
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled, fill_slots
from tools.routing.slots.read import Read
from tools.routing.slots.texts.free_text import Spoken
from tools.routing.things.entities import POSSESSIVE, Mention
from tools.routing.words.normalise import Token
from tools.routing.words.verbs import family_of as family_of_verb


def left_of(reading: Reading) -> str | None:
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


def answer_of(reading: Reading, action: Action, missing: Sequence[str], filled: Filled) -> Routing:
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


def heard_of(reading: Reading, today: date | None) -> Read:
    """Sort the words by their part, for filling slots."""
    verb = reading.verb
    spoken = Spoken(
        normal=reading.normal,
        things=reading.things,
        asked=reading.asked,
        kept=reading.kept,
        verb_words=frozenset(range(verb.first, verb.end) if verb is not None else ()),
        content_first=reading.act.cut.content_first,
        meant=reading.meant,
        clauses=[range(one.first, one.end) for one in reading.act.cut.clauses],
    )
    return Read(spoken, reading.mentions, reading.names, today, reading.asker)


def filled_of(action: Action, reading: Reading, today: date | None) -> Filled:
    """Fill the slots of an action; for one without any, the words need no sorting."""
    return fill_slots(action, heard_of(reading, today)) if action.slots else Filled({})


def family_of(reading: Reading, action: Action | None) -> str | None:
    """Name the family of the verb that was said, else of the action that was meant."""
    own = family_of_verb(action.verb) if action is not None else None
    if reading.verb is None:
        return own or reading.evidence.implied_family
    families = reading.verb.families
    is_meant = action is not None and action.name in reading.verb.actions
    return own if own in families or is_meant else families[0]


def target_of(reading: Reading, action: Action | None) -> str | None:
    """Name the object that was said, else that of the action."""
    things = reading.things
    if action is not None and any(thing.name == action.object for thing in things.all):
        return action.object
    if things.targets:
        return max(things.targets, key=lambda thing: (thing.strength, -thing.first)).name
    return action.object if action is not None else None


def container_of(reading: Reading, action: Action | None) -> str | None:
    """Name what the action goes into, else what was said to be gone into."""
    if action is not None and action.container is not None:
        return action.container
    named = [thing.name for thing in reading.things.containers]
    return named[0] if named else None


def entities_of(reading: Reading, found: Sequence[Mention] = ()) -> tuple[EntityMention, ...]:
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
