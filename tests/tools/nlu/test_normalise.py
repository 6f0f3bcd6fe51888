import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.nlu.lexicon.normalization import MAX_READ, normalise


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Don’t CLOSE", "don't close"),
        ("“quoted” – dash", '"quoted" - dash'),
        ("ﬁlter №５", "filter no5"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("a\u00a0b\tc", "a b c"),
        ("İstanbul", "i̇stanbul"),
        ("", ""),
    ],
)
def test_a_text_is_brought_into_one_form(text: str, normal: str) -> None:
    assert normalise(text).text.replace("\t", " ") == normal


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Close WO-1042, it's done.", ("close", "wo-1042", "it's", "done")),
        (
            "work-order on 2026-02-07 at 3.5 bar",
            ("work", "order", "on", "2026-02-07", "at", "3.5", "bar"),
        ),
        ("👍🏽 ok", ("ok",)),
    ],
)
def test_numbers_keep_what_joins_them(text: str, tokens: tuple[str, ...]) -> None:
    assert tuple(token.text for token in normalise(text).tokens) == tokens


def test_a_span_names_the_characters_that_were_written() -> None:
    text = "“ﬁlter”\u200b WO-1042"
    normal = normalise(text)

    written = [normal.written(token.start, token.end) for token in normal.tokens]

    assert written == ["ﬁlter", "WO-1042"]


def test_a_text_that_turns_the_writing_around_is_noticed() -> None:
    assert normalise("close \u202e2401-OW").is_disguised
    assert not normalise("fine 👩‍🔧").is_disguised


@given(st.text(max_size=MAX_READ + 50))
def test_every_span_lies_inside_the_text(text: str) -> None:
    normal = normalise(text)
    for token in normal.tokens:
        first, end = normal.span(token.start, token.end)
        assert 0 <= first < end <= len(text)
    assert normal.is_cut == (len(text) > MAX_READ)
