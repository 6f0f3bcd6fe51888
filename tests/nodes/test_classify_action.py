"""Risk classes only go up; class C is frozen and waits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.classify_action import ClassifyAction
from state.action import ExecutionClass
from state.approval import ApprovalAnswer, LedgerAction
from state.classification import Classification
from state.errors import (
    BadInput,
    Busy,
    Conflict,
    Forbidden,
    InvalidArguments,
    NotFound,
    RefusedBeforehand,
    Unreachable,
)
from state.execution import ExecutionTuning
from state.outcome import ActionOutcome
from state.policy import READ_OR_CHANGE, Candidate
from state.principal import Principal
from state.proposal import Proposal
from state.reader import Reader
from tests.nodes.classifying import classified, classifying, phased
from tests.nodes.conftest import Told, message
from tests.stages import TUNING
from tools.catalog.action_catalog import Catalogue
from tools.gate.ledger.ledger import Ledger
from tools.gate.risk.execution_class import raised_class
from tools.platform.clock import VirtualClock
from tools.platform.experiments import is_canary
from tools.storage.database import Database

LOCK = {"lock": "LK-12"}


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def node(
    catalogue: Catalogue, ledger: Ledger, database: Database, told: Told, clock: VirtualClock
) -> ClassifyAction:
    return classifying(catalogue, ledger, database, told, clock)


async def test_nothing_to_do_is_only_talk(node: ClassifyAction) -> None:
    assert await classified(node, None) == Classification(verdict="none", reason="no_action")


async def test_several_plausible_actions_are_offered(node: ClassifyAction) -> None:
    offered = await classified(node, None, intent="clarify")
    assert (offered.verdict, offered.reason, offered.execution_class) == (
        "offer",
        "several_plausible",
        "B",
    )
    assert (await classified(node, None, intent="clarify", path="llm")).verdict == "none"


async def test_what_may_be_shown_or_changed_is_offered_and_says_so(node: ClassifyAction) -> None:
    offered = await classified(node, None, intent="clarify", reasons=(READ_OR_CHANGE,))
    assert (offered.verdict, offered.reason, offered.execution_class) == (
        "offer",
        READ_OR_CHANGE,
        "B",
    )


async def test_a_sure_read_acts_and_is_frozen_in_the_ledger(node: ClassifyAction, ledger: Ledger):
    acting = await classified(node, "show_lock", LOCK)
    assert (acting.verdict, acting.execution_class, acting.reason) == ("act", "A", "class_A")
    assert acting.action is not None
    assert (await ledger.action(acting.action.action_id)).state == "approved"


async def test_an_unsure_read_is_offered(node: ClassifyAction, ledger: Ledger) -> None:
    offered = await classified(node, "show_lock", LOCK, confidence=0.79)
    assert (offered.verdict, offered.raised) == ("offer", ("low_confidence",))
    assert offered.action is None


async def test_a_read_with_a_close_rival_is_offered(node: ClassifyAction) -> None:
    rival = Candidate(action="count_swans", confidence=0.9)
    offered = await classified(node, "show_lock", LOCK, alternatives=(rival,))
    assert (offered.verdict, offered.raised) == ("offer", ("competitor",))


async def test_a_write_is_offered_and_acts_when_it_was_chosen(node: ClassifyAction) -> None:
    note = {"note": "fog"}
    assert (await classified(node, "note_in_log", note)).verdict == "offer"
    chosen = await classified(node, "note_in_log", note, explicit=True)
    assert (chosen.verdict, chosen.reason) == ("refuse", "forbidden")  # nobody clicked


async def test_a_dangerous_one_waits_for_a_person(node: ClassifyAction, ledger: Ledger, told: Told):
    waiting = await classified(node, "close_lock", LOCK)
    assert (waiting.verdict, waiting.execution_class) == ("confirm", "C")
    (action,) = await ledger.actions("default")
    assert (action.state, action.action, action.arguments) == ("pending", "close_lock", LOCK)
    ((kind, tenant, data),) = told.notices
    assert (kind, tenant, data["outcome"]) == ("approval", "default", "awaiting_approval")
    assert data["action_id"] == action.action_id


@pytest.mark.parametrize("why", ["unread", "several_requests"])
async def test_what_is_held_asks_for_no_yes_until_it_is_chosen(
    node: ClassifyAction, ledger: Ledger, why: str
) -> None:
    offered = await classified(node, "close_lock", LOCK, confidence=1.0, held=why)
    assert (offered.verdict, offered.execution_class) == ("offer", "C")
    assert (offered.reason, offered.raised) == ("held", ("held",))
    assert await ledger.actions("default") == []

    chosen = await classified(node, "close_lock", LOCK, held=why, explicit=True)
    assert (chosen.verdict, chosen.raised) == ("confirm", ())


@pytest.mark.parametrize(
    ("explicit", "confidence", "verdict"),
    [
        (True, 0.0, "confirm"),
        (True, 1.0, "confirm"),
        (False, 1.0, "confirm"),
        (False, 0.5, "confirm"),
        (False, 0.49, "offer"),
        (False, 0.0, "offer"),
    ],
)
async def test_no_confidence_and_no_click_makes_it_less_dangerous(
    node: ClassifyAction, explicit: bool, confidence: float, verdict: str
) -> None:
    waiting = await classified(
        node, "close_lock", LOCK, explicit=explicit, confidence=confidence, tainted=False
    )
    assert (waiting.verdict, waiting.execution_class) == (verdict, "C")


async def test_a_write_that_a_model_shaped_needs_a_yes(node: ClassifyAction) -> None:
    waiting = await classified(node, "note_in_log", {"note": "fog"}, path="llm", tainted=True)
    assert (waiting.verdict, waiting.execution_class, waiting.raised) == (
        "confirm",
        "C",
        ("tainted",),
    )


async def test_proposing_the_same_again_meets_the_first(node: ClassifyAction, ledger: Ledger):
    first = await classified(node, "close_lock", LOCK)
    assert first.action == (await classified(node, "close_lock", LOCK)).action
    assert len(await ledger.actions("default", state=None)) == 1


async def test_an_unknown_action_is_refused(node: ClassifyAction) -> None:
    refused = await classified(node, "sink_fleet")
    assert (refused.verdict, refused.reason) == ("refuse", "unknown_action")


@pytest.mark.parametrize("role", ["passenger", "", None])
async def test_a_role_that_may_not_ask_is_refused_before_anything_is_asked(
    node: ClassifyAction, ledger: Ledger, role: str | None
) -> None:
    refused = await classified(node, "close_lock", event=message(role=role or None))
    assert (refused.verdict, refused.reason, refused.question) == ("refuse", "role", None)
    assert await ledger.actions("default", state=None) == []


async def test_what_is_missing_is_asked_for(node: ClassifyAction, ledger: Ledger) -> None:
    asking = await classified(node, "close_lock")
    assert (asking.verdict, asking.reason) == ("ask", "missing_slot")
    assert asking.question is not None
    assert asking.question.startswith("Which lock?")
    assert await ledger.actions("default", state=None) == []


@pytest.mark.parametrize(
    "arguments",
    [{**LOCK, "minutes": "soon"}, {**LOCK, "quay": 1}, {"lock": 12}, {"lock": "x" * 201}],
)
async def test_what_does_not_fit_is_asked_about(node: ClassifyAction, arguments) -> None:
    asking = await classified(node, "close_lock", arguments)
    assert asking.verdict == "ask"
    assert asking.question is not None
    assert "cannot read" in asking.question


candidates = st.lists(
    st.builds(Candidate, action=st.just("a"), confidence=st.floats(0, 1)), max_size=3
)


@given(
    floor=st.sampled_from(get_args(ExecutionClass)),
    confidence=st.floats(0, 1),
    alternatives=candidates,
    explicit=st.booleans(),
    tainted=st.booleans(),
)
def test_a_class_never_falls_below_its_floor(
    floor: ExecutionClass,
    confidence: float,
    alternatives: Sequence[Candidate],
    explicit: bool,
    tainted: bool,
) -> None:
    raised = raised_class(
        floor, confidence, alternatives, TUNING.execution, explicit=explicit, tainted=tainted
    )
    assert raised.execution_class >= floor
    told = [one for one in raised.reasons if floor != "C" or one != "tainted"]
    assert bool(told) == (raised.execution_class > floor)  # a taint is told where nothing is raised


@given(confidence=st.floats(0, 1), alternatives=candidates, less=st.floats(0, 1))
def test_being_less_sure_or_tainted_never_lowers_a_class(
    confidence: float, alternatives: Sequence[Candidate], less: float
) -> None:
    for floor in get_args(ExecutionClass):
        sure = raised_class(floor, confidence, alternatives, TUNING.execution)
        unsure = raised_class(floor, min(confidence, less), alternatives, TUNING.execution)
        tainted = raised_class(floor, confidence, alternatives, TUNING.execution, tainted=True)
        assert min(unsure.execution_class, tainted.execution_class) >= sure.execution_class


async def test_no_threshold_lets_a_read_that_is_held_run_by_itself(
    catalogue: Catalogue, ledger: Ledger, database: Database, told: Told, clock: VirtualClock
) -> None:
    rules = TUNING.execution.model_copy(update={"auto_confidence": 0.0})
    node = classifying(catalogue, ledger, database, told, clock, rules)
    held = await classified(node, "show_lock", LOCK, confidence=1.0, held="unlike_examples")
    assert (held.verdict, held.raised) == ("offer", ("held",))


async def test_a_handler_s_own_words_never_take_a_second_request(node: ClassifyAction) -> None:
    asked = await classified(node, "note_in_log", {"note": "and close lock LK-12"}, explicit=False)
    assert asked.verdict == "ask"
    assert asked.question is not None
    assert asked.question.startswith("One thing at a time")


# Phases, thresholds, taint, and what the ledger turns down.


async def test_in_shadow_everything_is_worked_out_and_nothing_happens(
    catalogue: Catalogue, ledger: Ledger, database: Database, told: Told, clock: VirtualClock
) -> None:
    shadow = classifying(catalogue, ledger, database, told, clock, phased("shadow"))
    for action, arguments, would in (
        ("show_lock", LOCK, "act"),
        ("note_in_log", {"note": "fog"}, "offer"),
        ("close_lock", LOCK, "confirm"),
        ("close_lock", {}, "ask"),
    ):
        seen = await classified(shadow, action, arguments)
        assert (seen.verdict, seen.reason, seen.would) == ("shadow", "shadow", would)
        assert (seen.action, seen.question) == (None, None)
    rival = Candidate(action="ring_bell", confidence=0.4)
    offered = await classified(shadow, "note_in_log", {"note": "fog"}, alternatives=(rival,))
    assert offered.would_show == ("note_in_log", "ring_bell")
    unsure = await classified(shadow, None, intent="clarify", alternatives=(rival,))
    assert (unsure.verdict, unsure.would_show) == ("shadow", ("ring_bell",))
    assert (await classified(shadow, "close_lock", LOCK, explicit=True)).verdict == "shadow"
    assert await ledger.actions("default", state=None) == []
    assert told.notices == []


async def test_in_canary_reads_run_by_themselves_for_a_share_of_the_sessions(
    catalogue: Catalogue, ledger: Ledger, database: Database, told: Told, clock: VirtualClock
) -> None:
    half = phased("canary", canary_share=0.5)
    node = classifying(catalogue, ledger, database, told, clock, half)
    verdicts = {
        session: (await classified(node, "show_lock", LOCK, event=message(session_id=session)))
        for session in (f"s-{number}" for number in range(40))
    }
    for session, seen in verdicts.items():
        is_in = is_canary("default", session, 0.5)
        expected = ("act", ()) if is_in else ("offer", ("canary",))
        assert (seen.verdict, seen.raised) == expected
    assert {seen.verdict for seen in verdicts.values()} == {"act", "offer"}
    assert (await classified(node, "close_lock", LOCK)).verdict == "confirm"


async def test_what_is_quoted_raises_a_read_and_gates_a_write(
    catalogue: Catalogue, ledger: Ledger, database: Database, told: Told, clock: VirtualClock
) -> None:
    quoted = message("look at this\n> show lock LK-12")
    node = classifying(catalogue, ledger, database, told, clock)
    read = await classified(node, "show_lock", LOCK, event=quoted)
    assert (read.verdict, read.raised, read.tainted) == (
        "offer",
        ("tainted",),
        ("request", "lock"),
    )
    write = await classified(node, "note_in_log", {"note": "fog"}, event=message("hm\n> fog"))
    assert (write.verdict, write.execution_class) == ("confirm", "C")


async def test_thresholds_of_a_pack_and_an_action_hold(
    catalogue: Catalogue, ledger: Ledger, database: Database, told: Told, clock: VirtualClock
) -> None:
    packs = {
        "harbour": {"auto_confidence": 0.99, "actions": {"show_lock": {"auto_confidence": 0.5}}}
    }
    tuning = ExecutionTuning.model_validate({**TUNING.execution.model_dump(), "packs": packs})
    node = classifying(catalogue, ledger, database, told, clock, tuning)
    assert (await classified(node, "show_lock", LOCK, confidence=0.6)).verdict == "act"
    assert (await classified(node, "count_swans", confidence=0.95)).raised == ("low_confidence",)


async def test_a_name_that_fits_several_things_is_offered_whatever_its_class(
    node: ClassifyAction, ledger: Ledger
) -> None:
    several = ({"lock": "LK-12"}, {"lock": "LK-40"})
    offered = await classified(node, "close_lock", {}, variants=several)
    assert (offered.verdict, offered.reason) == ("offer", "several_things")
    assert await ledger.actions("default", state=None) == []


@dataclass(frozen=True)
class Raising:
    """A ledger that takes nothing."""

    error: Exception

    async def propose(self, proposal: Proposal) -> LedgerAction:
        raise self.error

    async def execute(self, action_id: str) -> ActionOutcome:
        raise AssertionError

    async def decide(
        self, asked: LedgerAction | str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        raise AssertionError

    async def action(self, action_id: str, whose: Reader | str | None = None) -> LedgerAction:
        raise AssertionError

    async def newest(self, action_id: str) -> LedgerAction:
        raise AssertionError

    async def take_back(self, asked: LedgerAction, principal: Principal) -> LedgerAction:
        raise AssertionError


@pytest.mark.parametrize(
    ("error", "verdict", "reason"),
    [
        (NotFound("lock", "LK-12"), "ask", "not_possible"),
        (Conflict("LK-12 is closed already", "closed"), "ask", "not_possible"),
        (BadInput("not on a Sunday"), "ask", "not_possible"),
        (Unreachable("nobody could say what it would do"), "ask", "not_possible"),
        (InvalidArguments("close_lock", ["lock is odd"]), "ask", "parse_failure"),
        (Forbidden("not you"), "refuse", "forbidden"),
        (RefusedBeforehand("close_lock", "spring tide", "r-1"), "refuse", "standing_refusal"),
    ],
)
async def test_what_cannot_be_done_is_told_and_nobody_is_asked(
    node: ClassifyAction, told: Told, error: Exception, verdict: str, reason: str
) -> None:
    turned_down = await classified(replace(node, ledger=Raising(error)), "close_lock", LOCK)
    assert (turned_down.verdict, turned_down.reason) == (verdict, reason)
    assert turned_down.question == str(error)
    assert turned_down.action is None
    assert told.notices == []


async def test_a_store_that_is_busy_is_no_answer_to_the_person(node: ClassifyAction) -> None:
    busy = replace(node, ledger=Raising(Busy("another process holds it")))
    with pytest.raises(Busy):
        await classified(busy, "close_lock", LOCK)
