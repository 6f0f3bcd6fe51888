"""What holds for every shipped pack."""

from datetime import date
from pathlib import Path

import pytest

from graph.settings import Settings
from graph.toolbox import Toolbox
from graph.wiring.composition import build_toolbox
from tests.graph.harbour import EVERY
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack, shipped_packs
from tools.dialogue.unsupported_constraints import unsupported_constraints
from tools.nlu.control.requests import control_request
from tools.nlu.feedback import reaction
from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("every-pack")  # one worker learns them, once

# A list is asked for without something: the slot for it takes it, and nothing else does.

TODAY = date(2026, 6, 14)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> Toolbox:
    """Open every pack as the tests of whole conversations do, which learn the same."""
    folder = tmp_path_factory.mktemp("every")
    return build_toolbox(
        Settings(data_dir=folder, packs=EVERY, cache_dir=learnt_once, embedder="none")
    )


@pytest.fixture(scope="module")
def catalogue(box: Toolbox) -> Catalogue:
    return box.catalogue


@pytest.fixture(scope="module")
def router(box: Toolbox) -> Router:
    return box.router


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("show work orders that are not overdue", {"except_state": "overdue"}),
        ("which work orders are overdue", {"state": "overdue"}),
        ("isn't the watermaker job overdue?", {"state": "overdue", "equipment": "watermaker"}),
        ("show the jobs that are not on the watermaker", {"except_equipment": "watermaker"}),
        ("show closed work orders", {"ended": "closed"}),
        ("list the work orders that are not closed", {"except_ended": "closed"}),
        ("show unassigned work orders", {"state": "unassigned"}),
        ("which tasks are done", {"ended": "done"}),
        ("which tasks are still to be done", {"except_ended": "done"}),
        ("which orders have not been received", {"except_state": "received"}),
        ("show unread papers", {"except_status": "read"}),
        ("which papers in the library have I not read", {"except_status": "read"}),
        ("which papers in the library have I read", {"status": "read"}),
    ],
)
def test_what_is_denied_is_left_out_of_the_list(router: Router, tmp_path: Path, text, slots):
    assert router.route(text, data_dir=tmp_path, today=TODAY).slots == slots


def test_a_change_takes_no_value_that_is_denied(router: Router, tmp_path: Path):
    routing = router.route("mark P-2 as not read", data_dir=tmp_path, today=TODAY)

    assert "status" not in routing.slots


def test_what_no_slot_takes_is_told(catalogue: Catalogue, router: Router, tmp_path: Path):
    routing = router.route("show the alarms but not the radar", data_dir=tmp_path, today=TODAY)

    assert routing.slots == {}
    assert unsupported_constraints(catalogue.action("show_alarms"), routing, {}) == (
        "not the radar",
    )


# What asks a pack for something is never taken for a request about the talking itself.


@pytest.mark.parametrize("name", shipped_packs())
def test_no_example_of_a_pack_asks_for_quiet_or_praises(name: str):
    examples = [
        text for action in load_pack(find_pack(name)).actions.values() for text in action.examples
    ]
    assert len(examples) >= 40
    assert [text for text in examples if control_request(text) or reaction(text)] == []
