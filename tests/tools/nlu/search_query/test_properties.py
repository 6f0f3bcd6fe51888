import re
from datetime import date

from hypothesis import example, given, settings
from hypothesis import strategies as st

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields
from tools.nlu.search_query.refinement import refine

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
PIECES = (
    "recent", "the last 3 years", "past 18 months", "past decade", "since 2019", "after 2030",
    "before 2015", "until June 2020", "between 2010 and 2014", "2015–18", "2018-2012",
    "from 2012 on", "the 1990s", "the 2020s", "last year", "this month", "since March", "Q3 2023",
    "in 2050", "(2017)", "around 2026", "any year", "next 5 years", "top 5", "ten papers",
    "a dozen articles", "at most 400 results", "0 papers", "5 more", "make it ten",
    "open access only", "not only open access", "no paywall", "by Hinton",
    "papers of Yoshua Bengio", "in Nature", "NeurIPS'21 papers", "most cited", "newest first",
    "papers on", "find me", "please", "graph neural networks", "port 9077", "COVID-19",
    "“ten 2015 papers”", "2001: A Space Odyssey", "WO-2019", "and", ",", "since",
    "since '19", "'98", "twenty thirty", "ten years ago", "a decade ago", "until", "to", "between",
    "3-5 years ago", "-2018", "last Christmas", "2024-13", "before 1500", "this century",
    "by Hinton or LeCun", "from Hinton", "five please", "three reviews", "first", "nineteen ten",
    "29 February 2021", "2024-02-30", "a", "1e9",
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map(" ".join), st.text(max_size=80)
)
COMMON = settings(max_examples=150, deadline=None)


@given(TEXTS, DAYS)
@example("until this century", date(2001, 1, 1))
@COMMON
def test_the_time_is_in_order_and_no_year_comes_that_nobody_said(text: str, today: date) -> None:
    search = read_search_fields(text, today).search

    if search.year_from is not None:
        assert search.year_from <= today.year
        assert search.year_to is None or search.year_from <= search.year_to
    said = {int(digits) for digits in re.findall(r"\d{4}", text.replace("twenty thirty", "2030"))}
    if search.year_to is not None and search.year_to > today.year:
        assert {search.year_to - 1, search.year_to, search.year_to + 1} & said or "0s" in text
    if search.date_from is not None:
        assert search.date_from.year == search.year_from
    if search.date_to is not None:
        assert search.date_to.year == search.year_to


@given(TEXTS, DAYS)
@COMMON
def test_the_limit_is_within_its_bounds_and_every_span_within_the_text(
    text: str, today: date
) -> None:
    reading = read_search_fields(text, today)

    assert 1 <= reading.search.limit <= 100
    for source in reading.sources:
        start, end = source.span
        assert 0 <= start < end <= len(text)


@given(TEXTS, DAYS)
@COMMON
def test_the_same_text_and_day_read_the_same(text: str, today: date) -> None:
    assert read_search_fields(text, today) == read_search_fields(text, today)


@given(
    st.sampled_from(("papers on tides since 2019", "top 5 open access papers on tides, 2010-2014")),
    st.sampled_from(("", "please ", "Could you please ", "hi, ", "I'd like ", "can you find me ")),
    st.sampled_from(("", " please", ", thanks!", " for me", " if possible")),
)
@COMMON
def test_politeness_changes_nothing(text: str, before: str, after: str) -> None:
    today = date(2026, 5, 20)

    polite = read_search_fields(before + text + after, today).search

    assert polite == read_search_fields(text, today).search


@given(
    st.lists(st.sampled_from([piece for piece in PIECES if piece.isascii()]), max_size=6),
    st.sampled_from("-\u2010\u2011\u2012\u2013\u2014\u2212"),
    DAYS,
)
@COMMON
def test_neither_case_nor_the_kind_of_dash_changes_a_year_a_limit_or_access(
    pieces: list[str], dash: str, today: date
) -> None:
    text = " ".join(piece for piece in pieces if piece not in ("in Nature", "by Hinton"))
    plain = read_search_fields(text, today).search

    for other in (text.upper(), text.lower(), text.replace("-", dash)):
        same = read_search_fields(other, today).search
        assert _filters(same) == _filters(plain)


def _filters(search: SearchPolicy) -> dict[str, object]:
    return search.model_dump(exclude={"topic", "query_terms", "authors", "venue"})


@given(TEXTS, DAYS)
@COMMON
def test_a_follow_up_leaves_a_search_in_order(text: str, today: date) -> None:
    before = SearchPolicy(
        topic="tides", query_terms=("tides",), year_from=1980, year_to=1985, limit=7
    )

    refined = refine(before, text, today)

    if refined is not None:
        search = SearchPolicy.model_validate(refined.search.model_dump())
        assert search.topic
        if search.year_from is not None and search.year_to is not None:
            assert search.year_from <= search.year_to
