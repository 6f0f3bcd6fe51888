"""Domain, style, personality: who speaks when, in which words, and never with other facts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.personality import TRAITS, Traits
from state.response import Intent, ResponseType
from tests.stages import event_of, session_of
from tools.catalog.pack_schema import Skill
from tools.platform.text_comparison import (
    changed_facts,
    facts_of,
    lost_facts,
    opening_name,
    swapped_names,
)
from tools.response.skills import SkillSelection, realize

HARBOUR = Skill.model_validate(
    {
        "name": "harbour_lore",
        "type": "domain_skill",
        "summary": "Knows the tides",
        "context_binding": "work.harbour",
        "sources": ["tide_gauge"],
        "says": [
            {"when": "tide", "say": "{text} {depth} metres over the sill."},
            {"when": "tide turns", "say": "{text} Slack for {minutes} minutes."},
        ],
    }
)
DRY = Skill.model_validate(
    {
        "name": "dry",
        "type": "style_modifier",
        "summary": "Dry remarks",
        "trait": "sarcasm",
        "at_least": 0.5,
        "says": [{"say": "What a surprise. {text}"}, {"say": "{text} Thrilling."}],
    }
)
BOTH = (HARBOUR, DRY)
SHARP = Traits(sarcasm=1.0)


def intent(
    text: str = "The tide turns.",
    kind: ResponseType = "observation",
    traits: Traits = SHARP,
    seed: str = "d-1",
    **payload: Any,
) -> Intent:
    return Intent(event_of(text, payload=payload), kind, text, traits, seed)


def test_the_domain_adds_what_the_event_knows():
    said = realize(intent(traits=Traits(sarcasm=0), depth=3.5), BOTH)
    assert said.text == "The tide turns. 3.5 metres over the sill."
    assert said.spoke == ("harbour_lore", "personality")


def test_the_closest_line_counts_and_one_without_its_values_does_not():
    closest = realize(intent(traits=Traits(sarcasm=0), depth=3.5, minutes=20), BOTH)
    assert closest.text == "The tide turns. Slack for 20 minutes."
    assert realize(intent(traits=Traits(sarcasm=0)), BOTH).text == "The tide turns."


def test_a_style_speaks_after_the_domain_and_is_named():
    said = realize(intent(depth=3.5), BOTH)
    assert "3.5 metres" in said.text
    assert ("What a surprise." in said.text) or ("Thrilling." in said.text)
    assert said.spoke == ("harbour_lore", "dry", "personality")


def test_the_same_decision_is_worded_the_same():
    assert realize(intent(), BOTH) == realize(intent(), BOTH)
    texts = {realize(intent(seed=f"d-{number}"), BOTH).text for number in range(20)}
    assert len(texts) == 2


def test_a_style_shows_as_often_as_its_trait_is_high():
    half = Traits(sarcasm=0.5)
    shown = sum(
        "dry" in realize(intent(traits=half, seed=f"d-{number}"), BOTH).spoke
        for number in range(400)
    )
    assert 160 < shown < 240


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_an_alert_is_told_in_full_and_without_style(level: float):
    traits = Traits(**dict.fromkeys(TRAITS, level))
    text = "Fire on the quay! Don't go there. Leave now."
    assert realize(intent(text, "alert", traits), BOTH).text == text


def test_a_terse_character_leaves_the_domain_out():
    terse = Traits(verbosity=0.1, sarcasm=0)
    assert realize(intent(traits=terse, depth=3.5), BOTH).text == "The tide turns."


def test_what_a_shorter_wording_would_lose_is_said():
    terse = Traits(verbosity=0.1, sarcasm=0)
    said = realize(intent("It turns. Stay below 4 knots.", traits=terse), ())
    assert said.text == "It turns. Stay below 4 knots."
    assert said.kept_plain == ("personality: lost 4",)


@pytest.mark.parametrize(
    ("traits", "text", "words"),
    [
        (Traits(formality=0.9), "It's late, don't wait!", "It is late, do not wait."),
        (Traits(formality=0.1), "It is late, do not wait.", "It's late, don't wait."),
        (Traits(enthusiasm=0.9), "The ferry is early.", "The ferry is early!"),
        (Traits(enthusiasm=0.1), "The ferry is early!", "The ferry is early."),
        (Traits(), "It's late, don't wait!", "It's late, don't wait!"),
    ],
)
def test_register_and_liveliness_are_the_personalitys(traits: Traits, text: str, words: str):
    assert realize(intent(text, traits=traits), ()).text == words


def test_an_event_cannot_reach_into_the_words_of_a_skill():
    said = realize(intent("The tide turns {depth} {0.x}", traits=Traits(sarcasm=0), depth=1), BOTH)
    assert said.text == "The tide turns {depth} {0.x}. 1 metres over the sill."


@given(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60),
    st.builds(Traits, **dict.fromkeys(TRAITS, st.floats(0, 1))),
    st.sampled_from(["observation", "quip", "suggestion", "alert", "question"]),
    st.integers(0, 10_000),
)
def test_no_style_and_no_trait_changes_a_fact(text: str, traits: Traits, kind: Any, number: int):
    said = realize(intent(f"LK-12: not 4, {text}", kind, traits, f"d-{number}"), (DRY,))
    assert changed_facts(f"LK-12: not 4, {text}", said.text) == ()


def test_a_domain_is_loaded_in_its_context_and_below():
    skills = SkillSelection(BOTH)
    for context, there in (
        ("work.harbour", True),
        ("work.harbour.north", True),
        ("work", False),
        ("work.harbours", False),
        (None, False),
    ):
        plain = session_of(traits=Traits(sarcasm=0), active_context=context)
        assert (HARBOUR in skills.speaking(plain)) == there


def test_a_source_brings_its_context_and_a_signal_ends_it():
    skills = SkillSelection(BOTH)
    known = session_of(active_context="gaming")
    assert skills.context_of(event_of(source="tide_gauge"), known) == "work.harbour"
    assert skills.context_of(event_of(), known) == "gaming"
    assert skills.context_of(event_of(kind="signal", payload={"context": ""}), known) is None


def test_what_a_person_asked_for_counts_more_than_traits_and_context():
    skills = SkillSelection(BOTH)
    chosen = session_of(
        traits=SHARP,
        active_context="work.harbour",
        skills={"dry": "unloaded", "harbour_lore": "unloaded"},
    )
    assert skills.speaking(chosen) == ()
    chosen = session_of(traits=Traits(sarcasm=0.1), skills={"dry": "loaded"})
    assert skills.speaking(chosen) == (DRY,)


# No wording loses or invents a number, a name, an id or a negation.

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
def test_other_facts_are_named(before: str, after: str, changes: tuple[str, ...]):
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
def test_other_words_for_the_same_facts_are_no_change(before: str, after: str):
    assert changed_facts(before, after) == ()


def test_a_thing_that_the_event_names_may_not_get_lost():
    assert changed_facts("The zombie is near", "It is near", ["zombie"]) == ("lost zombie",)
    assert changed_facts("The zombie is near", "It is near") == ()


def test_what_a_domain_adds_is_no_loss():
    assert lost_facts("Health is low.", "Health is low. 3 hearts left.") == ()


@given(SENTENCES)
def test_a_sentence_has_its_own_facts(sentence: str):
    assert changed_facts(sentence, sentence) == ()


@given(SENTENCES, SENTENCES)
def test_what_is_lost_one_way_is_added_the_other_way(one: str, other: str):
    there, back = changed_facts(one, other), changed_facts(other, one)
    lost = {change.removeprefix("lost ") for change in there if change.startswith("lost")}
    added = {change.removeprefix("added ") for change in back if change.startswith("added")}
    assert lost == added


def test_the_words_of_a_style_have_no_facts():
    assert facts_of("Oh look. Who could have seen that coming").names == frozenset()


@pytest.mark.parametrize("part", ["...", "A ", "-1 ", "a@"])
def test_a_long_text_is_read_in_proportion_to_its_length(part: str):
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
def test_whom_a_text_opens_with_may_be_a_name(text: str, name: str | None):
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
def test_who_does_it_to_whom_is_not_turned_around(before, after, changes):
    assert swapped_names(before, after) == changes
