"""Read what an action would do, before anybody is asked; a refusal ends it there."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from state.action import Action, HandlerContext
from state.errors import AgentError, BadInput, Unreachable
from state.preview import Preview
from state.principal import Principal
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.said_by_packs import keepable
from tools.clock import Clock
from tools.handlers.asking import preview_of
from tools.ledger.looking_up import demand_looked_up

MAX_BYTES = 131_072
"""Of a preview as JSON: nobody reads more before a yes, and all of it has to be read."""
NO_ACTION_YET = "preview"
"""The id a preview is given: the action has none before it is written down."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Previewing:
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
        """Make sure that the things an action names can be looked up, see looking_up.py.

        Raises:
            LookupFailed: one cannot.
        """
        pack, folder = self.catalogue.pack(action.pack), self.data_dir / tenant_id
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
            raise keepable(refusal) from refusal
        except TimeoutError as error:
            raise Unreachable(
                f"{action.name}: nobody could say in time what it would do; try again later"
            ) from error
        except (Exception, SystemExit) as error:  # the pack's own fault
            log.exception("preview_failed", action=action.name, error=type(error).__name__)
            raise Unreachable(
                f"{action.name}: what it would do cannot be shown, so nobody is asked"
            ) from error


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
