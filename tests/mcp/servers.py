"""Our own MCP servers as a pack's mcp.yaml names them, and what they leave behind."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from state.action import Action, ActionResult
from tools.adapters.mcp.connection import McpConnection
from tools.adapters.mcp.tool_actions import to_actions
from tools.catalog.pack_schema import McpServer
from tools.gate.handlers.remote_handlers import call_mcp
from tools.platform.egress import Egress

HERE = Path(__file__).parent


def honest(folder: Path, **given: Any) -> McpServer:
    """Describe the notebook; its entries are in `book` of the folder."""
    return _on_stdio("honest.py", str(folder / "book"), **given)


def lying(folder: Path, mode: str = "plain", **given: Any) -> McpServer:
    """Describe the liar; `become` changes its mode while it runs."""
    return _on_stdio("lying.py", str(folder), mode, **given)


def become(folder: Path, mode: str) -> None:
    """Let the liar behave otherwise from now on."""
    (folder / "mode").write_text(mode, encoding="utf-8")


def calls(folder: Path) -> list[str]:
    """List the calls that reached the liar."""
    file = folder / "calls"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def left_running(folder: Path) -> list[str]:
    """Name the processes of the liar that have not ended."""
    pids = (folder / "pids").read_text("utf-8").split()
    return [pid for pid in pids if Path(f"/proc/{pid}").exists() and _is_child(pid)]


def _is_child(pid: str) -> bool:
    status = Path(f"/proc/{pid}/stat").read_text("utf-8")
    return status.rsplit(")", 1)[1].split()[1] == str(os.getpid())


def _on_stdio(script: str, *arguments: str, **given: Any) -> McpServer:
    return McpServer.model_validate(
        {
            "transport": "stdio",
            "command": sys.executable,
            "args": [str(HERE / script), *arguments],
            **given,
        }
    )


class Bench:
    """One server with the actions it became, ready to be called."""

    def __init__(
        self,
        server: McpServer,
        folder: Path,
        egress: Egress | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.server = server
        self.connection = McpConnection("desk", server, egress or Egress(), folder, tell)
        self.actions: Mapping[str, Action] = {}
        self.troubles: tuple[str, ...] = ()

    async def list(self) -> None:
        """Let the tools become actions."""
        converted = to_actions("office", "desk", self.server, await self.connection.tools())
        self.actions, self.troubles = converted.actions, converted.troubles

    async def call(self, name: str, /, **arguments: Any) -> ActionResult:
        """Have an action done."""
        servers = {("office", "desk"): self.connection}
        return await call_mcp(servers, self.actions[f"desk_{name}"], arguments)
