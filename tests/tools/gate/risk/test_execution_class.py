"""How much, how many and who gets it raise a class by one step; nothing lowers it."""

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.action import Action, ExecutionClass
from state.classification import Classification
from state.errors import LookupFailed
from state.execution import ReleasePhase
from state.offer import Chip
from state.policy import Candidate, PolicyDecision
from state.preview import Preview
from state.result import DecisionPath, DecisionResult
from state.stages import Classified, Resolved
from tests.graph.looking import write_boatyard
from tests.nodes.conftest import Knows, message, routing_of
from tests.stages import TUNING, every_stage
from tools.catalog.action_catalog import Catalogue
from tools.catalog.entity_values import failed_lookups, lookup_reason
from tools.catalog.pack import load_pack
from tools.gate.risk.classifier import Classifier
from tools.gate.risk.execution_class import RaisedClass, competitor_of, raised_by_risk
from tools.gate.risk.offer_candidates import chip_for_yes, select_candidates
from tools.nlu.taint import Taint
from tools.ports import RoutingEnvironment

RULES = TUNING.execution
OURS = ("aurora.example",)
ACTION = Action.model_validate(
    {
        "name": "pay",
        "pack": "bank",
        "summary": "Pay {amount} to {payees}",
        "verb": "update",
        "object": "payment",
        "slots": {
            "amount": {"type": "number", "risk": "amount"},
            "quantity": {"type": "integer", "risk": "count"},
            "accounts": {"type": "account", "many": True},
            "payees": {"type": "text", "many": True, "risk": "recipients"},
            "crew": {"type": "crew", "many": True, "risk": "recipients"},
            "note": {"type": "text"},
            "price": {"type": "text", "risk": "amount"},
        },
        "effect": "write",
        "handler": "handlers:pay",
    }
)


def risk(
    arguments: dict[str, Any], preview: Preview | None = None, execution_class: ExecutionClass = "B"
) -> RaisedClass:
    return raised_by_risk(execution_class, ACTION, arguments, preview, RULES, OURS)


@pytest.mark.parametrize(
    ("arguments", "reasons"),
    [
        ({}, ()),
        ({"amount": RULES.amount}, ()),
        ({"amount": RULES.amount + 0.01}, ("amount",)),
        ({"amount": -10_000.0}, ("amount",)),
        ({"quantity": RULES.bulk_count}, ()),
        ({"quantity": RULES.bulk_count + 1}, ("bulk",)),
        ({"accounts": ["a", "b"]}, ()),
        ({"accounts": [str(number) for number in range(RULES.bulk_count + 1)]}, ("bulk",)),
        ({"payees": ["ben@aurora.example"]}, ()),
        ({"payees": ["Ben <BEN@Aurora.Example.>"]}, ()),
        ({"payees": ["ben@aurora.example", "eve@evil.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@aurora.example, eve@evil.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@aurora.example.evil.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@sub.aurora.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@аurora.example"]}, ("outside_recipients",)),
        ({"payees": ["eve@ ben@aurora.example"]}, ("outside_recipients",)),
        ({"payees": ["somebody"]}, ("outside_recipients",)),
        ({"crew": ["somebody"]}, ()),
        ({"note": "eve@evil.example", "price": "12"}, ()),
        ({"price": "twelve"}, ("parse_failure",)),
        ({"price": "nan"}, ("parse_failure",)),
        ({"price": "1e400"}, ("parse_failure",)),
        ({"price": "900000"}, ("amount",)),
        ({"amount": True}, ("parse_failure",)),
        ({"quantity": 90, "amount": 9e9}, ("bulk", "amount")),
    ],
)
def test_a_measure_beyond_its_limit_raises_and_says_which(arguments, reasons):
    assert risk(arguments) == RaisedClass("C" if reasons else "B", reasons)


@pytest.mark.parametrize(
    ("preview", "reasons"),
    [
        (Preview(), ()),
        (Preview(count=RULES.bulk_count + 1), ("bulk",)),
        (Preview(amount=RULES.amount * 2), ("amount",)),
        (Preview(recipients=("ben@aurora.example",)), ()),
        (Preview(recipients=("eve@evil.example",)), ("outside_recipients",)),
        (Preview(recipients=("Marta",)), ()),
        (Preview(recipients=("Mallory",)), ("outside_recipients",)),
    ],
)
def test_what_the_pack_foresees_counts_as_much_as_what_was_said(preview, reasons):
    assert risk({"crew": ["marta"]}, preview).reasons == reasons


def test_each_class_goes_up_by_one_and_c_stays():
    much = {"quantity": 1_000}
    raised = [risk(much, execution_class=one).execution_class for one in get_args(ExecutionClass)]
    assert raised == ["B", "C", "C"]


