"""Providers are asked by structured fields, and papers found again by their ids."""

from datetime import date
from pathlib import Path

import pytest

from state.errors import BadInput, NotFound, Unreachable
from state.paper import Paper, SearchResult
from state.policy import SearchPolicy
from tests.tools.adapters.papers.asking import about, search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import Asked, Reply, Speak, said
from tests.tools.adapters.papers.shelf import Entry
from tools.adapters.papers.paper_search import MOST_IN_A_BATCH
from tools.adapters.papers.provider_client import RateLimiter

# A search asks every provider by structured fields and tells one list of papers.

OLD = Entry("Graph networks before", 2016, doi="10.1000/old")
NEW = Entry("Graph networks now", 2022, doi="10.1000/new", is_open=True, abstract="Graphs, anew.")
OTHER = Entry("Graph networks elsewhere", 2023, doi="10.1000/other")


async def test_years_go_to_both_providers_as_fields_and_never_into_the_query(tmp_path: Path):
    with semantic_scholar([OLD, NEW]) as first, openalex([OLD, NEW, OTHER]) as second:
        papers = search_of(tmp_path, first, second)
        result = await papers.search(about("graph networks", year_from=2020, year_to=2024))
    assert [paper.doi for paper in result.papers] == ["10.1000/new", "10.1000/other"]
    assert first.asked[0].params["year"] == "2020-2024"
    assert first.asked[0].params["query"] == "graph networks"
    assert second.asked[0].params["search"] == "graph networks"
    assert second.asked[0].params["filter"] == (
        "from_publication_date:2020-01-01,to_publication_date:2024-12-31"
    )


async def test_a_paper_of_both_is_told_once_with_what_either_knows(tmp_path: Path):
    with semantic_scholar([NEW]) as first, openalex([NEW]) as second:
        result = await search_of(tmp_path, first, second).search(about("graph"))
    (paper,) = result.papers
    assert paper.providers == ("semantic_scholar", "openalex")
    assert set(paper.ids) == {"doi", "semantic_scholar", "openalex"}
    assert paper.abstract == "Graphs, anew."
    assert not result.is_partial


