"""How alike two texts are."""

from hypothesis import given
from hypothesis import strategies as st

from tools.platform.text_comparison import COMPARED_CHARACTERS, similarity


def test_the_same_words_in_another_order_are_the_same() -> None:
    assert similarity("Bilge level high", "high bilge LEVEL") == 1.0


def test_texts_without_a_common_word_are_far_apart() -> None:
    assert similarity("Bilge level high", "Anna sent money") < 0.5


def test_only_the_beginnings_are_compared() -> None:
    head = "a b " * (COMPARED_CHARACTERS // 4)
    assert similarity(head + "left", head + "right") == 1.0


@given(st.text(max_size=50), st.text(max_size=50))
def test_likeness_is_a_share_and_works_both_ways(one: str, other: str) -> None:
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, other) == similarity(other, one)
