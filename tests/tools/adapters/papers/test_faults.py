"""Providers fail in every way there is; what the others know is told, and why it is not all."""

import json
import logging
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from state.errors import Unreachable
from state.paper import ProviderAnswer, SearchResult
from tests.tools.adapters.papers.asking import about, search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import PaperServer, Reply, said
from tests.tools.adapters.papers.shelf import Entry, for_semantic_scholar

ICE = Entry("Sea ice at night", doi="10.1000/ice")
SNOW = Entry("Snow on sea ice", doi="10.1000/snow")
PAGE = b"<html><body><h1>502 Bad Gateway</h1></body></html>"


@pytest.fixture
def first() -> Iterator[PaperServer]:
    """Return Semantic Scholar with one paper."""
    with semantic_scholar([ICE]) as server:
        yield server


@pytest.fixture
def second() -> Iterator[PaperServer]:
    """Return OpenAlex with another."""
    with openalex([SNOW]) as server:
        yield server


async def _found(folder: Path, *servers: PaperServer, **given: Any) -> SearchResult:
    return await search_of(folder, *servers, **given).search(about("sea ice"))


def _answer(result: SearchResult, provider: str) -> ProviderAnswer:
    return next(answer for answer in result.answers if answer.provider == provider)


@pytest.mark.parametrize(
    "reply",
    [
        said({"message": "Too Many Requests", "code": "429"}, 429, retry_after="0"),
        said({"message": "Too Many Requests", "code": "429"}, 429),
        Reply(429, b"slow down", {"retry-after": formatdate(0, usegmt=True)}),
        said({"error": "Internal server error"}, 500),
        Reply(503, PAGE, {"content-type": "text/html"}),
        Reply(body=json.dumps({"data": []}).encode(), half=True),
    ],
    ids=["retry_after", "no_word", "date", "500", "503_page", "half"],
)
async def test_a_passing_fault_is_sat_out(tmp_path: Path, first: PaperServer, reply: Reply):
    first.next.append(reply)
    result = await _found(tmp_path, first)
    assert [paper.doi for paper in result.papers] == ["10.1000/ice"]
    assert not result.is_partial
    assert _answer(result, "semantic_scholar").requests == len(first.asked) == 2


@pytest.mark.parametrize(
    ("reply", "reason", "asked"),
    [
        (said({"message": "Too Many Requests"}, 429), "answered 429 (Too Many Requests), 3", 3),
        (Reply(502, PAGE, {"content-type": "text/html"}), "it answered 502, 3 times", 3),
        (Reply(body=b'{"data": [1, 2, 3]}' * 9, half=True), "it broke its answer off, 3 times", 3),
        (Reply(body=b'{"data": [{"paperId":'), "its answer is no JSON", 1),
        (Reply(body=PAGE, headers={"content-type": "text/html"}), "its answer is no JSON", 1),
        (said({"papers": []}), "its answer has no list 'data'", 1),
        (said([1, 2]), "its answer has no list 'data'", 1),
        (said({"data": "none"}), "its answer has no list 'data'", 1),
        (Reply(301, headers={"location": "http://127.0.0.1:1/"}), "it answered 301", 1),
        (Reply(404, b'{"error": "Not here"}'), "it answered 404: Not here", 1),
        (Reply(body=b"{}", headers={"content-encoding": "zip"}), "is packed although", 1),
        (Reply(body=b"[" * 100_000), "its answer is no JSON", 1),
    ],
)
async def test_one_that_is_down_is_named_with_its_reason(
    tmp_path: Path, first: PaperServer, second: PaperServer, reply: Reply, reason: str, asked: int
):
    first.always = reply
    result = await _found(tmp_path, first, second)
    answer = _answer(result, "semantic_scholar")
    assert [paper.doi for paper in result.papers] == ["10.1000/snow"]
    assert (answer.state, answer.requests, len(first.asked)) == ("failed", asked, asked)
    assert reason in answer.reason
    assert result.is_partial
    assert result.notes == (f"Semantic Scholar could not be asked: {answer.reason}",)


async def test_one_that_does_not_answer_is_left_behind(tmp_path: Path, first: PaperServer):
    first.always = Reply(silent=True)
    quick = {"request_seconds": "request_seconds = 0.2", "seconds": "seconds = 5.0"}
    papers = search_of(tmp_path, first, tuning=quick)
    with pytest.raises(Unreachable, match="it did not answer in time, 3 times"):
        await papers.search(about("sea ice"))


