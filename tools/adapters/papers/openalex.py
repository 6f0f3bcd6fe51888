"""OpenAlex's list of works, as documented in November 2026."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from pydantic import JsonValue

from state.paper import Paper, PaperLink, SearchFilter
from state.policy import SearchPolicy
from tools.adapters.papers.constraints import is_venue, long_venue, period_of
from tools.adapters.papers.provider import Native, Page, Prepared, Request, clause_value, query_text
from tools.adapters.papers.response_fields import (
    MAX_TITLE,
    as_count,
    as_date,
    as_doi,
    as_flag,
    as_list,
    as_object,
    as_text,
    as_url,
    as_year,
    clauses_of,
    entries,
    fields_in_topics,
    make_paper,
    names,
    read_page,
    unfolded,
)

HOST = "https://api.openalex.org"
KEY_PARAMETER = "api_key"
_SELECT = (
    "id,doi,ids,title,authorships,publication_year,publication_date,primary_location,"
    "best_oa_location,open_access,cited_by_count,abstract_inverted_index,topics"
)
_SOURCE = "id,display_name,abbreviated_title,alternate_titles"
_SOURCE_ID = re.compile(r"S\d{1,15}")
_MOST_A_PAGE = 100
_MOST_LINKED = 500
_FIRST = "*"
_ARXIV = re.compile(r"10\.48550/arxiv\.(\S+)")
_WORK = re.compile(r"W\d{1,15}")
_LINKS: Mapping[PaperLink, str] = {"citing": "cites", "cited": "cited_by"}
_CLAUSES = {"doi": "doi", "openalex": "ids.openalex", "pubmed": "ids.pmid"}


class OpenAlex:
    """Asks the list of works, with filters as clauses of one parameter."""

    name: Final = "openalex"

    def filters(
        self, search: SearchPolicy, without: AbstractSet[SearchFilter]
    ) -> Mapping[SearchFilter, Native]:
        """Take dates, open access and authors; a venue by what was prepared."""
        found: dict[SearchFilter, Native] = {}
        period = period_of(search)
        if period is not None and "dates" not in without:
            ends = (
                ("from_publication_date", period.first),
                ("to_publication_date", period.last),
            )
            found["dates"] = tuple((key, str(day)) for key, day in ends if day)
        if search.open_access_only and "open_access" not in without:
            found["open_access"] = (("is_oa", "true"),)
        authors = [plain for name in search.authors if (plain := clause_value(name))]
        if authors and "authors" not in without:
            found["authors"] = tuple(("raw_author_name.search", name) for name in authors)
        fields = clauses_of(search.fields_of_study) if search.fields_of_study else None
        if fields and "fields" not in without:
            found["fields"] = fields
        if search.min_citations and "citations" not in without:
            found["citations"] = (("cited_by_count", f">{search.min_citations - 1}"),)
        return found

    def preparation(self, search: SearchPolicy) -> Request | None:
        """Ask which sources are called like the venue: works are filtered by id, not by name."""
        name = clause_value(long_venue(search.venue)) if search.venue else ""
        if not name:
            return None
        params = {"search": name, "per_page": "10", "select": _SOURCE}
        return Request("/sources", params, spoken={"search": name})

    def prepared(self, answer: JsonValue, search: SearchPolicy) -> Prepared:
        """Filter by the sources that are the venue; none: it cannot be filtered by."""
        wanted = search.venue or ""
        ids: list[str] = []
        called: list[str] = []
        for source in map(as_object, entries(answer, "results")):
            one = _last(source.get("id"))
            known = _source_names(source)
            if one and _SOURCE_ID.fullmatch(one) and any(is_venue(name, wanted) for name in known):
                ids.append(one)
                called += known[:1]
        if not ids:
            return Prepared()
        native = (("primary_location.source.id", "|".join(ids)),)
        return Prepared({"venue": native}, frozenset(called))

    def page(
        self,
        search: SearchPolicy,
        filters: Mapping[SearchFilter, Native],
        *,
        cursor: str | None,
        wanted: int,
    ) -> Request:
        """Ask for a page; more than one are reached by cursor."""
        query = query_text(search)
        clauses = ",".join(f"{key}:{value}" for pairs in filters.values() for key, value in pairs)
        spoken = {}
        if query:
            spoken["search"] = query
        if clauses:
            spoken["filter"] = clauses
        params = {
            **spoken,
            "per_page": str(max(1, min(wanted, _MOST_A_PAGE))),
            "cursor": cursor or _FIRST,
            "select": _SELECT,
        }
        if not query:
            params["sort"] = "cited_by_count:desc"
        return Request("/works", params, spoken=spoken)

    def read(self, answer: JsonValue) -> Page:
        """Read a page."""
        values = entries(answer, "results")
        cursor = as_text(as_object(as_object(answer).get("meta")).get("next_cursor"), 2_000)
        return read_page(values, _paper, cursor if values else None)

    def lookup(self, ids: Sequence[str]) -> tuple[Request, ...]:
        """Ask for papers by id: one list for each kind, at most 100 of it at once."""
        kinds: dict[str, list[str]] = {}
        for one in ids:
            kind, _, value = one.partition(":")
            if kind == "arxiv":
                kind, value = "doi", f"10.48550/arxiv.{value.lower()}"
            if kind in _CLAUSES and value and not re.search(r"[,|\s]", value):
                kinds.setdefault(kind, []).append(value)
        return tuple(
            _list_of(f"{_CLAUSES[kind]}:{'|'.join(values[start:end])}", _MOST_A_PAGE)
            for kind, values in kinds.items()
            for start in range(0, len(values), _MOST_A_PAGE)
            for end in (start + _MOST_A_PAGE,)
        )

    def read_lookup(self, answer: JsonValue) -> Page:
        """Read a look-up."""
        return read_page(entries(answer, "results"), _paper)

    def similar(self, paper: Paper, *, wanted: int) -> tuple[Request, ...]:
        """Ask for the works it counts as related; one it does not know is searched by its title."""
        work = paper.ids.get("openalex")
        if work and _WORK.fullmatch(work):
            return (_list_of(f"related_to:{work}", wanted),)
        return (self.page(SearchPolicy(topic=paper.title), {}, cursor=None, wanted=wanted),)

    def read_similar(self, answer: JsonValue) -> Page:
        """Read works like one."""
        return read_page(entries(answer, "results"), _paper)

    def linked(self, paper: Paper, link: PaperLink, *, wanted: int) -> tuple[Request, ...]:
        """Ask for the works with a link to it, most cited first; it has to be known by their id."""
        work = paper.ids.get("openalex")
        if not work or not _WORK.fullmatch(work):
            return ()
        order = {"sort": "cited_by_count:desc"}
        pages = range(1, -(-min(wanted, _MOST_LINKED) // _MOST_A_PAGE) + 1)
        clause = f"{_LINKS[link]}:{work}"
        if len(pages) == 1:
            return (_list_of(clause, wanted, order),)
        return tuple(_list_of(clause, _MOST_A_PAGE, {**order, "page": str(n)}) for n in pages)

    def read_linked(self, answer: JsonValue) -> Page:
        """Read works with a link to one."""
        return read_page(entries(answer, "results"), _paper)


def _list_of(clause: str, wanted: int, more: Mapping[str, str] | None = None) -> Request:
    params = {
        **(more or {}),
        "filter": clause,
        "per_page": str(max(1, min(wanted, _MOST_A_PAGE))),
        "select": _SELECT,
    }
    return Request("/works", params, spoken={"filter": clause})


def _paper(work: Mapping[str, JsonValue]) -> Paper | None:
    ids = as_object(work.get("ids"))
    place = as_object(work.get("primary_location"))
    best = as_object(work.get("best_oa_location"))
    access = as_object(work.get("open_access"))
    doi = as_doi(work.get("doi")) or as_doi(ids.get("doi"))
    arxiv = _ARXIV.fullmatch(doi) if doi else None
    open_url = as_url(best.get("pdf_url")) or as_url(access.get("oa_url"))
    return make_paper(
        "openalex",
        ids={
            "doi": doi,
            "arxiv": arxiv[1] if arxiv else None,
            "pubmed": _last(ids.get("pmid")),
            "openalex": _work_id(work.get("id")),
        },
        title=as_text(work.get("title"), MAX_TITLE) or as_text(work.get("display_name"), MAX_TITLE),
        authors=names(
            as_object(as_object(each).get("author")).get("display_name")
            for each in as_list(work.get("authorships"))
        ),
        year=as_year(work.get("publication_year")),
        published=as_date(work.get("publication_date")),
        venue=as_text(as_object(place.get("source")).get("display_name")),
        abstract=unfolded(work.get("abstract_inverted_index")),
        url=as_url(place.get("landing_page_url")) or as_url(work.get("doi")),
        open_access=as_flag(access.get("is_oa")),
        open_access_url=open_url,
        citations=as_count(work.get("cited_by_count")),
        fields_of_study=fields_in_topics(work.get("topics")),
    )


def _source_names(source: Mapping[str, JsonValue]) -> tuple[str, ...]:
    return names(
        (
            source.get("display_name"),
            source.get("abbreviated_title"),
            *as_list(source.get("alternate_titles")),
        )
    )


def _work_id(value: JsonValue) -> str | None:
    last = _last(value)
    return last if last and _WORK.fullmatch(last) else None


def _last(value: JsonValue) -> str | None:
    text = as_text(value)
    return text.rsplit("/", 1)[-1] if text else None
