"""A change of what could not be looked up is no chip; of another pack's things it is one."""

from pathlib import Path

import pytest

from state.classification import Classification
from state.errors import LookupFailed
from state.execution import ReleasePhase
from state.policy import Candidate, PolicyDecision
from state.result import DecisionPath, DecisionResult
from state.stages import Resolved
from tests.graph.looking import write_boatyard
from tests.nodes.conftest import Knows, message, routing_of
from tests.stages import TUNING, every_stage
from tools.catalog.action_catalog import Catalogue
from tools.catalog.entity_values import failed_lookups, lookup_reason
from tools.catalog.pack import load_pack
from tools.gate.risk.classifier import Classifier
from tools.gate.risk.offer_candidates import select_candidates
from tools.nlu.taint import Taint
from tools.ports import RoutingEnvironment

BOAT, SHED = LookupFailed("boatyard", "boat", "OSError"), LookupFailed("shed", "boat", "OSError")
OTHER_PACK = """
actions:
  lift_boat:
    summary: "Lift boat {boat}"
    verb: update
    words: [lift]
    object: boat
    slots: {boat: {type: boat, required: true}}
    effect: write
    handler: "handlers:lift_boat"
    examples: ["lift boat B-11", "lift B-12"]
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    yard, shed = write_boatyard(tmp_path), tmp_path / "shed"
    shed.mkdir()
    for name in ("entities.yaml", "handlers.py"):
        text = (yard / name).read_text("utf-8").replace("def paint_boat", "def lift_boat")
        (shed / name).write_text(text, "utf-8")
    (shed / "actions.yaml").write_text(OTHER_PACK, "utf-8")
    return Catalogue.of([load_pack(yard), load_pack(shed)])


def unclear(*actions: str, failed: tuple[LookupFailed, ...] = (BOAT,)) -> Resolved:
    """Say something that may mean each of these actions, when these lookups failed."""
    others = tuple(Candidate(action=name, confidence=0.4, slots={}) for name in actions)
    routing = routing_of("something", reasons=tuple(map(lookup_reason, failed)))
    return Resolved.model_validate(
        {
            **every_stage(),
            "event": message("something", role="hand"),
            "policy": PolicyDecision(intent="clarify", alternatives=others, routing=routing),
            "result": DecisionResult(path=DecisionPath.HEURISTIC, confidence=0.4),
        }
    )


def chips(catalogue: Catalogue, state: Resolved) -> tuple[str, ...]:
    tuning = TUNING.execution
    found = select_candidates(state.policy, state.result, state.event.roles, catalogue, tuning)
    return tuple(one.action for one in found)


def classified(
    catalogue: Catalogue, state: Resolved, phase: ReleasePhase = "general"
) -> Classification:
    tuning = TUNING.execution.model_copy(update={"phase": phase})
    return Classifier(catalogue, Taint(Knows(), RoutingEnvironment(Path("nowhere"))), tuning).of(
        state
    )


def test_a_read_stays_and_what_is_missing_beside_it_is_told(catalogue: Catalogue) -> None:
    state = unclear("paint_boat", "show_boat", "ring_bell")
    assert chips(catalogue, state) == ("show_boat", "ring_bell")
    found = classified(catalogue, state)
    assert found.verdict == "offer"
    assert "no change of one is offered" in found.unchecked


def test_where_no_chip_is_left_nothing_is_offered(catalogue: Catalogue) -> None:
    state = unclear("paint_boat", "sink_boat")
    assert chips(catalogue, state) == ()
    found = classified(catalogue, state)
    assert (found.verdict, found.reason, found.question) == ("ask", "lookup_failed", str(BOAT))


def test_in_shadow_no_lookup_is_spoken_of(catalogue: Catalogue) -> None:
    found = classified(catalogue, unclear("paint_boat", "sink_boat"), "shadow")
    assert (found.verdict, found.question, found.unchecked) == ("shadow", None, "")


@pytest.mark.parametrize(
    ("failed", "left"),
    [(BOAT, ("lift_boat",)), (SHED, ("paint_boat",))],
)
def test_one_packs_broken_lookup_is_no_other_packs(
    catalogue: Catalogue, failed: LookupFailed, left: tuple[str, ...]
) -> None:
    assert chips(catalogue, unclear("paint_boat", "lift_boat", failed=(failed,))) == left


def test_a_reason_is_read_as_it_was_written() -> None:
    [read] = failed_lookups(("mood:command", lookup_reason(SHED), "lookup_failed:boat:OSError"))
    assert (read.pack, read.entity_type, read.cause) == ("shed", "boat", "OSError")
