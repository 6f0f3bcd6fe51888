"""Phases, thresholds, taint, and what the ledger turns down."""

from dataclasses import dataclass, replace

import pytest

from nodes.classify_action import ClassifyAction
from state.approval import ApprovalAnswer, LedgerAction
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
from state.policy import Candidate
from state.principal import Principal
from state.proposal import Proposal
from state.reader import Reader
from tests.nodes.classifying import classified, classifying, phased
from tests.nodes.conftest import Told, message
from tests.stages import TUNING
from tools.catalog.action_catalog import Catalogue
from tools.gate.ledger.ledger import Ledger
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
