"""`the second one` is the second of what was listed, and a second look is none of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.memory import Listed, PackMemory
from state.policy import EntityMention, Routing
from tools.dialogue.reference_resolution import resolve_references
from tools.nlu.replies.list_references import list_references

LISTED = ("P1", "P2", "P3", "P4", "P5")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("add the second one to the library", ["P2"]),
        ("analyse number 3", ["P3"]),
        ("compare the first and the third", ["P1", "P3"]),
        ("compare 1 and 3", ["P1", "P3"]),
        ("compare the first one with the second", ["P1", "P2"]),
        ("add papers 1, 3 and 5 to my library", ["P1", "P3", "P5"]),
        ("more like the 2nd one", ["P2"]),
        ("summarise the last paper", ["P5"]),
        ("take the first two", ["P1", "P2"]),
        ("add the top 2 to the library", ["P1", "P2"]),
        ("keep the last three papers", ["P3", "P4", "P5"]),
        ("add all of them", list(LISTED)),
        ("results 2-4", ["P2", "P3", "P4"]),
        ("#3 please", ["P3"]),
        ("What does the THIRD one say?", ["P3"]),
        ("is the second one open access?", ["P2"]),
        ("was the last paper retracted?", ["P5"]),
        ("is the second law true?", []),
        ("is the third one free to read", ["P3"]),
        ("this is the second one wondered about", []),
        ("the second law of thermodynamics", []),
        ("top 5 papers on whales", []),
        ("just top 3", []),
        ("the first three papers on whales", []),
        ("show me papers from 2020", []),
        ("add 2 papers", []),
        ("wait a second", []),
        ("give me a second opinion", []),
        ("tell me about it", []),
        ("close all but the first", []),
        ("close all except the second one", []),
        ("close everything except number 3", []),
        ("close them except the first and the third", []),
        ("close the others, not the first", []),
        ("not the first. The second one", ["P2"]),
        ("close the second and keep the third", ["P2"]),
        ("close the second to last", []),
        ("close the third from last one", []),
        ("close the next to last one", []),
        ("close the one after the first", []),
        ("close the one before number 3", []),
        ("share both of them with the yard", []),
        ("share two of them with the yard", []),
        ("share any of these with the yard", []),
        ("share these with the yard", list(LISTED)),
        ("compare the ones between the second and the fourth", []),
        ("open every second one", []),
        ("compare from the second to the fourth", ["P2", "P3", "P4"]),
        ("compare the 2nd thru 4th", ["P2", "P3", "P4"]),
        ("close all of them but the second", []),
        ("close them all without the first", []),
        ("close all of them, but keep the second", []),
        ("close the second instead of the first", ["P2"]),
        ("compare the first to the last", ["P1", "P5"]),
        ("move the first to the end", ["P1"]),
        ("add the second to last week's list", ["P2"]),
        ("save the first two papers", ["P1", "P2"]),
    ],
)
def test_places_in_a_list(text: str, meant: list[str]) -> None:
    assert [one.value for one in list_references(text, "paper", LISTED).mentions] == meant


def test_a_mention_says_where_it_stands() -> None:
    text = "Please add the second one to the library"
    (mention,) = list_references(text, "paper", LISTED).mentions
    assert text[slice(*mention.span)] == "the second one"
    assert mention.type == "paper"


@pytest.mark.parametrize(("text", "place"), [("analyse number 9", 9), ("the seventh one", 7)])
def test_a_place_beyond_the_list_is_told(text: str, place: int) -> None:
    found = list_references(text, "paper", LISTED)
    assert (found.mentions, found.beyond) == ((), (place,))


@pytest.mark.parametrize(
    "text", ["add it to the library", "compare that one with P2", "this paper"]
)
def test_it_is_what_was_looked_at(text: str) -> None:
    assert [one.value for one in list_references(text, "paper", LISTED, "P4").mentions] == ["P4"]
    assert [one.value for one in list_references(text, "paper", ("P7",)).mentions] == ["P7"]
    assert list_references(text, "paper", LISTED).mentions == ()


def test_a_place_that_is_named_goes_before_it() -> None:
    found = list_references("is it better than the second one?", "paper", LISTED, "P4")
    assert [one.value for one in found.mentions] == ["P2"]


def test_both_are_two() -> None:
    assert len(list_references("add both", "paper", LISTED[:2]).mentions) == 2
    assert list_references("add both", "paper", LISTED).mentions == ()


@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=3), max_size=12, unique=True))
def test_whatever_is_said_only_what_was_listed_is_meant(text: str, listed: list[str]) -> None:
    found = list_references(text, "paper", listed)
    assert {one.value for one in found.mentions} <= set(listed)
    assert all(0 <= one.span[0] < one.span[1] <= len(text) for one in found.mentions)


# What a text points at goes before names that its pointing words happen to be.


def test_of_a_list_only_what_was_misread_is_left_out() -> None:
    text = "tag the second one and WO-1 as acoustics"
    misread = EntityMention(type="crew", value="Second", confidence=0.9, span=(4, 14))
    named = EntityMention(type="order", value="WO-1", confidence=0.9, span=(23, 27))
    routing = Routing(
        text=text,
        normalized=text,
        tokens=tuple(text.split()),
        action="tag",
        confidence=0.9,
        mood="command",
        sign="imperative",
        entities=(misread, named),
        slots={"who": ["Second", "WO-1"], "whom": ["Second"], "one": "Second", "other": "WO-1"},
    )
    listed = Listed(values=("P-1", "P-2"), at=5.0)
    memory = {"library": PackMemory(listed={"paper": listed})}

    read = resolve_references(text, routing, memory, since=0.0)

    assert read.things == {"library": {"paper": ("P-2",)}}
    assert read.routing.slots == {"who": ["WO-1"], "other": "WO-1"}
    assert misread not in read.routing.entities
