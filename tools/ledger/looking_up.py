"""Look things up as the ledger does: in time, or not at all."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import structlog

from state.action import Action
from state.errors import LookupFailed
from tools.catalogue.looking_up import look_up, looked_up_types
from tools.catalogue.pack import Pack

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
            raise LookupFailed(pack.name, one, "no answer in time") from error
        except LookupFailed as failed:
            log.exception(failed.code, action=action.name, error=failed.cause)
            raise
