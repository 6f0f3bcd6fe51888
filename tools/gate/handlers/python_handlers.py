"""Call Python functions of packs, async or on a thread: handlers, previews and status functions.

Results are checked, and truncated to what can be stored.
"""

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import JsonValue, ValidationError

from state.action import Action, ActionResult, HandlerContext
from state.errors import NeverCalled
from state.noun import clean_json
from state.preview import Preview
from tools.catalog import Pack
from tools.catalog.function_signatures import as_parameters
from tools.catalog.pack_code import call_contained, error_text, load_pack_module, run_contained
from tools.platform.egress import visible_lines
from tools.platform.texts import t

MAX_TEXT = 4_000
_HEAD, _TAIL = 3_000, 800
MAX_DATA_BYTES = 64 * 1024
MAX_OWN_TEXT = 32_000
"""Characters of what a pack's own function says: a hundred papers, or a day's log, as a list. It is
kept in several rows, told to every listener and drawn by the console."""


def result_of(text: str, data: JsonValue = None, *, otherwise: str) -> ActionResult:
    """Make a result of what came back; `otherwise` is said when nothing did."""
    shown = truncate_middle(visible_lines(text)).strip() or otherwise
    try:
        return ActionResult(text=shown, data=_data(data))
    except (ValidationError, ValueError, RecursionError):
        return ActionResult(text=shown)  # odd data is left out: what was done is done


def truncate_middle(text: str) -> str:
    """Keep head and tail of a long text and say how long it was."""
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:_HEAD]}\n… ({len(text)} characters) …\n{text[-_TAIL:]}"


def truncate_lines(text: str) -> str:
    """Keep the lines of a pack's own answer that fit, and say how long it was."""
    if len(text) <= MAX_OWN_TEXT:
        return text
    told = t("gate.cut_here", text=len(text))
    kept = text[: MAX_OWN_TEXT - len(told) - 1]
    line = kept.rfind("\n")
    # A last line of more than half of it is text that runs on, and no list.
    return f"{kept[:line] if line > len(kept) // 2 else kept}\n{told}"


def _data(value: JsonValue) -> dict[str, Any]:  # plain JSON
    if value is None:
        return {}
    whole: dict[str, Any] = value if isinstance(value, dict) else {"result": value}
    if len(json.dumps(whole, ensure_ascii=False).encode()) > MAX_DATA_BYTES:
        return {}
    clean_json(whole)
    return whole


_RESULT_FIELDS = tuple(ActionResult.model_fields)


async def call_python(
    pack: Pack,
    reference: str,
    context: HandlerContext,
    arguments: Mapping[str, Any],
    *given: Any,  # services, each its own type
) -> Any:  # what a pack's function gives back is checked by whoever calls it
    """Call `module:function` of a pack with a context, what it is given, and named arguments.

    Raises:
        NeverCalled: it cannot be imported, or does not take these.
        Exception: whatever the function raised; see `contained` for what is no Exception.
    """
    function = find_function(pack, reference)
    arguments = bind_arguments(function, reference, context, *given, **as_parameters(arguments))
    if inspect.iscoroutinefunction(function):
        return await run_contained(function, context, *given, **arguments)
    return await asyncio.to_thread(call_contained, function, context, *given, **arguments)


def find_function(pack: Pack, reference: str) -> Callable[..., Any]:
    """Import the module of a pack and find the function in it; our own pack brings its own.

    Raises:
        NeverCalled: it cannot be imported, or is not there.
    """
    if pack.functions:
        return pack.functions[reference]
    module_name, name = reference.split(":")
    try:
        module = call_contained(load_pack_module, pack, module_name)
        function: Callable[..., Any] = getattr(module, name)
    except Exception as error:
        raise NeverCalled(reference, f"{type(error).__name__}: {error_text(error)}") from error
    return function


def bind_arguments(
    function: Callable[..., Any],
    reference: str,
    *given: Any,  # context, connection and services, each its own type
    **arguments: Any,  # by slot type
) -> dict[str, Any]:
    """Return the named arguments if the function takes them behind what it is given.

    Raises:
        NeverCalled: it does not.
    """
    try:
        inspect.signature(function).bind(*given, **arguments)
    except ValueError:  # written in C: it says nothing of itself
        return arguments
    except TypeError as error:
        raise NeverCalled(reference, str(error)) from error
    return arguments


def as_result(reference: str, given: object) -> ActionResult:
    """Take what a handler gave back: a result, or its words alone; too many of them are cut.

    Raises:
        TypeError: it is neither.
        ValidationError: it was put together past its checks, and could not be kept.
    """
    if isinstance(given, str):
        return ActionResult(text=truncate_lines(given))
    if not isinstance(given, ActionResult):
        raise TypeError(f"handler {reference} gave {type(given).__name__}, not ActionResult")
    result = ActionResult.model_validate({name: getattr(given, name) for name in _RESULT_FIELDS})
    return result.model_copy(update={"text": truncate_lines(result.text)})


_PREVIEW_FIELDS = set(Preview.model_fields)


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
    return Preview.model_validate(preview.model_dump(include=_PREVIEW_FIELDS, warnings=False))


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
