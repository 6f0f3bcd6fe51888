"""Ask a pack about an action without doing it: what would change, and has it happened?"""

from collections.abc import Mapping
from typing import Any

from state.action import Action, ActionResult, HandlerContext
from state.preview import Preview
from tools.catalogue.pack import Pack
from tools.handlers.python import as_result, call_python

_FIELDS = set(Preview.model_fields)


async def preview_of(
    pack: Pack, action: Action, context: HandlerContext, arguments: Mapping[str, Any]
) -> Preview | None:
    """Read what an action would do; None: its entry names no preview.

    Raises:
        AgentError: it cannot be done as it stands, and the sentence says why.
        TypeError: the pack gave back something that is not a Preview.
        ValidationError: it was put together past its checks, and could not be kept.
    """
    if action.preview is None:
        return None
    preview = await call_python(pack, action.preview, context, arguments)
    if not isinstance(preview, Preview):
        raise TypeError(f"preview {action.preview} gave {type(preview).__name__}, not Preview")
    # Down to its facts and changes: pydantic takes a noun that stands in another for checked.
    return Preview.model_validate(preview.model_dump(include=_FIELDS, warnings=False))


async def status_of(pack: Pack, action: Action, context: HandlerContext) -> ActionResult | None:
    """Ask whether the effect with the context's idempotency key has happened; None: it has not.

    Raises:
        LookupError: the entry names no status function: nobody can tell.
        Exception: whatever the pack's function raised: nobody can tell either.
    """
    if action.status is None:
        raise LookupError(f"{action.name} has no status function")
    result = await call_python(pack, action.status, context, {})
    if result is None:
        return None
    if not isinstance(result, ActionResult):
        raise TypeError(f"status {action.status} gave {type(result).__name__}, not ActionResult")
    return as_result(action.status, result)
