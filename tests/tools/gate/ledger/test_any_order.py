"""Whatever people, crashes and clocks do in whatever order, an effect has its yes, and is one."""

import asyncio
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from state.approval import ApprovalAnswer, LedgerAction
from state.errors import AgentError
from state.principal import Principal
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    MATE,
    ROBOT,
    migrated_once,
    opened_ledger,
    pack_once,
    proposal,
    sql,
)
from tests.safety.valves import effects
from tests.tools.gate.ledger.helpers import ARGUMENTS, PEOPLE, STEPS, actions, people, places
from tools.gate.ledger.audit import audit
from tools.gate.ledger.executor import Executor
from tools.gate.ledger.ledger import Ledger

OVER = {"succeeded", "failed", "unknown", "rejected", "expired", "superseded", "stale"}

T = TypeVar("T")


class Death(BaseException): ...


class AnyOrder(RuleBasedStateMachine):
    """Does what clients, people and the machine's end may do, and looks after each step."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="any-order-"))
        self.data_dir = shutil.copytree(migrated_once(), self.folder / "data")
        self.runner = asyncio.Runner()
        self.seen: dict[str, LedgerAction] = {}
        self.yes: dict[str, set[str]] = {}
        self.over: set[str] = set()
        self._start()
        for number, action in enumerate(sorted(ARGUMENTS)):
            self._propose(f"d-{number}", action, ENGINEER, 0)
        self.hold()

    def _start(self) -> None:
        self.stack = AsyncExitStack()
        opening = self.stack.enter_async_context(opened_ledger(self.data_dir, pack_once()))
        self.ledger: Ledger = self._do(opening)
        self._do(self.ledger.executing.settle_after_crash())

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.get_loop().run_until_complete(work)  # `run` costs 5 ms, for Ctrl-C

    @rule(decision=st.integers(0, 6), action=actions, requester=people, place=places)
    def propose(self, decision: int, action: str, requester: Principal, place: int) -> None:
        self._propose(f"d-{decision}", action, requester, place)

    def _propose(self, decision_id: str, action: str, requester: Principal, place: int) -> None:
        arguments = ARGUMENTS[action][place % len(ARGUMENTS[action])]
        asked = proposal(
            action, decision_id=decision_id, requester=requester, at_least="A", **arguments
        )
        with suppress(AgentError):
            self._do(self.ledger.propose(asked))

    @rule(place=places, who=people, decision=st.sampled_from(("approve",) * 4 + ("edit", "reject")))
    def answer(self, place: int, who: Principal, decision: Any) -> None:
        self._answer(place, who, decision)

    def _answer(self, place: int, who: Principal, decision: Any) -> None:
        shown = self._any(place)
        arguments = ARGUMENTS[shown.action][place % len(ARGUMENTS[shown.action])]
        answer = ApprovalAnswer(
            decision=decision,
            digest=shown.digest,
            arguments=arguments if decision == "edit" else None,
        )
        with suppress(AgentError):
            settled = self._do(self.ledger.decide(shown.action_id, answer, who))
            assert shown.action_id not in self.over
            if decision != "reject":
                self.yes.setdefault(settled.action_id, set()).add(who.user)

    @rule(place=places, other=places, who=people)
    def answer_with_the_digest_of_another(self, place: int, other: int, who: Principal) -> None:
        shown, digest = self._any(place), self._any(other).digest
        if digest != shown.digest:
            before = self._do(self.ledger.action(shown.action_id))
            with suppress(AgentError):
                answer = ApprovalAnswer(decision="approve", digest=digest)
                self._do(self.ledger.decide(shown.action_id, answer, who))
                raise AssertionError("an answer to something else was taken")
            assert self._do(self.ledger.action(shown.action_id)) == before

    @rule(place=places)
    def let_the_time_run_out(self, place: int) -> None:
        self._run_out(place)

    def _run_out(self, place: int) -> None:
        shown = self._any(place)
        if shown.state in ("pending", "approved"):
            over = "update ledger_action set expires_at = 1.0 where action_id = ?"
            sql(self.data_dir, over, (shown.action_id,))
            self.over.add(shown.action_id)

    @rule(seed=st.integers(0, 2**32))
    def live_through_a_busy_hour(self, seed: int) -> None:
        """Do twenty things by chance: rules alone come to a second yes too rarely."""
        chance = random.Random(seed)
        for _ in range(20):
            place, who = chance.randrange(31), chance.choice((*PEOPLE, CAPTAIN, MATE, CAPTAIN))
            match chance.choices(range(5), (3, 10, 4, 1, 2))[0]:
                case 0:
                    action = chance.choice(sorted(ARGUMENTS))
                    self._propose(f"d-{chance.randrange(12)}", action, who, place)
                case 1:
                    said = chance.choices(("approve", "edit", "reject"), (12, 3, 1))[0]
                    self._answer(place, who, said)
                case 2:
                    self._do(self.ledger.execute(self._any(place).action_id))
                case 3:
                    self._run_out(place)
                    self._do(self.ledger.asking.expire_due())
                case _:
                    self._die(place, chance.choice(STEPS))
            self.hold()

    @rule(place=places)
    def execute(self, place: int) -> None:
        self._do(self.ledger.execute(self._any(place).action_id))

    @rule(place=places, step=st.sampled_from(STEPS))
    def die_while_executing(self, place: int, step: str) -> None:
        self._die(place, step)

    def _die(self, place: int, step: str) -> None:
        def die(name: str) -> None:
            if name == step:
                raise Death

        dying: Executor = replace(self.ledger.executing, step=die, _under_way={})
        with suppress(Death):
            self._do(dying.execute(self._any(place).action_id))
        self._do(self.stack.aclose())
        self._start()

    @rule(place=places, who=people)
    def settle_what_nobody_can_tell(self, place: int, who: Principal) -> None:
        shown = self._any(place)
        done = any(each["action_id"] == shown.action_id for each in effects(self.data_dir))
        with suppress(AgentError):
            settled = self._do(self.ledger.settle(shown.action_id, who, done, "I looked"))
            assert shown.state == "unknown"
            assert (settled.state, who.kind) == ("succeeded" if done else "failed", "person")
            self.seen[shown.action_id] = settled

    @rule(is_thawed=st.booleans())
    def freeze_or_thaw(self, is_thawed: bool) -> None:
        freezing = self.ledger.freezing
        with suppress(AgentError):
            self._do(freezing.thaw("ingrid", "looked") if is_thawed else freezing.freeze("a drill"))
        self._do(self.ledger.executing.reconcile())

    @invariant()
    def hold(self) -> None:
        if not hasattr(self, "ledger"):
            return
        rows = self._do(_all(self.ledger))
        done = Counter(each["action_id"] for each in effects(self.data_dir))
        for row in rows:
            self._hold_one(row, done[row.action_id])
        self.seen = {row.action_id: row for row in rows}

    def _hold_one(self, row: LedgerAction, count: int) -> None:
        before = self.seen.get(row.action_id)
        if before is not None and before.state in OVER:
            assert row == before  # settling it by hand is noted as it happens
        if before is not None:
            assert (row.arguments, row.digest) == (before.arguments, before.digest)
        assert count <= 1
        frozen = row.state == "started" and self._do(self.ledger.freezing.open())
        assert row.state != "started" or frozen
        voters = self.yes.get(row.action_id, set())
        if row.state in ("approved", "succeeded", "failed", "unknown") or count:
            assert len(voters) >= row.quorum
            barred = (ROBOT,) if row.action == "buy_pump" else (ROBOT, COOK)  # open to anybody
            assert not voters & {who.user for who in barred}
            assert not (row.four_eyes and row.requester in voters)
        if count:
            assert row.state in ("succeeded", "unknown") or frozen
            assert row.action_id not in self.over
        if row.state == "succeeded":
            assert count == 1

    def _any(self, place: int) -> LedgerAction:
        rows = sorted(self.seen)
        return self.seen[rows[place % len(rows)]]

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            assert self._do(audit(self.ledger.database, {})).report.faults == ()
            self._do(self.stack.aclose())
            self.runner.close()
            shutil.rmtree(self.folder)


async def _all(ledger: Ledger) -> list[LedgerAction]:
    return [
        row
        for tenant in ("aurora", "borealis")
        for row in await ledger.actions(tenant, state=None, limit=1_000)
    ]


AnyOrder.TestCase.settings = settings(
    max_examples=30,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,  # a gate, not a search: `make torture` is where chance is let in
    suppress_health_check=[HealthCheck.too_slow],
)
TestAnyOrder = AnyOrder.TestCase


class ByChance(AnyOrder): ...


ByChance.TestCase.settings = settings(
    AnyOrder.TestCase.settings, max_examples=2_000, derandomize=False
)
TestByChance = pytest.mark.torture(ByChance.TestCase)
