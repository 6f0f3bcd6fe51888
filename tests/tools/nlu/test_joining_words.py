"""A slot of free words is never filled with words that only join what is said."""

import pytest

from tests.tools.nlu.filling import Filling


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 and not WO-1043",
        "close WO-1042 but not WO-1043",
        "close WO-1042, but please not WO-1043",
        "close WO-1042, not WO-1043",
        "close WO-1042, and",
        "close WO-1042 or not",
        "close WO-1042: and",
        "close WO-1042 then",
    ],
)
def test_a_note_of_little_words_is_none(fill: Filling, text: str) -> None:
    assert fill("close_work_order", text).values == {"work_order": "WO-1042"}


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("close WO-1042, all good", "all good"),
        ("close WO-1042, done and dusted", "done and dusted"),
        ("close WO-1042 because the filter is new", "the filter is new"),
        ("close WO-1042: ok", "ok"),
        ("close WO-1042: and the seal is new", "and the seal is new"),
    ],
)
def test_a_note_that_says_something_is_kept(fill: Filling, text: str, note: str) -> None:
    assert fill("close_work_order", text).values.get("note") == note
