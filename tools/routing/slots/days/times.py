"""Times that were said and that no slot of a change can hold: it would be done at another time."""

from collections.abc import Iterator
from datetime import date

from state.action import Action
from tools.routing.reading import Reading
from tools.routing.slots.days.time_words import Said, events_in, holds, times_in
from tools.routing.slots.days.toward import Toward, toward_of
from tools.routing.speech_acts.clauses import Clause
from tools.routing.words.signs import COURTESY, DETERMINERS, NUMBERS, PRONOUNS
from tools.routing.words.verbs import Verb

NO_SLOT_FOR = "no_slot_for:"
"""Begins the reason that names such a time."""
_NAMES = frozenset({"name", "call", "rename", "named"})
_BETWEEN = DETERMINERS | PRONOUNS | NUMBERS | frozenset({"with", "to"})
"""Between a verb and a time these leave the time to the verb: `share it with Tom on Friday`."""


def unheld_time(reading: Reading, action: Action, *, today: date | None) -> Said | None:
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
    return slot.type == "date" and toward_of(action, name) is not Toward.BEHIND


def _said(reading: Reading, clause: Clause, verb: Verb, today: date | None) -> Iterator[Said]:
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


def _is_alone(one: Said, reading: Reading) -> bool:
    """Tell whether it is a clause of its own, as in `close WO-1042, tomorrow`."""
    cut = reading.act.cut
    is_told = cut.content_first is not None and one.first >= cut.content_first
    is_told = is_told or one.first in cut.quoted
    return not is_told and any((one.first, one.end) == (two.first, two.end) for two in cut.clauses)


def _is_first(one: Said, clause: Clause, verb: Verb) -> bool:
    return one.first == clause.first and one.end <= verb.first


def _is_behind(one: Said, reading: Reading, clause: Clause, verb: Verb) -> bool:
    if one.first < verb.end or one.end > clause.end or one.first in reading.act.cut.quoted:
        return False
    words = reading.normal.words
    named = _named(reading)
    between = range(verb.end, one.first)
    return COURTESY.issuperset(words[one.end : clause.end]) and all(
        place in named or words[place] in _BETWEEN or words[place].isdigit() for place in between
    )


def _has_object(one: Said, reading: Reading, verb: Verb) -> bool:
    """Tell `approve it following the inspection` from `approve the following orders`."""
    words = reading.normal.words
    named = _named(reading)
    is_said = any(p in named or words[p] in PRONOUNS for p in range(verb.end, one.first))
    is_named_after = words[one.first] == "after" and not _NAMES.isdisjoint(words[: one.first])
    is_part = words[one.first - 1] in DETERMINERS - PRONOUNS
    return is_said and not is_part and not is_named_after


def _named(reading: Reading) -> set[int]:
    named = {place for one in reading.mentions for place in range(one.first, one.end)}
    return named | {p for one in reading.things.all for p in range(one.first, one.end)}
