import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import packs.vessel
from packs.vessel import handlers, lookups
from packs.vessel.seed.plant import read_seed
from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.event import Event
from tests.written import written_in
from tools.catalog.arguments import render_summary
from tools.catalog.pack import check_pack, load_pack
from tools.catalog.pack_code import load_pack_module

Lookup = Callable[[Path], Mapping[str, Sequence[str]]]

PACK = Path(packs.vessel.__file__).parent
FIRST_DOZEN = {
    "show_equipment_overview": "A",
    "show_equipment_history": "A",
    "search_documents": "A",
    "check_stock": "A",
    "view_handover": "A",
    "diagnose_fault": "A",
    "add_note_to_work_order": "B",
    "add_to_handover": "B",
    "close_work_order": "C",
    "order_part": "C",
    "assign_task": "C",
    "archive_document": "C",
}

GATED = (
    *("archive_document", "close_work_order", "log_hours_of_rest", "submit_compliance_report"),
    *("upload_certificate_document", "update_certificate_metadata", "assign_work_order"),
    *("assign_task", "share_document", "share_with_shipyard", "approve_purchase_order"),
    *("create_purchase_order", "order_part", "export_compliance_logs", "export_handover"),
)
"""Source: action execution contract §1, class C."""


def read(name: str) -> dict[str, Any]:
    return written_in(PACK / name)


@pytest.fixture(scope="module")
def actions() -> Mapping[str, Action]:
    entries = read("actions.yaml")["actions"]
    return {name: Action(name=name, pack="vessel", **entry) for name, entry in entries.items()}


@pytest.fixture(scope="module")
def scenario() -> list[Event]:
    lines = (PACK / "scenario.jsonl").read_text(encoding="utf-8").splitlines()
    return [Event.model_validate_json(line) for line in lines]


def test_the_pack_has_no_fault():
    assert check_pack(PACK) == []


def test_its_modules_work_under_whatever_name_they_are_imported(data_dir: Path):
    assert load_pack_module(load_pack(PACK), "lookups").crew(data_dir) == lookups.crew(data_dir)


def test_a_summary_reads_well_with_and_without_optional_slots(actions: Mapping[str, Action]):
    order, overview = actions["order_part"], actions["show_equipment_overview"]
    four = {"part": "oil filter", "quantity": 4}

    assert render_summary(order, four) == "Order 4 x oil filter"
    assert render_summary(order, four | {"work_order": "WO-1042"}).endswith("filter for WO-1042")
    assert render_summary(overview, {}) == "Show the equipment overview"
    update = actions["update_work_order"]
    assert render_summary(update, {"work_order": "WO-1042"}) == "Update WO-1042"


def test_the_class_of_each_action_follows_from_its_effect(actions: Mapping[str, Action]):
    floors = {name: action.floor for name, action in actions.items()}

    assert {name: floors[name] for name in FIRST_DOZEN} == FIRST_DOZEN


def test_every_action_has_a_handler_with_its_slots(actions: Mapping[str, Action]):
    for name, action in actions.items():
        assert action.handler == f"handlers:{name}"
        _context, *given = inspect.signature(getattr(handlers, name)).parameters.values()
        assert [one.name for one in given] == list(action.slots)
        required = [one.default is inspect.Parameter.empty for one in given]
        assert required == [slot.required for slot in action.slots.values()], name


def test_every_change_is_previewed_and_its_key_honoured(actions: Mapping[str, Action]):
    for name, action in actions.items():
        changes = action.effect != "read"
        assert action.preview == (f"previews:{name}" if changes else None)
        assert action.status == ("handlers:was_done" if changes else None)
        assert action.idempotent == changes


def test_what_the_contract_gates_is_gated(actions: Mapping[str, Action]):
    assert {actions[name].floor for name in GATED} == {"C"}
    assert {name for name, action in actions.items() if action.approvers.four_eyes} == {
        "approve_purchase_order",
        "submit_compliance_report",
        "export_compliance_logs",
    }


def test_there_are_at_least_48_actions_and_each_undo_is_one(actions: Mapping[str, Action]):
    assert len(actions) >= 48
    assert {action.undo for action in actions.values() if action.undo} <= set(actions)


def test_reads_are_for_everybody_and_changes_are_not(actions: Mapping[str, Action]):
    for action in actions.values():
        assert (action.roles == ()) == (action.effect == "read")
        assert "owner" not in action.roles
        if action.floor == "C":
            assert set(action.approvers.roles) == {"chief_engineer", "captain"}


def test_every_slot_type_is_known(actions: Mapping[str, Action]):
    known = {*PRIMITIVE_SLOT_TYPES, *read("entities.yaml")["entities"]}

    assert {slot.type for action in actions.values() for slot in action.slots.values()} <= known


