"""Get the papers of one provider: page by page, with what it can filter and we have to."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from state.errors import Unreachable
from state.paper import Paper, ProviderAnswer, ProviderState, SearchFilter
from state.policy import SearchPolicy
from tools.search.asking import Call, Line, Rejected
from tools.search.constraints import asked, meets
from tools.search.provider import Native, Page, Prepared, Provider, Request, Unreadable

_LEAST_MISSED: tuple[SearchFilter, ...] = (
    "venue",
    "authors",
    "citations",
    "open_access",
    "fields",
    "dates",
    "years",
)
"""Which filter is given up first when the provider does not say which one it rejects."""
_WHOLE_PAGE = 100


@dataclass
class Gathered:
    """What one provider has brought so far; whoever breaks off keeps it."""

    provider: Provider
    papers: list[Paper] = field(default_factory=list)
    sent: dict[str, str] = field(default_factory=dict)
    checked_here: tuple[SearchFilter, ...] = ()
    rejected: dict[SearchFilter, str] = field(default_factory=dict)
    """Native filter → what the provider said against it."""
    prepared: Prepared = field(default_factory=Prepared)
    requests: int = 0
    pages: int = 0
    read: int = 0
    unread: int = 0
    """Entries that were papers, whatever we then left of them, and those that were none."""
    reason: str = ""
    is_whole: bool = False

    def answer(self) -> ProviderAnswer:
        """Tell what came of it."""
        notes = [self.reason] if self.reason else []
        notes += [f"it rejects {_word(one)} ({said})" for one, said in self.rejected.items()]
        if self.unread:
            notes.append(f"{self.unread} of its entries could not be read")
        return ProviderAnswer(
            provider=self.provider.name,
            state=self._state(),
            found=len(self.papers),
            requests=self.requests,
            sent=self.sent,
            checked_here=self.checked_here,
            reason="; ".join(notes),
        )

    def add(self, page: Page) -> None:
        """Count a page."""
        self.pages += 1
        self.read += len(page.papers)
        self.unread += page.unread

    def _state(self) -> ProviderState:
        """Say what it came to: who sends nothing that can be read did not say there is nothing."""
        if self.unread and not self.read:
            return "failed"
        return "answered" if self.is_whole else "partial" if self.pages else "failed"


async def gather(line: Line, gathered: Gathered, search: SearchPolicy) -> None:
    """Page through a search until its limit is met, the provider has no more, or time is up."""
    await _within(line, gathered, lambda call: _paged(call, gathered, search))


async def gather_once(
    line: Line,
    gathered: Gathered,
    requests: Sequence[Request],
    read: Callable[[JsonValue], Page],
    search: SearchPolicy | None = None,
) -> None:
    """Ask for lists of papers; those that do not meet the constraints of `search` are left."""

    async def work(call: Call) -> None:
        gathered.checked_here = asked(search) if search else ()
        for request in requests:
            gathered.sent |= request.spoken
            page = read(await call.send(request))
            gathered.add(page)
            for paper in page.papers:
                if search is None or meets(paper, search):
                    gathered.papers.append(paper)

    await _within(line, gathered, work)


async def _within(line: Line, gathered: Gathered, work: Callable[[Call], Awaitable[None]]) -> None:
    call: Call | None = None
    try:
        async with asyncio.timeout(line.tuning.seconds), line.open() as call:
            await work(call)
        gathered.is_whole = True
    except TimeoutError:
        gathered.reason = f"it was not done within {line.tuning.seconds:g} s"
    except (Unreachable, Unreadable) as error:
        gathered.reason = str(error)
    except Rejected as rejected:
        gathered.reason = f"it rejects the search ({rejected.said})"
    finally:
        gathered.requests += call.requests if call else 0


async def _paged(call: Call, gathered: Gathered, search: SearchPolicy) -> None:
    cursor: str | None = None
    seen: set[str] = set()
    enough = _WHOLE_PAGE if search.sort_by else search.limit
    await _prepare(call, gathered, search)
    for _page in range(call.line.tuning.pages):
        page = await _next_page(call, gathered, search, cursor)
        gathered.add(page)
        for paper in page.papers:
            if paper.paper_id not in seen and meets(paper, search, gathered.prepared.venues):
                seen.add(paper.paper_id)
                gathered.papers.append(paper)
        if page.cursor is None or page.cursor == cursor or len(gathered.papers) >= enough:
            return
        cursor = page.cursor
    gathered.reason = f"only its first {call.line.tuning.pages} pages were looked at"


async def _prepare(call: Call, gathered: Gathered, search: SearchPolicy) -> None:
    request = gathered.provider.preparation(search)
    if request is None:
        return
    with contextlib.suppress(Rejected, Unreachable, Unreadable):  # then we check it ourselves
        answer = await call.send(request)
        gathered.prepared = gathered.provider.prepared(answer, search)


async def _next_page(
    call: Call, gathered: Gathered, search: SearchPolicy, cursor: str | None
) -> Page:
    """Ask for a page; a filter the provider rejects is given up, and checked by us instead."""
    while True:
        gone = gathered.rejected.keys()
        prepared = {one: way for one, way in gathered.prepared.filters.items() if one not in gone}
        filters = {**gathered.provider.filters(search, gone), **prepared}
        gathered.checked_here = _unfiltered(search, filters)
        wanted = _WHOLE_PAGE if search.sort_by else search.limit - len(gathered.papers)
        request = gathered.provider.page(
            search,
            filters,
            cursor=cursor,
            wanted=_WHOLE_PAGE if gathered.checked_here else wanted,
        )
        gathered.sent = dict(request.spoken)
        try:
            return gathered.provider.read(await call.send(request))
        except Rejected as rejected:
            at_fault = _at_fault(filters, rejected.said)
            if at_fault is None:
                raise
            gathered.rejected[at_fault] = rejected.said


def _at_fault(filters: Mapping[SearchFilter, Native], said: str) -> SearchFilter | None:
    """Find the filter that a rejection is about; None: there is none to give up."""
    told = said.casefold()
    for name, pairs in filters.items():
        if any(key.casefold() in told for key, _ in pairs):
            return name
    return next((name for name in _LEAST_MISSED if name in filters), None)


def _unfiltered(
    search: SearchPolicy, filters: Mapping[SearchFilter, Native]
) -> tuple[SearchFilter, ...]:
    taken = {"dates" if name == "years" else name for name in filters}
    return tuple(name for name in asked(search) if name not in taken)


def _word(name: SearchFilter) -> str:
    return f"the filter for {name.replace('_', ' ')}"
