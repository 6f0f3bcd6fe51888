"""Execute: claim an approved action, have it done once, and write down what came of it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from uuid import uuid4

import structlog
from sqlalchemy import Connection

from state.approval import LedgerAction
from state.outcome import ActionOutcome
from tools.approvals.secrets import shown_arguments
from tools.catalogue.catalogue import Catalogue
from tools.clock import Clock
from tools.handlers.elsewhere import Elsewhere
from tools.ledger.claiming import Claim, Claiming
from tools.ledger.digest import Policies
from tools.ledger.recovering import Left, Recovering
from tools.ledger.rows import newest, to_outcome
from tools.ledger.running import Effect, Running
from tools.storage.database import Database

TOO_LATE = "it was claimed and not begun in time; ask again"

Step = Callable[[str], None]
"""Told the name of each step as it is reached; tests end the process there."""

log = structlog.get_logger()


def _no_step(_name: str) -> None:
    return None


async def _unheeded(_done: LedgerAction) -> None:
    return None


def _itself(running: Running) -> Running:
    return running


@dataclass(frozen=True)
class Executing:
    """The third step of the ledger."""

    database: Database
    catalogue: Catalogue
    policies: Policies
    clock: Clock
    data_dir: Path
    """Where every tenant has a folder for what packs keep; routing looks things up there."""
    handler_seconds: float
    step: Step = _no_step
    elsewhere: Elsewhere = field(default_factory=Elsewhere)
    owner: str = field(default_factory=lambda: uuid4().hex)
    seconds_now: Callable[[], float] = time.monotonic
    heed: Callable[[LedgerAction], Awaitable[None]] = _unheeded
    """Told of what was done in the ledger's own transaction, once that is committed."""
    instead: Callable[[Running], Running] = _itself
    """Takes the place of what calls the packs; a replay puts what was recorded there."""
    _under_way: dict[str, "asyncio.Future[ActionOutcome]"] = field(default_factory=dict)

    @cached_property
    def running(self) -> Running:
        """Tell who calls the packs."""
        own = Running(
            self.catalogue, self.clock, self.data_dir, self.handler_seconds, self.elsewhere
        )
        return self.instead(own)

    @cached_property
    def claiming(self) -> Claiming:
        """Tell who moves the rows."""
        return Claiming(
            self.database,
            self.catalogue,
            self.policies,
            self.handler_seconds,
            self.owner,
            self.seconds_now,
        )

    @cached_property
    def recovering(self) -> Recovering:
        """Tell who finds out what became of things."""
        return Recovering(self.database, self.claiming, self.running)

    async def execute(self, action_id: str) -> ActionOutcome:
        """Run an approved action and tell what came of it; run before: only tell.

        Takes an id and nothing else: arguments, class and approvals come from the ledger's rows.
        The work goes on when the caller is cancelled; ask again for its outcome.

        Raises:
            NotFound: no such action.
        """
        under_way = self._under_way.get(action_id)
        if under_way is None:
            under_way = asyncio.ensure_future(self._execute(action_id))
            self._under_way[action_id] = under_way
            under_way.add_done_callback(lambda _done: self._under_way.pop(action_id, None))
            return await asyncio.shield(under_way)
        # Somebody else is at it in this process: wait for the end and tell the same outcome.
        outcome = await asyncio.shield(under_way)
        return outcome.model_copy(update={"executed_now": False})

    async def settle_after_crash(self) -> tuple[LedgerAction, ...]:
        """Settle what an earlier process left started; nobody else may be at work on the store."""
        return await self._settle(await self.recovering.left_over(by_anybody=True))

    async def reconcile(self) -> tuple[LedgerAction, ...]:
        """Settle what was left started and start what was forgotten; tell what was settled.

        Reads the ledger alone. A Class C action is never run a second time.
        """
        settled = await self._settle(await self.recovering.left_over())
        for action_id in await self.recovering.forgotten():
            if action_id not in self._under_way:
                await self.execute(action_id)
        return settled

    async def _settle(self, left_over: tuple[Left, ...]) -> tuple[LedgerAction, ...]:
        settled = tuple(await asyncio.gather(*(self._recover(left) for left in left_over)))
        for standing in settled:
            if standing.state == "unknown":
                log.error("action_unknown", action_id=standing.action_id, action=standing.action)
        return settled

    async def _recover(self, left: Left) -> LedgerAction:
        became = await self.recovering.recover(left)
        if isinstance(became, Claim):
            return await self._carry_out(became)
        return became

    async def _execute(self, action_id: str) -> ActionOutcome:
        self.step("before_claim")
        while True:
            # One hop for a read, which has to be quick; for the others it only tells.
            found = await self.database.write(
                lambda connection: self.claiming.claim_read(connection, action_id)
            )
            if isinstance(found, LedgerAction) and found.state == "started":
                found = await self._look_after(found)
            if isinstance(found, LedgerAction) and found.state == "approved":
                found = await self._claim(action_id, found) or found
            if isinstance(found, Claim):
                ended = await self._carry_out(found)
                return self._tell(ended).model_copy(update={"executed_now": True})
            if found.state != "approved":
                return self._tell(found)

    def _tell(self, standing: LedgerAction) -> ActionOutcome:
        outcome = to_outcome(standing)
        action = self.catalogue.actions.get(standing.action)
        # Without its pack nothing tells which of them are secret.
        shown = shown_arguments(action, standing.arguments) if action else {}
        update: dict[str, object] = {"arguments": shown}
        undo = action.undo if action else None
        if undo is None or not self.catalogue.may_ask(undo, standing.requester_roles):
            update["undo_minutes"] = None  # a way back is promised to whom may take it
        return outcome.model_copy(update=update)

    async def _look_after(self, standing: LedgerAction) -> LedgerAction:
        # Ours, and nobody is at it: its end could not be written down.
        left_over = await self.recovering.left_over()
        mine = [left for left in left_over if left.action.action_id == standing.action_id]
        return await self._recover(mine[0]) if mine else standing

    async def _claim(self, action_id: str, seen: LedgerAction) -> Claim | LedgerAction | None:
        moved = await self.running.why_moved(seen)
        return await self.database.write(
            lambda connection: self.claiming.claim(connection, action_id, seen, moved),
            durable=True,
        )

    async def _carry_out(self, claim: Claim) -> LedgerAction:
        try:
            self.step("after_claim")
            if self.claiming.is_late(claim):
                return await self._end(claim, Effect("failed", reason=TOO_LATE))
            if self.catalogue.action(claim.action.action).transactional:
                return await self._run_inside(claim)
            return await self._run(claim)
        finally:
            self.claiming.claimed.discard(claim.action.action_id)

    async def _run(self, claim: Claim) -> LedgerAction:
        effect = await self.running.run(claim.action, claim.session, claim.stages)
        self.step("in_effect")
        self.step("after_effect")
        ended = await self._end(claim, effect)
        self.step("after_record")
        return ended

    async def _end(self, claim: Claim, effect: Effect) -> LedgerAction:
        return await self.database.write(
            lambda connection: self.claiming.end(connection, claim, effect),
            durable=claim.action.execution_class != "A",
        )

    async def _run_inside(self, claim: Claim) -> LedgerAction:
        def work(connection: Connection) -> LedgerAction:
            if not self.claiming.is_held(connection, claim):
                return newest(connection, claim.action.action_id)
            effect = self.running.run_inside(connection, claim.action, claim.session)
            self.step("in_effect")
            ended = self.claiming.end(connection, claim, effect)
            self.step("after_effect")
            return ended

        ended = await self.database.write(work, durable=True)
        self.step("after_record")
        if ended.state == "succeeded":
            await self.heed(ended)
        return ended
