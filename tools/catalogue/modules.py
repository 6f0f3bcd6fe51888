"""Import a module of a pack: by its folder, under a name of our own, never by the pack's name."""

import hashlib
import importlib
import importlib.util
import sys
import threading
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

from state.errors import NotFound
from tools.catalogue.pack import Pack

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
