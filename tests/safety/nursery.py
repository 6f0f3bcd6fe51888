"""Processes to be killed: one that has everything imported is forked for each run.

Run as a module it is that process; `Nursery` is the test's hand on it. A fork costs a twentieth of
a fresh start, and what dies is a process like any other, by SIGKILL, with its files open.
"""

import asyncio
import gc
import importlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

import structlog

from tools.platform.process_resources import gc_paused

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a run ended: by a signal, or by itself with an exit code; stopped: its process id."""

    signal: int
    code: int

    @property
    def is_killed(self) -> bool:
        """Tell whether SIGKILL ended it."""
        return self.signal == signal.SIGKILL

    @property
    def is_stopped(self) -> bool:
        """Tell whether it stopped itself and can be woken."""
        return self.signal == signal.SIGSTOP


class Nursery:
    """Runs plans of dying.py and voting.py in processes of their own, one at a time."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.safety.nursery"],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate(timeout=30)

    def run(self, plan: dict[str, Any]) -> Ended:
        """Run a plan to its end, which is most often violent, or until it stops itself."""
        return self._ask(plan)

    def wake(self, stopped: Ended) -> Ended:
        """Let a run that stopped itself go on to its end."""
        return self._ask({"wake": stopped.code})

    def _ask(self, plan: dict[str, Any]) -> Ended:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(plan) + "\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._process.stdout.readline()))


def _serve() -> None:
    with gc_paused():
        importlib.import_module("alembic.command")  # so that no child has to
        from tests.safety.dying import play
        from tests.safety.voting import vote

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    plays: dict[str, Callable[..., Any]] = {"play": play, "vote": vote}
    for line in sys.stdin:
        plan = json.loads(line)
        if "wake" not in plan:
            _read_once(plan["pack"])
        child = plan.get("wake") or os.fork()
        if child == 0:
            _be_a_child(partial(asyncio.run, plays[plan.pop("what", "play")](**plan)))
        if "wake" in plan:
            os.kill(child, signal.SIGCONT)
        _pid, status = os.waitpid(child, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            print(json.dumps({"signal": os.WSTOPSIG(status), "code": child}), flush=True)
            continue
        by_signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        print(json.dumps({"signal": by_signal, "code": code}), flush=True)


@cache
def _read_once(pack: str) -> None:
    """Read a pack, and what we read and keep beside it: each child would, for a third of its time.

    It opens nothing, neither a folder nor a database.
    """
    from graph.settings import Settings
    from graph.wiring.composition import build_toolbox

    build_toolbox(Settings(data_dir=Path("nowhere"), packs=(pack,)))
    gc.freeze()
    assert threading.active_count() == 1, "a process with threads must not be forked"


def _be_a_child(run: Callable[[], object]) -> None:
    code = 1
    os.dup2(2, 1)  # the parent reads our answers there
    try:
        run()
        code = 0
    except BaseException:  # noqa: BLE001 - the parent reads the code, a person the traceback
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve()
