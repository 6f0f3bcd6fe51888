"""Pages are asked for until the limit is met or there are no more, and no further."""

from pathlib import Path

import pytest

from tests.tools.adapters.papers.asking import about, search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import said
from tests.tools.adapters.papers.shelf import Entry, for_semantic_scholar

MANY = [
    Entry(f"Ice {number}", doi=f"10.1000/{number}", year=2000 + number % 20, number=number)
    for number in range(250)
]


@pytest.mark.parametrize("limit", [1, 10, 100])
async def test_no_more_is_asked_for_than_is_wanted(tmp_path: Path, limit: int) -> None:
    with semantic_scholar(MANY) as first, openalex(MANY) as second:
        result = await search_of(tmp_path, first, second).search(about("ice", limit=limit))
    assert len(result.papers) == limit
    assert [asked.params["limit"] for asked in first.asked] == [str(limit)]
    assert [asked.params["per_page"] for asked in second.asked] == [str(limit)]


async def test_what_is_filtered_here_is_paged_until_there_is_enough(tmp_path: Path) -> None:
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


async def test_a_provider_that_never_ends_is_left_after_some_pages(tmp_path: Path) -> None:
    with semantic_scholar(MANY) as server:
        papers = search_of(tmp_path, server, tuning={"pages": "pages = 2"})
        result = await papers.search(about("ice", authors=("Nobody Atall",)))
    assert result.papers == ()
    assert len(server.asked) == 2
    assert result.answers[0].reason == "only its first 2 pages were looked at"


async def test_a_cursor_that_leads_nowhere_ends_the_search(tmp_path: Path) -> None:
    with semantic_scholar(MANY) as server:
        page = {"total": 9, "next": 0, "data": [for_semantic_scholar(MANY[1])]}
        server.always = said(page)
        result = await search_of(tmp_path, server).search(about("ice", limit=5))
    assert len(result.papers) == 1
    assert len(server.asked) == 2


async def test_openalex_is_paged_by_cursor(tmp_path: Path) -> None:
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


async def test_an_empty_page_of_semantic_scholar_is_no_fault(tmp_path: Path) -> None:
    with semantic_scholar(MANY) as server:
        server.always = said({"total": 0, "offset": 0})
        result = await search_of(tmp_path, server).search(about("nothing"))
    assert result.papers == ()
    assert not result.is_partial
