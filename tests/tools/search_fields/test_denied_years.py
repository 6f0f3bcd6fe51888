"""What is denied at one end of time is a bound at the other, whatever the papers are about."""

from datetime import date

import pytest

from tools.search_fields.fields import read_search_fields
from tools.search_fields.left_out import told_of
from tools.search_fields.refine import refine

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("no papers on coral from before 2015", 2015, None),
        ("no studies about coral reefs older than 2010", 2010, None),
        ("no more articles on coral after 2018", None, 2018),
        ("papers on coral from before 2015", None, 2014),
        ("no articles on soil, papers on coral before 2015", None, 2014),
    ],
)
def test_a_denied_year_bounds_the_other_end(text: str, first: int | None, last: int | None) -> None:
    search = read_search_fields(text, TODAY).search
    assert (search.year_from, search.year_to) == (first, last)


def test_the_topic_is_without_the_denial() -> None:
    assert read_search_fields("no papers on coral from before 2015", TODAY).search.topic == "coral"


def test_only_a_year_is_no_number_of_papers() -> None:
    search = read_search_fields("papers on drone swarms, only 2024", TODAY).search
    assert (search.year_from, search.year_to, search.limit) == (2024, 2024, 10)


@pytest.mark.parametrize(
    ("before", "fields"),
    [
        ("papers on coral since 2015", {"year_from": 2019, "year_to": None, "limit": 10}),
        ("papers on coral until 2015", {"year_from": None, "year_to": 2019, "limit": 10}),
        ("papers on coral", {"year_from": 2019, "year_to": 2019, "limit": 10}),
    ],
)
def test_another_year_moves_the_end_that_was_said(before: str, fields: dict[str, object]) -> None:
    refined = refine(read_search_fields(before, TODAY).search, "make that 2019", TODAY)

    assert refined is not None
    assert refined.search.model_dump(include=set(fields)) == fields


def test_only_a_number_is_one() -> None:
    assert read_search_fields("papers on drone swarms, only 20", TODAY).search.limit == 20


@pytest.mark.parametrize(
    ("text", "fields", "untold"),
    [
        ("papers on coral in the past decade but not 2020", {"year_from": 2016}, "“but not 2020”"),
        ("papers on coral since 2019 not 2021", {"year_from": 2019}, "“not 2021”"),
        ("papers on coral from Q3 last year", {"date_from": date(2025, 7, 1)}, ""),
        ("papers on coral since March last year", {"date_from": date(2025, 3, 1)}, ""),
        ("papers on coral until 01.06.2021", {"date_to": date(2021, 6, 1)}, ""),
        (
            "papers by O'Neill and van der Berg on coral",
            {"authors": ("O'Neill", "van der Berg")},
            "",
        ),
        ("papers in NeurIPS or ICML on coral", {"venue": "NeurIPS"}, "“or ICML”"),
    ],
)
def test_what_a_search_cannot_follow_is_told_and_no_word_of_its_topic(
    text: str, fields: dict[str, object], untold: str
) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search.model_dump(include=set(fields)) == fields
    assert reading.search.topic == "coral"
    assert untold in told_of(text, reading.sources)