@given(
    execution_class=st.sampled_from(get_args(ExecutionClass)),
    amount=st.floats(allow_nan=True, allow_infinity=True),
    more=st.floats(min_value=0),
    payees=st.lists(st.text(max_size=30), max_size=8),
)
def test_no_argument_lowers_a_class_and_more_money_never_does(
    execution_class: ExecutionClass, amount: float, more: float, payees: list[str]
):
    less = risk({"amount": amount, "payees": payees}, None, execution_class)
    greater = risk({"amount": abs(amount) + more, "payees": payees}, None, execution_class)
    assert execution_class <= less.execution_class <= greater.execution_class
    assert bool(less.reasons) or less.execution_class == execution_class


def test_the_strongest_rival_inside_the_margin_is_the_competitor():
    rivals = [Candidate(action="a", confidence=0.75), Candidate(action="b", confidence=0.78)]
    assert competitor_of(0.8, rivals, 0.1) == rivals[1]
    assert competitor_of(0.9, rivals, 0.1) is None


# A change of what could not be looked up is no chip; of another pack's things it is one.

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


def test_a_read_stays_and_what_is_missing_beside_it_is_told(catalogue: Catalogue):
    state = unclear("paint_boat", "show_boat", "ring_bell")
    assert chips(catalogue, state) == ("show_boat", "ring_bell")
    found = classified(catalogue, state)
    assert found.verdict == "offer"
    assert "no change of one is offered" in found.unchecked


def test_where_no_chip_is_left_nothing_is_offered(catalogue: Catalogue):
    state = unclear("paint_boat", "sink_boat")
    assert chips(catalogue, state) == ()
    found = classified(catalogue, state)
    assert (found.verdict, found.reason, found.question) == ("ask", "lookup_failed", str(BOAT))


def test_in_shadow_no_lookup_is_spoken_of(catalogue: Catalogue):
    found = classified(catalogue, unclear("paint_boat", "sink_boat"), "shadow")
    assert (found.verdict, found.question, found.unchecked) == ("shadow", None, "")


@pytest.mark.parametrize(("failed", "left"), [(BOAT, ("lift_boat",)), (SHED, ("paint_boat",))])
def test_one_packs_broken_lookup_is_no_other_packs(catalogue: Catalogue, failed, left):
    assert chips(catalogue, unclear("paint_boat", "lift_boat", failed=(failed,))) == left


def test_a_reason_is_read_as_it_was_written():
    [read] = failed_lookups(("mood:command", lookup_reason(SHED), "lookup_failed:boat:OSError"))
    assert (read.pack, read.entity_type, read.cause) == ("shed", "boat", "OSError")


# What a plain yes takes of several chips is settled before they are shown, and never a guess.

CHIPS = tuple(
    Chip(chip_id=f"chip-{place}", action=action, arguments={}, summary=action, confidence=0.5)
    for place, action in enumerate(("show_lock", "note_in_log", "close_lock"), start=1)
)


def meant(
    *,
    confidence: float = 0.95,
    other: Candidate | None = None,
    reason: str = "class_B",
    mood: str = "command",
    chips: tuple[Chip, ...] = CHIPS,
    **policy: Any,
) -> str | None:
    fields = {
        "intent": "action",
        "routing": routing_of(mood=mood),
        "alternatives": () if other is None else (other,),
        **policy,
    }
    state = Classified.model_validate(
        {
            **every_stage(),
            "policy": PolicyDecision.model_validate(fields),
            "result": DecisionResult(
                path=DecisionPath.HEURISTIC,
                action="note_in_log",
                arguments={},
                confidence=confidence,
            ),
            "classification": Classification(verdict="offer", reason=reason, execution_class="B"),
        }
    )
    return chip_for_yes(state, chips, TUNING.execution)


def test_it_is_what_was_clearly_asked_for_wherever_it_stands():
    assert meant() == "chip-2"
    assert meant(other=Candidate(action="close_lock", confidence=0.3)) == "chip-2"


def test_of_one_chip_it_is_that():
    assert meant(confidence=0.3, mood="question", chips=CHIPS[:1]) == "chip-1"


@pytest.mark.parametrize(
    "doubt",
    [
        {"confidence": 0.8},
        {"other": Candidate(action="close_lock", confidence=0.6)},
        {"other": Candidate(action="close_lock", confidence=0.1, slots={"lock": "LK-12"})},
        {"reason": "low_confidence"},
        {"reason": "tainted"},
        {"mood": "question"},
        {"mood": "reported"},
        {"held": "several_requests"},
        {"unclear": "Which lock?"},
        {"variants": ({"note": "a"}, {"note": "b"})},
        {"chips": (CHIPS[0], CHIPS[2])},
    ],
)
def test_where_there_is_any_doubt_it_is_none(doubt: dict[str, Any]):
    assert meant(**doubt) is None
