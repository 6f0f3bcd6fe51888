"""Our routes over real HTTP on a free port of loopback, in this process or in one of their own."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from pathlib import Path

import httpx

from api.app import create_app
from graph.executive import Executive
from state.principal import Principal
from tests.architecture.source import ROOT
from tests.serving import serving


def served(executive: Executive) -> AbstractAsyncContextManager[str]:
    """Serve until the block ends; the address is given."""
    return serving(create_app(executive))


@asynccontextmanager
async def clients(
    executive: Executive, *people: Principal
) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Serve, and open a client with a key of its own for each person."""
    async with served(executive) as address, AsyncExitStack() as stack:
        opened = []
        for each in people:
            key = await executive.keys.make(each)
            client = httpx.AsyncClient(
                base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=120
            )
            opened.append(await stack.enter_async_context(client))
        yield opened


@contextmanager
def own_process(
    data_dir: Path, pack: Path, folder: Path, policy: Path = ROOT / "policy.toml"
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `prefrontal serve` on a free port; it is ended in any case."""
    environment = os.environ | {
        "EXECUTIVE_DATA_DIR": str(data_dir),
        "EXECUTIVE_PACKS": str(pack),
        "EXECUTIVE_POLICY_FILE": str(policy),
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "api.cli", "serve", "--port", "0"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        words = [word for line in _until_announced(process) for word in line.split()]
        yield process, next(word for word in words if word.startswith("http")).rstrip(",")
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def _until_announced(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line
        if "/v1/stream" in line:
            return
    raise AssertionError("it did not start")
