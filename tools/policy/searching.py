"""What a text searches for in its session: fields of its own, of the topic, of the last search."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from state.action import Action
from state.memory import PackMemory, Searched
from state.policy import FieldSource, SearchPolicy, SearchReading
from tools.catalogue.models import PolicyFile
from tools.policy.search_slots import has_search_fields
from tools.routing.words.phrases import singular
from tools.search_fields.words.papers import KINDS

MOST_LISTED = 100
"""The largest limit that a search takes (SearchPolicy)."""
_POINTING = frozenset(
    {"this", "that", "these", "those", "the", "same", "it", "my", "our", "topic", "topics"}
    | {"subject", "area", "field", "question", "theme"}
)
"""Words that say no more than `this topic`."""
_KIND_ALONE = re.compile(KINDS)


def ready_to_seek(actions: Iterable[Action]) -> None:
    """Import the rules of search fields if an action searches by any; others start without them."""
    if any(has_search_fields(action) for action in actions):
        from tools.search_fields import fields, not_followed  # noqa: F401
        from tools.search_fields.follow_ups import nothing_but_fields, refine, taken_back  # noqa: F401


@dataclass(frozen=True)
class Sought:
    """The fields of a search, and where they come from; without terms nobody said what for."""

    search: SearchPolicy
    reasons: tuple[str, ...]
    left_out: str = ""
    """What was said and is not followed, as a sentence for the person."""


@dataclass(frozen=True)
class Seeker:
    """Reads what one pack's session may search for at one moment."""

    policy: PolicyFile
    memory: PackMemory
    today: date
    kind: frozenset[str]
    """The words for what the action searches, each in the singular."""
    previous: Searched | None
    """The last search, as long as a follow-up may be about it."""

    def sought(self, text: str) -> Sought:
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
            return _told(text, about(read.search, terms), read.sources, f"topic:{name}")
        refined = self.refined(text)
        if refined is not None:
            return refined
        if self.previous is not None:
            terms = self.previous.search.query_terms
            return _told(text, about(read.search, terms), read.sources, "topic:last_search")
        return _told(text, about(read.search, ()), read.sources)

    def refined(self, text: str, *, wholly: bool = False) -> Sought | None:
        """Read a text as a change to the last search; None: it is none.

        Args:
            wholly: only if each of its words is part of a field, so that nothing is told of.
        """
        from tools.search_fields.follow_ups.nothing_but_fields import names_only_fields
        from tools.search_fields.follow_ups.refine import refine  # see `ready_to_seek`

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
        from tools.search_fields.follow_ups.taken_back import names_filters  # as above

        return self.previous is not None and names_filters(text)

    def has_nothing_to_take_back(self, text: str) -> bool:
        """Tell whether a text does no more than to take filters back, and there is no search."""
        from tools.search_fields.follow_ups.refine import refine  # as above
        from tools.search_fields.follow_ups.taken_back import names_filters

        if self.previous is not None or not names_filters(text):
            return False
        return refine(SearchPolicy(), text, self.today, self.policy.defaults) is not None

    def _read(self, text: str) -> SearchReading:
        """Read the fields; `books` is no word to find books by."""
        from tools.search_fields.fields import read_search_fields  # as above

        read = read_search_fields(text, self.today, self.policy.defaults)
        terms = tuple(t for t in read.search.query_terms if singular(t.casefold()) not in self.kind)
        if terms == read.search.query_terms:
            return read
        return read.model_copy(update={"search": about(read.search, terms)})

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


def about(search: SearchPolicy, terms: tuple[str, ...]) -> SearchPolicy:
    """Give a search another topic; every other field stays."""
    return search.model_copy(update={"query_terms": terms, "topic": " ".join(terms) or None})


def _told(text: str, search: SearchPolicy, sources: Sequence[FieldSource], *origins: str) -> Sought:
    from tools.search_fields.not_followed import told_of  # as above

    reasons = (*origins, *(source.reason for source in sources))
    return Sought(search, reasons, told_of(text, sources))
