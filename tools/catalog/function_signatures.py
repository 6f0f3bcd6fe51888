"""Signatures of a pack's Python functions.

Parsed without running the code, checked against the actions that name them, and mapped from slots
to parameters.
"""

import ast
import importlib.util
import keyword
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from state.action import SERVICES, Action
from tools.catalog.pack_reader import PackFiles


def parameter_of(slot: str) -> str:
    """Name the parameter that takes a slot: `from` is taken by from_, `max-count` by max_count."""
    plain = re.sub(r"\W", "_", slot)
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def as_parameters(arguments: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Give arguments the names of the parameters that take them."""
    return {parameter_of(slot): value for slot, value in arguments.items()}


_MAX_HOPS = 4
"""How often a function may be handed on by `from .other import it`."""


@dataclass(frozen=True)
class FunctionShape:
    """A function's parameters as written."""

    positional: tuple[str, ...]
    positional_required: int
    keyword_only: tuple[str, ...]
    keyword_required: frozenset[str]
    has_rest: bool
    """It takes *args or **kwargs."""
    is_async: bool = False


@dataclass(frozen=True)
class ShapeFault:
    """Why a function cannot be used."""

    problem: str


class PythonShapes:
    """Finds functions in one pack's modules; each module is parsed once and never imported."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._modules: dict[str, ast.Module | ShapeFault] = {}

    def find(self, module: str, function: str) -> FunctionShape | ShapeFault:
        """Find a function by name, following re-exports inside the pack."""
        return self._find(module, function, _MAX_HOPS)

    def _find(self, module: str, function: str, hops: int) -> FunctionShape | ShapeFault:
        tree = self._module(module)
        if isinstance(tree, ShapeFault):
            return tree
        found: FunctionShape | ShapeFault | None = None
        for statement in tree.body:
            found = self._defined(statement, module, function, hops) or found
        return found or ShapeFault(f"{module}.py has no function {function}; add it or rename")

    def _defined(
        self, statement: ast.stmt, module: str, function: str, hops: int
    ) -> FunctionShape | ShapeFault | None:
        """Read the function out of one statement; None: it does not define it."""
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name == function:
                return _shape(statement)
            case ast.ClassDef(name=name) if name == function:
                return ShapeFault(f"{module}.{function} is a class, not a function")
            case ast.ImportFrom(module=origin, level=1, names=names):
                for alias in names:
                    if (alias.asname or alias.name) == function:
                        return self._imported(origin, alias.name, hops)
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(args=[ast.Attribute(value=ast.Name(id=origin), attr=inner)]),
            ) if name == function:  # `f = wrapped(module.g)` takes what g takes
                return self._imported(origin, inner, hops)
            case ast.Assign(targets=targets):
                if any(isinstance(t, ast.Name) and t.id == function for t in targets):
                    return ShapeFault(f"{module}.{function} is a value; write it with def")
        return None

    def _imported(self, origin: str | None, name: str, hops: int) -> FunctionShape | ShapeFault:
        if origin is None or hops == 0:
            return ShapeFault(f"{name} is imported in a way that cannot be followed")
        return self._find(origin, name, hops - 1)

    def _module(self, module: str) -> ast.Module | ShapeFault:
        if module not in self._modules:
            self._modules[module] = _parse(self._folder, module)
        return self._modules[module]


def _parse(folder: Path, module: str) -> ast.Module | ShapeFault:
    place = folder.joinpath(*module.split("."))
    file = next((f for f in (place.with_suffix(".py"), place / "__init__.py") if f.is_file()), None)
    if file is None:
        return ShapeFault(f"there is no {module}.py in the pack")
    try:
        tree = ast.parse(file.read_bytes(), filename=str(file))
        return _missing_import(tree, file) or tree
    except SyntaxError as error:
        return ShapeFault(f"{file.name}:{error.lineno} is not Python: {error.msg}")
    except (OSError, ValueError) as error:
        return ShapeFault(f"{file.name} cannot be read: {error}")


def _missing_import(tree: ast.Module, file: Path) -> ShapeFault | None:
    """Find an import of what is not there; one inside `try` or `if` is its author's affair."""
    for statement in tree.body:
        match statement:
            case ast.Import(names=aliases):
                names = [alias.name for alias in aliases]
            case ast.ImportFrom(module=str(name), level=0):
                names = [name]
            case _:
                continue
        for name in names:
            top = name.partition(".")[0]
            if top not in sys.modules and importlib.util.find_spec(top) is None:
                problem = f"{file.name}:{statement.lineno} imports {top}, which is not installed"
                own = file.with_name(f"{top}.py").is_file()
                return ShapeFault(f"{problem}; write `from . import {top}`" if own else problem)
    return None


def _shape(function: ast.FunctionDef | ast.AsyncFunctionDef) -> FunctionShape:
    given = function.args
    positional = tuple(argument.arg for argument in (*given.posonlyargs, *given.args))
    return FunctionShape(
        positional=positional,
        positional_required=len(positional) - len(given.defaults),
        keyword_only=tuple(argument.arg for argument in given.kwonlyargs),
        keyword_required=frozenset(
            argument.arg
            for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
            if default is None
        ),
        has_rest=given.vararg is not None or given.kwarg is not None,
        is_async=isinstance(function, ast.AsyncFunctionDef),
    )


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
