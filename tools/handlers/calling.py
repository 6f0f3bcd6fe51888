"""Have an action done the way its entry says; the execution alone imports it, a test proves it."""

from collections.abc import Mapping
from typing import Any

from state.action import Action, ActionResult, HandlerContext
from tools.catalogue.pack import Pack
from tools.handlers.elsewhere import Elsewhere
from tools.handlers.http import call_http
from tools.handlers.mcp import call_mcp
from tools.handlers.python import as_result, call_python, find_function

_NOWHERE = Elsewhere()


async def call_handler(
    pack: Pack,
    action: Action,
    context: HandlerContext,
    arguments: Mapping[str, Any],
    elsewhere: Elsewhere = _NOWHERE,
) -> ActionResult:
    """Run an action's handler.

    Raises:
        AgentError: it was refused, and by contract nothing was changed.
        Exception: whatever else the handler raised; what it did before is not known.
        TypeError: it gave back something that is not an ActionResult.
    """
    if action.http is not None:
        return await call_http(elsewhere.egress, action, context, arguments)
    if action.mcp is not None:
        return await call_mcp(elsewhere.servers, action, arguments)
    if action.handler is None:
        raise TypeError(f"{action.name} has no handler")
    given = elsewhere.services_for(find_function(pack, action.handler))
    result = await call_python(pack, action.handler, context, arguments, *given)
    return as_result(action.handler, result)
