"""Do the Python functions of an action take what its entry says they get?"""

from collections.abc import Iterable
from pathlib import Path

from state.action import SERVICES, Action
from tools.catalogue.parameters import parameter_of
from tools.catalogue.python_shapes import FunctionShape, PythonShapes, ShapeFault
from tools.catalogue.reading import PackFiles


def check_functions(files: PackFiles, shapes: PythonShapes, action: Action) -> None:
    """Note what is wrong with an action's handler, preview and status in `files.faults`."""
    _check_handler(files, shapes, action)
    _check_questions(files, shapes, action)


def takes_service(folder: Path, actions: Iterable[Action], service: str) -> bool:
    """Tell whether a handler of a pack takes a service of the deployment."""
    shapes = PythonShapes(folder)
    found = (shapes.find(*one.handler.split(":")) for one in actions if one.handler)
    return any(isinstance(one, FunctionShape) and service in one.positional for one in found)


def _check_handler(files: PackFiles, shapes: PythonShapes, action: Action) -> None:
    for field, reference in (("handler", action.handler), ("preview", action.preview)):
        if reference is None:
            continue
        shape = shapes.find(*reference.split(":"))
        is_inside = field == "handler" and action.transactional
        if is_inside and isinstance(shape, FunctionShape) and shape.is_async:
            problem = "is transactional, so nothing in it may wait; write def, not async def"
            files.fault("actions", ("actions", action.name, field), problem)
        may_take = SERVICES if field == "handler" and not is_inside else ()
        if isinstance(shape, FunctionShape) and not shape.is_async:
            may_take = ()  # a service is awaited
        for problem in _handler_problems(shape, action, is_inside=is_inside, may_take=may_take):
            files.fault("actions", ("actions", action.name, field), problem)


def _check_questions(files: PackFiles, shapes: PythonShapes, action: Action) -> None:
    if action.status is None:
        return
    shape = shapes.find(*action.status.split(":"))
    path = ("actions", action.name, "status")
    if isinstance(shape, ShapeFault):
        files.fault("actions", path, shape.problem)
    elif len(shape.positional) != 1 or shape.keyword_required:
        files.fault("actions", path, "must take the context and nothing else")


def _handler_problems(
    shape: FunctionShape | ShapeFault,
    action: Action,
    *,
    is_inside: bool,
    may_take: tuple[str, ...],
) -> Iterable[str]:
    """Name what is wrong with a function.

    Args:
        is_inside: it works in the ledger's transaction.
        may_take: services it may take behind its context.
    """
    if isinstance(shape, ShapeFault):
        yield shape.problem
        return
    if shape.has_rest:
        yield "takes *args or **kwargs; name each slot after a *"
    before = 2 if is_inside else 1
    yield from _positional_problems(shape, is_inside=is_inside, may_take=may_take)
    behind = set(shape.keyword_only)
    named_anywhere = behind | set(shape.positional[before:])
    taken_by = {parameter_of(slot): slot for slot in action.slots}
    for name, slot in taken_by.items():
        called = "" if name == slot else f"; Python calls it {name}"
        if name not in named_anywhere and not shape.has_rest:
            yield f"has no parameter for the slot {slot}{called}"
        elif name in shape.keyword_required and not action.slots[slot].required:
            yield f"needs {name}, an optional slot; give it a default or require the slot"
    for name in shape.keyword_only:
        if name not in taken_by:
            yield f"takes {name}, which is no slot of the action"


def _positional_problems(
    shape: FunctionShape, *, is_inside: bool, may_take: tuple[str, ...]
) -> Iterable[str]:
    before = 2 if is_inside else 1
    if len(shape.positional) < before:
        yield (
            "must take the connection as its second parameter: it is transactional"
            if shape.positional
            else "must take the context as its first parameter"
        )
    elif strange := [name for name in shape.positional[before:] if name not in may_take]:
        extra = ", ".join(strange)
        if set(strange) <= set(SERVICES):
            yield f"takes {extra}, which only an async handler that is not transactional may"
            return
        alone = "the context and the connection" if is_inside else "the context alone"
        yield f"must take {alone} before the *; move {extra} behind it"