async def test_when_all_are_down_each_is_named(
    tmp_path: Path, first: PaperServer, second: PaperServer
):
    first.always = Reply(502, PAGE)
    second.always = said({"error": "Server error", "message": "try later"}, 500)
    with pytest.raises(Unreachable) as raised:
        await _found(tmp_path, first, second)
    assert "Semantic Scholar: it answered 502, 3 times" in str(raised.value)
    assert "OpenAlex: it answered 500 (Server error: try later), 3 times" in str(raised.value)


async def test_nobody_listens_there(tmp_path: Path, second: PaperServer):
    place = "127.0.0.1:9"
    result = await _found(
        tmp_path,
        second,
        second,
        semantic_scholar_url=f"http://{place}",
        allowed_private_hosts=(place, second.place),
    )
    assert _answer(result, "semantic_scholar").reason == "it cannot be connected to, 3 times"


@pytest.mark.parametrize(
    "headers",
    [{"retry-after": "54000"}, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "54000"}],
)
async def test_a_budget_that_is_used_up_is_not_waited_for(
    tmp_path: Path, first: PaperServer, second: PaperServer, headers: dict[str, str]
):
    second.always = Reply(429, b'{"error": "Rate limit exceeded"}', headers)
    result = await _found(tmp_path, first, second)
    answer = _answer(result, "openalex")
    assert answer.requests == len(second.asked) == 1
    assert answer.reason == "it answered 429: no more before 15 h; a key of its own allows more"


async def test_time_that_is_up_keeps_what_was_found(tmp_path: Path):
    signed = [("Ada Lovelace",), ("Somebody Else",)]
    many = [
        Entry(f"Sea ice {number}", doi=f"10.1000/{number}", authors=signed[number % 2])
        for number in range(150)
    ]
    quick = {"seconds": "seconds = 0.5", "request_seconds": "request_seconds = 5.0"}
    with semantic_scholar(many) as server:
        papers = search_of(tmp_path, server, tuning=quick)
        whole = server.speak
        server.speak = lambda asked: (
            whole(asked) if asked.params["offset"] == "0" else Reply(silent=True)
        )
        result = await papers.search(about("sea ice", authors=("Lovelace",), limit=100))
    answer = _answer(result, "semantic_scholar")
    assert (answer.state, answer.reason) == ("partial", "it was not done within 0.5 s")
    assert len(result.papers) == 50
    assert result.notes == ("Semantic Scholar was not heard out: it was not done within 0.5 s",)


async def test_what_is_longer_than_any_answer_is_broken_off(
    tmp_path: Path, first: PaperServer, second: PaperServer
):
    first.always = Reply(body=b'{"data": ["' + b"x" * (17 * 1024 * 1024) + b'"]}')
    result = await _found(tmp_path, first, second)
    assert _answer(result, "semantic_scholar").reason == "its answer is too large"


async def test_an_answer_of_ten_megabytes_is_read(tmp_path: Path):
    text = "ice " * 25_000
    papers = [
        {"paperId": f"{n:040x}", "title": f"Sea ice {n}", "abstract": text} for n in range(100)
    ]
    with semantic_scholar([]) as server:
        server.always = said({"data": papers})
        result = await search_of(tmp_path, server).search(about("sea ice", limit=100))
    assert len(result.papers) == 100
    assert max(len(paper.abstract or "") for paper in result.papers) <= 20_000


async def test_entries_of_another_form_are_left_out_and_counted(tmp_path: Path, first: PaperServer):
    good = {"paperId": "a" * 40, "title": "Ice"}
    odd = {
        "paperId": "b" * 40,
        "title": "Odd <i>ice</i>\u202e\x00 &amp; snow",
        "authors": [{"name": 7}, "Ada", {"name": "Ada Byron"}, None],
        "year": "twenty",
        "citationCount": -4,
        "openAccessPdf": "yes",
        "externalIds": ["DOI"],
        "publicationDate": "2021-13-45",
        "abstract": {"text": "no"},
        "url": "javascript:alert(1)",
        "venue": 12,
    }
    first.always = said({"total": 5, "data": [good, odd, None, 7, {"title": "nameless"}]})
    result = await _found(tmp_path, first)
    assert [paper.title for paper in result.papers] == ["Ice", "Odd ice & snow"]
    bare = result.papers[1]
    assert (bare.authors, bare.year, bare.citations) == (("Ada Byron",), None, None)
    assert (bare.url, bare.venue, bare.abstract, bare.doi) == (None, None, None, None)
    assert _answer(result, "semantic_scholar").reason == "3 of its entries could not be read"


async def test_who_sends_nothing_that_can_be_read_did_not_say_there_is_nothing(
    tmp_path: Path, first: PaperServer, second: PaperServer
):
    first.always = said(None)
    second.always = said({"results": [None, 7, {"name": "nameless"}]})
    with pytest.raises(Unreachable) as raised:
        await _found(tmp_path, first, second)

    assert "Semantic Scholar: its answer has no list 'data'" in str(raised.value)
    assert "OpenAlex: 3 of its entries could not be read" in str(raised.value)


