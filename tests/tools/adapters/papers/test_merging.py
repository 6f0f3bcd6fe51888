"""Entries become papers, two entries of one paper become one."""

import contextlib
from collections.abc import Sequence
from datetime import date
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.paper import Paper, PaperProvider
from tests.tools.adapters.papers.shelf import Entry, for_openalex, for_semantic_scholar
from tools.adapters.papers.constraints import is_author, is_venue
from tools.adapters.papers.openalex import OpenAlex
from tools.adapters.papers.provider import Provider, Unreadable
from tools.adapters.papers.response_fields import (
    as_date,
    as_doi,
    as_text,
    as_url,
    as_year,
    id_of,
    unfolded,
)
from tools.adapters.papers.result_merging import fuse_rankings, sort_papers
from tools.adapters.papers.semantic_scholar import SemanticScholar

# Two entries of one paper become one; two papers never do; the order is the same every time.

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
def test_these_are_one_paper(one: Paper, other: Paper):
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
def test_these_are_two_papers(one: Paper, other: Paper):
    assert len(together(one, other)) == 2


def test_the_published_version_names_the_paper():
    first = paper("Ice", doi="10.48550/arxiv.2101.00001", arxiv="2101.00001", citations=3)
    second = paper("Ice", "openalex", doi="10.1000/ice", citations=5, open_access=True)
    (both,) = together(first, second)
    assert both.paper_id == "doi:10.1000/ice"
    assert both.ids["arxiv"] == "2101.00001"
    assert (both.citations, both.open_access) == (5, True)


def test_what_both_find_comes_before_what_one_finds():
    common = [paper("Common", provider) for provider in ("semantic_scholar", "openalex")]
    first = [paper("Mine"), common[0]]
    second = [paper("Theirs", "openalex"), common[1]]
    titles = [one.title for one in fuse_rankings([first, second], same_title=SAME)]
    assert titles == ["Common", "Mine", "Theirs"]


def test_providers_take_turns():
    first = [paper(f"Mine {n}") for n in "abc"]
    second = [paper(f"Theirs {n}", "openalex") for n in "abc"]
    titles = [one.title for one in fuse_rankings([first, second], same_title=SAME)]
    assert titles == ["Mine a", "Theirs a", "Mine b", "Theirs b", "Mine c", "Theirs c"]


def test_one_provider_that_tells_a_paper_twice_does_not_lift_it():
    twice = [paper("First"), paper("Twice", doi="10.1/t"), paper("Twice", doi="10.1/t")]
    titles = [one.title for one in fuse_rankings([twice], same_title=SAME)]
    assert titles == ["First", "Twice"]


def test_an_order_keeps_equals_as_they_were():
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
def test_nothing_is_lost_and_nothing_told_twice(lists: Sequence[Sequence[Paper]]):
    found = fuse_rankings(lists, same_title=SAME)
    dois = [one.doi for one in found]
    assert len(dois) == len(set(dois))
    assert {one.doi for papers in lists for one in papers} >= set(dois)
    assert fuse_rankings(lists, same_title=SAME) == found
    assert len(fuse_rankings([found], same_title=SAME)) == len(found)


# People and venues are known by every common way of writing them, and by no other.


@pytest.mark.parametrize(
    ("author", "wanted"),
    [
        ("Geoffrey E. Hinton", "Hinton"),
        ("G. E. Hinton", "Geoffrey Hinton"),
        ("Geoffrey Hinton", "G. Hinton"),
        ("Hinton, Geoffrey", "Geoffrey Hinton"),
        ("Yoshua Bengio", "BENGIO, Yoshua"),
        ("Jürgen Schmidhuber", "Jurgen Schmidhuber"),
        ("Yann LeCun", "yann lecun"),
        ("Hinton", "Geoffrey Hinton"),
    ],
)
def test_these_are_one_person(author: str, wanted: str):
    assert is_author(author, wanted)


@pytest.mark.parametrize(
    ("author", "wanted"),
    [
        ("Samy Bengio", "Yoshua Bengio"),
        ("Everest Hinton", "Geoffrey Hinton"),
        ("Ada Lovelace", "Hinton"),
        ("", "Hinton"),
        ("Ada Lovelace", ""),
    ],
)
def test_these_are_two_people(author: str, wanted: str):
    assert not is_author(author, wanted)


