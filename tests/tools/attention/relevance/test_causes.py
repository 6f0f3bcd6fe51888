"""A cause that was told hides what follows from it, until it is over."""

from typing import Any

from state.attention import OpenCause
from tests.stages import event_of
from tools.attention.salience import InhibitionMatches, InhibitionRules
from tools.catalog.pack_schema import Inhibition

DARK = Inhibition(
    id="dark", cause="blackout", hides=("pump stopped",), ends="power restored", minutes=10
)
GATE = Inhibition(
    id="gate", cause="gate stuck", hides=("queue",), equal=("entity",), source="gates"
)
CAUSES = InhibitionRules((DARK, GATE))


def match(
    text: str, open_causes: dict[str, OpenCause] | None = None, **fields: Any
) -> InhibitionMatches:
    return CAUSES.match(event_of(text, **fields), open_causes or {}, 100.0)


def told(text: str, **fields: Any) -> dict[str, OpenCause]:
    event = event_of(text, **fields)
    return CAUSES.after({}, event, match(text, **fields), now=100.0, told=True)


def test_what_follows_is_hidden_while_the_cause_is_open() -> None:
    assert match("The pump stopped").hidden_by is None
    assert match("The pump stopped", told("Blackout aboard")).hidden_by == "dark"


def test_a_cause_that_was_not_told_hides_nothing() -> None:
    event = event_of("Blackout aboard")
    matches = match("Blackout aboard")
    assert matches.opens == ("dark",)
    assert CAUSES.after({}, event, matches, now=100.0, told=False) == {}


def test_a_cause_ends_by_its_words_or_by_its_life() -> None:
    open_causes = told("Blackout aboard")
    ended = match("Power restored", open_causes)
    assert ended.ends == ("dark",)
    after = CAUSES.after(open_causes, event_of("Power restored"), ended, now=200.0, told=True)
    assert after == {}
    late = CAUSES.match(event_of("The pump stopped"), open_causes, 100.0 + 600)
    assert late.hidden_by is None


def test_only_what_has_the_same_keys_is_hidden() -> None:
    north = told("Gate stuck", source="gates", entities=["north"])
    assert match("A queue of boats", north, entities=["north"]).hidden_by == "gate|north"
    assert match("A queue of boats", north, entities=["south"]).hidden_by is None


def test_a_cause_of_another_source_is_none() -> None:
    assert match("Gate stuck", source="rumours").opens == ()


def test_what_a_person_says_is_never_hidden() -> None:
    said = match("The pump stopped", told("Blackout aboard"), kind="message", user="amir")
    assert said == InhibitionMatches()
