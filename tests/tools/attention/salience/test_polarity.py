"""An alarm, or its absence, its end, its test: the same words, told apart by their clause."""

import pytest

from tests.stages import TUNING
from tools.attention.lexicon import READ_CHARACTERS, salience_from_words
from tools.attention.polarity import Polarities, is_denied


@pytest.mark.parametrize(
    "text",
    [
        "Chlorine leak in hall 2",
        "No answer from the porter, smoke in the stable",
        "no lights, smoke in the corridor",
        "Barn on fire, no water in the hydrants",
        "Without warning the scaffold fire began",
        "No. 2 engine on fire",
        "0 of 4 extinguishers left, fire in hall 3",
        "No crew near the fire",
        "Not only smoke but fire",
        "The gas leak has not been repaired",
        "Nobody has stopped the gas leak yet",
        "Unable to put out the fire in the attic",
        "Fire in the attic will be put out soon",
        "The fire is far from over",
        "Fire put out, then it flared up again",
        "Gas leak again after it was fixed",
        "Fire killed 2 people",
        "Explosion, rescued by neighbours: two",
        "Somebody dismissed the fire alarm in hall 2",
        "The fire alarm went off in the library",
        "Smoke from the extinguished candle",
        "Fire in the cleared area",
        "Flooding: bilge pump stopped",
        "Intruder in the yard, all gates closed",
        "Intruder not found",
        "Man overboard is gone",
        "Mayday put out by the yacht Alba",
        "Test bench on fire",
        "Testing lab fire",
        "Rocket test explosion",
        "Accident in the workshop: drill, fire",
        "This is not a drill: intruder in the bank",
        "Fire drill broken off: real fire in the gym",
        "Gas leak in the training room",
        "Smoke detector triggered in the loft",
        "Battery ok, but smoke in the hold",
        "Fire on deck 2. Deck 3 all clear.",
    ],
)
def test_an_alarm_stays_one_whatever_else_is_denied_or_over(text: str) -> None:
    # Of these words each alone is told always, or nearly.
    assert salience_from_words(text).vector.threat >= 0.75


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("No smoke in the sauna", "absent"),
        ("0 critical, 3 parcels", "absent"),
        ("Audit of the till: zero critical findings", "absent"),
        ("Neither fire nor smoke", "absent"),
        ("There is no sign of smoke in the hold", "absent"),
        ("No smoke, fire or gas leak in the hall", "absent"),
        ("None of the sheep is unconscious", "absent"),
        ("The kiln is not overheating", "absent"),
        ("Smoke detector loft: battery ok, no smoke", "absent"),
        ("smoke detected: false", "over"),
        ("Smoke alarm of the barn tested", "absent"),
        ("Fire in the barn put out by neighbours", "over"),
        ("The vet has stopped the bleeding", "over"),
        ("Emergency on the ski lift is over", "over"),
        ("Leak under the bar repaired at 10:40", "over"),
        ("Server back online after the crash", "over"),
        ("RESOLVED: intruder at dock 4", "over"),
        ("[OK] attack on shop-3", "over"),
        ("Intruder alarm hall; false alarm", "over"),
        ("Gas leak at the hob, all clear", "over"),
        ("The gas leak in Mill Street is fixed, road reopened", "over"),
        ("Intruder report from the depot was a hoax", "over"),
        ("Critical incidents: zero", "over"),
        ("You escaped the explosion", "over"),
        ("The unconscious diver is breathing again", "over"),
        ("The intruder turned out to be the cleaner", "over"),
        ("Fire drill at noon", "practised"),
        ("Test of the fire alarm today at 11", "practised"),
        ("EXERCISE EXERCISE: explosion at the mill", "practised"),
        ("This is only a test. Fire in ward 3", "practised"),
        ("Intruder alarm bank - TEST", "practised"),
        ("Simulated phishing attack ended with 3 clicks", "practised"),
    ],
)
def test_what_is_absent_over_or_practised_is_no_danger(text: str, polarity: str) -> None:
    read = salience_from_words(text)
    assert read.vector.threat < TUNING.salience.situation_threat
    assert polarity in read.denied


@pytest.mark.parametrize(
    ("text", "reassures"),
    [
        ("Nightly scan finished. No viruses found.", True),
        ("All lifts operational", True),
        ("Patrol of the stable: nothing to report", True),
        ("No exam papers in room 12", False),
        ("3 problems found, 0 repaired", False),
    ],
)
def test_troubles_that_are_denied_say_that_all_is_well(text: str, reassures: bool) -> None:
    assert Polarities(text).reassures is reassures


@pytest.mark.parametrize(
    ("condition", "text", "denied"),
    [
        ("wolf", "A wolf near the pen, no dog there", False),
        ("wolf", "No wolf is near", True),
        ("wolf", "You killed the wolf", True),
        ("wolf", "The wolf killed a lamb", False),
        ("oven hot", "Oven hot no more", True),
        ("gold ore", "Gold ore is not here, only coal", True),
        ("tank low", "Tank low: resolved", True),
        ("tank low", "Tank low, pump not running", False),
        ("tests failed", "0 tests failed", True),
        ("bus leaves", "The bus no longer leaves at 10", True),
        ("engine stopped", "Engine stopped", False),  # it is about an end itself
        ("no answer", "No answer from the lift", False),
    ],
)
def test_a_condition_is_not_met_by_what_denies_it(condition: str, text: str, denied: bool) -> None:
    assert is_denied(condition, text) is denied


@pytest.mark.parametrize("text", ["fire, ", "no error ", "test of the ", "fire is over ", "ok: "])
def test_a_long_text_is_read_in_few_steps(text: str) -> None:
    whole = Polarities(text * READ_CHARACTERS)
    assert whole.at(READ_CHARACTERS - 10, READ_CHARACTERS - 5)
    assert salience_from_words(text * READ_CHARACTERS).vector.threat <= 1
