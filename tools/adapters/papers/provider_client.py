"""Send searches to one provider: egress rules, rate limit, retries and paging.

Filters that the provider rejects are applied here.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx
import orjson
import tenacity
from pydantic import JsonValue

from state.errors import Unreachable
from state.paper import Paper, PaperProvider, ProviderAnswer, ProviderState, SearchFilter
from state.policy import SearchPolicy
from state.tuning import SearchTuning
from tools.adapters.papers.constraints import constraint_names, meets_constraints
from tools.adapters.papers.provider import Native, Page, Prepared, Provider, Request, Unreadable
from tools.platform.egress import Egress, TooLarge, visible_lines
from tools.platform.egress import one_line_reason as in_one_line
from tools.platform.redaction import redact_secrets

MOST_BYTES = 16 * 1024 * 1024
"""Semantic Scholar sends up to 10 MB; what is longer is broken off."""
_PARSED_HERE_BYTES = 256 * 1024
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})

Sleep = Callable[[float], Awaitable[None]]


class RequestRejected(Exception):
    """The provider does not take the request as it stands (400, 422); `said` is its reason."""

    def __init__(self, said: str) -> None:
        self.said = said
        super().__init__(said)


class _Busy(Exception):
    """It may answer when it is asked again; `after` seconds, if it says so."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        self.reason = reason
        self.after = after
        super().__init__(reason)


