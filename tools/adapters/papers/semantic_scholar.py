"""Semantic Scholar's Academic Graph and Recommendations APIs, as documented in November 2026."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from pydantic import JsonValue

from state.paper import Paper, PaperLink, SearchFilter
from state.policy import SearchPolicy
from tools.adapters.papers.constraints import Period, long_venue, period_of
from tools.adapters.papers.provider import Native, Page, Prepared, Request, Unreadable, query_text
from tools.adapters.papers.response_fields import (
    MAX_ABSTRACT,
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
    entries,
    fields_as_named,
    make_paper,
    names,
    read_page,
)

HOST = "https://api.semanticscholar.org"
KEY_HEADER = "x-api-key"
_FIELDS = (
    "paperId,externalIds,title,abstract,authors.name,year,publicationDate,venue,url,"
    "isOpenAccess,openAccessPdf,citationCount,fieldsOfStudy,s2FieldsOfStudy"
)
_MOST_A_PAGE = 100
_MOST_RANKED = 1_000
"""Results that the ranked search gives at all, over every page."""
_MOST_LOOKED_UP = 500
_MOST_LINKED = 1_000
_LINKS: Mapping[PaperLink, str] = {"citing": "citations", "cited": "references"}
_OPEN = frozenset({"GOLD", "GREEN", "HYBRID", "BRONZE"})
_POOLS = ("all-cs", "recent")
"""Those it recommends from; there is none of all papers."""
_KINDS = {
    "doi": "DOI",
    "arxiv": "ARXIV",
    "pubmed": "PMID",
}
"""Our kinds of id that are prefixes of theirs."""


class SemanticScholar:
    """Asks the ranked search for words, the bulk search when there are none."""

    name: Final = "semantic_scholar"

    def filters(
        self, search: SearchPolicy, without: AbstractSet[SearchFilter]
    ) -> Mapping[SearchFilter, Native]:
        """Take dates, open access, venue and fields of study; authors it cannot filter by."""
        found: dict[SearchFilter, Native] = {}
        period = period_of(search)
        if period is not None:
            if not period.is_whole_years and "dates" not in without:
                found["dates"] = (("publicationDateOrYear", _days(period)),)
            elif "years" not in without:
                found["years"] = (("year", _years(period)),)
        if search.open_access_only and "open_access" not in without:
            found["open_access"] = (("openAccessPdf", ""),)
        if search.venue and "," not in search.venue and "venue" not in without:
            spelt = dict.fromkeys((search.venue, long_venue(search.venue)))
            found["venue"] = (("venue", ",".join(spelt)),)
        if search.fields_of_study and "fields" not in without:
            found["fields"] = (("fieldsOfStudy", ",".join(search.fields_of_study)),)
        if search.min_citations and "citations" not in without:
            found["citations"] = (("minCitationCount", str(search.min_citations)),)
        return found

    def preparation(self, search: SearchPolicy) -> None:
        """Need nothing beforehand."""

    def prepared(self, answer: JsonValue, search: SearchPolicy) -> Prepared:
        """Never be called: nothing was asked for."""
        return Prepared()

    def page(
        self,
        search: SearchPolicy,
        filters: Mapping[SearchFilter, Native],
        *,
        cursor: str | None,
        wanted: int,
    ) -> Request:
        """Ask for a page; a cursor is an offset, or a token of the bulk search."""
        query = _query(search)
        native = {key: value for pairs in filters.values() for key, value in pairs}
        if not query:
            params = {**native, "sort": "citationCount:desc", "fields": _FIELDS}
            if cursor:
                params["token"] = cursor
            return Request("/graph/v1/paper/search/bulk", params, spoken=native)
        offset = int(cursor or 0)
        limit = max(1, min(wanted, _MOST_A_PAGE, _MOST_RANKED - offset - 1))
        params = {"query": query, **native, "offset": str(offset), "limit": str(limit)}
        return Request(
            "/graph/v1/paper/search",
            {**params, "fields": _FIELDS},
            spoken={"query": query, **native},
        )

    def read(self, answer: JsonValue) -> Page:
        """Read a page of either search; one without matches may lack its list."""
        whole = as_object(answer)
        if "data" not in whole and whole.get("total") in (0, "0"):
            return Page(())
        token = as_text(whole.get("token"), 4_000)
        following = as_count(whole.get("next"))
        if following is not None and following < _MOST_RANKED - 1:
            token = str(following)
        return read_page(entries(answer, "data"), _paper, token)

    def lookup(self, ids: Sequence[str]) -> tuple[Request, ...]:
        """Ask for papers by id, at most 500 at once."""
        theirs = [their for one in ids if (their := _their_id(one))]
        return tuple(
            Request(
                "/graph/v1/paper/batch",
                {"fields": _FIELDS},
                body={"ids": theirs[start : start + _MOST_LOOKED_UP]},
            )
            for start in range(0, len(theirs), _MOST_LOOKED_UP)
        )

    def read_lookup(self, answer: JsonValue) -> Page:
        """Read a look-up: a list in the order of the ids, null for what is not there."""
        if not isinstance(answer, list):
            raise Unreadable("its answer is no list")
        return read_page([entry for entry in answer if entry is not None], _paper)

    def similar(self, paper: Paper, *, wanted: int) -> tuple[Request, ...]:
        """Ask for its recommendations: of all computer science, and of what is new in any field."""
        theirs = _id_of(paper)
        if theirs is None:
            return ()
        limit = str(max(1, min(wanted, _MOST_A_PAGE)))
        return tuple(
            Request(
                f"/recommendations/v1/papers/forpaper/{theirs}",
                {"fields": _FIELDS, "limit": limit, "from": pool},
                spoken={"similar_to": theirs},
            )
            for pool in _POOLS
        )

    def read_similar(self, answer: JsonValue) -> Page:
        """Read recommendations."""
        return read_page(entries(answer, "recommendedPapers"), _paper)

    def linked(self, paper: Paper, link: PaperLink, *, wanted: int) -> tuple[Request, ...]:
        """Ask for its citations or references, as many as one answer may hold."""
        theirs = _id_of(paper)
        if theirs is None:
            return ()
        params = {"fields": _FIELDS, "limit": str(max(1, min(wanted, _MOST_LINKED)))}
        path = f"/graph/v1/paper/{theirs}/{_LINKS[link]}"
        return (Request(path, params, spoken={_LINKS[link]: theirs}),)

    def read_linked(self, answer: JsonValue) -> Page:
        """Read citations or references; a publisher may keep the list, and entries may be bare."""
        if as_object(answer).get("data", 0) is None:
            return Page(())
        links = [as_object(entry) for entry in entries(answer, "data")]
        ends = (as_object(one.get("citingPaper") or one.get("citedPaper")) for one in links)
        return read_page([dict(end) for end in ends if end.get("paperId")], _paper)


def _query(search: SearchPolicy) -> str:
    # Its documentation: a term with a hyphen matches nothing, and no query syntax is supported.
    return " ".join(query_text(search).replace("-", " ").split())


def _days(period: Period) -> str:
    return f"{period.first or ''}:{period.last or ''}"


def _years(period: Period) -> str:
    first = period.first.year if period.first else ""
    last = period.last.year if period.last else ""
    return str(first) if first == last else f"{first}-{last}"


def _id_of(paper: Paper) -> str | None:
    all_ids = [f"{kind}:{value}" for kind, value in paper.ids.items()]
    own = paper.ids.get("semantic_scholar")
    return own or next((their for one in all_ids if (their := _their_id(one))), None)


def _their_id(paper_id: str) -> str | None:
    kind, _, value = paper_id.partition(":")
    if not re.fullmatch(r"[\w.:/()<>;+-]{1,300}", value):
        return None
    if kind in ("s2", "semantic_scholar"):
        return value
    return f"{_KINDS[kind]}:{value}" if kind in _KINDS else None


def _paper(entry: Mapping[str, JsonValue]) -> Paper | None:
    external = as_object(entry.get("externalIds"))
    pdf = as_object(entry.get("openAccessPdf"))
    open_url = as_url(pdf.get("url"))
    is_open = bool(open_url) or pdf.get("status") in _OPEN or as_flag(entry.get("isOpenAccess"))
    return make_paper(
        "semantic_scholar",
        ids={
            "doi": as_doi(external.get("DOI")),
            "arxiv": as_text(external.get("ArXiv")),
            "pubmed": as_text(external.get("PubMed")),
            "semantic_scholar": as_text(entry.get("paperId")),
        },
        title=as_text(entry.get("title"), MAX_TITLE),
        authors=names(as_object(author).get("name") for author in as_list(entry.get("authors"))),
        year=as_year(entry.get("year")),
        published=as_date(entry.get("publicationDate")),
        venue=as_text(entry.get("venue")),
        abstract=as_text(entry.get("abstract"), MAX_ABSTRACT),
        url=as_url(entry.get("url")),
        open_access=is_open,
        open_access_url=open_url,
        citations=as_count(entry.get("citationCount")),
        fields_of_study=fields_as_named(entry.get("fieldsOfStudy"), entry.get("s2FieldsOfStudy")),
    )
