from datetime import date

import pytest

from state.policy import SearchPolicy
from tools.catalog.pack_schema import SearchDefaults
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 5, 20)


def search(text: str, **defaults: object) -> SearchPolicy:
    return read_search_fields(text, TODAY, SearchDefaults.model_validate(defaults)).search


def test_every_field_of_a_request_is_read() -> None:
    read = search(
        "Could you find the top 20 open access papers by Yoshua Bengio at NeurIPS on "
        '"causal representation learning" since 2019, most cited first, please?'
    )

    assert read == SearchPolicy(
        topic="causal representation learning",
        query_terms=("causal representation learning",),
        year_from=2019,
        open_access_only=True,
        limit=20,
        authors=("Yoshua Bengio",),
        venue="NeurIPS",
        sort_by="citations",
    )


def test_what_is_not_said_is_absent_or_the_packs_default() -> None:
    assert search("papers on tides") == SearchPolicy(topic="tides", query_terms=("tides",))
    assert search("papers on tides", limit=30, open_access_only=True) == SearchPolicy(
        topic="tides", query_terms=("tides",), limit=30, open_access_only=True
    )


def test_the_pack_says_how_many_years_are_recent() -> None:
    read = search("recent papers on tides", recent_years=2)

    assert (read.year_from, read.year_to) == (2024, 2026)


def test_a_time_that_is_said_outright_beats_recent() -> None:
    read = search("recent papers on tides since 2018")

    assert (read.year_from, read.year_to) == (2018, None)


def test_each_field_names_its_rule_and_its_characters() -> None:
    text = "top 5 papers on “tides” since 2021"

    reading = read_search_fields(text, TODAY)

    assert reading.reasons == ("limit:5 top@0-12", "year_from:2021 since@24-34")
    assert [text[slice(*source.span)] for source in reading.sources] == [
        "top 5 papers",
        "since 2021",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("papers since 2030 on fusion", "years:left_out since_in_future@7-17"),
        ("papers after 9999 on fusion", "years:left_out after_in_future@7-17"),
        ("fusion after 2020 and before 2010", "years:left_out before_contradicts@22-33"),
        ("0 papers on fusion", "limit:left_out count_of_none@0-8"),
        ("papers on fusion in 2015 and 2019", "years:left_out years_apart@17-33"),
    ],
)
def test_what_was_said_and_not_taken_has_a_reason(text: str, reason: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search == SearchPolicy(topic="fusion", query_terms=("fusion",))
    assert reason in reading.reasons


def test_what_is_quoted_is_never_a_field() -> None:
    text = 'papers called "ten open access papers since 2015 by Hinton in Nature"'

    assert read_search_fields(text, TODAY).sources == ()


def test_three_authors_with_a_comma_before_and_are_three() -> None:
    read = search("papers by Yann LeCun, Yoshua Bengio, and Geoffrey Hinton on vision")

    assert read.authors == ("Yann LeCun", "Yoshua Bengio", "Geoffrey Hinton")
    assert read.query_terms == ("vision",)


def test_initials_belong_to_the_name_before_et_al() -> None:
    read = search("papers on magic authored by J. K. Rowling et al.")

    assert (read.authors, read.query_terms) == (("J. K. Rowling",), ("magic",))


def test_months_between_which_papers_appeared_are_read() -> None:
    read = search("papers on tides between March and June 2021")

    assert (read.date_from, read.date_to) == (date(2021, 3, 1), date(2021, 6, 30))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("papers on tides oldest first", "sort_by:left_out oldest_first@16-28"),
        ("papers on tides, sorted by date, oldest first", "sort_by:left_out oldest_first@17-45"),
        (
            "papers on tides with fewer than 50 citations",
            "min_citations:left_out fewer_citations@16-44",
        ),
        (
            "papers on tides with no more than 50 citations",
            "min_citations:left_out fewer_citations@16-46",
        ),
    ],
)
def test_an_order_or_count_that_no_search_knows_is_no_topic(text: str, reason: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search == SearchPolicy(topic="tides", query_terms=("tides",))
    assert reading.reasons == (reason,)


@pytest.mark.parametrize(
    ("text", "fields", "untold"),
    [
        ("papers on coral in the past decade but not 2020", {"year_from": 2016}, "but not 2020"),
        ("papers on coral since 2019 not 2021", {"year_from": 2019}, "not 2021"),
        ("papers on coral Q3 last year", {"date_from": date(2025, 7, 1)}, ""),
        (
            "papers on coral from March to May last year",
            {"date_from": date(2025, 3, 1), "date_to": date(2025, 5, 31)},
            "",
        ),
        ("papers on coral Q1-Q3 of last year", {"date_to": date(2025, 9, 30)}, ""),
        ("papers on coral in the first half of last year", {"date_to": date(2025, 6, 30)}, ""),
        ("papers on coral since March last year", {"date_from": date(2025, 3, 1)}, ""),
        ("papers on coral until 01.06.2021", {"date_to": date(2021, 6, 1)}, ""),
        (
            "papers by O'Neill and van der Berg on coral",
            {"authors": ("O'Neill", "van der Berg")},
            "",
        ),
        ("papers in NeurIPS or ICML on coral", {"venue": "NeurIPS"}, "or ICML"),
        ("papers in NeurIPS, ICML or ICLR on coral", {"venue": "NeurIPS"}, "ICML or ICLR"),
    ],
)
def test_what_a_search_cannot_follow_is_told_and_no_word_of_its_topic(
    text: str, fields: dict[str, object], untold: str
) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search.model_dump(include=set(fields)) == fields
    assert reading.search.topic == "coral"
    assert unfollowed_note(text, reading.sources).partition("“")[2].partition("”")[0] == untold
