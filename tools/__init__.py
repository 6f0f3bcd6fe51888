"""The outside world and the engines, a folder a capability."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from tools.moved_names import make_importable


def lazy_names(
    package: str, modules: Mapping[str, Sequence[str]]
) -> Callable[[str], Any]:  # whatever a module holds
    """Build a package's `__getattr__`, so that one name does not load every module.

    Args:
        modules: below the package, each with the public names that it defines.
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


make_importable()
