"""A search asks every provider by structured fields and tells one list of papers."""

from pathlib import Path

import pytest

from state.errors import BadInput, Unreachable
from state.policy import SearchPolicy
from tests.tools.adapters.papers.asking import about, search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.shelf import Entry

OLD = Entry("Graph networks before", 2016, doi="10.1000/old")
NEW = Entry("Graph networks now", 2022, doi="10.1000/new", is_open=True, abstract="Graphs, anew.")
OTHER = Entry("Graph networks elsewhere", 2023, doi="10.1000/other")


async def test_years_go_to_both_providers_as_fields_and_never_into_the_query(
    tmp_path: Path,
) -> None:
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


async def test_a_paper_of_both_is_told_once_with_what_either_knows(tmp_path: Path) -> None:
    with semantic_scholar([NEW]) as first, openalex([NEW]) as second:
        result = await search_of(tmp_path, first, second).search(about("graph"))
    (paper,) = result.papers
    assert paper.providers == ("semantic_scholar", "openalex")
    assert set(paper.ids) == {"doi", "semantic_scholar", "openalex"}
    assert paper.abstract == "Graphs, anew."
    assert not result.is_partial


async def test_open_access_only_is_asked_for_natively(tmp_path: Path) -> None:
    with semantic_scholar([OLD, NEW]) as first, openalex([OLD, NEW]) as second:
        result = await search_of(tmp_path, first, second).search(
            about("graph", open_access_only=True)
        )
    assert [paper.doi for paper in result.papers] == ["10.1000/new"]
    assert first.asked[0].params["openAccessPdf"] == ""
    assert second.asked[0].params["filter"] == "is_oa:true"


async def test_nothing_to_search_for_is_refused_before_anybody_is_asked(tmp_path: Path) -> None:
    with semantic_scholar([NEW]) as first:
        papers = search_of(tmp_path, first)
        with pytest.raises(BadInput, match="nothing to search for"):
            await papers.search(SearchPolicy())
        with pytest.raises(BadInput, match="no paper is from after 2024-01-01 and before 2020"):
            await papers.search(about("graph", year_from=2024, year_to=2020))
    assert first.asked == []


async def test_without_a_provider_the_setting_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="EXECUTIVE_PAPER_PROVIDERS"):
        await search_of(tmp_path).search(about("graph"))
