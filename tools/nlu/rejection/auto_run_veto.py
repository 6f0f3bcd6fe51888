"""Reasons against running an action unasked, among them a time that no slot takes."""

from collections.abc import Iterator
from datetime import date

from state.action import Action
from state.policy import Hold
from tools.nlu.actionability.decision import Prediction
from tools.nlu.dialogue_acts.clauses import Clause
from tools.nlu.dialogue_acts.negation import has_sign
from tools.nlu.entities.names import PackEntityType
from tools.nlu.intents.ranking import THE_SAME
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.action_index import Effects
from tools.nlu.lexicon.cue_phrases import COURTESY, DETERMINERS, FUNCTION_WORDS, NUMBERS, PRONOUNS
from tools.nlu.lexicon.normalization import word_set, words_of
from tools.nlu.lexicon.verbs import Verb, family_of
from tools.nlu.rejection.action_constraints import ActionConstraints
from tools.nlu.rejection.indirect_requests import only_names
from tools.nlu.rejection.lexical_mismatch import is_asked_by_change, turns_on_stranger
from tools.nlu.values.date_offsets import DateDirection, date_direction_of
from tools.nlu.values.time_expressions import TimeSpan, events_in, holds, times_in

_LEAST_STRENGTH = 0.9
"""The object by its own name or a thing of its kind; the last word of a name may be another's."""


def says_wholly(reading: ParsedUtterance, action: Action) -> bool:
    """Tell whether verb, object, things and little words are all there is, and ask for this.

    No example has to be near what says an entry's own words: `show hours of rest for Ben`.
    """
    verb = reading.verb
    if verb is None or reading.act.mood not in ("command", "request"):
        return False
    if action.name not in verb.actions and family_of(action.verb) not in verb.families:
        return False
    targets = reading.things.targets
    if not any(one.name == action.object and one.strength >= _LEAST_STRENGTH for one in targets):
        return False
    spans = [(verb.first, verb.end)]
    spans += [(thing.first, thing.end) for thing in reading.things.all]
    spans += [(mention.first, mention.end) for mention in reading.mentions]
    accounted = {place for first, end in spans for place in range(first, end)}
    return all(
        place in accounted or token.text in FUNCTION_WORDS
        for place, token in enumerate(reading.normal.tokens)
    )


NO_SLOT_FOR = "no_slot_for:"
"""Begins the reason that names such a time."""
_NAMES = frozenset({"name", "call", "rename", "named"})
_BETWEEN = DETERMINERS | PRONOUNS | NUMBERS | frozenset({"with", "to"})
"""Between a verb and a time these leave the time to the verb: `share it with Tom on Friday`."""


def time_without_slot(
    reading: ParsedUtterance, action: Action, *, today: date | None
) -> TimeSpan | None:
    """Find the time to come of which a change would take no notice: `approve PO-1996 tomorrow`.

    So with how often and upon what it is to be done: `every month`, `after lunch`. None: there is
    none, or the action has a slot for it or for the very words. A time counts that stands right
    behind the order and what it names, or alone before it: `the audit on Friday` and `what we sent
    on Friday` say which one is meant.
    """
    ask = reading.act.ask
    if action.effect == "read" or ask is None or ask.verb is None:
        return None
    if any(_may_lie_ahead(action, name) for name in action.slots):
        return None
    found = [one for one in _said(reading, ask.clause, ask.verb, today) if not holds(action, one)]
    return min(found, key=lambda one: (one.first, -one.end), default=None)


def _may_lie_ahead(action: Action, name: str) -> bool:
    slot = action.slots[name]
    return slot.type == "date" and date_direction_of(action, name) is not DateDirection.BEHIND


def _said(
    reading: ParsedUtterance, clause: Clause, verb: Verb, today: date | None
) -> Iterator[TimeSpan]:
    """Find the times that are of the order: of nothing that it names, and of nothing told."""
    words = reading.normal.words
    mentioned = {place for one in reading.mentions for place in range(one.first, one.end)}
    for one in times_in(reading.normal, today):
        is_named = not mentioned.isdisjoint(range(one.first, one.end))
        if not is_named and (
            _is_alone(one, reading)
            or _is_first(one, clause, verb)
            or _is_behind(one, reading, clause, verb)
        ):
            yield one
    ends = [(one.first, one.end) for one in reading.act.cut.clauses]
    if clause.first < verb.first:
        ends.append((clause.first, verb.first))
    for one in events_in(reading.normal, ends):
        if words[one.first - 1 : one.first] in (["to"], ["as"]):
            continue  # `back to pending approval`
        is_behind = _is_behind(one, reading, clause, verb) and _has_object(one, reading, verb)
        is_beside = one.end == clause.first or one.first == clause.end
        is_alone = is_beside and _is_alone(one, reading)
        if is_behind or is_alone or _is_first(one, clause, verb):
            yield one


