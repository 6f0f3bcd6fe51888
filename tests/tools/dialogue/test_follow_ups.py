"""Corrections, additions and a yes with a condition, by their form alone."""

import pytest

from tools.nlu.replies.corrections import addition, correction, proviso


@pytest.mark.parametrize(
    ("text", "instead", "is_sure"),
    [
        ("no, the north gate", "the north gate", True),
        ("nope, I meant room 12", "room 12", True),
        ("we wanted the blue van", "the blue van", True),
        ("not Tuesday, Thursday", "Thursday", True),
        ("the grey one, not the red one", "the grey one", True),
        ("oops, wrong invoice, 4471", "4471", True),
        ("sorry, not archive, delete it", "delete it", True),
        ("make that eight", "eight", True),
        ("ok then book the small hall instead", "book the small hall", True),
        ("only 30 of it", "30", False),
        ("actually 45", "45", False),
        ("wait, is it empty?", "is it empty?", False),
    ],
)
def test_a_correction_is_read(text: str, instead: str, is_sure: bool) -> None:
    found = correction(text)
    assert found is not None
    assert (found.instead, found.is_sure) == (instead, is_sure)


@pytest.mark.parametrize(
    "text",
    [
        "no problem, go ahead",
        "no idea",
        "note that the seal leaks",
        "now open it",
        "that's not happening",
        "open the north gate",
        "yes please",
    ],
)
def test_what_corrects_nothing_is_no_correction(text: str) -> None:
    assert correction(text) is None


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("and the garden shed too", "the garden shed"),
        ("yes please, and the van as well", "the van"),
        ("room 12 too", "room 12"),
        ("open the shed", None),
        ("too late", None),
    ],
)
def test_an_addition_is_read(text: str, more: str | None) -> None:
    assert addition(text) == more


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("yes, but only ten", "but only ten"),
        ("ok, once the crane is gone", "once the crane is gone"),
        ("sure, if the owner agrees", "if the owner agrees"),
        ("go ahead at noon", "at noon"),
        ("yes", None),
        ("yes please", None),
        ("ok thanks", None),
        ("ok, list the rooms", None),
        ("if the owner agrees, yes", None),
    ],
)
def test_a_yes_with_a_condition_is_read(text: str, condition: str | None) -> None:
    assert proviso(text) == condition
