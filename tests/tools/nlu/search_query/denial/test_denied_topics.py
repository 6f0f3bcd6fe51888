"""What a search is not to be about is no word of it, and the person is told."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 6, 14)


@pytest.mark.parametrize(
    ("text", "terms", "told"),
    [
        ("papers on mice but not rats", ("mice",), "but not rats"),
        ("papers on mice, excluding reviews", ("mice",), "excluding reviews"),
        (
            "papers on sleep except for infant sleep since 2020",
            ("sleep",),
            "except for infant sleep",
        ),
        ("papers on mice but not rats and voles", ("mice",), "but not rats and voles"),
        ("papers on mice, skip reviews", ("mice",), "skip reviews"),
        ("papers on cells, not about cancer", ("cells",), "not about cancer"),
        ("find papers on vision other than segmentation", ("vision",), "other than segmentation"),
    ],
)
def test_what_is_left_out_is_told_and_not_searched(
    text: str, terms: tuple[str, ...], told: str
) -> None:
    read = read_search_fields(text, TODAY)

    assert read.search.query_terms == terms
    assert (
        unfollowed_note(text, read.sources)
        == f"Not followed: “{told}” (nothing can be left out by that)."
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("papers on learning without labels", ("learning", "labels")),
        ("papers on cells not dividing", ("cells", "dividing")),
        ("papers on mice, not from 2020", ("mice",)),
        ("find papers on skip connections", ("skip", "connections")),
        ("papers on how to exclude outliers", ("exclude", "outliers")),
        ("papers on excluding minorities", ("excluding", "minorities")),
    ],
)
def test_what_a_topic_denies_itself_stays_its_own(text: str, terms: tuple[str, ...]) -> None:
    search = read_search_fields(text, TODAY).search

    assert set(terms) <= set(search.query_terms)
