"""Execute an approved action once: claim it, run its handler, record the outcome.

Recovers what was left started by a crash or an expired lease, from the ledger alone.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from uuid import uuid4

import structlog
from sqlalchemy import ColumnElement, Connection, and_, or_, select

from state.action import DECLARED
from state.approval import LedgerAction
from state.errors import NotFound
from state.outcome import ActionOutcome
from tools.catalog import Catalogue
from tools.gate.handlers.remote_handlers import ExternalServices
from tools.gate.ledger.claim import Claim, Claims
from tools.gate.ledger.conflicts import current_digest
from tools.gate.ledger.handler_runner import Effect, HandlerRunner
from tools.gate.ledger.operator_controls import why_frozen
from tools.gate.ledger.rows import Policies, newest, read_action, to_outcome
from tools.gate.redaction import masked_arguments
from tools.platform.clock import Clock
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action, ledger_entry

FORGOTTEN_SECONDS = 60.0
"""After so long an approved action that nobody has started is started here."""

MOST_CLAIMS = 5
"""An action that honours keys and was left started so often is not run again: it ends processes."""


@dataclass(frozen=True)
class InterruptedAction:
    """An action that was left started, and the claim it was left with."""

    action: LedgerAction
    fence: int


@dataclass(frozen=True)
class Recovery:
    """Reads the ledger alone: what a graph or a process thinks about it has no say."""

    database: Database
    claiming: Claims
    running: HandlerRunner

    async def left_over(self, *, by_anybody: bool = False) -> tuple[InterruptedAction, ...]:
        """List what was left started: by us, or by others whose lease is over.

        Nothing while the ledger is frozen, but for reads: a person looks first.

        Args:
            by_anybody: the others are gone, whatever their leases say.
        """

        def work(connection: Connection) -> tuple[InterruptedAction, ...]:
            query = select(ledger_action.c.action_id, ledger_action.c.fence).where(
                ledger_action.c.state == "started", self._is_left(by_anybody=by_anybody)
            )
            if why_frozen(connection):
                query = query.where(ledger_action.c.execution_class == "A")
            return tuple(
                InterruptedAction(read_action(connection, row.action_id), row.fence)
                for row in connection.execute(query).all()
                if row.action_id not in self.claiming.claimed
            )

        return await self.database.read(work)

    async def forgotten(self) -> tuple[str, ...]:
        """List the approved actions, reads left out, that nobody has started for a minute."""

        def work(connection: Connection) -> tuple[str, ...]:
            touched = (
                select(ledger_entry.c.action_id)
                .where(
                    ledger_entry.c.action_id == ledger_action.c.action_id,
                    ledger_entry.c.at > self.database.now() - FORGOTTEN_SECONDS,
                )
                .exists()
            )
            query = select(ledger_action.c.action_id).where(
                ledger_action.c.state == "approved",
                ledger_action.c.execution_class != "A",
                ledger_action.c.pack != DECLARED,
                ~touched,
            )
            return () if why_frozen(connection) else tuple(connection.scalars(query))

        return await self.database.read(work)

    async def expire_permits(self) -> tuple[LedgerAction, ...]:
        """Close the approved tools of agents whose permit nobody took in time; tell which."""
        over = select(ledger_action.c.action_id).where(
            ledger_action.c.state == "approved",
            ledger_action.c.pack == DECLARED,
            ledger_action.c.expires_at <= self.database.now(),
        )

        def work(connection: Connection) -> tuple[LedgerAction, ...]:
            told = t("gate.interrupted.not_taken")
            return tuple(
                self.claiming.move(connection, read_action(connection, each), "expired", told)
                for each in connection.scalars(over).all()
            )

        if await self.database.read(lambda connection: connection.scalar(over.limit(1))) is None:
            return ()
        return await self.database.write(work, durable=True)

    async def recover(self, left: InterruptedAction) -> LedgerAction | Claim:
        """Settle what was left started; a claim: it has to be run again, with the same key."""
        standing = left.action
        is_worth = left.fence < MOST_CLAIMS
        if standing.execution_class == "B" and is_worth and self._honours_keys(standing):
            return await self.database.write(lambda connection: self._again(connection, left))
        effect = await self._became(standing)
        return await self.database.write(
            lambda connection: self.claiming.settle(connection, standing, left.fence, effect),
            durable=True,
        )

    async def _became(self, standing: LedgerAction) -> Effect:
        if standing.pack == DECLARED:  # only its agent knows, and says nothing
            return Effect("unknown", reason=t("gate.interrupted.not_reported"))
        if standing.execution_class == "A":
            return Effect("approved", reason=t("gate.interrupted.read"))
        if not self._is_as_it_was(standing):  # under other code nothing follows from the entry
            return Effect("unknown", reason=t("gate.interrupted.unwritten"))
        action = self.running.catalogue.action(standing.action)
        if action.transactional:
            return Effect("failed", reason=t("gate.interrupted.rolled_back"))
        if action.status is not None:
            return await self.running.has_happened(standing)
        return Effect("unknown", reason=t("gate.interrupted.unwritten"))

    def _honours_keys(self, standing: LedgerAction) -> bool:
        # By its floor too: a change that was raised to C is C, and C is never tried again.
        action = self.running.catalogue.actions.get(standing.action)
        return (
            action is not None
            and action.idempotent
            and not action.transactional
            and action.status is None
            and action.floor == "B"
            and self._is_as_it_was(standing)
        )

    def _is_as_it_was(self, standing: LedgerAction) -> bool:
        try:
            digest = current_digest(self.claiming.catalogue, self.claiming.policies, standing)
        except NotFound:
            return False
        return digest == standing.digest

    def _again(self, connection: Connection, left: InterruptedAction) -> LedgerAction | Claim:
        standing = read_action(connection, left.action.action_id)
        query = select(ledger_action.c.fence).where(
            ledger_action.c.action_id == standing.action_id, ledger_action.c.state == "started"
        )
        if connection.execute(query).scalar() != left.fence:
            return standing  # somebody else has settled it, or is at it
        return self.claiming.claim_again(connection, standing, left.fence)

    def _is_left(self, *, by_anybody: bool) -> ColumnElement[bool]:
        lease = ledger_action.c.lease_until
        if by_anybody:  # an agent works on, whatever became of us
            return or_(ledger_action.c.pack != DECLARED, lease <= self.database.now())
        return or_(
            ledger_action.c.owner == self.claiming.owner,
            ledger_action.c.owner.is_(None),
            and_(lease.is_not(None), lease <= self.database.now()),
            # From before there were leases: no process that wrote it lives on.
            lease.is_(None),
        )


Step = Callable[[str], None]
"""Told the name of each step as it is reached; tests end the process there."""

log = structlog.get_logger()


def _no_step(_name: str) -> None:
    return None


async def _unheeded(_done: LedgerAction) -> None:
    return None


def _itself(running: HandlerRunner) -> HandlerRunner:
    return running


@dataclass(frozen=True)
class Executor:
    """The third step of the ledger."""

    database: Database
    catalogue: Catalogue
    policies: Policies
    clock: Clock
    data_dir: Path
    """Where every tenant has a folder for what packs keep; routing looks things up there."""
    handler_seconds: float
    step: Step = _no_step
    elsewhere: ExternalServices = field(default_factory=ExternalServices)
    owner: str = field(default_factory=lambda: uuid4().hex)
    seconds_now: Callable[[], float] = time.monotonic
    heed: Callable[[LedgerAction], Awaitable[None]] = _unheeded
    """Told of what was done in the ledger's own transaction, once that is committed."""
    instead: Callable[[HandlerRunner], HandlerRunner] = _itself
    """Takes the place of what calls the packs; a replay puts what was recorded there."""
    _under_way: dict[str, "asyncio.Future[ActionOutcome]"] = field(default_factory=dict)

    @cached_property
    def running(self) -> HandlerRunner:
        """Tell who calls the packs."""
        own = HandlerRunner(
            self.catalogue, self.clock, self.data_dir, self.handler_seconds, self.elsewhere
        )
        return self.instead(own)

    @cached_property
    def claiming(self) -> Claims:
        """Tell who moves the rows."""
        return Claims(
            self.database,
            self.catalogue,
            self.policies,
            self.handler_seconds,
            self.owner,
            self.seconds_now,
        )

    @cached_property
    def recovering(self) -> Recovery:
        """Tell who finds out what became of things."""
        return Recovery(self.database, self.claiming, self.running)

    async def execute(self, action_id: str) -> ActionOutcome:
        """Run an approved action and tell what came of it; run before: only tell.

        A tool that its agent keeps is left approved: see Permits.

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
        settled += await self.recovering.expire_permits()
        for action_id in await self.recovering.forgotten():
            if action_id not in self._under_way:
                await self.execute(action_id)
        return settled

    async def _settle(self, left_over: tuple[InterruptedAction, ...]) -> tuple[LedgerAction, ...]:
        settled = tuple(await asyncio.gather(*(self._recover(left) for left in left_over)))
        for standing in settled:
            if standing.state == "unknown":
                log.error("action_unknown", action_id=standing.action_id, action=standing.action)
        return settled

    async def _recover(self, left: InterruptedAction) -> LedgerAction:
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
            if isinstance(found, LedgerAction) and found.pack == DECLARED:
                return self._tell(await self._leave(found))
            if isinstance(found, LedgerAction) and found.state == "started":
                found = await self._look_after(found)
            if isinstance(found, LedgerAction) and found.state == "approved":
                found = await self._claim(found) or found
            if isinstance(found, Claim):
                ended = await self._carry_out(found)
                return self._tell(ended).model_copy(update={"executed_now": True})
            if found.state != "approved":
                return self._tell(found)

    def _tell(self, standing: LedgerAction) -> ActionOutcome:
        outcome = to_outcome(standing)
        catalogue = self.catalogue.of_tenant(standing.tenant_id)
        action = catalogue.actions.get(standing.action)
        # Without its pack nothing tells which of them are secret.
        shown = masked_arguments(action, standing.arguments) if action else {}
        update: dict[str, object] = {"arguments": shown}
        undo = action.undo if action else None
        if undo is None or not self.catalogue.may_ask(undo, standing.requester_roles):
            update["undo_minutes"] = None  # a way back is promised to whom may take it
        return outcome.model_copy(update=update)

    async def _leave(self, seen: LedgerAction) -> LedgerAction:
        return await self.database.write(
            lambda connection: self.claiming.leave(connection, seen), durable=True
        )

    async def _look_after(self, standing: LedgerAction) -> LedgerAction:
        # Ours, and nobody is at it: its end could not be written down.
        left_over = await self.recovering.left_over()
        mine = [left for left in left_over if left.action.action_id == standing.action_id]
        return await self._recover(mine[0]) if mine else standing

    async def _claim(self, seen: LedgerAction) -> Claim | LedgerAction | None:
        moved = await self.running.why_moved(seen)
        return await self.database.write(
            lambda connection: self.claiming.claim(connection, seen, moved),
            durable=True,
        )

    async def _carry_out(self, claim: Claim) -> LedgerAction:
        try:
            self.step("after_claim")
            if self.claiming.is_late(claim):
                return await self._end(
                    claim, Effect("failed", reason=t("gate.interrupted.not_begun"))
                )
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
