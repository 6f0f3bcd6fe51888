"""Times that were said and that no slot of a change can hold: it would be done at another time."""

import re
from datetime import date

from state.action import Action
from tools.routing.reading import Reading
from tools.routing.words.signs import COURTESY, DETERMINERS, NUMBERS, PRONOUNS

NO_SLOT_FOR = "no_slot_for:"
"""Begins the reason that names such a time."""
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_LATER = re.compile(
    rf"\b(?:tomorrow(?: (?:morning|noon|afternoon|evening|night))?"
    rf"|(?:on |this coming |next )+{_DAY}|next (?:week|month|year|weekend)"
    r"|in (?:\d{1,3}|an?|one|two|three|four|five|six|ten|a few|a couple of)"
    r" (?:minute|hour|day|week|month)s?"
    r"|at (?:noon|midnight|\d{1,2}:\d\d|\d{1,2} ?[ap]m)|later(?: today| on)?"
    r"|(?:on )?\d{4}-\d\d-\d\d)\b"
)
_BETWEEN = DETERMINERS | PRONOUNS | NUMBERS | frozenset({"with", "to"})
"""Between a verb and a time these leave the time to the verb: `share it with Tom on Friday`."""


def unheld_time(reading: Reading, action: Action, *, today: date | None) -> str | None:
    """Find the time to come of which a change would take no notice: `approve PO-1996 tomorrow`.

    None: there is none, or the action has a slot for days or for the very words. A time counts
    that stands right behind the order and what it names, or alone before it: `the audit on
    Friday` and `what we sent on Friday` say which one is meant.
    """
    types = {slot.type for slot in action.slots.values()}
    act, ask = reading.act, reading.act.ask
    if action.effect == "read" or "date" in types or ask is None or ask.verb is None:
        return None
    normal, clause = reading.normal, ask.clause
    named = {place for one in reading.mentions for place in range(one.first, one.end)}
    named |= {place for one in reading.things.all for place in range(one.first, one.end)}
    for match in _LATER.finditer(normal.text):
        places = [
            place
            for place in range(len(normal.tokens))
            if match.start() <= normal.tokens[place].start < match.end()
        ]
        if not places or named & set(places) or _is_over(match[0], today):
            continue
        if any((places[0], places[-1] + 1) == (one.first, one.end) for one in act.cut.clauses):
            return match[0]  # `close WO-1042, tomorrow`
        if not set(places) <= set(range(clause.first, clause.end)):
            continue
        behind = (normal.tokens[place].text for place in range(places[-1] + 1, clause.end))
        before = range(ask.verb.end, places[0])
        is_of_verb = places[0] >= ask.verb.end and all(
            place in named or word in _BETWEEN or word.isdigit()
            for place, word in ((place, normal.tokens[place].text) for place in before)
        )
        is_first = places[-1] < ask.verb.first and places[0] == clause.first
        if (is_of_verb and COURTESY.issuperset(behind)) or is_first:
            return match[0]
    return None


def _is_over(said: str, today: date | None) -> bool:
    day = re.search(r"\d{4}-\d\d-\d\d", said)
    return day is not None and (today is None or day[0] <= today.isoformat())
