"""Search the literature by structured fields, store what is found and list it."""

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import Any

from pydantic import JsonValue

from prefrontal.pack import (
    ActionResult,
    AgentError,
    BadInput,
    HandlerContext,
    Paper,
    PaperLink,
    PaperSearch,
    SearchPolicy,
    SearchResult,
    search_from,
)

from .paging import Pages, first_page, forget, within
from .papers import data_of, keep
from .store import Work, listed, reading, writing

_SAID: dict[PaperLink, str] = {"citing": "citing", "cited": "cited by"}


async def search_papers(  # noqa: PLR0913
    context: HandlerContext,
    papers: PaperSearch,
    *,
    query: str | None = None,
    year_from: int | None = None,
    year_to: int | None = None,
    date_from: str | None = None,
    date_to: str | None = None,
    open_access_only: bool | None = None,
    limit: int | None = None,
    authors: Sequence[str] = (),
    venue: str | None = None,
    fields_of_study: Sequence[str] = (),
    sort_by: str | None = None,
    min_citations: int | None = None,
) -> ActionResult:
    """Find papers; none that is listed breaks a field."""
    search = _search(
        query=query,
        year_from=year_from,
        year_to=year_to,
        date_from=date_from,
        date_to=date_to,
        open_access_only=open_access_only,
        limit=limit,
        authors=tuple(authors),
        venue=venue,
        fields_of_study=tuple(fields_of_study),
        sort_by=sort_by,
        min_citations=min_citations,
    )
    result = await papers.search(search)
    about = f" on {query}" if query else ""
    return await asyncio.to_thread(
        first_page, context, result, Pages("words", f"{about}{within(search)}", search)
    )


async def batch_search_papers(
    context: HandlerContext,
    papers: PaperSearch,
    *,
    queries: Sequence[str],
    year_from: int | None = None,
    year_to: int | None = None,
    open_access_only: bool | None = None,
    limit: int | None = None,
) -> ActionResult:
    """Run several searches at once; one that fails is told and the others stand."""
    searches = [
        _search(
            query=query,
            year_from=year_from,
            year_to=year_to,
            open_access_only=open_access_only,
            limit=limit,
        )
        for query in queries
    ]
    results = await papers.batch(searches)
    failed = [result for result in results if isinstance(result, AgentError)]
    if len(failed) == len(results):
        raise failed[0]
    return await asyncio.to_thread(_all_listed, context, queries, results)


async def find_similar_papers(
    context: HandlerContext,
    papers: PaperSearch,
    *,
    paper: str,
    year_from: int | None = None,
    year_to: int | None = None,
    open_access_only: bool | None = None,
    limit: int | None = None,
) -> ActionResult:
    """Find papers like one of the project."""
    search = _search(
        year_from=year_from, year_to=year_to, open_access_only=open_access_only, limit=limit
    )
    one = await asyncio.to_thread(_known, context, paper)
    result = await papers.similar(one, search)
    pages = Pages("like", f" like {one.title}{within(search)}", search, paper)
    return await asyncio.to_thread(first_page, context, result, pages)


async def find_citing_papers(
    context: HandlerContext,
    papers: PaperSearch,
    *,
    paper: str,
    year_from: int | None = None,
    year_to: int | None = None,
    open_access_only: bool | None = None,
    limit: int | None = None,
    sort_by: str | None = None,
) -> ActionResult:
    """Find the papers that cite one of the project."""
    search = _search(
        year_from=year_from,
        year_to=year_to,
        open_access_only=open_access_only,
        limit=limit,
        sort_by=sort_by,
    )
    return await _linked(context, papers, paper, "citing", search)


async def find_references(
    context: HandlerContext,
    papers: PaperSearch,
    *,
    paper: str,
    year_from: int | None = None,
    year_to: int | None = None,
    open_access_only: bool | None = None,
    limit: int | None = None,
    sort_by: str | None = None,
) -> ActionResult:
    """Find the papers that one of the project cites."""
    search = _search(
        year_from=year_from,
        year_to=year_to,
        open_access_only=open_access_only,
        limit=limit,
        sort_by=sort_by,
    )
    return await _linked(context, papers, paper, "cited", search)


async def _linked(
    context: HandlerContext,
    papers: PaperSearch,
    paper: str,
    link: PaperLink,
    search: SearchPolicy,
) -> ActionResult:
    one = await asyncio.to_thread(_known, context, paper)
    result = await papers.linked(one, link, search)
    words = f" {_SAID[link]} {one.title}{within(search)}"
    return await asyncio.to_thread(first_page, context, result, Pages(link, words, search, paper))


def _known(context: HandlerContext, paper: str) -> Paper:
    with reading(context.data_dir) as connection:
        return Work(connection, context).paper(paper)


def _search(**fields: Any) -> SearchPolicy:  # by slot type
    for name in ("date_from", "date_to"):
        if fields.get(name) is not None:
            fields[name] = date.fromisoformat(fields[name])
    if fields["year_from"] and fields["year_to"] and fields["year_from"] > fields["year_to"]:
        raise BadInput(f"the years end ({fields['year_to']}) before they begin")
    return search_from({name: value for name, value in fields.items() if value is not None})


def _all_listed(
    context: HandlerContext,
    queries: Sequence[str],
    results: Sequence[SearchResult | AgentError],
) -> ActionResult:
    """List every paper once, numbered through, under the search that found it first."""
    parts: list[str] = []
    ids: list[str] = []
    data: list[JsonValue] = []
    with writing(context.data_dir) as connection:
        work = Work(connection, context)
        forget(work)  # several searches have no next page
        for query, result in zip(queries, results, strict=True):
            if isinstance(result, AgentError):
                parts.append(f"{query}: {str(result).splitlines()[0]}")
                continue
            found = zip(keep(work, result.papers), result.papers, strict=True)
            new = [(paper_id, paper) for paper_id, paper in found if paper_id not in ids]
            lines = [
                f"  {place}. {paper.title} [{paper_id}]"
                for place, (paper_id, paper) in enumerate(new, len(ids) + 1)
            ]
            ids += [paper_id for paper_id, _paper in new]
            data += [data_of(*each) for each in new]
            parts.append("\n".join([f"{query}: {len(result.papers)} papers", *lines]))
    return ActionResult(text="\n".join(parts), data={"listed": listed(ids), "papers": data})
