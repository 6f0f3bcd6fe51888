"""What each worker of the suite would find out by itself, found out once: a share each."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
    try_makedirs,
)
from hypothesis.internal.constants_ast import constants_from_module, is_local_module_file


def rewrite_a_share(config: pytest.Config) -> None:
    """Rewrite this worker's share of the test modules, where no run has kept them rewritten.

    All workers collect in one order, so that each rewrote each: 5 s of processor time a worker.
    """
    state = config.stash.get(assertstate_key, None)
    if state is None or sys.dont_write_bytecode:
        return
    for file in sorted(_test_files(config))[_share(config)]:
        kept = get_cache_dir(file) / f"{file.stem}{PYC_TAIL}"
        if kept.exists() or not try_makedirs(kept.parent):
            continue
        with suppress(SyntaxError):  # collecting it tells of that
            source_hash, code = _rewrite_test(file, config)
            _write_pyc(state, code, source_hash, kept)


def read_a_share(config: pytest.Config) -> None:
    """Look through this worker's share of our modules for what Hypothesis tries on properties.

    It keeps what it finds in a module; each worker looked through all of them, for 2 s.
    """
    for module in sorted(_our_modules(), key=lambda each: each.__name__)[_share(config)]:
        constants_from_module(module)


def _share(config: pytest.Config) -> slice:
    """Take every n-th, or nothing where nobody else would take the others."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return slice(0)
    return slice(int(worker["workerid"].removeprefix("gw")), None, worker["workercount"])


def _test_files(config: pytest.Config) -> Iterator[Path]:
    for given in config.args:
        place = config.invocation_params.dir / given.partition("::")[0]
        for file in place.rglob("*.py") if place.is_dir() else [place]:
            if file.name.startswith("test_") or file.name == "conftest.py":
                yield file


def _our_modules() -> Iterator[ModuleType]:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file is not None and is_local_module_file(file):
            yield module
