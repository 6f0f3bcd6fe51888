"""Whatever a provider sends, it becomes papers or nothing; it never becomes an error of ours."""

import contextlib
from datetime import date
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.adapters.papers.shelf import Entry, for_openalex, for_semantic_scholar
from tools.adapters.papers.openalex import OpenAlex
from tools.adapters.papers.provider import Provider, Unreadable
from tools.adapters.papers.response_fields import (
    as_date,
    as_doi,
    as_text,
    as_url,
    as_year,
    unfolded,
)
from tools.adapters.papers.semantic_scholar import SemanticScholar

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
def test_both_forms_say_the_same(provider: Provider, written: Any) -> None:
    (paper,) = provider.read(written).papers
    assert paper.title == "Ice"
    assert paper.authors == ("Ada Lovelace", "Bo Ek")
    assert (paper.year, paper.published) == (2021, date(2021, 3, 4))
    assert (paper.doi, paper.paper_id) == ("10.1000/ice", "doi:10.1000/ice")
    assert (paper.open_access, paper.open_access_url) == (True, "https://example.org/3.pdf")
    assert (paper.citations, paper.venue) == (7, "Journal of Tests")
    assert paper.abstract == "Ice is cold. Ice is old."


@given(st.data())
def test_an_entry_with_odd_fields_is_a_paper_or_nothing(data: st.DataObject) -> None:
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
def test_an_answer_of_any_other_form_is_named_unreadable(answer: Any) -> None:
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
def test_a_doi_is_one_however_it_is_written(written: Any, read: str | None) -> None:
    assert as_doi(written) == read


def test_an_abstract_is_unfolded_in_its_order() -> None:
    assert (
        unfolded({"cold": [2], "Ice": [0, 3], "is": [1, 4], "old": [5]}) == "Ice is cold Ice is old"
    )
    assert unfolded({"Ice": "everywhere", "is": [0], "odd": [True, None, "1"]}) == "is"
    assert unfolded({}) is None
    assert unfolded([1]) is None


def test_texts_years_days_and_addresses_are_taken_only_when_they_are_some() -> None:
    assert as_text("  a\u200b <b>bold</b>\n\ttitle &lt;3 ") == "a bold title <3"
    assert as_text("\u202e\x00 ") is None
    assert as_text("x" * 500) == "x" * 200
    assert (as_year("2020"), as_year(2020), as_year(20), as_year(True)) == (2020, 2020, None, None)
    assert as_date("2020-02-30") is None
    assert as_url("https://a.example/x?y=1") == "https://a.example/x?y=1"
    assert as_url("javascript:alert(1)") is None
    assert as_url('https://a.example/"onload=') is None