async def test_open_access_only_is_asked_for_natively(tmp_path: Path):
    with semantic_scholar([OLD, NEW]) as first, openalex([OLD, NEW]) as second:
        result = await search_of(tmp_path, first, second).search(
            about("graph", open_access_only=True)
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/new"]
    assert first.asked[0].params["openAccessPdf"] == ""
    assert second.asked[0].params["filter"] == "is_oa:true"


async def test_nothing_to_search_for_is_refused_before_anybody_is_asked(tmp_path: Path):
    with semantic_scholar([NEW]) as first:
        papers = search_of(tmp_path, first)
        with pytest.raises(BadInput, match="nothing to search for"):
            await papers.search(SearchPolicy())
        with pytest.raises(BadInput, match="no paper is from after 2024-01-01 and before 2020"):
            await papers.search(about("graph", year_from=2024, year_to=2020))
    assert first.asked == []


async def test_without_a_provider_the_setting_is_named(tmp_path: Path):
    with pytest.raises(Unreachable, match="EXECUTIVE_PAPER_PROVIDERS"):
        await search_of(tmp_path).search(about("graph"))


# Constraints go out as native filters; what a provider does not take is checked here.

PHYSICS = ("Physics", "31")
WINTER = Entry("Ice in winter", 2021, "2021-12-20", doi="10.1000/winter", is_open=True)
SPRING = Entry(
    "Ice in spring", 2022, "2022-04-02", doi="10.1000/spring", citations=9, fields=(PHYSICS,)
)
YEAR_ONLY = Entry("Ice some day", 2022, None, doi="10.1000/some")
ICE_OF_OLD = Entry("Ice of old", 1999, "1999-05-05", doi="10.1000/old", is_open=True)
SHELF = [WINTER, SPRING, YEAR_ONLY, ICE_OF_OLD]


@pytest.mark.parametrize(
    ("fields", "native"),
    [
        ({"year_from": 2020, "year_to": 2022}, {"year": "2020-2022"}),
        ({"year_from": 2020}, {"year": "2020-"}),
        ({"year_to": 2010}, {"year": "-2010"}),
        ({"year_from": 2022, "year_to": 2022}, {"year": "2022"}),
        ({"date_from": date(2022, 3, 1)}, {"publicationDateOrYear": "2022-03-01:"}),
        (
            {"year_from": 2021, "year_to": 2022, "date_from": date(2021, 6, 1)},
            {"publicationDateOrYear": "2021-06-01:2022-12-31"},
        ),
        ({"open_access_only": True}, {"openAccessPdf": ""}),
        ({"min_citations": 5}, {"minCitationCount": "5"}),
        ({"fields_of_study": ("Physics", "Law")}, {"fieldsOfStudy": "Physics,Law"}),
        ({"venue": "NeurIPS"}, {"venue": "NeurIPS,neural information processing systems"}),
    ],
)
async def test_semantic_scholar_is_sent_its_own_parameters(tmp_path: Path, fields, native):
    with semantic_scholar(SHELF) as server:
        result = await search_of(tmp_path, server).search(about("ice", **fields))
    assert result.answers[0].sent == {"query": "ice", **native}
    assert native.items() <= server.asked[0].params.items()


@pytest.mark.parametrize(
    ("fields", "clauses"),
    [
        ({"year_from": 2020}, "from_publication_date:2020-01-01"),
        ({"date_to": date(2022, 3, 31)}, "to_publication_date:2022-03-31"),
        ({"open_access_only": True}, "is_oa:true"),
        ({"min_citations": 5}, "cited_by_count:>4"),
        ({"fields_of_study": ("Computer Science", "Physics")}, "topics.field.id:17|31"),
        ({"authors": ("Ada Lovelace",)}, "raw_author_name.search:Ada Lovelace"),
        ({"authors": ("Ada, is_oa:true|x",)}, "raw_author_name.search:Ada is_oa true x"),
        ({"venue": "Journal of Tests"}, "primary_location.source.id:S1"),
    ],
)
async def test_openalex_is_sent_clauses_of_its_filter(tmp_path: Path, fields, clauses):
    with openalex(SHELF) as server:
        result = await search_of(tmp_path, None, server).search(about("ice", **fields))
    assert result.answers[0].sent == {"search": "ice", "filter": clauses}
    assert server.asked[-1].params["filter"] == clauses


@pytest.mark.parametrize("without", ["publicationDateOrYear", "openAccessPdf"])
async def test_a_filter_that_is_rejected_by_name_is_checked_here(tmp_path: Path, without: str):
    with semantic_scholar(SHELF, without=[without]) as server:
        result = await search_of(tmp_path, server).search(
            about("ice", date_from=date(2021, 6, 1), open_access_only=True)
        )
    (answer,) = result.answers
    assert [paper.doi for paper in result.papers] == ["10.1000/winter"]
    assert answer.state == "answered"
    assert f"Unrecognized or unsupported parameter: {without}" in answer.reason
    assert without not in answer.sent
    assert result.notes == (f"Semantic Scholar: {answer.reason}",)
    assert len(server.asked) == 2


async def test_days_that_are_rejected_are_asked_for_by_year_and_checked_to_the_day(tmp_path: Path):
    with semantic_scholar(SHELF, without=["publicationDateOrYear"]) as server:
        result = await search_of(tmp_path, server).search(
            about("ice", date_from=date(2022, 3, 1), date_to=date(2022, 12, 31))
        )
    assert server.asked[1].params["year"] == "2022"
    # Of the one nobody knows more than the year, which is not outside.
    assert {paper.doi for paper in result.papers} == {"10.1000/spring", "10.1000/some"}


async def test_a_rejection_without_a_name_gives_up_one_filter_after_the_other(tmp_path: Path):
    with semantic_scholar(SHELF) as server:
        whole = server.speak
        server.speak = lambda asked: (
            said({"error": "Bad request"}, 400)
            if {"year", "openAccessPdf"} & set(asked.params)
            else whole(asked)
        )
        result = await search_of(tmp_path, server).search(
            about("ice", year_from=2020, open_access_only=True)
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/winter"]
    assert len(server.asked) == 3
    assert set(result.answers[0].checked_here) == {"dates", "open_access"}


async def test_a_search_that_is_rejected_whatever_is_left_out_fails(tmp_path: Path):
    with openalex(SHELF) as server:
        server.always = said({"error": "Bad", "message": "The query is too long"}, 400)
        with pytest.raises(Unreachable, match="rejects the search"):
            await search_of(tmp_path, None, server).search(about("ice", year_from=2020))
    assert len(server.asked) == 2


@pytest.mark.parametrize("fields", [("Physics",), ("Physics", "Law")])
async def test_only_papers_of_the_field_are_shown_whoever_can_filter_by_it(tmp_path: Path, fields):
    """OpenAlex keeps law a level below physics, and one filter cannot ask for both."""
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        result = await search_of(tmp_path, first, second).search(
            about("ice", fields_of_study=fields)
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/spring"]
    here = {answer.provider: answer.checked_here for answer in result.answers}
    assert here == {"semantic_scholar": (), "openalex": ("fields",) * (len(fields) > 1)}


async def test_no_provider_can_make_a_constraint_forgotten(tmp_path: Path):
    """Both ignore every filter and tell all that they have."""
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        for server in (first, second):
            server.speak = _deaf(server.speak)
        result = await search_of(tmp_path, first, second).search(
            about("ice", year_from=2020, open_access_only=True, min_citations=0)
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/winter"]


def _deaf(speak: Speak) -> Speak:
    kept = {"query", "search", "fields", "select", "limit", "per_page", "cursor", "offset"}

    def answer(asked: Asked) -> Reply:
        params = {key: value for key, value in asked.params.items() if key in kept}
        return speak(Asked(asked.method, asked.path, params, asked.headers))

    return answer


async def test_a_venue_nobody_can_filter_by_is_looked_for_page_after_page(tmp_path: Path):
    others = [Entry(f"Ice {n}", doi=f"10.1000/{n}") for n in range(120)]
    wanted = Entry("Ice at last", doi="10.1000/last", venue="Nature")
    with openalex([*others, wanted]) as server:
        whole = server.speak
        server.speak = lambda asked: (
            said({"error": "down"}, 404) if asked.path == "/sources" else whole(asked)
        )
        result = await search_of(tmp_path, None, server).search(about("ice", venue="Nature"))
    assert [paper.doi for paper in result.papers] == ["10.1000/last"]
    assert result.answers[0].checked_here == ("venue",)
    assert [asked.params["per_page"] for asked in server.asked[1:3]] == ["100", "100"]


async def test_authors_are_checked_here_where_the_provider_cannot(tmp_path: Path):
    hinton = Entry("Ice nets", authors=("G. E. Hinton", "Ada Lovelace"), doi="10.1000/hinton")
    with semantic_scholar([WINTER, hinton]) as server:
        result = await search_of(tmp_path, server).search(
            about("ice", authors=("Geoffrey Hinton",))
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/hinton"]
    assert server.asked[0].params["query"] == "ice"


async def test_without_words_the_most_cited_come_first(tmp_path: Path):
    few = [Entry(f"Paper {n}", doi=f"10.1000/{n}", citations=n, venue="Nature") for n in range(5)]
    with semantic_scholar(few) as first, openalex(few) as second:
        result = await search_of(tmp_path, first, second).search(
            SearchPolicy(venue="Nature", limit=5)
        )
    assert [paper.citations for paper in result.papers] == [4, 3, 2, 1, 0]
    assert first.asked[0].path == "/graph/v1/paper/search/bulk"
    assert [asked.params.get("token") for asked in first.asked] == [None, "T3"]


@pytest.mark.parametrize(
    ("order", "first"),
    [("date", "10.1000/spring"), ("citations", "10.1000/spring"), (None, "10.1000/winter")],
)
async def test_the_order_that_was_asked_for_is_kept(tmp_path: Path, order: str | None, first: str):
    with semantic_scholar([WINTER, ICE_OF_OLD, SPRING]) as server:
        result = await search_of(tmp_path, server).search(about("ice", sort_by=order, limit=1))
    assert [paper.doi for paper in result.papers] == [first]


# Papers are found again by their ids, others like them are found, many searches run at once.

ICE = Entry("Sea ice at night", 2021, doi="10.1000/ice", is_open=True)
SNOW = Entry("Snow on sea ice", 2015, doi="10.1000/snow")
FROST = Entry("Frost", 2022, arxiv="2201.00001")
ICE_SHELF = [ICE, SNOW, FROST]


async def test_papers_are_found_by_ids_of_every_kind_in_their_order(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as first, openalex(ICE_SHELF) as second:
        papers = search_of(tmp_path, first, second)
        ids = ["arxiv:2201.00001", "openalex:W1001", "doi:10.1000/SNOW", "doi:10.1000/none"]
        result = await papers.find(ids)
    assert [paper.title for paper in result.papers] == [FROST.title, ICE.title, SNOW.title]
    assert first.asked[0].path == "/graph/v1/paper/batch"
    assert first.asked[0].body == {
        "ids": ["ARXIV:2201.00001", "DOI:10.1000/SNOW", "DOI:10.1000/none"]
    }


async def test_one_paper_is_found_or_named_as_missing(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as first, openalex(ICE_SHELF) as second:
        papers = search_of(tmp_path, first, second)
        assert (await papers.paper("doi:10.1000/ice")).title == ICE.title
        with pytest.raises(NotFound, match="no paper"):
            await papers.paper("doi:10.1000/none")
        with pytest.raises(Unreachable, match="none knows"):
            await papers.paper("something else")


async def test_papers_like_one_meet_the_constraints_and_are_not_that_one(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as first, openalex(ICE_SHELF) as second:
        papers = search_of(tmp_path, first, second)
        seed = await papers.paper("doi:10.1000/ice")
        like = await papers.similar(seed, SearchPolicy(year_from=2020))
    assert [paper.title for paper in like.papers] == [FROST.title]
    pools = [asked.params["from"] for asked in first.asked if "forpaper" in asked.path]
    assert pools == ["all-cs", "recent"]
    assert second.asked[-1].params["filter"] == "related_to:W1001"


async def test_a_paper_openalex_does_not_know_is_searched_by_its_title(tmp_path: Path):
    stranger = Paper(paper_id="doi:10.1/x", ids={"doi": "10.1/x"}, title="Sea ice, by night")
    with openalex(ICE_SHELF) as server:
        like = await search_of(tmp_path, None, server).similar(stranger)
    assert server.asked[0].params["search"] == "Sea ice by night"
    assert [paper.title for paper in like.papers] == [ICE.title, SNOW.title]


async def test_a_batch_tells_each_search_apart(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as server:
        papers = search_of(tmp_path, server)
        found = await papers.batch([about("frost"), SearchPolicy(), about("snow", limit=1)])
    first, second, third = found
    assert isinstance(first, SearchResult)
    assert [paper.title for paper in first.papers] == [FROST.title]
    assert isinstance(second, BadInput)
    assert isinstance(third, SearchResult)
    assert [paper.title for paper in third.papers] == [SNOW.title]


async def test_a_batch_whose_provider_is_down_says_so_for_each(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as server:
        server.always = Reply(500)
        found = await search_of(tmp_path, server).batch([about("ice"), about("snow")])
    assert [type(one) for one in found] == [Unreachable, Unreachable]


async def test_a_batch_has_a_limit(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as server, pytest.raises(BadInput, match="at most 10"):
        await search_of(tmp_path, server).batch([about("ice")] * (MOST_IN_A_BATCH + 1))
    assert server.asked == []


async def test_searches_of_one_process_keep_their_distance(tmp_path: Path):
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    slow = {"pace_seconds": "pace_seconds = { semantic_scholar = 3.0 }", "seconds": "seconds = 7.0"}
    with semantic_scholar(ICE_SHELF) as server:
        papers = search_of(tmp_path, server, tuning=slow)
        object.__setattr__(papers.sources[0].line, "sleep", sleep)
        found = await papers.batch([about("ice")] * 5)
    assert [round(pause) for pause in pauses] == [3, 6]
    assert [type(one) for one in found] == [SearchResult] * 3 + [Unreachable] * 2
    assert "too many searches are waiting" in str(found[-1])


def test_a_burst_keeps_nobody_waiting_who_comes_after_it():
    now = 100.0
    pace = RateLimiter(2.0, clock=lambda: now)
    assert [pace.reserve(5.0) for _ in range(5)] == [0.0, 2.0, 4.0, None, None]
    now = 106.0
    assert pace.reserve(5.0) == 0.0


async def test_what_cites_a_paper_and_what_it_cites_is_found(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as first, openalex(ICE_SHELF) as second:
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


async def test_what_cites_a_paper_is_found_by_any_id_of_it(tmp_path: Path):
    stranger = Paper(paper_id="doi:10.1000/snow", ids={"doi": "10.1000/snow"}, title="Snow")
    with semantic_scholar(ICE_SHELF) as first, openalex(ICE_SHELF) as second:
        found = await search_of(tmp_path, first, second).linked(stranger, "citing")
    assert [paper.title for paper in found.papers] == [FROST.title]
    assert {one.provider for one in found.answers} == {"semantic_scholar", "openalex"}


async def test_what_cites_a_paper_meets_the_constraints(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as first, openalex(ICE_SHELF) as second:
        papers = search_of(tmp_path, first, second)
        seed = await papers.paper("doi:10.1000/snow")
        found = await papers.linked(seed, "citing", SearchPolicy(open_access_only=True))
    assert found.papers == ()


async def test_one_provider_that_is_down_leaves_the_others_citations(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as first, openalex(ICE_SHELF) as second:
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
async def test_links_that_hold_nothing_are_none(tmp_path: Path, body: bytes):
    with semantic_scholar(ICE_SHELF) as server:
        papers = search_of(tmp_path, server)
        seed = await papers.paper("doi:10.1000/snow")
        server.always = Reply(200, body)
        assert (await papers.linked(seed, "citing")).papers == ()


async def test_an_answer_without_links_is_told_as_such(tmp_path: Path):
    with semantic_scholar(ICE_SHELF) as server:
        papers = search_of(tmp_path, server)
        seed = await papers.paper("doi:10.1000/snow")
        server.always = Reply(200, b"[]")
        with pytest.raises(Unreachable):
            await papers.linked(seed, "citing")


async def test_the_next_page_shows_what_no_page_before_it_has_shown(tmp_path: Path):
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


async def test_papers_that_are_new_since_push_nothing_off_the_next_page(tmp_path: Path):
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
