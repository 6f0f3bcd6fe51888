"""`prefrontal gate` in a process of its own, and clients that start such commands."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.serving import START_SECONDS

ROOT = Path(__file__).parents[2]


def environment(learnt: Path) -> dict[str, str]:
    """Let a command find us, and what was learnt."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFRONTAL_")}
    return {**kept, "PYTHONPATH": str(ROOT), "EXECUTIVE_CACHE_DIR": str(learnt)}


class GateProcess:
    """One gate that listens; it is ended in any case."""

    def __init__(self, folder: Path, learnt: Path, *arguments: str) -> None:
        self._folder, self._learnt, self._arguments = folder, learnt, arguments
        self._process: subprocess.Popen[str] | None = None
        self.said = ""

    def start(self) -> None:
        """Start it, and read what it says until it is there."""
        with (self._folder / "gate.log").open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "api.cli", "gate", *self._arguments],
                cwd=self._folder,
                env=environment(self._learnt),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        self.said, until = "", time.monotonic() + START_SECONDS
        while "Ctrl-C ends it" not in self.said:
            line = self._process.stdout.readline()
            assert line, (self._folder / "gate.log").read_text("utf-8")
            assert time.monotonic() < until
            self.said += line

    def told(self, pattern: str) -> str:
        """Find something in what it said."""
        found = re.search(pattern, self.said)
        assert found, self.said
        return found[1]

    def stop(self) -> int:
        """Press Ctrl-C and wait for the end."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=60)
        return self._process.returncode

    def kill(self) -> None:
        """End it whatever it does."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@asynccontextmanager
async def started(folder: Path, learnt: Path, *arguments: str) -> AsyncIterator[ClientSession]:
    """Let the SDK's client start one of our commands and greet it."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "api.cli", *arguments],
        env=environment(learnt),
        cwd=folder,
    )
    with (folder / "stdio.log").open("w") as log:
        async with (
            stdio_client(parameters, errlog=log) as (reading, writing),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            yield session