@pytest.mark.parametrize(
    ("venue", "wanted"),
    [
        ("Nature", "nature"),
        ("The Lancet", "Lancet"),
        ("Advances in Neural Information Processing Systems", "NeurIPS"),
        ("Neural Information Processing Systems", "NIPS"),
        ("Proceedings of the ICML 2019", "ICML"),
        ("International Conference on Machine Learning", "icml"),
        ("Journal of Machine Learning Research", "JMLR"),
        ("Physical Review Letters", "PRL"),
        ("Proceedings of the National Academy of Sciences of the United States", "PNAS"),
        ("IEEE Transactions on Robotics", "Transactions on Robotics"),
        ("Physical Review Letters", "Phys. Rev. Lett."),
        ("The New England Journal of Medicine", "N Engl J Med"),
    ],
)
def test_these_are_one_venue(venue: str, wanted: str):
    assert is_venue(venue, wanted)


@pytest.mark.parametrize(
    ("venue", "wanted"),
    [
        ("Nature Communications", "Nature"),
        ("Science of the Total Environment", "Science"),
        ("Cell Reports", "Cell"),
        ("Machine Learning", "ICML"),
        ("Journal of Tests", "Nature"),
        ("Nature", ""),
    ],
)
def test_these_are_two_venues(venue: str, wanted: str):
    assert not is_venue(venue, wanted)


# Whatever a provider sends, it becomes papers or nothing; it never becomes an error of ours.

WHOLE = Entry(
    "Ice",
    2021,
    "2021-03-04",
    authors=("Ada Lovelace", "Bo Ek"),
    doi="10.1000/ice",
    is_open=True,
    citations=7,
    abstract="Ice is cold. Ice is old.",
    number=3,
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("provider", "written"),
    [
        (SemanticScholar(), {"data": [for_semantic_scholar(WHOLE)]}),
        (OpenAlex(), {"results": [for_openalex(WHOLE)], "meta": {}}),
    ],
)
def test_both_forms_say_the_same(provider: Provider, written: Any):
    (paper,) = provider.read(written).papers
    assert paper.title == "Ice"
    assert paper.authors == ("Ada Lovelace", "Bo Ek")
    assert (paper.year, paper.published) == (2021, date(2021, 3, 4))
    assert (paper.doi, paper.paper_id) == ("10.1000/ice", "doi:10.1000/ice")
    assert (paper.open_access, paper.open_access_url) == (True, "https://example.org/3.pdf")
    assert (paper.citations, paper.venue) == (7, "Journal of Tests")
    assert paper.abstract == "Ice is cold. Ice is old."


@given(st.data())
def test_an_entry_with_odd_fields_is_a_paper_or_nothing(data: st.DataObject):
    for provider, whole, key in (
        (SemanticScholar(), for_semantic_scholar(WHOLE), "data"),
        (OpenAlex(), for_openalex(WHOLE), "results"),
    ):
        odd = data.draw(st.dictionaries(st.sampled_from(sorted(whole)), anything, max_size=4))
        try:
            sent = orjson.loads(orjson.dumps({key: [{**whole, **odd}]}))
        except (TypeError, ValueError):  # what JSON cannot hold cannot be sent
            continue
        page = provider.read(sent)
        assert len(page.papers) + page.unread == 1


@given(anything)
def test_an_answer_of_any_other_form_is_named_unreadable(answer: Any):
    for provider in (SemanticScholar(), OpenAlex()):
        for read in (provider.read, provider.read_lookup, provider.read_similar):
            with contextlib.suppress(Unreadable):
                assert read(answer).papers == ()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://doi.org/10.1000/ABC", "10.1000/abc"),
        ("http://dx.doi.org/10.1000/x(1)2", "10.1000/x(1)2"),
        ("doi:10.1000/x", "10.1000/x"),
        ("10.1000/X", "10.1000/x"),
        ("W123", None),
        ("10.1000/", None),
        (None, None),
    ],
)
def test_a_doi_is_one_however_it_is_written(written: Any, read: str | None):
    assert as_doi(written) == read


def test_an_abstract_is_unfolded_in_its_order():
    assert (
        unfolded({"cold": [2], "Ice": [0, 3], "is": [1, 4], "old": [5]}) == "Ice is cold Ice is old"
    )
    assert unfolded({"Ice": "everywhere", "is": [0], "odd": [True, None, "1"]}) == "is"
    assert unfolded({}) is None
    assert unfolded([1]) is None


def test_texts_years_days_and_addresses_are_taken_only_when_they_are_some():
    assert as_text("  a\u200b <b>bold</b>\n\ttitle &lt;3 ") == "a bold title <3"
    assert as_text("\u202e\x00 ") is None
    assert as_text("x" * 500) == "x" * 200
    assert (as_year("2020"), as_year(2020), as_year(20), as_year(True)) == (2020, 2020, None, None)
    assert as_date("2020-02-30") is None
    assert as_url("https://a.example/x?y=1") == "https://a.example/x?y=1"
    assert as_url("javascript:alert(1)") is None
    assert as_url('https://a.example/"onload=') is None
