"""Import a pack's Python before anybody needs it: what could not be called is a fault, not a run.

A fault stands where its author mends it: at the line of the module that cannot be imported, that
uses a name which is defined nowhere, or that defines the function which does not take its slots.
"""

import builtins
import dis
import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from state.action import SERVICES
from state.errors import PackFault, PackFaults
from tools.catalogue.containing import contained
from tools.catalogue.modules import load_pack_module
from tools.catalogue.pack import Pack
from tools.catalogue.parameters import parameter_of
from tools.catalogue.reading import by_place
from tools.catalogue.said_by_packs import words_of

_SOUND: set[tuple[Path, str]] = set()
"""Folder and digest of the packs that had no fault: they are not looked at again."""


class _Use(NamedTuple):
    """A function that a pack's files name, and how it will be called."""

    reference: str
    positional: int
    named: tuple[str, ...] = ()


def import_faults(pack: Pack) -> list[PackFault]:
    """Import every module that a pack's files name; its top level runs, and no function of it.

    Names each module that cannot be imported, each function that is not there or does not take
    what it will be given, and each name that a function uses and nothing defines.
    """
    if (pack.folder, pack.digest) in _SOUND:
        return []
    faults: list[PackFault] = []
    broken: set[str] = set()
    modules: dict[str, ModuleType] = {}
    for use in dict.fromkeys(_uses(pack)):
        name, function = use.reference.split(":")
        if name in broken:
            continue
        try:
            modules[name] = contained(load_pack_module, pack, name)
        except Exception as error:  # noqa: BLE001  # whatever a pack does at its top level
            broken.add(name)
            faults.append(_why_not_imported(pack, name, error))
            continue
        faults += _call_faults(pack, modules[name], function, use)
    for module in _of_pack(modules.values()):
        faults += _undefined_names(module)
    if not faults:
        _SOUND.add((pack.folder, pack.digest))
    return list(by_place(list(dict.fromkeys(faults))))


def demand_importable(packs: Sequence[Pack]) -> None:
    """Let pass packs all of whose functions can be called.

    Raises:
        PackFaults: one of them has a fault.
    """
    for pack in packs:
        if faults := import_faults(pack):
            raise PackFaults(pack.name, faults)


def _uses(pack: Pack) -> Iterator[_Use]:
    for action in pack.actions.values():
        slots = tuple(map(parameter_of, action.slots))
        if action.handler is not None:
            yield _Use(action.handler, 2 if action.transactional else 1, slots)
        if action.preview is not None:
            yield _Use(action.preview, 1, slots)
        if action.status is not None:
            yield _Use(action.status, 1)
    for entity in pack.entities.values():
        if entity.lookup is not None:
            yield _Use(entity.lookup, 1)


def _why_not_imported(pack: Pack, name: str, error: Exception) -> PackFault:
    raised = (error, error.__cause__)  # `contained` puts its own before what is no Exception
    frames = [f for one in raised if one for f in traceback.extract_tb(one.__traceback__)]
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(pack.folder)]
    place = (Path(own[-1].filename), own[-1].lineno) if own else (pack.folder, None)
    if isinstance(error, SyntaxError) and error.filename:
        place = (Path(error.filename), error.lineno)
    told = f"{type(error).__name__}: {words_of(error)}"
    return PackFault(*place, "", f"{name} cannot be imported: {told}")


def _call_faults(
    pack: Pack, module: ModuleType, function_name: str, use: _Use
) -> Iterator[PackFault]:
    file = Path(module.__file__ or pack.folder)
    function = getattr(module, function_name, None)
    if not callable(function):
        what = "is no function" if hasattr(module, function_name) else "is not there"
        yield PackFault(file, None, use.reference, f"{what} once the module is imported")
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # written in C: it says nothing of itself
        return
    parameters = signature.parameters.values()
    behind = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD][1:]
    given = [None] * (use.positional + sum(name in SERVICES for name in behind))
    try:
        signature.bind(*given, **dict.fromkeys(use.named))
    except TypeError as error:
        yield PackFault(*_place(function, file), use.reference, f"cannot be called so: {error}")


def _place(function: Callable[..., Any], file: Path) -> tuple[Path, int | None]:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return (Path(code.co_filename), code.co_firstlineno) if code else (file, None)


def _of_pack(named: Iterable[ModuleType]) -> list[ModuleType]:
    """List the modules of a pack that are imported: those that are named, and what they import."""
    roots = {module.__name__.partition(".")[0] for module in named}
    return [
        module
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in roots and getattr(module, "__file__", None)
    ]


def _undefined_names(module: ModuleType) -> Iterator[PackFault]:
    """Find what a function looks up in its module and would not find there: it breaks in the call.

    Read from the compiled code, so that no name in a comment or a text counts.
    """
    file = Path(module.__file__ or "")
    whole = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    inner = [code for code in _codes(whole) if code is not whole]
    looked_up = [(step, code) for code in inner for step in dis.get_instructions(code)]
    set_later = {step.argval for step, _ in looked_up if step.opname == "STORE_GLOBAL"}
    known = {*vars(module), *vars(builtins), *set_later}
    for step, code in looked_up:
        if step.opname == "LOAD_GLOBAL" and step.argval not in known:
            line = step.positions.lineno if step.positions else code.co_firstlineno
            problem = f"uses {step.argval}, which is defined nowhere; import it or define it"
            yield PackFault(file, line, code.co_name, problem)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
