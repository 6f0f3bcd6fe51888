"""Two entries of one paper become one; two papers never do; the order is the same every time."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.paper import Paper, PaperProvider
from tools.adapters.papers.response_fields import id_of
from tools.adapters.papers.result_merging import fuse_rankings, sort_papers

SAME = 0.93


def paper(title: str, provider: PaperProvider = "semantic_scholar", **fields: Any) -> Paper:
    """Make a paper of one provider."""
    ids: dict[str, str] = {key: fields.pop(key) for key in ("doi", "arxiv") if key in fields}
    ids[provider] = f"{provider}-{title}"
    found = id_of(ids)
    assert found
    given = {"authors": ("Ada Lovelace",), "year": 2020, **fields}
    return Paper(
        paper_id=found, ids=ids, title=title, doi=ids.get("doi"), providers=(provider,), **given
    )


def together(*papers: Paper) -> list[Paper]:
    """Merge papers, each as if it came from a list of its own."""
    return fuse_rankings([[one] for one in papers], same_title=SAME)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (paper("A", doi="10.1/x"), paper("B, quite another", "openalex", doi="10.1/x")),
        (paper("A", arxiv="2101.1"), paper("Another title", "openalex", arxiv="2101.1")),
        (paper("On Sea-Ice: a survey"), paper("On sea ice — A Survey", "openalex")),
        (paper("Über Eis", year=2019), paper("Uber Eis", "openalex", year=2020)),
        (
            paper("Attention is all you need", doi="10.48550/arxiv.1706.03762", year=2017),
            paper("Attention Is All You Need", "openalex", doi="10.5555/3295222", year=2018),
        ),
        (
            paper("Deep learning for sea ice forecasting in the Arctic"),
            paper("Deep learning for sea ice forecastng in the Arctic", "openalex"),
        ),
        (paper("A long enough title", authors=()), paper("A long enough title", "openalex")),
        (
            paper("Snow", authors=("Lovelace, Ada",)),
            paper("Snow", "openalex", authors=("Ada Lovelace", "Charles Babbage")),
        ),
    ],
)
def test_these_are_one_paper(one: Paper, other: Paper) -> None:
    (both,) = together(one, other)
    assert set(both.providers) == {"semantic_scholar", "openalex"}
    assert both.ids.items() >= {"semantic_scholar": one.ids["semantic_scholar"]}.items()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (paper("Editorial", authors=()), paper("Editorial", "openalex", authors=())),
        (paper("Introduction"), paper("Introduction", "openalex", authors=("Bo Ek",))),
        (paper("Ice sheets, part I"), paper("Ice sheets, part II", "openalex")),
        (paper("Ice sheets 2019"), paper("Ice sheets 2020", "openalex")),
        (paper("The same title here", year=2010), paper("The same title here", "openalex")),
        (
            paper("Deep learning for sea ice forecasting", doi="10.1000/1"),
            paper("Deep learning for sea ice forecastings", "openalex", doi="10.1000/2"),
        ),
        (
            paper("Deep learning for sea ice", authors=()),
            paper("Deep learning for sea rice", "openalex", authors=()),
        ),
    ],
)
def test_these_are_two_papers(one: Paper, other: Paper) -> None:
    assert len(together(one, other)) == 2


def test_the_published_version_names_the_paper() -> None:
    first = paper("Ice", doi="10.48550/arxiv.2101.00001", arxiv="2101.00001", citations=3)
    second = paper("Ice", "openalex", doi="10.1000/ice", citations=5, open_access=True)
    (both,) = together(first, second)
    assert both.paper_id == "doi:10.1000/ice"
    assert both.ids["arxiv"] == "2101.00001"
    assert (both.citations, both.open_access) == (5, True)


def test_what_both_find_comes_before_what_one_finds() -> None:
    common = [paper("Common", provider) for provider in ("semantic_scholar", "openalex")]
    first = [paper("Mine"), common[0]]
    second = [paper("Theirs", "openalex"), common[1]]
    titles = [one.title for one in fuse_rankings([first, second], same_title=SAME)]
    assert titles == ["Common", "Mine", "Theirs"]


def test_providers_take_turns() -> None:
    first = [paper(f"Mine {n}") for n in "abc"]
    second = [paper(f"Theirs {n}", "openalex") for n in "abc"]
    titles = [one.title for one in fuse_rankings([first, second], same_title=SAME)]
    assert titles == ["Mine a", "Theirs a", "Mine b", "Theirs b", "Mine c", "Theirs c"]


def test_one_provider_that_tells_a_paper_twice_does_not_lift_it() -> None:
    twice = [paper("First"), paper("Twice", doi="10.1/t"), paper("Twice", doi="10.1/t")]
    titles = [one.title for one in fuse_rankings([twice], same_title=SAME)]
    assert titles == ["First", "Twice"]


def test_an_order_keeps_equals_as_they_were() -> None:
    some = [
        paper("Old", published=date(2001, 2, 3), year=2001, citations=1),
        paper("New", published=date(2021, 2, 3), year=2021),
        paper("Year", year=2021, citations=1),
        paper("Nothing", year=None),
    ]
    assert [one.title for one in sort_papers(some, "date")] == ["New", "Year", "Old", "Nothing"]
    assert [one.title for one in sort_papers(some, "citations")] == [
        "Old",
        "Year",
        "New",
        "Nothing",
    ]
    assert sort_papers(some, None) == some


papers_of_one = st.lists(
    st.builds(
        paper,
        st.sampled_from(["Ice", "Sea ice", "A survey of sea ice", "A survey on sea ice"]),
        year=st.sampled_from([None, 2019, 2020, 2024]),
        doi=st.sampled_from(["10.1/a", "10.1/b", "10.1/c"]),
        authors=st.sampled_from([(), ("Ada Lovelace",), ("Bo Ek",)]),
    ),
    max_size=6,
)


@given(st.lists(papers_of_one, max_size=3))
def test_nothing_is_lost_and_nothing_told_twice(lists: Sequence[Sequence[Paper]]) -> None:
    found = fuse_rankings(lists, same_title=SAME)
    dois = [one.doi for one in found]
    assert len(dois) == len(set(dois))
    assert {one.doi for papers in lists for one in papers} >= set(dois)
    assert fuse_rankings(lists, same_title=SAME) == found
    assert len(fuse_rankings([found], same_title=SAME)) == len(found)
