"""Call a Python function of a pack: async ones here, others on a thread."""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from state.action import ActionResult, HandlerContext
from state.errors import NeverCalled
from tools.catalogue.containing import contained, contained_task
from tools.catalogue.modules import load_pack_module
from tools.catalogue.pack import Pack
from tools.catalogue.parameters import as_parameters
from tools.catalogue.said_by_packs import words_of
from tools.handlers.results import cut

_FIELDS = tuple(ActionResult.model_fields)


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
    arguments = fitting(function, reference, context, *given, **as_parameters(arguments))
    if inspect.iscoroutinefunction(function):
        return await contained_task(function, context, *given, **arguments)
    return await asyncio.to_thread(contained, function, context, *given, **arguments)


def find_function(pack: Pack, reference: str) -> Callable[..., Any]:
    """Import the module of a pack and find the function in it; our own pack brings its own.

    Raises:
        NeverCalled: it cannot be imported, or is not there.
    """
    if pack.functions:
        return pack.functions[reference]
    module_name, name = reference.split(":")
    try:
        module = contained(load_pack_module, pack, module_name)
        function: Callable[..., Any] = getattr(module, name)
    except Exception as error:
        raise NeverCalled(reference, f"{type(error).__name__}: {words_of(error)}") from error
    return function


def fitting(
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
        return ActionResult(text=cut(given))
    if not isinstance(given, ActionResult):
        raise TypeError(f"handler {reference} gave {type(given).__name__}, not ActionResult")
    result = ActionResult.model_validate({name: getattr(given, name) for name in _FIELDS})
    return result.model_copy(update={"text": cut(result.text)})
