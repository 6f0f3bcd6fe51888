"""What the router makes of requests to a vessel assistant; see conftest.py."""

from collections.abc import Callable
from pathlib import Path

import pytest

from state.policy import Routing
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router

Routed = Callable[[str], Routing]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("show generator history", "show_equipment_history"),
        ("pull up the service history for the port generator", "show_equipment_history"),
        ("give me the status of the bow thruster", "show_equipment_overview"),
        ("check stock", "check_stock"),
        ("how many oil filters are on board", "check_stock"),
        ("search for the fire plan", "search_documents"),
        ("trace fault F-117", "diagnose_fault"),
        ("what's wrong with the bilge pump", "diagnose_fault"),
        ("open the handover", "view_handover"),
        ("add note to work order filter replacement", "add_note_to_work_order"),
        ("add the bilge pump alarm to the handover", "add_to_handover"),
        ("add 3 membranes to WO-1040", "add_part_to_work_order"),
        ("attach photo to WO-1038", "add_photo_to_work_order"),
        ("raise a work order for the port main engine: oil leak", "create_work_order"),
        ("close out WO-1042", "close_work_order"),
        ("hang on, close WO-1042", "close_work_order"),
        ("finish the filter replacement job", "close_work_order"),
        ("archive DOC-019", "archive_document"),
        ("log 9.5 hours of rest for Ana on 2026-02-07", "log_hours_of_rest"),
        ("submit compliance report", "submit_compliance_report"),
        ("upload the class certificate", "upload_certificate_document"),
        ("assign WO-1040 to Tom", "assign_work_order"),
        ("hand TSK-104 over to Ana", "assign_task"),
        ("share the fire plan with Ana", "share_document"),
        ("send the job list to the shipyard", "share_with_shipyard"),
        ("approve PO-2201", "approve_purchase_order"),
        ("create purchase order for 12 impellers", "create_purchase_order"),
        ("order 3 oil filters", "order_part"),
        ("export compliance logs", "export_compliance_logs"),
        ("download the handover", "export_handover"),
        ("generate an audit pack", "generate_audit_pack"),
    ],
)
def test_a_clear_request_finds_its_action(route: Routed, text: str, action: str):
    routing = route(text)

    assert routing.action == action
    assert routing.confidence >= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "what's the weather in Lisbon",
        "tell me a joke",
        "who won the game last night",
        "book me a massage",
        "paint the hull",
        "turn off the watermaker",
        "asdf qwer",
    ],
)
def test_what_no_action_covers_is_none_of_them(route: Routed, text: str):
    routing = route(text)

    assert routing.action is None
    assert routing.confidence < 0.25


def test_the_denied_container_is_not_the_one_that_counts(route: Routed):
    routing = route("not the handover, add it to the work order")

    assert routing.target_container == "work_order"
    assert routing.confidence < 0.8
    assert routing.action is not None
    assert routing.action.endswith("_to_work_order")
    assert any(one.confidence >= 0.25 for one in routing.alternatives)


def test_the_same_text_has_the_same_answer(router: Router):
    text = "add note filter replaced on generator"

    assert router.route(text) == router.route(text)


def test_a_catalogue_without_actions_routes_to_nothing():
    routing = Router(Catalogue.of([])).route("close WO-1042")

    assert routing.action is None
    assert routing.reasons == ("no_actions",)


def test_what_was_learnt_is_kept_for_the_next_start(
    write_vessel: Callable[[Path], Path], tmp_path: Path
):
    catalogue = Catalogue.of([load_pack(write_vessel(tmp_path / "boat"))])
    cache = tmp_path / "cache"

    first = Router(catalogue, cache=cache).route("show generator history")
    (stored,) = cache.glob("*.npz")
    second = Router(catalogue, cache=cache).route("show generator history")
    (words,) = cache.glob("wording-*.json")
    whole = stored.read_bytes()
    stored.write_bytes(b"damaged")
    words.write_bytes(b'{"words": ["show"]}')
    third = Router(catalogue, cache=cache).route("show generator history")
    stored.write_bytes(whole[: len(whole) // 2])
    assert Router(catalogue, cache=cache).route("show generator history") == first

    assert first == second == third


def test_the_words_and_slots_that_decided_are_named(route: Routed):
    reasons = route("close out WO-1042").reasons

    assert {"verb:close out→update", "object:work_order", "slot:work_order"} <= set(reasons)
    assert any(one.startswith("words:") and "close" in one for one in reasons)


def test_a_slip_that_was_put_right_is_named(route: Routed):
    routing = route("show the histroy of the watermaker")

    assert routing.action == "show_equipment_history"
    assert "spelling:histroy→history" in routing.reasons


def test_where_nothing_is_near_it_is_said(route: Routed):
    assert "none_is_near" in route("what's the weather in Lisbon").reasons
