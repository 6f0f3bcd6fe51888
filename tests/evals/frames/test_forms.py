"""What a frame is filled with: whole sentences that people could have written."""

import pytest

from evals.robustness.commands import Command, forms_of


@pytest.mark.parametrize(
    ("verb", "rest", "participle", "do_it"),
    [
        ("close", "WO-1042", "closed", "close it"),
        ("assign", "WO-1042 to Ben", "assigned to Ben", "assign it to Ben"),
        ("share", "the library with Priya", "shared with Priya", "share it with Priya"),
        ("sign off", "the radar job", "signed off", "sign it off"),
        ("hand", "the customer over to Nora", "handed over to Nora", "hand it over to Nora"),
        ("delete", "the note from WO-1035", "deleted from WO-1035", "delete it from WO-1035"),
        ("put", "a note on WO-1", "put on WO-1", "put it on WO-1"),
    ],
)
def test_what_follows_the_thing_stays_with_the_verb(verb, rest, participle, do_it) -> None:
    forms = forms_of(Command("a", f"{verb} {rest}", verb, rest))

    assert (forms["participle"], forms["do_it"]) == (participle, do_it)
    assert rest.startswith(forms["thing"])


def test_a_verb_stands_alone_only_where_nothing_follows_the_thing() -> None:
    assert forms_of(Command("a", "close WO-1042", "close", "WO-1042"))["verb"] == "close"
    assert "verb" not in forms_of(Command("a", "assign it to Ben", "assign", "it to Ben"))


@pytest.mark.parametrize(
    ("verb", "rest"),
    [
        ("give", "Ben the list"),
        ("stop", "sharing the library"),
        ("put", "P-1 next to P-3"),
        ("mark", "the paper read"),
        ("count", "the oil filters"),
        ("save", "all of these"),
        ("search", "for papers on bees"),
        ("show", "me the notes of the meeting we had on Monday"),
    ],
)
def test_no_passive_is_made_of_what_has_none(verb: str, rest: str) -> None:
    assert "thing" not in forms_of(Command("a", f"{verb} {rest}", verb, rest))


def test_what_is_shown_is_seen() -> None:
    assert (
        forms_of(Command("a", "show me the notes", "show", "me the notes"))["seen"] == "the notes"
    )
    assert "seen" not in forms_of(Command("a", "count the filters", "count", "the filters"))