async def test_a_key_is_sent_where_it_belongs_and_never_told(
    tmp_path: Path, first: PaperServer, second: PaperServer, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    first.always = said({"error": "key-of-ours is not allowed"}, 403)
    second.always = said({"error": "bad", "message": "api_key=other-key-of-ours is wrong"}, 401)
    papers = search_of(
        tmp_path,
        first,
        second,
        semantic_scholar_key="key-of-ours",
        openalex_key="other-key-of-ours",
    )
    with pytest.raises(Unreachable) as raised:
        await papers.search(about("sea ice"))
    assert first.asked[0].headers["x-api-key"] == "key-of-ours"
    assert "x-api-key" not in second.asked[0].headers
    assert second.asked[0].params["api_key"] == "other-key-of-ours"
    assert "api_key" not in first.asked[0].params
    assert "key-of-ours" not in str(raised.value)
    assert "EXECUTIVE_SEMANTIC_SCHOLAR_KEY" in str(raised.value)
    assert "key-of-ours" not in repr(papers)
    logged = [record.getMessage() for record in caplog.records]
    assert any(second.url in line for line in logged)  # httpx tells every URL that it is given
    assert "key-of-ours" not in "".join(logged)


# Pages are asked for until the limit is met or there are no more, and no further.

MANY = [
    Entry(f"Ice {number}", doi=f"10.1000/{number}", year=2000 + number % 20, number=number)
    for number in range(250)
]


@pytest.mark.parametrize("limit", [1, 10, 100])
async def test_no_more_is_asked_for_than_is_wanted(tmp_path: Path, limit: int):
    with semantic_scholar(MANY) as first, openalex(MANY) as second:
        result = await search_of(tmp_path, first, second).search(about("ice", limit=limit))
    assert len(result.papers) == limit
    assert [asked.params["limit"] for asked in first.asked] == [str(limit)]
    assert [asked.params["per_page"] for asked in second.asked] == [str(limit)]


async def test_what_is_filtered_here_is_paged_until_there_is_enough(tmp_path: Path):
    wanted = {"authors": ("Grace Hopper",)}
    some = [
        Entry(
            f"Ice {n}", doi=f"10.1000/{n}", authors=("Grace Hopper",) if n % 50 == 0 else ("A B",)
        )
        for n in range(300)
    ]
    with semantic_scholar(some) as server:
        result = await search_of(tmp_path, server).search(about("ice", limit=4, **wanted))
    assert [paper.doi for paper in result.papers] == [f"10.1000/{n}" for n in (0, 50, 100, 150)]
    assert [asked.params["offset"] for asked in server.asked] == ["0", "100"]


async def test_a_provider_that_never_ends_is_left_after_some_pages(tmp_path: Path):
    with semantic_scholar(MANY) as server:
        papers = search_of(tmp_path, server, tuning={"pages": "pages = 2"})
        result = await papers.search(about("ice", authors=("Nobody Atall",)))
    assert result.papers == ()
    assert len(server.asked) == 2
    assert result.answers[0].reason == "only its first 2 pages were looked at"


async def test_a_cursor_that_leads_nowhere_ends_the_search(tmp_path: Path):
    with semantic_scholar(MANY) as server:
        page = {"total": 9, "next": 0, "data": [for_semantic_scholar(MANY[1])]}
        server.always = said(page)
        result = await search_of(tmp_path, server).search(about("ice", limit=5))
    assert len(result.papers) == 1
    assert len(server.asked) == 2


async def test_openalex_is_paged_by_cursor(tmp_path: Path):
    with openalex(MANY) as server:
        papers = search_of(tmp_path, None, server)
        whole = server.speak
        server.speak = lambda asked: (
            said({"error": "Unknown filter field: from_publication_date"}, 400)
            if "filter" in asked.params
            else whole(asked)
        )
        result = await papers.search(about("ice", year_from=2019, limit=8))
    assert {paper.year for paper in result.papers} == {2019}
    assert len(result.papers) == 8
    cursors = [asked.params["cursor"] for asked in server.asked]
    assert cursors[:2] == ["*", "*"]
    assert len(set(cursors[1:])) == 2


async def test_an_empty_page_of_semantic_scholar_is_no_fault(tmp_path: Path):
    with semantic_scholar(MANY) as server:
        server.always = said({"total": 0, "offset": 0})
        result = await search_of(tmp_path, server).search(about("nothing"))
    assert result.papers == ()
    assert not result.is_partial
