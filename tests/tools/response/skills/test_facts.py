"""No wording loses or invents a number, a name, an id or a negation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.platform.text_comparison import (
    changed_facts,
    facts_of,
    lost_facts,
    opening_name,
    swapped_names,
)

SENTENCES = st.lists(
    st.sampled_from(
        ["do not", "open", "valve", "12", "three", "LK-12", "Anna", "never", "3.5", "bar", "is"]
    ),
    max_size=8,
).map(" ".join)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("Creeper 12 blocks behind you.", "Creeper behind you.", ("lost 12",)),
        ("Creeper behind you.", "Creeper 3 blocks behind you.", ("added 3",)),
        ("Do not open it.", "Open it.", ("lost a negation",)),
        ("Open it.", "Don't open it.", ("added a negation",)),
        ("Lock LK-12 jams.", "The lock jams.", ("lost lk-12",)),
        ("Give it to Anna.", "Give it to Ben.", ("lost anna", "added ben")),
        ("It is -5 degrees.", "It is 5 degrees.", ("lost -5", "added 5")),
        ("Write to a@example.org now.", "Write now.", ("lost a@example.org",)),
        ("3.5 bar left.", "35 bar left.", ("lost 3.5", "added 35")),
    ],
)
def test_other_facts_are_named(before: str, after: str, changes: tuple[str, ...]) -> None:
    assert set(changed_facts(before, after)) == set(changes)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Creeper 12 blocks behind you, Anna.", "Oh look, Anna: a creeper, twelve blocks behind."),
        ("You have 1,200 coins left.", "1200 coins left. Lovely."),
        ("Do not open it.", "Well. Don't open it!"),
        ("Lock LK-12 jams.", "The lock lk-12 jams, who would have thought."),
        ("Anna's boat is early.", "Early: the boat of Anna."),
    ],
)
def test_other_words_for_the_same_facts_are_no_change(before: str, after: str) -> None:
    assert changed_facts(before, after) == ()


def test_a_thing_that_the_event_names_may_not_get_lost() -> None:
    assert changed_facts("The zombie is near", "It is near", ["zombie"]) == ("lost zombie",)
    assert changed_facts("The zombie is near", "It is near") == ()


def test_what_a_domain_adds_is_no_loss() -> None:
    assert lost_facts("Health is low.", "Health is low. 3 hearts left.") == ()


@given(SENTENCES)
def test_a_sentence_has_its_own_facts(sentence: str) -> None:
    assert changed_facts(sentence, sentence) == ()


@given(SENTENCES, SENTENCES)
def test_what_is_lost_one_way_is_added_the_other_way(one: str, other: str) -> None:
    there, back = changed_facts(one, other), changed_facts(other, one)
    lost = {change.removeprefix("lost ") for change in there if change.startswith("lost")}
    added = {change.removeprefix("added ") for change in back if change.startswith("added")}
    assert lost == added


def test_the_words_of_a_style_have_no_facts() -> None:
    assert facts_of("Oh look. Who could have seen that coming").names == frozenset()


@pytest.mark.parametrize("part", ["...", "A ", "-1 ", "a@"])
def test_a_long_text_is_read_in_proportion_to_its_length(part: str) -> None:
    found = facts_of(f"{part * 60_000}. Then Bob (ann@example.org) owes -20")  # or it takes minutes
    assert "-20" in found.numbers
    assert "bob" in found.names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Robin did not answer", "robin"),
        ("Robin's train is late", "robin"),
        ("Water is rising", "water"),
        ("It is raining", None),
        ("The build is red", None),
        ("Nobody came", None),
        ("WO-1042 is closed", None),
        ("robin did not answer", None),
        ("", None),
    ],
)
def test_whom_a_text_opens_with_may_be_a_name(text: str, name: str | None) -> None:
    assert opening_name(text) == name


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("Dana owes Jonas 4 euros.", "Jonas owes Dana 4 euros.", ("swapped dana and jonas",)),
        ("Dana owes Jonas 4 euros.", "It is Dana who owes Jonas 4 euros.", ()),
        ("Dana owes Jonas 4 euros.", "Jonas gets 4 euros from Dana.", ()),
        ("Dana told Jonas.", "Jonas was told by Dana.", ()),
        ("Dana and Jonas are here.", "Here are Jonas and Dana.", ()),
        ("On Monday Robin comes.", "Robin comes on Monday.", ()),
        (
            "Robin took Kim's boat to Ana.",
            "Robin took Ana's boat to Kim.",
            ("swapped kim and ana",),
        ),
    ],
)
def test_who_does_it_to_whom_is_not_turned_around(
    before: str, after: str, changes: tuple[str, ...]
) -> None:
    assert swapped_names(before, after) == changes
