"""A character that is heard: each trait changes words or choices, and never an alert or a fact."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.personality import TRAITS, Traits
from state.response import Intent
from state.salience import Salience, SalienceVector
from tests.stages import SECONDS, TUNING, event_of, salience_of, session_of, weighed
from tools.attention.relevance import relevance_of, terms_of, threshold_of
from tools.attention.response_type import choose_response_type
from tools.platform.text_comparison import lost_facts
from tools.platform.texts import texts
from tools.response.remarks import SERIOUS, is_calm, proposed_in, stake_of
from tools.response.skills import realize

GAME = "gaming.minecraft"
PROBES: Mapping[str, tuple[str, Mapping[str, float], str | None, float | None]] = {
    "minecraft": ("Emerald trade offered by a villager", {"opportunity": 0.7}, None, None),
    "desktop": (
        "Battery 19 %, not charging",
        {"goal_relevance": 0.8, "actionability": 0.8, "threat": 0.37},
        "service, worsening, real",
        0.75,
    ),
    "print": (
        "Filament runs out in about an hour",
        {"goal_relevance": 0.63, "actionability": 0.63, "threat": 0.2},
        "service, raised, real",
        0.38,
    ),
    "travel": (
        "Train to Bern leaves 12 minutes late",
        {"goal_relevance": 0.7, "actionability": 0.7, "threat": 0.29},
        "deadline, raised, real",
        0.65,
    ),
    "garden": (
        "The greenhouse vent does not close",
        {"goal_relevance": 0.63, "actionability": 0.63, "threat": 0.45},
        "property, raised, real",
        0.4,
    ),
    "home": (
        "Window in the bedroom is still open and it starts to rain",
        {"goal_relevance": 0.57, "actionability": 0.57},
        "comfort, raised, real",
        0.35,
    ),
    "racing": (
        "Your team mate lets you pass",
        {"goal_relevance": 0.6, "actionability": 0.6, "threat": 0.2},
        "play, raised, real",
        0.39,
    ),
    "pets": ("Cat sat on the keyboard", {"humor": 0.85}, None, None),
    "bank": (
        "Your salary of 2,940 euros has arrived",
        {"goal_relevance": 0.6, "actionability": 0.6},
        "money, resolved, real",
        0.37,
    ),
    "warehouse": (
        "3 cartons of the lost pallet were found",
        {"goal_relevance": 0.6, "actionability": 0.6},
        "property, improving, real",
        0.36,
    ),
}
"""Ten domains: what the gateway or the judge of events said of each, as measured."""
NEUTRAL = Traits()


def salience(domain: str) -> Salience:
    _text, vector, judged, wanted = PROBES[domain]
    return salience_of(SalienceVector.model_validate(vector), judged=judged, wanted=wanted)


def intent_of(
    salience: Salience, text: str, traits: Traits, kind: Any = "observation", **given: Any
) -> Intent:
    setting = {"stake": stake_of(salience, GAME), "is_calm": is_calm(salience, 0.0), **given}
    return Intent(event_of(text), kind, text, traits, **{"seed": "d-1", **setting})


def decided(domain: str, traits: Traits) -> tuple[bool, str, str]:
    """Return whether an event is told, as what, and in which words."""
    text, *_rest = PROBES[domain]
    found = salience(domain)
    state = weighed(found.vector, event=event_of(text), session=session_of(traits=traits))
    terms = terms_of(
        state,
        SECONDS,
        weights=TUNING.salience.weights,
        tuning=TUNING.relevance,
        context="gaming",
    )
    is_told = relevance_of(terms) >= threshold_of(terms, TUNING.relevance)
    kind = choose_response_type(
        found.vector, traits, confidence=1.0, context="gaming", busy=False
    ).type
    return is_told, kind, realize(intent_of(found, text, traits, kind, seed=domain), ()).text


@pytest.mark.parametrize("trait", TRAITS)
def test_each_trait_is_heard_in_half_of_the_domains_at_least(trait: str):
    low, high = (NEUTRAL.model_copy(update={trait: level}) for level in (0.0, 1.0))
    changed = [domain for domain in PROBES if decided(domain, low) != decided(domain, high)]
    assert len(changed) >= 5, changed


@pytest.mark.parametrize("level", [0.0, 1.0])
@pytest.mark.parametrize("trait", TRAITS)
@pytest.mark.parametrize("judged", ["life, raised, real", "play, raised, real", None])
def test_an_alert_is_said_as_it_came(judged: str | None, trait: str, level: float):
    alarm = salience_of(SalienceVector(threat=0.9, humor=0.9, opportunity=0.9), judged=judged)
    text = "smoke in the kitchen, don't go in! 2 rooms full"
    traits = NEUTRAL.model_copy(update={trait: level})
    assert realize(intent_of(alarm, text, traits, "alert"), ()).text == text


@given(
    st.sampled_from(sorted(PROBES)),
    st.builds(Traits, **dict.fromkeys(TRAITS, st.floats(0, 1))),
    st.integers(0, 10_000),
)
def test_no_trait_takes_a_fact_from_an_event(domain: str, traits: Traits, number: int):
    text, *_rest = PROBES[domain]
    said = realize(intent_of(salience(domain), text, traits, seed=f"d-{number}"), ()).text
    assert lost_facts(text, said) == ()
    assert text in said.replace("doesn't", "does not")


def _lines(*kinds: str) -> list[str]:
    found = texts("character").items()
    return [
        line.replace("{text}", "").strip(" .!?:")
        for key, line in found
        if key.split(".")[1] in kinds
    ]


@pytest.mark.parametrize("judged", ["life", "health", "security", "money", "play"])
def test_nobody_jokes_about_what_is_serious(judged: str):
    grave = salience_of(SalienceVector(threat=0.3), judged=f"{judged}, raised, real", wanted=0.6)
    loud = Traits(humor=1, sarcasm=1, enthusiasm=1, verbosity=1, helpfulness=1, formality=0.5)
    assert stake_of(grave) in SERIOUS
    for number in range(50):
        given = {"stake": stake_of(grave), "seed": f"d-{number}"}
        said = realize(intent_of(grave, "Grandpa does not answer", loud, **given), ()).text
        assert not [one for one in _lines("humor", "sarcasm", "enthusiasm") if one in said]
        assert "!" not in said


@pytest.mark.parametrize(
    "judged", ["life, raised, test", "money, raised, denied", "property, steady, real"]
)
def test_nothing_is_added_to_what_may_not_concern_anybody(judged: str):
    found = salience_of(SalienceVector(goal_relevance=0.8), judged=judged)
    every = Traits(**dict.fromkeys(TRAITS, 1.0))
    assert realize(intent_of(found, "Valve 3 opens", every), ()).text == "Valve 3 opens"


def test_in_a_hurry_one_sentence_has_to_do():
    urgent = salience_of(
        SalienceVector(goal_relevance=1), judged="deadline, raised, real", wanted=0.97
    )
    every = Traits(**dict.fromkeys(TRAITS, 1.0))
    said = realize(intent_of(urgent, "Gate closes in 4 minutes", every), ()).text
    assert said.startswith("Gate closes in 4 minutes. ")
    assert len(re.findall(r"[.!?](?:\s|$)", said)) == 2


def test_no_line_comes_twice_within_a_few_utterances():
    helpful, said = Traits(helpfulness=1), list[str]()
    for number in range(6):
        intent = intent_of(
            salience("garden"), f"Vent {number} is open", helpful, recent=tuple(said[-8:])
        )
        said.append(realize(intent, ()).text)
    added = [one.partition(". ")[2] for one in said if ". " in one]
    assert len(added) == len(set(added)) == 3


def test_a_question_is_asked_because_of_an_event_and_a_yes_would_remind():
    asked = intent_of(salience("print"), "Filament runs out", NEUTRAL, "question")
    said = realize(asked, ()).text
    assert said.startswith("Filament runs out. ")
    assert said.endswith("in 20 minutes?")
    wish = proposed_in(said, asked.event)
    assert wish is not None
    assert (wish.kind, wish.seconds) == ("remind", 1200)
    assert proposed_in("Shall I?", asked.event) is None


def test_a_joke_of_eight_tenths_reaches_the_bar_of_a_game():
    joke = weighed(SalienceVector(humor=0.8), session=session_of(traits=NEUTRAL))
    terms = terms_of(
        joke, SECONDS, weights=TUNING.salience.weights, tuning=TUNING.relevance, context="gaming"
    )
    assert relevance_of(terms) >= threshold_of(terms, TUNING.relevance)


def test_the_catalogue_claims_no_figures_and_a_formal_one_contracts_nothing():
    lines = texts("character")
    bare = {key: line for key, line in lines.items() if ".offer" not in key and ".ask" not in key}
    assert not [key for key, line in bare.items() if re.search(r"\d", line)]
    assert not [key for key, line in lines.items() if ".formal." in key and "'" in line]
    classes = {key.split(".")[2] for key in lines if key.startswith("character.meaning.")}
    steps = {key.split(".")[2] for key in lines if key.startswith("character.step.")}
    assert classes | {"game"} == steps
    assert classes >= SERIOUS
