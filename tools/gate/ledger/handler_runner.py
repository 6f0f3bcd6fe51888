"""Build handler contexts and call the packs' code.

Lookups, previews, the handler itself and its status.

The only module that imports the dispatch of handlers; a test proves it.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection

from state.action import Action, ActionResult, HandlerContext
from state.approval import ActionState, LedgerAction
from state.errors import AgentError, BadInput, Conflict, LookupFailed, NotFound, Unreachable
from state.memory import PackMemory
from state.preview import Preview
from state.principal import Principal
from state.session import Session
from tools.catalog import Catalogue, Pack
from tools.catalog.entity_values import look_up, looked_up_types
from tools.catalog.pack_code import error_text, storable_error
from tools.gate.handlers.dispatch import call_builtin, call_handler, call_inside
from tools.gate.handlers.python_handlers import preview_of, status_of
from tools.gate.handlers.remote_handlers import ExternalServices
from tools.gate.ledger.undo import targets_after_action, undo_of
from tools.gate.redaction import redacted_result, redacted_text
from tools.platform.clock import Clock
from tools.platform.texts import t

log = structlog.get_logger()


async def demand_looked_up(
    pack: Pack,
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    folder: Path,
    *,
    seconds: float,
) -> None:
    """Make sure that the things an action names can be looked up at this moment.

    Whether they are there is for its preview to say: what is among the ids may be another thing
    than was meant, and only the pack knows what it does to which.

    Args:
        folder: the tenant's, where the pack keeps its store.

    Raises:
        LookupFailed: one cannot, so nobody knows what a yes would be a yes to.
    """
    filled = {action.slots[name].type for name in arguments if name in action.slots}
    for one in looked_up_types(pack, action):
        if one not in filled:
            continue
        try:
            async with asyncio.timeout(seconds):
                await asyncio.to_thread(look_up, pack, one, folder)
        except TimeoutError as error:
            raise LookupFailed(pack.name, one, t("gate.no_answer")) from error
        except LookupFailed as failed:
            log.exception(failed.code, action=action.name, error=failed.cause)
            raise


MAX_BYTES = 131_072
"""Of a preview as JSON: nobody reads more before a yes, and all of it has to be read."""
NO_ACTION_YET = "preview"
"""The id a preview is given: the action has none before it is written down."""


@dataclass(frozen=True)
class Previewer:
    """Asks the packs; what they say changes nothing."""

    catalogue: Catalogue
    clock: Clock
    data_dir: Path
    """Where every tenant has a folder for what packs keep."""
    seconds: float

    async def demand_looked_up(
        self,
        action: Action,
        arguments: Mapping[str, Any],  # by slot type
        tenant_id: str,
    ) -> None:
        """Make sure that the things an action names can be looked up.

        Raises:
            LookupFailed: one cannot.
        """
        pack = self.catalogue.of_tenant(tenant_id).pack(action.pack)
        folder = self.data_dir / tenant_id
        await demand_looked_up(pack, action, arguments, folder, seconds=self.seconds)

    async def read(
        self,
        action: Action,
        arguments: Mapping[str, Any],  # by slot type
        requester: Principal,
    ) -> Preview | None:
        """Read what an action would do; None: its entry names no preview.

        Raises:
            AgentError: it cannot be done as it stands, and the sentence says why.
            Unreachable: the preview broke or took too long, so nobody can say what it would do.
        """
        if action.preview is None:
            return None
        context = HandlerContext(
            action_id=NO_ACTION_YET,
            idempotency_key=NO_ACTION_YET,
            tenant_id=requester.tenant_id,
            user=requester.user,
            roles=requester.roles,
            now=self.clock.now(),
            data_dir=str(self.data_dir / requester.tenant_id),
        )
        try:
            async with asyncio.timeout(self.seconds):
                preview = await preview_of(
                    self.catalogue.pack(action.pack), action, context, arguments
                )
            return _readable(preview)
        except AgentError as refusal:
            raise storable_error(refusal) from refusal
        except TimeoutError as error:
            raise Unreachable(t("gate.preview_late", name=action.name)) from error
        except (Exception, SystemExit) as error:  # the pack's own fault
            log.exception("preview_failed", action=action.name, error=type(error).__name__)
            raise Unreachable(t("gate.preview_failed", name=action.name)) from error


def _readable(preview: Preview | None) -> Preview | None:
    size = len(preview.model_dump_json().encode()) if preview is not None else 0
    if size > MAX_BYTES:
        raise BadInput(
            f"what it would change takes {size // 1024} kB to show, at most {MAX_BYTES // 1024} kB "
            "can be read and approved; ask for less at once"
        )
    return preview


def moved_since(shown: Preview, now: Preview) -> list[str]:
    """Name what is not as it was shown: targets, and the numbers and people of the question.

    What a value will become is left out: it may hold the time of the change.
    """
    moved = {name for name, _ in set(shown.versions.items()) ^ set(now.versions.items())}
    stood, stands = (
        {(change.target, change.field, change.before) for change in each.changes}
        for each in (shown, now)
    )
    moved |= {target for target, _field, _before in stood ^ stands}
    if shown.count != now.count:
        moved.add("the count")
    if (shown.amount, shown.currency) != (now.amount, now.currency):
        moved.add("the amount")
    if set(shown.recipients) != set(now.recipients):
        moved.add("the recipients")
    return sorted(moved)


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
    evidence: str | None = None
    """What shows it, in the words of an agent that ran its own tool."""


@dataclass(frozen=True)
class HandlerRunner:
    """Calls what the packs bring, with what the ledger's row says and nothing else."""

    catalogue: Catalogue
    clock: Clock
    data_dir: Path
    seconds: float
    elsewhere: ExternalServices = field(default_factory=ExternalServices)

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
            return Effect("failed", reason=error_text(refusal))  # by contract it changed nothing
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
            undo = undo_of(self.catalogue, standing, effect.result.undo)
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
        return None if preview is None else targets_after_action(preview)

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
                call_builtin(pack, action, context, connection, given)
                if pack.functions
                else call_inside(pack, action, context, driver, given, seconds=self.seconds)
            )
        except (Exception, SystemExit) as error:  # as above, but here nothing of it remains
            if not driver.in_transaction:  # SQLite undid everything: there is nothing to go on in
                raise
            savepoint.rollback()
            told = error_text(error) if isinstance(error, AgentError) else _told(error)
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
            return t("gate.stale.refused", refusal=error_text(refusal))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever is wrong there, nobody can say that it is as it was
            return t("gate.stale.unreadable", error=_told(error))
        moved = moved_since(standing.preview, preview or Preview())
        return t("gate.stale.moved", moved=", ".join(moved)) if moved else None

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
            unread = Effect("unknown", reason=t("gate.status_unreadable", error=_told(error)))
            return self._blotted(standing, unread)
        if result is None:
            return Effect("failed", reason=t("gate.had_not_happened"))
        return self._blotted(standing, Effect("succeeded", result))

    def _blotted(self, standing: LedgerAction, effect: Effect) -> Effect:
        action = self.catalogue.action(standing.action)
        undo = self.catalogue.actions.get(action.undo or "")
        return Effect(
            effect.state,
            redacted_result(effect.result, action, standing.arguments, undo),
            redacted_text(effect.reason, action, standing.arguments),
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
    return f"{type(error).__name__}: {error_text(error)}"[:500]
