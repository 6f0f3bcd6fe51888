"""Find the Python function behind an action; imported by the execution alone (a test proves it)."""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from state.action import Action, ActionResult, HandlerContext
from tools.catalogue.modules import load_pack_module
from tools.catalogue.pack import Pack


async def call_handler(
    pack: Pack, action: Action, context: HandlerContext, arguments: Mapping[str, Any]
) -> ActionResult:
    """Run an action's handler: async ones here, others on a thread.

    Raises:
        Exception: whatever the handler raised.
        TypeError: it gave back something that is not an ActionResult.
    """
    handler = _handler(pack, action.handler)
    if inspect.iscoroutinefunction(handler):
        result = await handler(context, **arguments)
    else:
        result = await asyncio.to_thread(handler, context, **arguments)
    if isinstance(result, str):
        return ActionResult(text=result)
    if not isinstance(result, ActionResult):
        raise TypeError(f"handler {action.handler} gave {type(result).__name__}, not ActionResult")
    return result


def _handler(pack: Pack, reference: str) -> Callable[..., Any]:
    module_name, function = reference.split(":")
    handler: Callable[..., Any] = getattr(load_pack_module(pack, module_name), function)
    return handler
