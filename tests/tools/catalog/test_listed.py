"""Of a kind that a pack lists in full nothing else can be named."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from state.action import Slot
from state.errors import InvalidArguments
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.catalog.pack_schema import EntityType

PackWriter = Callable[..., Path]


@pytest.fixture
def gates(write_pack: PackWriter) -> Catalogue:
    """Return a catalogue with a kind of thing that is listed in full, with a pattern beside."""
    loaded = load_pack(write_pack())
    kind = EntityType.model_validate(
        {"list": {"Garden gate": ["gate"], "Front door": None}, "patterns": ["G-\\d+"]}
    )
    slots = {
        "gate": Slot(type="gate", required=True),
        "others": Slot(type="gate", many=True),
        "job": Slot(type="work_order"),
        "code": Slot(type="gate", secret=True),
    }
    action = loaded.actions["close_work_order"].model_copy(
        update={"name": "open_gate", "slots": slots}
    )
    entities = {**loaded.entities, "gate": kind}
    return Catalogue.of([replace(loaded, actions={"open_gate": action}, entities=entities)])


@pytest.mark.parametrize(
    "given_",
    [
        {"gate": "Front door"},
        {"gate": "g-7"},
        {"gate": "Garden gate", "others": ["Front door", "G-1"]},
        {"gate": "Front door", "job": "looked up in the store"},
    ],
)
def test_a_thing_of_a_listed_kind_is_taken(gates: Catalogue, given_: Mapping[str, Any]) -> None:
    assert gates.arguments("open_gate", given_) == given_


def test_a_thing_by_another_name_is_that_thing(gates: Catalogue) -> None:
    given_ = {"gate": "Gate", "others": ["front door"]}

    assert gates.arguments("open_gate", given_) == {"gate": "Garden gate", "others": ["Front door"]}


@pytest.mark.parametrize(
    "given_",
    [
        {"gate": "Cellar door"},
        {"gate": "G-7 and all others"},
        {"gate": "Front door", "others": ["Front door", "Cellar door"]},
    ],
)
def test_what_is_no_thing_of_a_listed_kind_is_refused(
    gates: Catalogue, given_: Mapping[str, Any]
) -> None:
    with pytest.raises(InvalidArguments, match=r"names nothing: .*Garden gate, Front door"):
        gates.arguments("open_gate", given_)


def test_one_thing_is_not_taken_for_two(gates: Catalogue) -> None:
    with pytest.raises(InvalidArguments, match="others names something twice"):
        gates.arguments("open_gate", {"gate": "Front door", "others": ["gate", "Garden gate"]})
    with pytest.raises(InvalidArguments, match="others names something twice"):
        gates.arguments("open_gate", {"gate": "Front door", "others": ["G-7", "g-7"]})


def test_a_secret_is_not_told(gates: Catalogue) -> None:
    with pytest.raises(InvalidArguments) as refused:
        gates.arguments("open_gate", {"gate": "Front door", "code": "hunter2"})
    assert "code names nothing; known are" in str(refused.value)
    assert "hunter2" not in str(refused.value)
