"""What a question means by what is on record: whose decisions, a time, names of things."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice

from sqlalchemy import Connection

from state.reader import Reader
from tools.journal.searching import legs
from tools.journal.searching.asked_of import may_be_people
from tools.journal.searching.naming import are_names, is_person
from tools.journal.searching.question import Question, relative_to
from tools.journal.searching.technologies import may_be_named
from tools.journal.searching.terms import terms_of

_MOST_TRIED = 30
"""Readings of a question that are held against the names on record: each is a query."""
_A_MOMENT = timedelta(seconds=1)
"""What is asked for after a decision does not find it itself."""


def grounded(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Turn into filters what only the records that one may read tell to be one."""
    asked = _placed(connection, asked, reader)
    return _named(connection, _by_whom(connection, asked, reader), reader)


def _placed(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Put the day of a decision on record in place of its name: "before the migration"."""
    relative = relative_to(asked.text)
    if relative is None or asked.filters.since or asked.filters.until:
        return asked
    terms = terms_of(relative.event)
    at = legs.decided_at(connection, terms, reader) if terms else None
    if at is None:
        return asked
    day = datetime.fromtimestamp(at, UTC)
    span = {"until": day} if relative.side == "before" else {"since": day + _A_MOMENT}
    return Question(text=relative.rest, filters=asked.filters.model_copy(update=span))


def _by_whom(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Narrow "what did dora decide?" to hers, where somebody of that name is on record."""
    if asked.filters.people:
        return asked
    for names, start, end in islice(may_be_people(asked.text), _MOST_TRIED):
        if all(is_person(connection, one, reader) for one in names):
            rest = f"{asked.text[:start]} {asked.text[end:]}"
            filters = asked.filters.model_copy(update={"people": names})
            return Question(text=" ".join(rest.split()), filters=filters)
    return asked


def _named(connection: Connection, asked: Question, reader: Reader) -> Question:
    """Narrow "decisions about Kafka" to those that name it; it stays among the words as well."""
    if asked.filters.technologies:
        return asked
    found: dict[str, None] = {}
    for group in may_be_named(asked.text):
        others = [name for name in group if not _is_part_of(name, found)]
        if are_names(connection, others, asked.text, reader):
            found |= dict.fromkeys(others)
    if not found:
        return asked
    filters = asked.filters.model_copy(update={"technologies": tuple(found)})
    return Question(text=asked.text, filters=filters)


def _is_part_of(name: str, found: Iterable[str]) -> bool:
    """Tell whether a name is some of the words of a longer one: Hat of Red Hat, not Java of JS."""
    return any(name != one and f" {name} " in f" {one} " for one in found)
