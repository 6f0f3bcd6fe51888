"""A pack's heuristics: which condition an event meets, and what is then said."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from state.event import Event
from tests.stages import event_of
from tools.catalog.pack import Pack, load_pack
from tools.catalog.pack_schema import Heuristic
from tools.memory.heuristics.matching import PackHeuristics

HARBOUR = load_pack(Path(__file__).parents[2] / "harbour")


def with_heuristics(*heuristics: dict[str, Any]) -> PackHeuristics:
    made = tuple(
        Heuristic.model_validate({"id": str(number), "say": "Look.", "confidence": 0.5, **given})
        for number, given in enumerate(heuristics)
    )
    return PackHeuristics([replace(HARBOUR, heuristics=made)])


Matches = Callable[[Event], str | None]


def met(heuristics: PackHeuristics, text: str, **fields: Any) -> str | None:
    found = heuristics.match(event_of(text, **fields))
    return found.heuristic_id if found else None


def test_a_condition_is_met_when_all_its_words_stand_in_the_event() -> None:
    shipped = PackHeuristics([HARBOUR])
    assert met(shipped, "The water is HIGH at the weir") == "high_water"
    assert met(shipped, "high waters") == "high_water"
    assert met(shipped, "The water is low") is None


def test_an_entity_speaks_for_the_event_too() -> None:
    heuristics = with_heuristics({"condition": "port generator hot"})
    assert met(heuristics, "coolant hot", entities=["port generator"]) == "0"


def test_a_condition_may_ask_for_a_source() -> None:
    shipped = PackHeuristics([HARBOUR])
    assert met(shipped, "the buoy drifts", source="radar") == "drifting"
    assert met(shipped, "the buoy drifts", source="rumour") is None


def test_the_surest_condition_wins_and_the_longer_on_a_tie() -> None:
    heuristics = with_heuristics(
        {"condition": "water", "confidence": 0.6},
        {"condition": "water high", "confidence": 0.6},
        {"condition": "high", "confidence": 0.5},
    )
    assert met(heuristics, "high water") == "1"


@pytest.mark.parametrize("condition", ["?!", "...", "_"])
def test_a_condition_without_a_word_is_met_by_nothing(condition: str) -> None:
    assert met(with_heuristics({"condition": condition}), "anything at all") is None


def test_the_words_name_the_event_and_its_source() -> None:
    found = PackHeuristics([HARBOUR]).match(event_of("High water", source="weir"))
    assert found is not None
    assert found.suggested_action == "weir says: High water. Close the gates."
    assert found.confidence == 0.9


def test_an_event_is_never_read_as_a_template() -> None:
    found = PackHeuristics([HARBOUR]).match(event_of("{source} high water", source="{text}"))
    assert found is not None
    assert found.suggested_action == "{text} says: {source} high water. Close the gates."


def test_packs_together_share_their_heuristics() -> None:
    other: Pack = replace(
        HARBOUR, heuristics=(Heuristic(id="other", condition="fog", say="Fog.", confidence=0.9),)
    )
    both = PackHeuristics([HARBOUR, other])
    assert met(both, "fog") == "other"
    assert met(both, "high water") == "high_water"
