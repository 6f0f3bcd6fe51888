"""Processes that judge beside each other."""

import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_context

from graph.cli.terminal.logs import configure_logs


def pool_of(jobs: int, module: str) -> ProcessPoolExecutor:
    """Open a pool of processes that do what a module has functions for.

    Each is forked from one that imported the module, for a second, and opened nothing: if it were
    forked from here, it would share what is open.
    """
    if "forkserver" not in get_all_start_methods():
        context = get_context("spawn")
        return ProcessPoolExecutor(jobs, context, _begin, (dict(os.environ),))
    server = get_context("forkserver")
    server.set_forkserver_preload([module])
    return ProcessPoolExecutor(jobs, server, _begin, (dict(os.environ),))


def _begin(environment: Mapping[str, str]) -> None:
    """Take the variables of now: the one that all are forked from has those of its own start."""
    os.environ.clear()
    os.environ.update(environment)
    configure_logs("warning")