def test_examples_are_many_and_no_two_are_alike(actions: Mapping[str, Action]):
    examples = [example for action in actions.values() for example in action.examples]

    assert all(8 <= len(action.examples) <= 120 for action in actions.values())
    assert len(set(examples)) == len(examples)


@pytest.mark.parametrize(
    ("kind", "lookup"),
    [
        ("equipment", lookups.equipment),
        ("part", lookups.parts),
        ("crew", lookups.crew),
        ("document", lookups.documents),
        ("certificate", lookups.certificates),
        ("checklist", lookups.checklists),
        ("shipyard", lookups.shipyards),
        ("symptom", lookups.symptoms),
    ],
)
def test_the_listed_names_are_those_of_the_store(data_dir: Path, kind: str, lookup: Lookup):
    assert sorted(read("entities.yaml")["entities"][kind]["list"]) == sorted(lookup(data_dir))


def test_no_two_things_of_a_kind_share_a_name(data_dir: Path):
    for lookup in (
        lookups.equipment,
        lookups.parts,
        lookups.crew,
        lookups.documents,
        lookups.tasks,
        lookups.symptoms,
        lookups.work_orders,
        lookups.fault_codes,
        lookups.certificates,
        lookups.checklists,
        lookups.purchase_orders,
        lookups.shipyards,
    ):
        names = [
            name.casefold()
            for canonical, others in lookup(data_dir).items()
            for name in {canonical.casefold(), *map(str.casefold, others)}
        ]
        assert len(set(names)) == len(names), lookup.__name__


def test_lookups_know_plurals_numbers_and_nicknames(data_dir: Path):
    assert {"FLT-2104", "oil filters"} <= set(lookups.parts(data_dir)["oil filter"])
    assert "EPIRB batteries" in lookups.parts(data_dir)["EPIRB battery"]
    assert "Marta" in lookups.crew(data_dir)["Marta Lindqvist"]
    assert "filter replacement" in lookups.work_orders(data_dir)["WO-1042"]
    assert "tender refuelling" in lookups.tasks(data_dir)["TSK-104"]


def test_the_seed_speaks_of_things_that_are_on_board():
    seed = read_seed()
    equipment = {item["name"] for item in seed["equipment"]}
    places = equipment | {item["family"] for item in seed["equipment"]}
    people = {person["name"] for person in seed["crew"]}

    assert {order["equipment"] for order in seed["work_orders"]} <= equipment
    assert {paper.get("document") for paper in seed["certificates"]} <= {
        None,
        *(paper["id"] for paper in seed["documents"]),
    }
    assert set(seed["hours_of_rest"]) == people
    assert {len(sheet) for sheet in seed["hours_of_rest"].values()} == {30}
    assert {name for fault in seed["faults"] for name in fault["applies"]} <= places
    assert {s for fault in seed["faults"] for s in fault["symptoms"]} <= set(seed["symptoms"])
    assert {e["by"] for item in seed["equipment"] for e in item["history"]} <= people
    assert set(seed["families"]) <= {item["family"] for item in seed["equipment"]}


def test_the_story_is_one_watch_in_order(scenario: list[Event]):
    times = [event.occurred_at for event in scenario if event.occurred_at]

    assert 38 <= len(scenario) == len(times) == len({event.event_id for event in scenario})
    assert times == sorted(times)
    assert (times[-1] - times[0]).total_seconds() <= 6 * 3_600
    assert {(event.session_id, event.tenant_id) for event in scenario} == {
        ("evening-watch", "default")
    }


def test_the_story_has_chatter_with_and_without_vectors(scenario: list[Event]):
    ambient = [event for event in scenario if event.kind == "ambient"]

    assert {event.salience is None for event in ambient} == {True, False}
    assert all(event.role for event in scenario if event.kind == "message")


def test_the_people_of_the_story_are_on_board(scenario: list[Event]):
    crew = {c["name"].split()[0].lower(): c["role"] for c in read_seed()["crew"]}

    for event in scenario:
        if event.user:
            assert crew[event.user] == event.role


def test_each_heuristic_says_what_to_do_about_the_event_itself():
    rules = read("heuristics.yaml")["heuristics"]

    assert len({rule["id"] for rule in rules}) == len(rules) >= 6
    for rule in rules:
        assert "{text}" in rule["say"]
        assert rule["confidence"] >= 0.8


def test_each_line_of_the_story_is_one_json_object():
    for line in (PACK / "scenario.jsonl").read_text(encoding="utf-8").splitlines():
        assert isinstance(json.loads(line), dict)
