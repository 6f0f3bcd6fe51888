"""Paper providers that fail, lie and repeat themselves: no paper breaks a constraint, none is lost.

What a paper is, the test knows from its own shelf, and not from what a provider said of it.
"""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from state.paper import SearchResult
from state.policy import SearchPolicy
from tests.tools.adapters.papers.asking import search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import Asked, PaperServer, Reply, Speak, said
from tests.tools.adapters.papers.shelf import Entry
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally

SECONDS = 1.5
QUICK = {
    "seconds": f"seconds = {SECONDS}",
    "request_seconds": "request_seconds = 0.4",
    "attempts": "attempts = 2",
    "longest_wait_seconds": "longest_wait_seconds = 0.05",
}
PAGE = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
JUNK: tuple[Any, ...] = (None, 7, "x", [], {}, {"title": 4}, {"title": "No id"}, [[[]]])


def _shelf() -> list[Entry]:
    chance = random.Random(11)
    return [
        Entry(
            f"Sea ice and the number {number}",
            year := chance.choice([None, *range(1995, 2026)]),
            f"{year}-{chance.randint(1, 12):02}-15" if year and chance.random() < 0.7 else None,
            authors=(chance.choice(["Ada Lovelace", "Bo Ek", "G. E. Hinton"]),),
            venue=chance.choice([None, "Nature", "Nature Communications"]),
            doi=f"10.1000/{number}",
            is_open=chance.random() < 0.5,
            citations=chance.randint(0, 50),
        )
        for number in range(60)
    ]


SHELF = _shelf()
BY_DOI = {entry.doi: entry for entry in SHELF}


def _once(reply: Reply) -> Callable[[Speak], Speak]:
    """Fail the first time only."""

    def wrapped(speak: Speak) -> Speak:
        left = [reply]
        return lambda asked: left.pop() if left else speak(asked)

    return wrapped


def _always(reply: Reply) -> Callable[[Speak], Speak]:
    return lambda _speak: lambda _asked: reply


def _deaf(speak: Speak) -> Speak:
    """Ignore every filter."""
    kept = {"query", "search", "fields", "select", "limit", "per_page", "cursor", "offset"}

    def answer(asked: Asked) -> Reply:
        params = {key: value for key, value in asked.params.items() if key in kept}
        return speak(Asked(asked.method, asked.path, params, asked.headers))

    return answer


def _choosy(speak: Speak) -> Speak:
    """Reject every filter, and say nothing of which."""
    filters = {"year", "publicationDateOrYear", "openAccessPdf", "venue", "minCitationCount"}

    def answer(asked: Asked) -> Reply:
        is_filtered = filters & set(asked.params) or "filter" in asked.params
        return said({"error": "Bad request"}, 400) if is_filtered else speak(asked)

    return answer


def _twice(speak: Speak) -> Speak:
    """Tell everything twice, with rubbish between."""

    def answer(asked: Asked) -> Reply:
        reply = speak(asked)
        whole = json.loads(reply.body)
        for key in ("data", "results"):
            if isinstance(whole, dict) and isinstance(whole.get(key), list):
                whole[key] = [*whole[key], *JUNK, *whole[key]]
        return Reply(reply.status, json.dumps(whole).encode())

    return answer


FAULTS: Sequence[Callable[[Speak], Speak]] = (
    lambda speak: speak,
    _deaf,
    _choosy,
    _twice,
    _once(said({"message": "Too Many Requests"}, 429, retry_after="0")),
    _once(said({"error": "Internal"}, 500)),
    _once(Reply(body=b'{"data": []}' * 99, half=True)),
    _always(said({"message": "Too Many Requests"}, 429, retry_after="86400")),
    _always(Reply(503, PAGE, {"content-type": "text/html"})),
    _always(Reply(body=PAGE, headers={"content-type": "text/html"})),
    _always(Reply(302, headers={"location": "http://169.254.169.254/"})),
    _always(said({"data": {"0": 1}, "results": 3})),
    _always(said({"data": list(JUNK), "results": list(JUNK), "next": 0})),
    _always(Reply(body=b"[" * 100_000)),
    _always(Reply(silent=True)),
)


@few_or_many(30, 1_000)
async def test_no_fault_makes_a_constraint_forgotten_or_a_search_late(
    tmp_path: Path, tally: Tally, count: int
) -> None:
    chance = random.Random(5)
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        whole = {id(server): server.speak for server in (first, second)}
        papers = search_of(tmp_path, first, second, tuning=QUICK)
        for number in range(count):
            faults = [FAULTS[number % len(FAULTS)], chance.choice(FAULTS)]
            chance.shuffle(faults)
            for server, fault in zip((first, second), faults, strict=True):
                server.speak = fault(whole[id(server)])
            search = _search(chance)
            started = perf_counter()
            (found,) = await papers.batch([search])
            if isinstance(found, SearchResult):
                _assert_kept(search, [paper.doi for paper in found.papers])
                tally.add("searches of faulty providers")
            else:
                assert "Semantic Scholar: " in str(found)
                assert "OpenAlex: " in str(found)
                tally.add("searches that no provider answered")
            assert perf_counter() - started < SECONDS + 3
        _assert_told_well((first, second))


def _search(chance: random.Random) -> SearchPolicy:
    fields: dict[str, Any] = {"query_terms": ("sea", "ice"), "limit": chance.choice([1, 10, 60])}
    if chance.random() < 0.6:
        fields["year_from"] = chance.randint(1995, 2015)
    if chance.random() < 0.4:
        fields["year_to"] = chance.randint(2016, 2025)
    if chance.random() < 0.4:
        fields["open_access_only"] = True
    if chance.random() < 0.2:
        fields["min_citations"] = chance.randint(1, 40)
    if chance.random() < 0.2:
        fields["venue"] = "Nature"
    if chance.random() < 0.2:
        fields["authors"] = ("Geoffrey Hinton",)
    return SearchPolicy.model_validate(fields)


def _assert_kept(search: SearchPolicy, dois: Sequence[str | None]) -> None:
    assert len(dois) == len(set(dois)) <= search.limit
    for doi in dois:
        entry = BY_DOI[doi]
        if search.year_from is not None:
            assert (entry.year or 0) >= search.year_from
        if search.year_to is not None:
            assert (entry.year or 9_999) <= search.year_to
        assert entry.is_open or not search.open_access_only
        assert entry.citations >= (search.min_citations or 0)
        assert entry.venue == "Nature" or not search.venue
        assert entry.authors == ("G. E. Hinton",) or not search.authors


def _assert_told_well(servers: Sequence[PaperServer]) -> None:
    """Whatever went wrong, nobody was asked for years in words, or more than a page holds."""
    for asked in (each for server in servers for each in server.asked):
        query = asked.params.get("query") or asked.params.get("search") or ""
        assert not any(word.isdigit() for word in query.split())
        assert int(asked.params.get("limit", asked.params.get("per_page", "1"))) <= 100
