"""Constraints go out as native filters; what a provider does not take is checked here."""

from datetime import date
from pathlib import Path

import pytest

from state.errors import Unreachable
from state.policy import SearchPolicy
from tests.tools.adapters.papers.asking import about, search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import Asked, Reply, Speak, said
from tests.tools.adapters.papers.shelf import Entry

PHYSICS = ("Physics", "31")
WINTER = Entry("Ice in winter", 2021, "2021-12-20", doi="10.1000/winter", is_open=True)
SPRING = Entry(
    "Ice in spring", 2022, "2022-04-02", doi="10.1000/spring", citations=9, fields=(PHYSICS,)
)
YEAR_ONLY = Entry("Ice some day", 2022, None, doi="10.1000/some")
OLD = Entry("Ice of old", 1999, "1999-05-05", doi="10.1000/old", is_open=True)
SHELF = [WINTER, SPRING, YEAR_ONLY, OLD]


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
        (
            {"venue": "NeurIPS"},
            {"venue": "NeurIPS,neural information processing systems"},
        ),
    ],
)
async def test_semantic_scholar_is_sent_its_own_parameters(
    tmp_path: Path, fields: dict[str, object], native: dict[str, str]
) -> None:
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
async def test_openalex_is_sent_clauses_of_its_filter(
    tmp_path: Path, fields: dict[str, object], clauses: str
) -> None:
    with openalex(SHELF) as server:
        result = await search_of(tmp_path, None, server).search(about("ice", **fields))
    assert result.answers[0].sent == {"search": "ice", "filter": clauses}
    assert server.asked[-1].params["filter"] == clauses


@pytest.mark.parametrize("without", ["publicationDateOrYear", "openAccessPdf"])
async def test_a_filter_that_is_rejected_by_name_is_checked_here(
    tmp_path: Path, without: str
) -> None:
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


async def test_days_that_are_rejected_are_asked_for_by_year_and_checked_to_the_day(
    tmp_path: Path,
) -> None:
    with semantic_scholar(SHELF, without=["publicationDateOrYear"]) as server:
        result = await search_of(tmp_path, server).search(
            about("ice", date_from=date(2022, 3, 1), date_to=date(2022, 12, 31))
        )
    assert server.asked[1].params["year"] == "2022"
    # Of the one nobody knows more than the year, which is not outside.
    assert {paper.doi for paper in result.papers} == {"10.1000/spring", "10.1000/some"}


async def test_a_rejection_without_a_name_gives_up_one_filter_after_the_other(
    tmp_path: Path,
) -> None:
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


async def test_a_search_that_is_rejected_whatever_is_left_out_fails(tmp_path: Path) -> None:
    with openalex(SHELF) as server:
        server.always = said({"error": "Bad", "message": "The query is too long"}, 400)
        with pytest.raises(Unreachable, match="rejects the search"):
            await search_of(tmp_path, None, server).search(about("ice", year_from=2020))
    assert len(server.asked) == 2


@pytest.mark.parametrize("fields", [("Physics",), ("Physics", "Law")])
async def test_only_papers_of_the_field_are_shown_whoever_can_filter_by_it(
    tmp_path: Path, fields: tuple[str, ...]
) -> None:
    """OpenAlex keeps law a level below physics, and one filter cannot ask for both."""
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        result = await search_of(tmp_path, first, second).search(
            about("ice", fields_of_study=fields)
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/spring"]
    here = {answer.provider: answer.checked_here for answer in result.answers}
    assert here == {"semantic_scholar": (), "openalex": ("fields",) * (len(fields) > 1)}


async def test_no_provider_can_make_a_constraint_forgotten(tmp_path: Path) -> None:
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


async def test_a_venue_nobody_can_filter_by_is_looked_for_page_after_page(tmp_path: Path) -> None:
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


async def test_authors_are_checked_here_where_the_provider_cannot(tmp_path: Path) -> None:
    hinton = Entry("Ice nets", authors=("G. E. Hinton", "Ada Lovelace"), doi="10.1000/hinton")
    with semantic_scholar([WINTER, hinton]) as server:
        result = await search_of(tmp_path, server).search(
            about("ice", authors=("Geoffrey Hinton",))
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/hinton"]
    assert server.asked[0].params["query"] == "ice"


async def test_without_words_the_most_cited_come_first(tmp_path: Path) -> None:
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
async def test_the_order_that_was_asked_for_is_kept(
    tmp_path: Path, order: str | None, first: str
) -> None:
    with semantic_scholar([WINTER, OLD, SPRING]) as server:
        result = await search_of(tmp_path, server).search(about("ice", sort_by=order, limit=1))
    assert [paper.doi for paper in result.papers] == [first]
