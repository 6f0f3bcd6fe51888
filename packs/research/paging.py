"""Pages of the last search; each is stored, so that going back asks no provider."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from prefrontal.pack import (
    ActionResult,
    BadInput,
    HandlerContext,
    Paper,
    PaperLink,
    PaperSearch,
    SearchPolicy,
    SearchResult,
)

from .papers import data_of, keep, listing
from .store import Work, listed, reading, writing

Kind = Literal["words", "like", "citing", "cited"]
_LINKS: dict[Kind, PaperLink] = {"citing": "citing", "cited": "cited"}


@dataclass(frozen=True)
class Pages:
    """The last search of a conversation and what was shown of it, ids page by page."""

    kind: Kind
    about: str
    search: SearchPolicy
    paper: str | None = None
    """Around which one of the project it searches, if around any."""
    pages: tuple[tuple[str, ...], ...] = ()
    shown: int = 0
    """The place of the page on the table, from 0."""


def first_page(context: HandlerContext, result: SearchResult, pages: Pages) -> ActionResult:
    """Tell what a new search found, and begin its pages."""
    with writing(context.data_dir) as connection:
        work = Work(connection, context)
        ids = keep(work, result.papers)
        _put(work, replace(pages, pages=(tuple(ids),), shown=0))
    count = len(ids)
    head = f"{_counted(count)}{pages.about}" if ids else f"No paper{pages.about}."
    return _told(head, ids, result, pages.search, ends_list=True)


async def next_results(
    context: HandlerContext,
    papers: PaperSearch,
    *,
    limit: int | None = None,
    page: int | None = None,
) -> ActionResult:
    """Show what comes after the page on the table, or a page by its number.

    Nothing of a page before comes again. Of a page further on than the next the next is shown,
    for what it holds depends on those before it.
    """
    pages, beyond = await asyncio.to_thread(_kept, context)
    place = pages.shown + 1 if page is None else page - 1
    if place < len(pages.pages):
        return await asyncio.to_thread(_turned_to, context, pages, place)
    search = pages.search.model_copy(update={"limit": limit or pages.search.limit})
    result = await _found(context, papers, pages, search, beyond)
    told = await asyncio.to_thread(_next_page, context, pages, search, result)
    if place == len(pages.pages) or not result.papers:
        return told
    between = f"(Pages are turned one by one: page {place + 1} is further on.)"
    return told.model_copy(update={"text": f"{told.text}\n{between}"})


def previous_results(context: HandlerContext, *, page: int | None = None) -> ActionResult:
    """Show the page before the one on the table again, or any that was shown by its number."""
    pages, _shown = _kept(context)
    place = pages.shown - 1 if page is None else page - 1
    if place < 0:
        return ActionResult(text="This is the first page.")
    if place >= len(pages.pages):
        so_far = f"this is page {pages.shown + 1} of {len(pages.pages)} so far"
        return ActionResult(text=f"Page {page} was not shown yet: {so_far}.")
    return _turned_to(context, pages, place)


def forget(work: Work) -> None:
    """Let the pages of a conversation go: what follows has none."""
    work.run("DELETE FROM search_pages WHERE session_id = ?", work.context.session_id)


def within(search: SearchPolicy) -> str:
    """Say the constraints in words."""
    parts = []
    if search.year_from or search.year_to:
        parts.append(f"{search.year_from or '…'}–{search.year_to or 'now'}")
    if search.open_access_only:
        parts.append("open access")
    parts += [f"by {name}" for name in search.authors]
    parts += [f"in {search.venue}"] if search.venue else []
    parts += [" or ".join(search.fields_of_study)] if search.fields_of_study else []
    parts += [f"{search.min_citations}+ citations"] if search.min_citations else []
    return f" ({', '.join(parts)})" if parts else ""


async def _found(
    context: HandlerContext,
    papers: PaperSearch,
    pages: Pages,
    search: SearchPolicy,
    beyond: Sequence[Paper],
) -> SearchResult:
    if pages.kind == "words" or pages.paper is None:
        return await papers.search(search, beyond=beyond)
    one = await asyncio.to_thread(_paper, context, pages.paper)
    if pages.kind == "like":
        return await papers.similar(one, search, beyond=beyond)
    return await papers.linked(one, _LINKS[pages.kind], search, beyond=beyond)


def _next_page(
    context: HandlerContext, pages: Pages, search: SearchPolicy, result: SearchResult
) -> ActionResult:
    if not result.papers:
        head = f"No more papers{pages.about}: you have seen all that was found."
        return _told(head, (), result, search, ends_list=False)
    with writing(context.data_dir) as connection:
        work = Work(connection, context)
        ids = keep(work, result.papers)
        shown = len(pages.pages)
        _put(work, replace(pages, pages=(*pages.pages, tuple(ids)), shown=shown))
    head = f"{_counted(len(ids), 'more ')}{pages.about}, page {shown + 1}"
    told = _told(head, ids, result, search, ends_list=True)
    if len(ids) < search.limit and not result.is_partial:
        told = told.model_copy(update={"text": f"{told.text}\n(There are no more.)"})
    return told


def _turned_to(context: HandlerContext, pages: Pages, place: int) -> ActionResult:
    ids = pages.pages[place]
    with writing(context.data_dir) as connection:
        work = Work(connection, context)
        _put(work, replace(pages, shown=place))
        papers = [work.paper(one) for one in ids]
    head = f"{_counted(len(ids))}{pages.about}, page {place + 1}"
    return _told(head, ids, SearchResult(papers=tuple(papers)), pages.search, ends_list=True)


def _told(
    head: str,
    ids: Sequence[str],
    result: SearchResult,
    search: SearchPolicy,
    *,
    ends_list: bool,
) -> ActionResult:
    """Write a page down; without `ends_list` the list before stays what `the first one` means."""
    notes = "".join(f"\n({note})" for note in result.notes)
    body = f"{head}:\n{listing(ids, result.papers)}" if ids else head
    return ActionResult(
        text=f"{body}{notes}",
        data={
            **({"listed": listed(ids)} if ends_list else {}),
            "papers": [*(data_of(*each) for each in zip(ids, result.papers, strict=True))],
            "filters": search.model_dump(mode="json", exclude_none=True),
            "answers": [answer.model_dump(mode="json") for answer in result.answers],
            "partial": result.is_partial,
        },
    )


def _counted(count: int, more: str = "") -> str:
    return f"{count} {more}paper{'' if count == 1 else 's'}"


def _paper(context: HandlerContext, paper_id: str) -> Paper:
    with reading(context.data_dir) as connection:
        return Work(connection, context).paper(paper_id)


def _kept(context: HandlerContext) -> tuple[Pages, tuple[Paper, ...]]:
    """Read the pages of this conversation, and the papers on them.

    Raises:
        BadInput: it has searched for nothing that has pages.
    """
    with reading(context.data_dir) as connection:
        work = Work(connection, context)
        row = work.row("SELECT * FROM search_pages WHERE session_id = ?", context.session_id)
        if row is None:
            raise BadInput("nothing was searched for in this conversation, so there is no page")
        pages = Pages(
            kind=row["kind"],
            about=row["about"],
            search=SearchPolicy.model_validate_json(row["search"]),
            paper=row["paper"],
            pages=tuple(map(tuple, json.loads(row["pages"]))),
            shown=row["shown"],
        )
        return pages, tuple(work.paper(one) for page in pages.pages for one in page)


def _put(work: Work, pages: Pages) -> None:
    work.run(
        "INSERT OR REPLACE INTO search_pages VALUES (?, ?, ?, ?, ?, ?, ?)",
        work.context.session_id,
        pages.kind,
        pages.paper,
        pages.about,
        pages.search.model_dump_json(),
        json.dumps(pages.pages),
        pages.shown,
    )