@dataclass
class RateLimiter:
    """Keeps requests of this process to one provider apart."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    _free_at: float = 0.0

    def reserve(self, at_most: float) -> float | None:
        """Take the next place and tell how long it is until then; None: longer than `at_most`.

        Who could not wait that long takes no place, or a burst would keep later ones waiting.
        """
        now = self.clock()
        at = max(now, self._free_at)
        if at - now > at_most:
            return None
        self._free_at = at + self.seconds
        return at - now


@dataclass(frozen=True)
class ProviderEndpoint:
    """The way to one provider: where it is, and with which key."""

    provider: PaperProvider
    base_url: str
    egress: Egress
    tuning: SearchTuning
    pace: RateLimiter
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    params: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with every request: the key, where it belongs into the query."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    sleep: Sleep = asyncio.sleep

    @asynccontextmanager
    async def open(self) -> AsyncIterator["ProviderSession"]:
        """Open a client for as long as one search takes."""
        async with self.egress.client(
            timeout=httpx.Timeout(self.tuning.request_seconds),
            headers={**self.headers, "Accept": "application/json", "Accept-Encoding": "identity"},
            secret_params=self.params,
            most_bytes=MOST_BYTES,
        ) as client:
            yield ProviderSession(self, client)


@dataclass
class ProviderSession:
    """Requests to one provider over one client, counted."""

    line: ProviderEndpoint
    client: httpx.AsyncClient
    requests: int = 0

    async def send(self, request: Request) -> JsonValue:
        """Send a request until it is answered.

        Raises:
            Rejected: the provider does not take its parameters.
            Unreachable: it did not answer in time or in form, or may not be asked.
        """
        tuning = self.line.tuning
        repeated = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(_Busy),
            stop=tenacity.stop_after_attempt(tuning.attempts),
            wait=_Waits(tuning),
            sleep=self.line.sleep,
            reraise=True,
        )
        try:
            return await repeated(self._once, request)
        except _Busy as busy:
            raise Unreachable(f"it {busy.reason}, {tuning.attempts} times") from busy

    async def _once(self, request: Request) -> JsonValue:
        wait = self.line.pace.reserve(at_most=self.line.tuning.seconds)
        if wait is None:
            raise Unreachable("too many searches are waiting for it; try again later")
        if wait:
            await self.line.sleep(wait)
        self.requests += 1
        try:
            response = await self.client.send(self._built(request))
        except httpx.TimeoutException as error:
            raise _Busy("did not answer in time") from error
        except (httpx.ConnectError, httpx.UnsupportedProtocol) as error:
            raise _Busy("cannot be connected to") from error
        except TooLarge as error:
            raise Unreachable("its answer is too large") from error
        except (httpx.HTTPError, OSError) as error:
            raise _Busy("broke its answer off") from error
        return await self._judged(response)

    def _built(self, request: Request) -> httpx.Request:
        return self.client.build_request(
            "GET" if request.body is None else "POST",
            self.line.base_url.rstrip("/") + request.path,
            params=request.params,
            json=request.body,
        )

    async def _judged(self, response: httpx.Response) -> JsonValue:
        status = response.status_code
        if status in (400, 422):
            raise RequestRejected(self._said(response) or f"it answered {status}")
        if status in _AGAIN:
            raise self._busy(response)
        if status != 200:
            said = self._said(response)
            told = f"it answered {status}" + (f": {said}" if said else "")
            if status in (401, 403) and self.line.secrets:
                told += f"; is the key right (EXECUTIVE_{self.line.provider.upper()}_KEY)?"
            raise Unreachable(told)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise Unreachable("its answer is packed although we asked for a plain one")
        try:
            if len(response.content) < _PARSED_HERE_BYTES:
                return _parsed(response.content)
            return await asyncio.to_thread(_parsed, response.content)
        except ValueError as error:
            raise Unreachable("its answer is no JSON") from error

    def _busy(self, response: httpx.Response) -> Exception:
        after = _retry_after(response)
        status = response.status_code
        if after is not None and after > self.line.tuning.longest_wait_seconds:
            key = "" if self.line.secrets else "; a key of its own allows more"
            return Unreachable(f"it answered {status}: no more before {_lasting(after)}{key}")
        said = self._said(response)
        return _Busy(f"answered {status}" + (f" ({said})" if said else ""), after)

    def _said(self, response: httpx.Response) -> str:
        """Repeat what it gives as its reason, when it gives one in JSON, and no secret."""
        if len(response.content) > _PARSED_HERE_BYTES:
            return ""
        try:
            told = _parsed(response.content)
        except ValueError:
            return ""
        if not isinstance(told, dict):
            return ""
        parts = (told.get(key) for key in ("error", "message"))
        text = ": ".join(part for part in parts if isinstance(part, str) and part)
        hidden = redact_secrets(text, self.line.secrets)
        return in_one_line(visible_lines(str(hidden)))


class _Waits(tenacity.wait.wait_base):
    """As long as the provider asks for; if it does not say, twice as long each time."""

    def __init__(self, tuning: SearchTuning) -> None:
        self._grows = tenacity.wait_exponential(
            multiplier=tuning.first_wait_seconds, max=tuning.longest_wait_seconds
        )

    def __call__(self, retry_state: tenacity.RetryCallState) -> float:
        outcome = retry_state.outcome
        busy = outcome.exception() if outcome else None
        if isinstance(busy, _Busy) and busy.after is not None:
            return busy.after
        return float(self._grows(retry_state))


def _parsed(raw: bytes) -> JsonValue:
    value: JsonValue = orjson.loads(raw)
    return value


def _retry_after(response: httpx.Response) -> float | None:
    """Read Retry-After, in seconds or as a date; None: it does not say.

    OpenAlex also tells that a day's budget is used up, and in how many seconds there is a new one.
    """
    text = response.headers.get("retry-after", "").strip()
    if not text and response.headers.get("x-ratelimit-remaining", "").strip() == "0":
        text = response.headers.get("x-ratelimit-reset", "").strip()
    if text.replace(".", "", 1).isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())


def _lasting(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.0f} h"


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
class PagedResult:
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


async def fetch_pages(line: ProviderEndpoint, gathered: PagedResult, search: SearchPolicy) -> None:
    """Page through a search until its limit is met, the provider has no more, or time is up."""
    await _within(line, gathered, lambda call: _paged(call, gathered, search))


async def fetch_lists(
    line: ProviderEndpoint,
    gathered: PagedResult,
    requests: Sequence[Request],
    read: Callable[[JsonValue], Page],
    search: SearchPolicy | None = None,
) -> None:
    """Ask for lists of papers; those that do not meet the constraints of `search` are left."""

    async def work(call: ProviderSession) -> None:
        gathered.checked_here = constraint_names(search) if search else ()
        for request in requests:
            gathered.sent |= request.spoken
            page = read(await call.send(request))
            gathered.add(page)
            for paper in page.papers:
                if search is None or meets_constraints(paper, search):
                    gathered.papers.append(paper)

    await _within(line, gathered, work)


async def _within(
    line: ProviderEndpoint,
    gathered: PagedResult,
    work: Callable[[ProviderSession], Awaitable[None]],
) -> None:
    call: ProviderSession | None = None
    try:
        async with asyncio.timeout(line.tuning.seconds), line.open() as call:
            await work(call)
        gathered.is_whole = True
    except TimeoutError:
        gathered.reason = f"it was not done within {line.tuning.seconds:g} s"
    except (Unreachable, Unreadable) as error:
        gathered.reason = str(error)
    except RequestRejected as rejected:
        gathered.reason = f"it rejects the search ({rejected.said})"
    finally:
        gathered.requests += call.requests if call else 0


async def _paged(call: ProviderSession, gathered: PagedResult, search: SearchPolicy) -> None:
    cursor: str | None = None
    seen: set[str] = set()
    enough = _WHOLE_PAGE if search.sort_by else search.limit
    await _prepare(call, gathered, search)
    for _page in range(call.line.tuning.pages):
        page = await _next_page(call, gathered, search, cursor)
        gathered.add(page)
        for paper in page.papers:
            if paper.paper_id not in seen and meets_constraints(
                paper, search, gathered.prepared.venues
            ):
                seen.add(paper.paper_id)
                gathered.papers.append(paper)
        if page.cursor is None or page.cursor == cursor or len(gathered.papers) >= enough:
            return
        cursor = page.cursor
    gathered.reason = f"only its first {call.line.tuning.pages} pages were looked at"


async def _prepare(call: ProviderSession, gathered: PagedResult, search: SearchPolicy) -> None:
    request = gathered.provider.preparation(search)
    if request is None:
        return
    with contextlib.suppress(
        RequestRejected, Unreachable, Unreadable
    ):  # then we check it ourselves
        answer = await call.send(request)
        gathered.prepared = gathered.provider.prepared(answer, search)


async def _next_page(
    call: ProviderSession, gathered: PagedResult, search: SearchPolicy, cursor: str | None
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
        except RequestRejected as rejected:
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
    return tuple(name for name in constraint_names(search) if name not in taken)


def _word(name: SearchFilter) -> str:
    return f"the filter for {name.replace('_', ' ')}"
