"""The port of a paper provider, with query text free of any query syntax.

Pure functions from a search to requests and from responses to pages.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import JsonValue

from state.paper import Paper, PaperLink, PaperProvider, SearchFilter
from state.policy import SearchPolicy

MAX_QUERY = 500
"""Providers cut or refuse longer ones; a topic has a few words."""
_SIGNS = re.compile(r"[\"*?~^()\[\]{}<>|!:\\+&,;/]+")


def query_text(search: SearchPolicy) -> str:
    """Join the terms of a search, its topic when it has none, without any query syntax."""
    given = " ".join(search.query_terms) or search.topic or ""
    words = _SIGNS.sub(" ", given).split()
    # OpenAlex takes words in capitals for operators; nobody who talks means one.
    plain = (word.lower() if word in ("AND", "OR", "NOT") else word for word in words)
    text = ""
    for word in plain:
        if len(text) + len(word) + 1 > MAX_QUERY:
            break
        text = f"{text} {word}" if text else word
    return text


def clause_value(text: str) -> str:
    """Write a value of OpenAlex's filter that cannot begin another clause."""
    return " ".join(re.sub(r"[,|:!<>\"()&+*?~]", " ", text).split())


Native = tuple[tuple[str, str], ...]
"""A constraint as a provider takes it: names of its own, and their values."""


@dataclass(frozen=True)
class Request:
    """One request to a provider: a path behind its base URL."""

    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: Any = None  # JSON, sent by POST
    spoken: Mapping[str, str] = field(default_factory=dict)
    """What of it a person may want to know: the query and the filters."""


@dataclass(frozen=True)
class Prepared:
    """What a provider told beforehand about what is asked for."""

    filters: Mapping[SearchFilter, Native] = field(default_factory=dict)
    """Further constraints that it can take now."""
    venues: frozenset[str] = frozenset()
    """Names under which it lists the wanted venue."""


@dataclass(frozen=True)
class Page:
    """One answer, read."""

    papers: tuple[Paper, ...]
    cursor: str | None = None
    """Where the next page begins; None: this was the last."""
    unread: int = 0
    """Entries that could not be made a paper of."""


class Unreadable(Exception):
    """An answer has another form than the provider documents."""


class Provider(Protocol):
    """Pure: it makes requests and reads answers; somebody else sends them."""

    @property
    def name(self) -> PaperProvider:
        """Tell which it is."""
        ...

    def filters(
        self, search: SearchPolicy, without: AbstractSet[SearchFilter]
    ) -> Mapping[SearchFilter, Native]:
        """Say which constraints the provider can take, and how, but for those it has rejected."""
        ...

    def preparation(self, search: SearchPolicy) -> Request | None:
        """Ask for what further filters need to know first; None: nothing."""
        ...

    def prepared(self, answer: JsonValue, search: SearchPolicy) -> Prepared:
        """Read what it told beforehand.

        Raises:
            Unreadable: the answer is none.
        """
        ...

    def page(
        self,
        search: SearchPolicy,
        filters: Mapping[SearchFilter, Native],
        *,
        cursor: str | None,
        wanted: int,
    ) -> Request:
        """Ask for a page of a search; `cursor` None is the first."""
        ...

    def read(self, answer: JsonValue) -> Page:
        """Read a page.

        Raises:
            Unreadable: it is none.
        """
        ...

    def lookup(self, ids: Sequence[str]) -> tuple[Request, ...]:
        """Ask for papers by their ids; nothing: it knows none of these kinds."""
        ...

    def read_lookup(self, answer: JsonValue) -> Page:
        """Read what came of a look-up.

        Raises:
            Unreadable: it is none.
        """
        ...

    def similar(self, paper: Paper, *, wanted: int) -> tuple[Request, ...]:
        """Ask for papers like one, the best list first; nothing: it does not know this one."""
        ...

    def read_similar(self, answer: JsonValue) -> Page:
        """Read papers like one.

        Raises:
            Unreadable: it is none.
        """
        ...

    def linked(self, paper: Paper, link: PaperLink, *, wanted: int) -> tuple[Request, ...]:
        """Ask for what cites a paper, or what it cites; nothing: it does not know this one."""
        ...

    def read_linked(self, answer: JsonValue) -> Page:
        """Read what cites a paper, or what it cites.

        Raises:
            Unreadable: it is none.
        """
        ...
