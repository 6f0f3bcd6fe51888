"""Look at a pack's Python without running it: which functions stand there, and what they take."""

import ast
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

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
