"""Import a pack's Python by its folder and call it so that its errors stay its own.

Modules get private names, never the pack's name. A function that could not be called is a fault of
the pack, reported at the line where its author repairs it. Error messages are made storable.
"""

import asyncio
import builtins
import dis
import hashlib
import importlib
import importlib.util
import inspect
import sys
import threading
import traceback
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, NoReturn, ParamSpec, TypeVar

from state.action import SERVICES
from state.errors import AgentError, NotFound, PackFault, PackFaults
from tools.catalog.function_signatures import parameter_of
from tools.catalog.pack import Pack
from tools.catalog.pack_reader import sort_faults


def error_text(error: BaseException) -> str:
    """Give an error's words as they can be kept: a file's name may hold half a character."""
    try:
        said = str(error)
    except Exception:  # noqa: BLE001  # the pack's own class
        return "(it cannot say what it is)"
    return _kept(said)


def storable_error(refusal: AgentError) -> AgentError:
    """Give a pack's refusal as one of ours, of the same family, in words that can be kept."""
    families = (each for each in type(refusal).__mro__ if issubclass(each, AgentError))
    family = next(each for each in families if each.__module__ == AgentError.__module__)
    kept = family.__new__(family, error_text(refusal))  # not by its __init__, which takes parts
    for name, value in vars(refusal).items():
        vars(kept)[name] = _kept(value) if isinstance(value, str) else value
    return kept


def _kept(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


P = ParamSpec("P")
T = TypeVar("T")
_RAISES = dis.opmap["RAISE_VARARGS"]
_FROM_OUTSIDE = (KeyboardInterrupt, GeneratorExit)
"""What a signal or the end of a loop throws into code that happens to run."""


def call_contained(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function of a pack.

    Raises:
        Exception: what it raised; a RuntimeError where that was none, or means something here.
        KeyboardInterrupt: somebody ends this process.
    """
    try:
        return function(*args, **kwargs)
    except StopIteration as error:  # a future that is given one never ends
        _fail(error)
    except Exception:
        raise
    except BaseException as error:  # noqa: BLE001  # passed on, or told as a failure
        _pass_on(error)


async def run_contained(
    function: Callable[P, Coroutine[Any, Any, T]],  # what it is sent is the loop's
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Call an async function of a pack in a task of its own: who cancels whom can be told then.

    Raises:
        CancelledError: we are cancelled, and so is what the pack was at.
        Exception, KeyboardInterrupt: see `contained`.
    """
    try:
        return await asyncio.create_task(_ended(function, *args, **kwargs))
    except asyncio.CancelledError as error:
        own = asyncio.current_task()
        if own is not None and own.cancelling():
            raise
        _fail(error)


async def _ended(
    function: Callable[P, Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs
) -> T:
    try:
        return await function(*args, **kwargs)
    except (Exception, asyncio.CancelledError):
        raise
    except BaseException as error:  # noqa: BLE001  # passed on, or told as a failure
        _pass_on(error)


def _pass_on(error: BaseException) -> NoReturn:
    may_be_ours = threading.current_thread() is threading.main_thread()  # signals come there
    if may_be_ours and isinstance(error, _FROM_OUTSIDE) and not _is_raised_by_a_statement(error):
        raise error
    _fail(error)


def _fail(error: BaseException) -> NoReturn:
    raise RuntimeError(f"it raised {type(error).__name__}: {error_text(error)}") from error


def _is_raised_by_a_statement(error: BaseException) -> bool:
    """Tell `raise KeyboardInterrupt` in code from Ctrl-C, which stands at no such statement."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    frame = last.tb_frame
    # asyncio's own answer to a second Ctrl-C is a statement as well
    is_asyncio = frame.f_globals.get("__name__") == "asyncio.runners"
    return frame.f_code.co_code[last.tb_lasti] == _RAISES and not is_asyncio


_PREFIX = "_pack_"
_LOADING = threading.RLock()


def load_pack_module(pack: Pack, module_name: str) -> ModuleType:
    """Import `module_name` of a pack, once; relative imports inside the pack work.

    The private package name follows from folder and digest: a changed pack is imported anew.

    Raises:
        NotFound: the pack has no such module.
    """
    if not all(part.isidentifier() for part in module_name.split(".")):
        raise NotFound("module", f"{pack.name}:{module_name}")
    identity = hashlib.sha256(f"{pack.folder}\0{pack.digest}".encode()).hexdigest()
    package = f"{_PREFIX}{identity[:24]}"
    full_name = f"{package}.{module_name}"
    with _LOADING:
        _register_finder()
        _ensure_package(package, pack.folder)
        try:
            return importlib.import_module(full_name)
        except ModuleNotFoundError as error:
            if error.name is not None and full_name.startswith(error.name):
                raise NotFound("module", f"{pack.name}:{module_name}") from error
            raise


def _ensure_package(package: str, folder: Path) -> None:
    """Register the folder as a package, running its __init__.py if it has one."""
    if package in sys.modules:
        return
    first = folder / "__init__.py"
    loader = _UncachedLoader(package, str(first)) if first.is_file() else None
    specification = ModuleSpec(package, loader, origin=str(first), is_package=True)
    specification.submodule_search_locations = [str(folder)]
    module = importlib.util.module_from_spec(specification)
    sys.modules[package] = module
    try:
        if loader is not None:
            loader.exec_module(module)
    except BaseException:
        del sys.modules[package]
        raise


class _UncachedLoader(SourceFileLoader):
    """Reads the source itself: a cached .pyc is told from a new file only by size and second."""

    def path_stats(self, path: str) -> dict[str, int]:
        raise OSError("no bytecode cache for packs")


class _PackFinder(MetaPathFinder):
    """Finds the modules inside our private packages."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if not fullname.startswith(_PREFIX) or not path:
            return None
        return FileFinder(path[0], (_UncachedLoader, [".py"])).find_spec(fullname, target)


def _register_finder() -> None:
    if not any(isinstance(finder, _PackFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _PackFinder())


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
            modules[name] = call_contained(load_pack_module, pack, name)
        except Exception as error:  # noqa: BLE001  # whatever a pack does at its top level
            broken.add(name)
            faults.append(_why_not_imported(pack, name, error))
            continue
        faults += _call_faults(pack, modules[name], function, use)
    for module in _of_pack(modules.values()):
        faults += _undefined_names(module)
    if not faults:
        _SOUND.add((pack.folder, pack.digest))
    return list(sort_faults(list(dict.fromkeys(faults))))


def require_importable(packs: Sequence[Pack]) -> None:
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
    told = f"{type(error).__name__}: {error_text(error)}"
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
