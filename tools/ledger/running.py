"""Run: the one place that has an action done, and that asks whether it has happened."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from state.action import ActionResult, HandlerContext
from state.approval import ActionState, LedgerAction
from state.errors import AgentError, Conflict, LookupFailed, NotFound
from state.memory import PackMemory
from state.preview import Preview
from state.session import Session
from tools.approvals.secrets import blotted_text
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.said_by_packs import words_of
from tools.clock import Clock
from tools.handlers.asking import preview_of, status_of
from tools.handlers.calling import call_handler
from tools.handlers.elsewhere import Elsewhere
from tools.handlers.transactional import call_inside, call_own
from tools.ledger.blotting import blotted_result
from tools.ledger.looking_up import demand_looked_up
from tools.ledger.previewing import moved_since
from tools.ledger.ways_back import as_left, way_back

ASKING_SECONDS = 5.0
"""How long a pack may take to say how a target stands; it only reads."""


@dataclass(frozen=True)
class Effect:
    """What came of running an action."""

    state: ActionState
    result: ActionResult | None = None
    reason: str | None = None
    left: Mapping[str, Any] | None = None
    """How what its undo would change stands now, see ways_back.as_left."""


@dataclass(frozen=True)
class Running:
    """Calls what the packs bring, with what the ledger's row says and nothing else."""

    catalogue: Catalogue
    clock: Clock
    data_dir: Path
    seconds: float
    elsewhere: Elsewhere = field(default_factory=Elsewhere)

    async def run(
        self, standing: LedgerAction, session: Session, stages: Mapping[str, str] | None = None
    ) -> Effect:
        """Have a claimed action done, in the conversation it was asked in.

        Args:
            stages: of every session, where the action sees them.
        """
        context = self._context(standing, session).model_copy(update={"stages": stages or {}})
        effect = self._blotted(standing, await self._run(standing, context))
        return replace(effect, left=await self._left_by(standing, effect))

    async def _run(self, standing: LedgerAction, context: HandlerContext) -> Effect:
        action = self.catalogue.action(standing.action)
        try:
            async with asyncio.timeout(self.seconds):
                result = await call_handler(
                    self.catalogue.pack(action.pack),
                    action,
                    context,
                    standing.arguments,
                    self.elsewhere,
                )
        except AgentError as refusal:
            return Effect("failed", reason=words_of(refusal))  # by contract it changed nothing
        except (Exception, SystemExit) as error:  # noqa: BLE001  # the handler's own fault: what it did before is not known
            state: ActionState = "failed" if action.floor == "A" else "unknown"
            return Effect(state, reason=_told(error))
        return Effect("succeeded", result)

    async def _left_by(
        self, standing: LedgerAction, effect: Effect
    ) -> dict[str, Any] | None:  # JSON's own values
        """Look at what its undo would change, so that nothing that comes later is taken back."""
        if effect.state != "succeeded" or effect.result is None or standing.execution_class == "A":
            return None
        try:
            undo = way_back(self.catalogue, standing, effect.result.undo)
            action = self.catalogue.action(undo.action)
            async with asyncio.timeout(min(ASKING_SECONDS, self.seconds)):
                preview = await preview_of(
                    self.catalogue.pack(action.pack),
                    action,
                    self._context(standing),
                    undo.arguments,
                )
        except (Exception, SystemExit):  # noqa: BLE001  # it was done all the same; an undo is then bound by its own preview alone
            return None
        return None if preview is None else as_left(preview)

    def run_inside(
        self, connection: Connection, standing: LedgerAction, session: Session
    ) -> Effect:
        """Have a claimed transactional action done in this transaction; a fault undoes it all."""
        action = self.catalogue.action(standing.action)
        driver = connection.connection.driver_connection
        if driver is None:
            raise ValueError("the connection is closed")
        savepoint = connection.begin_nested()
        pack, context = self.catalogue.pack(action.pack), self._context(standing, session)
        given = standing.arguments
        try:
            result = (
                call_own(pack, action, context, connection, given)
                if pack.functions
                else call_inside(pack, action, context, driver, given, seconds=self.seconds)
            )
        except (Exception, SystemExit) as error:  # as above, but here nothing of it remains
            if not driver.in_transaction:  # SQLite undid everything: there is nothing to go on in
                raise
            savepoint.rollback()
            told = words_of(error) if isinstance(error, AgentError) else _told(error)
            return self._blotted(standing, Effect("failed", reason=told))
        savepoint.commit()
        return self._blotted(standing, Effect("succeeded", result))

    async def why_moved(self, standing: LedgerAction) -> str | None:
        """Look at the targets again; say what is not as it was shown, None: it all is."""
        action = self.catalogue.actions.get(standing.action)
        if action is None:
            return None
        if standing.execution_class == "C" and (broken := await self._why_unknown(standing)):
            return broken
        if action.preview is None or standing.preview is None:
            return None
        try:
            async with asyncio.timeout(min(ASKING_SECONDS, self.seconds)):
                preview = await preview_of(
                    self.catalogue.pack(action.pack),
                    action,
                    self._context(standing),
                    standing.arguments,
                )
        except (NotFound, Conflict) as refusal:
            return f"it cannot be done any more: {words_of(refusal)}"
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever is wrong there, nobody can say that it is as it was
            return f"nobody could look at what it concerns: {_told(error)}"
        moved = moved_since(standing.preview, preview or Preview())
        return f"{', '.join(moved)} changed since it was shown; ask again" if moved else None

    async def _why_unknown(self, standing: LedgerAction) -> str | None:
        """Say which of its things cannot be looked up any more since the yes was asked for."""
        action = self.catalogue.action(standing.action)
        pack, folder = self.catalogue.pack(action.pack), self.data_dir / standing.tenant_id
        seconds = min(ASKING_SECONDS, self.seconds)
        try:
            await demand_looked_up(pack, action, standing.arguments, folder, seconds=seconds)
        except LookupFailed as failed:
            return str(failed)
        return None

    async def has_happened(self, standing: LedgerAction) -> Effect:
        """Ask an action's status function what became of it; `unknown` when it cannot tell."""
        action = self.catalogue.action(standing.action)
        try:
            async with asyncio.timeout(min(ASKING_SECONDS, self.seconds)):
                result = await status_of(
                    self.catalogue.pack(action.pack), action, self._context(standing)
                )
        except (Exception, SystemExit) as error:  # noqa: BLE001  # it cannot tell, and a person has to look
            unread = Effect("unknown", reason=f"its status could not be read: {_told(error)}")
            return self._blotted(standing, unread)
        if result is None:
            return Effect("failed", reason="it had not happened; ask again")
        return self._blotted(standing, Effect("succeeded", result))

    def _blotted(self, standing: LedgerAction, effect: Effect) -> Effect:
        action = self.catalogue.action(standing.action)
        undo = self.catalogue.actions.get(action.undo or "")
        return Effect(
            effect.state,
            blotted_result(effect.result, action, standing.arguments, undo),
            blotted_text(effect.reason, action, standing.arguments),
        )

    def _context(self, standing: LedgerAction, session: Session | None = None) -> HandlerContext:
        memory = session.memory.get(standing.pack) if session is not None else None
        return HandlerContext(
            action_id=standing.action_id,
            idempotency_key=standing.action_id,
            tenant_id=standing.tenant_id,
            user=standing.requester,
            roles=standing.requester_roles,
            now=self.clock.now(),
            data_dir=str(self.data_dir / standing.tenant_id),
            session_id=session.session_id if session is not None else "default",
            memory=memory or PackMemory(),
        )


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {words_of(error)}"[:500]
