"""Execute: claim an approved action, run its handler once, and write down what came of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, or_, select, update

from state.action import ActionResult, HandlerContext
from state.approval import ActionState, LedgerAction
from state.errors import AgentError
from state.outcome import ActionOutcome
from tools.catalogue.catalogue import Catalogue
from tools.clock import Clock
from tools.handlers.calling import call_handler
from tools.handlers.elsewhere import Elsewhere
from tools.ledger.digest import Policies
from tools.ledger.rows import enter, newest, read_action, to_outcome
from tools.ledger.staleness import digest_now, why_stale
from tools.ledger.undoing import keep_undoable
from tools.storage.database import Database
from tools.storage.ledger_tables import ledger_action

CRASHED = "how it ended could not be written down; check the target and settle it"

Step = Callable[[str], None]
"""Told the name of each step as it is reached; tests end the process there."""


def _no_step(_name: str) -> None:
    return None


@dataclass(frozen=True)
class Claim:
    """A committed START: the right to run one action, this once."""

    action: LedgerAction
    fence: int


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
    _running: dict[str, "asyncio.Future[ActionOutcome]"] = field(default_factory=dict)
    _claimed: set[str] = field(default_factory=set)

    async def execute(self, action_id: str) -> ActionOutcome:
        """Run an approved action and tell what came of it; run before: only tell.

        Takes an id and nothing else: arguments, class and approvals come from the ledger's rows.
        The work goes on when the caller is cancelled; ask again for its outcome.

        Raises:
            NotFound: no such action.
        """
        running = self._running.get(action_id)
        if running is None:
            running = asyncio.ensure_future(self._execute(action_id))
            self._running[action_id] = running
            running.add_done_callback(lambda _done: self._running.pop(action_id, None))
            return await asyncio.shield(running)
        # Somebody else is at it in this process: wait for the end and tell the same outcome.
        outcome = await asyncio.shield(running)
        return outcome.model_copy(update={"executed_now": False})

    async def settle_after_crash(self) -> tuple[LedgerAction, ...]:
        """Turn what another process left started into `unknown`; a person has to look.

        Nobody can tell from here whether the effect happened, so it is never run again.
        """

        def work(connection: Connection) -> tuple[LedgerAction, ...]:
            left = connection.scalars(
                select(ledger_action.c.action_id).where(
                    ledger_action.c.state == "started",
                    or_(ledger_action.c.owner.is_(None), ledger_action.c.owner != self.owner),
                )
            ).all()
            return tuple(
                self._settle_left_over(connection, read_action(connection, action_id))
                for action_id in left
            )

        return await self.database.write(work, durable=True)

    async def _execute(self, action_id: str) -> ActionOutcome:
        self.step("before_claim")
        read_only = await self.database.read(
            lambda connection: read_action(connection, action_id).execution_class == "A"
        )
        claim = await self.database.write(
            lambda connection: self._claim(connection, action_id), durable=not read_only
        )
        if isinstance(claim, LedgerAction):
            return to_outcome(claim)
        try:
            return await self._run_claimed(claim)
        finally:
            self._claimed.discard(claim.action.action_id)

    async def _run_claimed(self, claim: Claim) -> ActionOutcome:
        self.step("after_claim")
        state, result, reason = await self._run(claim.action)
        self.step("after_effect")
        ended = await self.database.write(
            lambda connection: self._end(
                connection, claim.action, state, fence=claim.fence, result=result, reason=reason
            ),
            durable=claim.action.execution_class != "A",
        )
        self.step("after_record")
        return to_outcome(ended).model_copy(update={"executed_now": True})

    def _claim(self, connection: Connection, action_id: str) -> Claim | LedgerAction:
        standing = newest(connection, action_id)
        if standing.state == "started" and self._is_left_over(connection, standing.action_id):
            standing = self._settle_left_over(connection, standing)
        if standing.state != "approved":
            return standing
        stale = why_stale(connection, self.catalogue, self.policies, standing)
        if stale:
            self._move(connection, standing, "stale", stale)
            return read_action(connection, standing.action_id)
        fence = connection.execute(
            update(ledger_action)
            .where(
                ledger_action.c.action_id == standing.action_id,
                ledger_action.c.state == "approved",
                ledger_action.c.digest == digest_now(self.catalogue, self.policies, standing),
                or_(
                    ledger_action.c.expires_at.is_(None),
                    ledger_action.c.expires_at > self.database.now(),
                ),
            )
            .values(
                state="started",
                fence=ledger_action.c.fence + 1,
                owner=self.owner,
                started_at=self.database.now(),
            )
            .returning(ledger_action.c.fence)
        ).scalar()
        if fence is None:
            self._move(connection, standing, "expired", "approved, and not started in time")
            return read_action(connection, standing.action_id)
        self._enter(connection, standing, "started", {"fence": fence})
        self._claimed.add(standing.action_id)
        return Claim(standing, fence)

    def _is_left_over(self, connection: Connection, action_id: str) -> bool:
        # Ours, and nobody is at it: its end could not be written down.
        query = select(ledger_action.c.owner).where(ledger_action.c.action_id == action_id)
        return action_id not in self._claimed and connection.execute(query).scalar() == self.owner

    def _settle_left_over(self, connection: Connection, standing: LedgerAction) -> LedgerAction:
        if standing.execution_class == "A":  # a read may simply be read again
            self._move(connection, standing, "approved", CRASHED)
            return read_action(connection, standing.action_id)
        return self._end(connection, standing, "unknown", reason=CRASHED)

    async def _run(
        self, standing: LedgerAction
    ) -> tuple[ActionState, ActionResult | None, str | None]:
        action = self.catalogue.action(standing.action)
        context = HandlerContext(
            action_id=standing.action_id,
            idempotency_key=standing.action_id,
            tenant_id=standing.tenant_id,
            user=standing.requester,
            roles=standing.requester_roles,
            now=self.clock.now(),
            data_dir=str(self.data_dir / standing.tenant_id),
        )
        try:
            async with asyncio.timeout(self.handler_seconds):
                pack = self.catalogue.pack(action.pack)
                result = await call_handler(
                    pack, action, context, standing.arguments, self.elsewhere
                )
        except AgentError as refusal:
            return "failed", None, str(refusal)  # by contract it changed nothing
        except (Exception, SystemExit) as error:  # noqa: BLE001  # the handler's own fault: what it did before is not known
            state: ActionState = "failed" if action.floor == "A" else "unknown"
            return state, None, f"{type(error).__name__}: {error}"[:500]
        self.step("in_effect")
        return "succeeded", result, None

    def _end(
        self,
        connection: Connection,
        standing: LedgerAction,
        state: ActionState,
        *,
        fence: int | None = None,
        result: ActionResult | None = None,
        reason: str | None = None,
    ) -> LedgerAction:
        ended = update(ledger_action).where(
            ledger_action.c.action_id == standing.action_id, ledger_action.c.state == "started"
        )
        if fence is not None:
            ended = ended.where(ledger_action.c.owner == self.owner, ledger_action.c.fence == fence)
        moved = connection.execute(
            ended.values(
                state=state,
                finished_at=self.database.now(),
                result=result.model_dump(mode="json") if result else None,
                reason=reason,
            )
        )
        if moved.rowcount:
            self._enter(connection, standing, state, {"reason": reason})
            if state == "succeeded" and standing.execution_class != "A":
                keep_undoable(connection, self.database, self.catalogue, standing)
        return read_action(connection, standing.action_id)

    def _move(
        self, connection: Connection, standing: LedgerAction, state: ActionState, reason: str
    ) -> None:
        connection.execute(
            update(ledger_action)
            .where(
                ledger_action.c.action_id == standing.action_id,
                ledger_action.c.state == standing.state,
            )
            .values(state=state, reason=reason)
        )
        self._enter(connection, standing, state, {"reason": reason})

    def _enter(
        self, connection: Connection, standing: LedgerAction, event: str, body: dict[str, Any]
    ) -> None:
        enter(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=standing.action_id,
            actor="executor",
            event=event,
            body=body,
        )
