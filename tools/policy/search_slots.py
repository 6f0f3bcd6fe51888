"""Search fields as the arguments of an action, and back: slots of the same names."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.policy import SearchPolicy

_TELLING = frozenset({"year_from", "year_to", "open_access_only"})
"""Slots by which a read is known to search; a `limit` may be that of anything, such as a card."""
WORDS = ("query", "queries")
_TOPIC = ("topic", "query_terms")
"""Fields that are one slot: `query`, or `queries` for one topic each."""
_BETWEEN = re.compile(r"\s*[;\n]\s*|\s*,\s*(?:and\s+|then\s+)?|\s+and\s+(?:(?:for|on)\s+)?")
_LEAD = re.compile(
    r"^(?:(?:separately|respectively|each|both|all|one|two|three|four|five|of|for|on|about|these"
    r"|those|the following|following|topics?|quer(?:y|ies)|search(?:es)?|subjects?)\b[\s:,]*)+",
    re.IGNORECASE,
)
"""What leads up to a list of topics."""
_TAIL = re.compile(
    r"[\s,]+(?:separately|respectively|individually|each|one by one|in turn|please)\W*$",
    re.IGNORECASE,
)
"""What stands behind one, and is no topic."""


def takes_search(action: Action) -> bool:
    """Tell whether an action searches by fields: `query` or `queries` beside one of them."""
    return has_search_fields(action) and not action.slots.keys().isdisjoint(WORDS)


def narrows_by_fields(action: Action) -> bool:
    """Tell whether an action has search fields and no words of its own: more like that one."""
    return has_search_fields(action) and action.slots.keys().isdisjoint(WORDS)


def has_search_fields(action: Action) -> bool:
    """Tell whether an action searches by fields, or narrows down by them."""
    return action.effect == "read" and not _TELLING.isdisjoint(action.slots)


def is_thing(action: Action, slot: str) -> bool:
    """Tell whether a slot holds a thing of the pack's world, and no number or words."""
    return action.slots[slot].type not in PRIMITIVE_SLOT_TYPES


def is_about_something(search: SearchPolicy) -> bool:
    """Tell whether there is anything to search for: words, authors, venue or field."""
    return bool(search.query_terms or search.authors or search.venue or search.fields_of_study)


def arguments_with(
    action: Action,
    search: SearchPolicy,
    given: Mapping[str, Any],  # by slot type
) -> dict[str, Any]:
    """Lay search fields over what else is known; whoever gave it removes no field of policy's."""
    fields = {name: value for name, value in given.items() if name in action.slots}
    fields.update((name, value) for name, value in _fields(search) if name in action.slots)
    return {name: fields[name] for name in action.slots if name in fields}


def enriched(
    action: Action,
    search: SearchPolicy,
    given: Mapping[str, Any],  # by slot type
) -> dict[str, Any]:
    """Take what a model gave: it may add words to the query, and removes no constraint."""
    arguments = arguments_with(action, search, given)
    offered = given.get("query")
    if isinstance(offered, str) and search.query_terms:
        have = {term.casefold() for term in search.query_terms}
        more = [term for term in terms_of(offered) if term.casefold() not in have]
        arguments["query"] = query_of((*search.query_terms, *more))
    return arguments


def search_from(arguments: Mapping[str, Any]) -> SearchPolicy:
    """Read the fields back from the arguments of what ran."""
    known = {
        name: value
        for name, value in arguments.items()
        if name in SearchPolicy.model_fields and name not in _TOPIC and value is not None
    }
    query, queries = arguments.get("query"), arguments.get("queries")
    terms = terms_of(query) if isinstance(query, str) else ()
    topic = " ".join(terms) or None
    if not terms and isinstance(queries, list):  # `only open access` keeps the topics apart
        topic = ", ".join(map(str, queries)) or None
        terms = tuple(dict.fromkeys(term for one in queries for term in terms_of(str(one))))
    return SearchPolicy.model_validate({**known, "query_terms": terms, "topic": topic})


def query_of(terms: tuple[str, ...]) -> str:
    """Write terms as one query, a phrase of several words in quotation marks."""
    return " ".join(f'"{term}"' if " " in term else term for term in terms)


def topics_of(search: SearchPolicy) -> list[str]:
    """Part what is searched for into topics: `wind, tides and waves` are three."""
    topic = _LEAD.sub("", search.topic or query_of(search.query_terms))
    topic = _TAIL.sub("", topic)
    parts = [_LEAD.sub("", part).strip(" .:?!") for part in _BETWEEN.split(topic)]
    return list(dict.fromkeys(part for part in parts if part))


def terms_of(query: str) -> tuple[str, ...]:
    """Read the terms of a query again."""
    return tuple(quoted or word for quoted, word in re.findall(r'"([^"]+)"|(\S+)', query))


def _fields(search: SearchPolicy) -> Iterator[tuple[str, Any]]:
    if search.query_terms:
        yield "query", query_of(search.query_terms)
        yield "queries", topics_of(search)
    for name, value in search.model_dump(mode="json", exclude_none=True).items():
        if name not in _TOPIC and value != []:
            yield name, value