def _is_alone(one: TimeSpan, reading: ParsedUtterance) -> bool:
    """Tell whether it is a clause of its own, as in `close WO-1042, tomorrow`."""
    cut = reading.act.cut
    is_told = cut.content_first is not None and one.first >= cut.content_first
    is_told = is_told or one.first in cut.quoted
    return not is_told and any((one.first, one.end) == (two.first, two.end) for two in cut.clauses)


def _is_first(one: TimeSpan, clause: Clause, verb: Verb) -> bool:
    return one.first == clause.first and one.end <= verb.first


def _is_behind(one: TimeSpan, reading: ParsedUtterance, clause: Clause, verb: Verb) -> bool:
    if one.first < verb.end or one.end > clause.end or one.first in reading.act.cut.quoted:
        return False
    words = reading.normal.words
    named = _named(reading)
    between = range(verb.end, one.first)
    return COURTESY.issuperset(words[one.end : clause.end]) and all(
        place in named or words[place] in _BETWEEN or words[place].isdigit() for place in between
    )


def _has_object(one: TimeSpan, reading: ParsedUtterance, verb: Verb) -> bool:
    """Tell `approve it following the inspection` from `approve the following orders`."""
    words = reading.normal.words
    named = _named(reading)
    is_said = any(p in named or words[p] in PRONOUNS for p in range(verb.end, one.first))
    is_named_after = words[one.first] == "after" and not _NAMES.isdisjoint(words[: one.first])
    is_part = words[one.first - 1] in DETERMINERS - PRONOUNS
    return is_said and not is_part and not is_named_after


def _named(reading: ParsedUtterance) -> set[int]:
    named = {place for one in reading.mentions for place in range(one.first, one.end)}
    return named | {p for one in reading.things.all for p in range(one.first, one.end)}


_LESS = word_set("without minus plus")
"""Right behind a thing these say what is to be taken from it, or put to it."""


def auto_run_veto_of(
    reading: ParsedUtterance,
    best: Action,
    settled: Prediction,
    restraint: ActionConstraints,
    effects: Effects,
) -> Hold | None:
    """Say why a read does not run by itself. Source: action execution contract §4."""
    ranked = settled.ranked
    if best.effect != "read":
        return None  # a change never does
    by_words = restraint.hold_of(ranked.order[0])
    # The pack's own author says that this asks for it, unless a sentence was put around it.
    is_example = ranked.cosine >= THE_SAME and not _is_framed(reading, ranked.near)
    if by_words is not None and not (by_words == "mood" and is_example and _declares(reading)):
        return by_words
    if reading.verb is None and _is_signed(reading):
        return "mood"
    if not is_example and is_asked_by_change(reading, best, effects):
        return "verb"
    if not is_example and turns_on_stranger(reading, best, effects):
        return "foreign_word"
    if ranked.twins or _names_one_of_all(reading, best):
        return "several_fit"
    if not ranked.is_sure_at_worst and not says_wholly(reading, best):
        return "unlike_examples"
    return "mood" if settled.follows else None  # nobody asks for it in so many words


def _is_signed(reading: ParsedUtterance) -> bool:
    """Tell `P-7 ★★★★★` and `port generator without the filter`: the sign says what nobody reads.

    `Jobs without Priya` is a list, and `⭐ urgent jobs` asks for one.
    """
    if has_sign(reading.normal):
        return only_names(reading)
    words = reading.normal.words
    ends = {one.end for one in reading.mentions if one.is_known}
    return any(word in _LESS and place in ends for place, word in enumerate(words))


def _names_one_of_all(reading: ParsedUtterance, best: Action) -> bool:
    """Tell whether one thing is named to an action that is of all of its kind.

    `Everything with the label graphs` is not for who lists the labels.
    """
    types = {slot.type for slot in best.slots.values()}
    if {best.object, "text", "list"} & types:
        return False
    return any(
        mention.is_known and mention.kind == PackEntityType(best.pack, best.object)
        for mention in reading.mentions
    )


def _declares(reading: ParsedUtterance) -> bool:
    return reading.act.mood == "statement"


def _is_framed(reading: ParsedUtterance, example: str | None) -> bool:
    """Tell whether a text holds the whole example and more: `somebody should` and an order."""
    if example is None:
        return False
    said = " ".join(reading.normal.words)
    held = " ".join(words_of(example))
    return len(said) > len(held) and f" {held} " in f" {said} "
