"""Papers are found again by their ids, others like them are found, many searches run at once."""

from pathlib import Path

import pytest

from state.errors import BadInput, NotFound, Unreachable
from state.paper import Paper, SearchResult
from state.policy import SearchPolicy
from tests.tools.adapters.papers.asking import about, search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import Reply
from tests.tools.adapters.papers.shelf import Entry
from tools.adapters.papers.paper_search import MOST_IN_A_BATCH
from tools.adapters.papers.provider_client import RateLimiter

ICE = Entry("Sea ice at night", 2021, doi="10.1000/ice", is_open=True)
SNOW = Entry("Snow on sea ice", 2015, doi="10.1000/snow")
FROST = Entry("Frost", 2022, arxiv="2201.00001")
SHELF = [ICE, SNOW, FROST]


async def test_papers_are_found_by_ids_of_every_kind_in_their_order(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        papers = search_of(tmp_path, first, second)
        ids = ["arxiv:2201.00001", "openalex:W1001", "doi:10.1000/SNOW", "doi:10.1000/none"]
        result = await papers.find(ids)
    assert [paper.title for paper in result.papers] == [FROST.title, ICE.title, SNOW.title]
    assert first.asked[0].path == "/graph/v1/paper/batch"
    assert first.asked[0].body == {
        "ids": ["ARXIV:2201.00001", "DOI:10.1000/SNOW", "DOI:10.1000/none"]
    }


async def test_one_paper_is_found_or_named_as_missing(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        papers = search_of(tmp_path, first, second)
        assert (await papers.paper("doi:10.1000/ice")).title == ICE.title
        with pytest.raises(NotFound, match="no paper"):
            await papers.paper("doi:10.1000/none")
        with pytest.raises(Unreachable, match="none knows"):
            await papers.paper("something else")


async def test_papers_like_one_meet_the_constraints_and_are_not_that_one(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        papers = search_of(tmp_path, first, second)
        seed = await papers.paper("doi:10.1000/ice")
        like = await papers.similar(seed, SearchPolicy(year_from=2020))
    assert [paper.title for paper in like.papers] == [FROST.title]
    pools = [asked.params["from"] for asked in first.asked if "forpaper" in asked.path]
    assert pools == ["all-cs", "recent"]
    assert second.asked[-1].params["filter"] == "related_to:W1001"


async def test_a_paper_openalex_does_not_know_is_searched_by_its_title(tmp_path: Path) -> None:
    stranger = Paper(paper_id="doi:10.1/x", ids={"doi": "10.1/x"}, title="Sea ice, by night")
    with openalex(SHELF) as server:
        like = await search_of(tmp_path, None, server).similar(stranger)
    assert server.asked[0].params["search"] == "Sea ice by night"
    assert [paper.title for paper in like.papers] == [ICE.title, SNOW.title]


async def test_a_batch_tells_each_search_apart(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as server:
        papers = search_of(tmp_path, server)
        found = await papers.batch([about("frost"), SearchPolicy(), about("snow", limit=1)])
    first, second, third = found
    assert isinstance(first, SearchResult)
    assert [paper.title for paper in first.papers] == [FROST.title]
    assert isinstance(second, BadInput)
    assert isinstance(third, SearchResult)
    assert [paper.title for paper in third.papers] == [SNOW.title]


async def test_a_batch_whose_provider_is_down_says_so_for_each(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as server:
        server.always = Reply(500)
        found = await search_of(tmp_path, server).batch([about("ice"), about("snow")])
    assert [type(one) for one in found] == [Unreachable, Unreachable]


async def test_a_batch_has_a_limit(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as server, pytest.raises(BadInput, match="at most 10"):
        await search_of(tmp_path, server).batch([about("ice")] * (MOST_IN_A_BATCH + 1))
    assert server.asked == []


async def test_searches_of_one_process_keep_their_distance(tmp_path: Path) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    slow = {
        "pace_seconds": "pace_seconds = { semantic_scholar = 3.0 }",
        "seconds": "seconds = 7.0",
    }
    with semantic_scholar(SHELF) as server:
        papers = search_of(tmp_path, server, tuning=slow)
        object.__setattr__(papers.sources[0].line, "sleep", sleep)
        found = await papers.batch([about("ice")] * 5)
    assert [round(pause) for pause in pauses] == [3, 6]
    assert [type(one) for one in found] == [SearchResult] * 3 + [Unreachable] * 2
    assert "too many searches are waiting" in str(found[-1])


def test_a_burst_keeps_nobody_waiting_who_comes_after_it() -> None:
    now = 100.0
    pace = RateLimiter(2.0, clock=lambda: now)
    assert [pace.reserve(5.0) for _ in range(5)] == [0.0, 2.0, 4.0, None, None]
    now = 106.0
    assert pace.reserve(5.0) == 0.0


async def test_what_cites_a_paper_and_what_it_cites_is_found(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        papers = search_of(tmp_path, first, second)
        seed = await papers.paper("doi:10.1000/snow")
        citing = await papers.linked(seed, "citing")
        cited = await papers.linked(seed, "cited")
    assert [paper.title for paper in citing.papers] == [FROST.title]
    assert [paper.title for paper in cited.papers] == [ICE.title]
    assert [one.state for one in citing.answers] == ["answered", "answered"]
    assert first.asked[-1].path == f"/graph/v1/paper/{seed.ids['semantic_scholar']}/references"
    clauses = [asked.params.get("filter") for asked in second.asked[-2:]]
    assert clauses == ["cites:W1002", "cited_by:W1002"]


async def test_what_cites_a_paper_is_found_by_any_id_of_it(tmp_path: Path) -> None:
    stranger = Paper(paper_id="doi:10.1000/snow", ids={"doi": "10.1000/snow"}, title="Snow")
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        found = await search_of(tmp_path, first, second).linked(stranger, "citing")
    assert [paper.title for paper in found.papers] == [FROST.title]
    assert {one.provider for one in found.answers} == {"semantic_scholar", "openalex"}


async def test_what_cites_a_paper_meets_the_constraints(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        papers = search_of(tmp_path, first, second)
        seed = await papers.paper("doi:10.1000/snow")
        found = await papers.linked(seed, "citing", SearchPolicy(open_access_only=True))
    assert found.papers == ()


async def test_one_provider_that_is_down_leaves_the_others_citations(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        papers = search_of(tmp_path, first, second)
        seed = await papers.paper("doi:10.1000/snow")
        first.always = Reply(500)
        found = await papers.linked(seed, "citing")
        assert [paper.title for paper in found.papers] == [FROST.title]
        assert found.is_partial
        second.always = Reply(503)
        with pytest.raises(Unreachable):
            await papers.linked(seed, "citing")


@pytest.mark.parametrize("body", [b'{"data": [{"citingPaper": 7}, 8, {}]}', b'{"data": null}'])
async def test_links_that_hold_nothing_are_none(tmp_path: Path, body: bytes) -> None:
    with semantic_scholar(SHELF) as server:
        papers = search_of(tmp_path, server)
        seed = await papers.paper("doi:10.1000/snow")
        server.always = Reply(200, body)
        assert (await papers.linked(seed, "citing")).papers == ()


async def test_an_answer_without_links_is_told_as_such(tmp_path: Path) -> None:
    with semantic_scholar(SHELF) as server:
        papers = search_of(tmp_path, server)
        seed = await papers.paper("doi:10.1000/snow")
        server.always = Reply(200, b"[]")
        with pytest.raises(Unreachable):
            await papers.linked(seed, "citing")


async def test_the_next_page_shows_what_no_page_before_it_has_shown(tmp_path: Path) -> None:
    shelf = [Entry(f"Ice {number}", doi=f"10.1/{number}") for number in range(1, 8)]
    shown: list[Paper] = []
    with semantic_scholar(shelf) as first, openalex(shelf) as second:
        papers = search_of(tmp_path, first, second)
        pages = []
        for _page in range(4):
            page = (await papers.search(about("ice", limit=3), beyond=shown)).papers
            pages.append([paper.title for paper in page])
            shown += page
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert sorted(paper.title for paper in shown) == [entry.title for entry in shelf]


async def test_papers_that_are_new_since_push_nothing_off_the_next_page(tmp_path: Path) -> None:
    old = [Entry(f"Ice {number}", doi=f"10.1/{number}") for number in range(1, 7)]
    new = [Entry(f"Ice anew {number}", doi=f"10.2/{number}") for number in range(1, 3)]
    with openalex(old) as server:
        first = (await search_of(tmp_path, None, server).search(about("ice anew", limit=3))).papers
    with openalex([*old, *new]) as server:
        papers = search_of(tmp_path, None, server)
        second = (await papers.search(about("ice anew", limit=5), beyond=first)).papers
    titles = [paper.title for paper in (*first, *second)]
    assert titles[3:5] == ["Ice anew 1", "Ice anew 2"]
    assert len(titles) == len(set(titles)) == 8
