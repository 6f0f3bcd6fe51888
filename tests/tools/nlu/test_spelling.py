"""Slips of the keyboard, put right where nothing else can be meant."""

import pytest

from tools.nlu.lexicon.normalization import normalise
from tools.nlu.lexicon.spelling import Spelling, guessed

SPELLING = Spelling(
    [
        "maintenance",
        "history",
        "purchase",
        "change",
        "report",
        "reports",
        "acknowledge",
        "watermaker",
    ]
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("maintanence", "maintenance"),
        ("histroy", "history"),
        ("purchas", "purchase"),
        ("aknowledge", "acknowledge"),
        ("watermakr", "watermaker"),
    ],
)
def test_a_slip_is_read_as_the_word_it_is_near(written: str, meant: str) -> None:
    spelt = SPELLING.mended(normalise(f"the {written} please"), frozenset())

    assert [token.text for token in spelt.normal.tokens] == ["the", meant, "please"]
    assert spelt.slips == ((written, meant),)


def test_a_slip_keeps_its_place_in_the_text() -> None:
    normal = normalise("Show the histroy!")

    (_, _, mended) = SPELLING.mended(normal, frozenset()).normal.tokens

    assert normal.written(mended.start, mended.end) == "histroy"


@pytest.mark.parametrize(
    "word",
    ["charge", "coarse", "hist", "porch", "xyzzyplugh", "reporta", "histroy7"],
    ids=["english", "english too", "too short", "not near", "no word", "two as near", "no letters"],
)
def test_what_is_no_slip_stays(word: str) -> None:
    spelt = SPELLING.mended(normalise(f"the {word}"), frozenset())

    assert spelt.slips == ()
    assert [token.text for token in spelt.normal.tokens] == ["the", word]


def test_the_name_of_a_thing_is_no_slip() -> None:
    assert SPELLING.mended(normalise("histroy"), frozenset({0})).slips == ()


@pytest.mark.parametrize(("written", "meant"), [("teh", "the"), ("tga", "tag"), ("waht", "what")])
def test_swapped_letters_tell_between_words_as_near(written: str, meant: str) -> None:
    spelling = Spelling(["the", "ten", "tag", "tab", "what", "want", "watt"])

    assert spelling.mended(normalise(f"{written} pump"), frozenset()).slips == ((written, meant),)


def test_a_word_that_one_example_has_may_be_mistyped_itself() -> None:
    spelling = Spelling(["sharing", "shareing", "trimaran"], rare=["shareing", "trimaran"])

    assert spelling.mended(normalise("stop shareing"), frozenset()).slips == (
        ("shareing", "sharing"),
    )
    assert spelling.mended(normalise("the trimaran"), frozenset()).slips == ()


def test_an_inflected_verb_is_no_slip() -> None:
    spelling = Spelling(["forward", "the", "report"], forms=["forwarded"])

    normal = spelling.mended(normalise("forwarded the report"), frozenset()).normal

    assert normal.tokens[0].text == "forwarded"


def test_another_letter_may_be_another_word() -> None:
    slips = [("vegan", "vegas"), ("juggle", "jungle"), ("histroy", "history"), ("aple", "apple")]

    assert guessed(slips) == {"vegas", "jungle"}
