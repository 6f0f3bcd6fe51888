"""Read a search in its session, and map search fields to action arguments and back.

Missing fields come from the session's topic, then from the last search. The parsing rules
(tools/nlu/search_query) are imported on first use only.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.memory import PackMemory, Searched
from state.policy import FieldSource, SearchPolicy, SearchReading, query_of, terms_of
from tools.catalog.pack_schema import PolicyFile
from tools.nlu.lexicon.normalization import singular
from tools.nlu.search_query.lexicon import KINDS

_TELLING = frozenset({"year_from", "year_to", "open_access_only"})
"""Slots by which a read is known to search; a `limit` may be that of anything, such as a card."""
QUERY_SLOTS = ("query", "queries")
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
    return has_search_fields(action) and not action.slots.keys().isdisjoint(QUERY_SLOTS)


def narrows_by_fields(action: Action) -> bool:
    """Tell whether an action has search fields and no words of its own: more like that one."""
    return has_search_fields(action) and action.slots.keys().isdisjoint(QUERY_SLOTS)


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


def with_model_terms(
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


def topics_of(search: SearchPolicy) -> list[str]:
    """Part what is searched for into topics: `wind, tides and waves` are three."""
    topic = _LEAD.sub("", search.topic or query_of(search.query_terms))
    topic = _TAIL.sub("", topic)
    parts = [_LEAD.sub("", part).strip(" .:?!") for part in _BETWEEN.split(topic)]
    return list(dict.fromkeys(part for part in parts if part))


def _fields(search: SearchPolicy) -> Iterator[tuple[str, Any]]:
    if search.query_terms:
        yield "query", query_of(search.query_terms)
        yield "queries", topics_of(search)
    for name, value in search.model_dump(mode="json", exclude_none=True).items():
        if name not in _TOPIC and value != []:
            yield name, value


MOST_LISTED = 100
"""The largest limit that a search takes (SearchPolicy)."""
_POINTING = frozenset(
    {"this", "that", "these", "those", "the", "same", "it", "my", "our", "topic", "topics"}
    | {"subject", "area", "field", "question", "theme"}
)
"""Words that say no more than `this topic`."""
_KIND_ALONE = re.compile(KINDS)


def preload_search_rules(actions: Iterable[Action]) -> None:
    """Import the rules of search fields if an action searches by any; others start without them."""
    if any(has_search_fields(action) for action in actions):
        from tools.nlu.search_query import parser as fields  # noqa: F401
        from tools.nlu.search_query import refinement as nothing_but_fields  # noqa: F401


@dataclass(frozen=True)
class ResolvedSearch:
    """The fields of a search, and where they come from; without terms nobody said what for."""

    search: SearchPolicy
    reasons: tuple[str, ...]
    left_out: str = ""
    """What was said and is not followed, as a sentence for the person."""


@dataclass(frozen=True)
class SearchInterpreter:
    """Reads what one pack's session may search for at one moment."""

    policy: PolicyFile
    memory: PackMemory
    today: date
    kind: frozenset[str]
    """The words for what the action searches, each in the singular."""
    previous: Searched | None
    """The last search, as long as a follow-up may be about it."""

    def sought(self, text: str) -> ResolvedSearch:
        """Read a search; what a text leaves out comes from the topic, then the last search."""
        read = self._read(text)
        words = {term.casefold() for term in read.search.query_terms}
        is_of_kind = _KIND_ALONE.fullmatch(" ".join(read.search.query_terms).casefold())
        if is_of_kind and (narrowed := self.refined(text)) is not None:
            return narrowed  # `are there any reviews` behind a search on bees
        if words - _POINTING or read.search.authors or read.search.venue:
            return _told(text, read.search, read.sources)
        said = frozenset(re.findall(r"\w+", text.casefold()))
        is_pointing = bool(_POINTING & said)
        topic = self._topic(said)
        if topic is not None and (is_pointing or self.previous is None):
            name, terms = topic
            return _told(text, with_terms(read.search, terms), read.sources, f"topic:{name}")
        refined = self.refined(text)
        if refined is not None:
            return refined
        if self.previous is not None:
            terms = self.previous.search.query_terms
            return _told(text, with_terms(read.search, terms), read.sources, "topic:last_search")
        return _told(text, with_terms(read.search, ()), read.sources)

    def refined(self, text: str, *, wholly: bool = False) -> ResolvedSearch | None:
        """Read a text as a change to the last search; None: it is none.

        Args:
            wholly: only if each of its words is part of a field, so that nothing is told of.
        """
        from tools.nlu.search_query.refinement import (
            names_only_fields,
            refine,  # as above
        )

        if self.previous is None:
            return None
        refined = refine(self.previous.search, text, self.today, self.policy.defaults)
        if refined is None or (wholly and not names_only_fields(text, refined.sources)):
            return None
        search = refined.search
        if search == self.previous.search and not refined.sources:  # `show me more`: as many again
            search = search.model_copy(update={"limit": min(2 * search.limit, MOST_LISTED)})
        return _told(text, search, refined.sources, "refines:last_search")

    def takes_back(self, text: str) -> bool:
        """Tell whether a text takes filters back by that name, so that it is of the last search."""
        from tools.nlu.search_query.refinement import names_filters  # as above

        return self.previous is not None and names_filters(text)

    def has_nothing_to_take_back(self, text: str) -> bool:
        """Tell whether a text does no more than to take filters back, and there is no search."""
        from tools.nlu.search_query.refinement import names_filters, refine

        if self.previous is not None or not names_filters(text):
            return False
        return refine(SearchPolicy(), text, self.today, self.policy.defaults) is not None

    def _read(self, text: str) -> SearchReading:
        """Read the fields; `books` is no word to find books by."""
        from tools.nlu.search_query.parser import read_search_fields

        read = read_search_fields(text, self.today, self.policy.defaults)
        terms = tuple(t for t in read.search.query_terms if singular(t.casefold()) not in self.kind)
        if terms == read.search.query_terms:
            return read
        return read.model_copy(update={"search": with_terms(read.search, terms)})

    def _topic(self, said: frozenset[str]) -> tuple[str, tuple[str, ...]] | None:
        """Find what the session is about; `this question` is the fact that is called so."""
        rules = self.policy.remembers
        for name in sorted(rules, key=lambda name: said.isdisjoint(name.split("_")[-1:])):
            fact = self.memory.facts.get(name) if rules[name].is_topic else None
            if fact is not None:
                read = self._read(fact.value)
                if read.search.query_terms:
                    return name, read.search.query_terms
        return None


def with_terms(search: SearchPolicy, terms: tuple[str, ...]) -> SearchPolicy:
    """Give a search another topic; every other field stays."""
    return search.model_copy(update={"query_terms": terms, "topic": " ".join(terms) or None})


def _told(
    text: str, search: SearchPolicy, sources: Sequence[FieldSource], *origins: str
) -> ResolvedSearch:
    from tools.nlu.search_query.parser import unfollowed_note  # as above

    reasons = (*origins, *(source.reason for source in sources))
    return ResolvedSearch(search, reasons, unfollowed_note(text, sources))
