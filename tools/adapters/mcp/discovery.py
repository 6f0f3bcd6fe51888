"""List the tools of a pack's servers once at start and add them to its actions.

A server that is down is left out. A tool becomes an action as it is pinned; one whose description
has changed is present and withheld.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from state.action import Action
from state.errors import AgentError
from tools.adapters.mcp.connection import McpConnection
from tools.adapters.mcp.tool_actions import ConvertedTools, to_actions
from tools.adapters.mcp.tool_pins import NoPins, Pins, ToolWatch
from tools.catalog import Pack, WithheldTools
from tools.catalog.pack_schema import McpServer
from tools.platform.egress import Egress
from tools.platform.unicode_safety import show_hidden


@dataclass(frozen=True)
class PackWithTools:
    """A pack with the tools of its servers among its actions."""

    pack: Pack
    down: Mapping[str, str] = field(default_factory=dict)
    """Server → why none of its tools is there."""
    troubles: tuple[str, ...] = ()
    """What is wrong with single tools, which are left out or kept as they are."""
    watches: Mapping[str, ToolWatch] = field(default_factory=dict)
    """Server → who holds its tools against their pins from now on."""


async def discover_tools(
    pack: Pack,
    egress: Egress,
    taken: Collection[str] = (),
    *,
    pins: Pins | None = None,
    withheld: WithheldTools | None = None,
) -> PackWithTools:
    """List every server's tools and add them to the pack's actions.

    Args:
        taken: names of actions in other packs; a tool never pushes one of them aside.
        pins: what the tools are held against; without them each is taken as it is.
        withheld: is told the tools that differ from their pins.
    """
    if not pack.mcp:
        return PackWithTools(pack)
    joining = _Joining(pack, egress, pins or NoPins(), withheld or WithheldTools())
    found = await asyncio.gather(
        *(joining.converted(name, server) for name, server in pack.mcp.items())
    )
    actions: dict[str, Action] = {}
    down: dict[str, str] = {}
    troubles: list[str] = []
    watches: dict[str, ToolWatch] = {}
    for name, one in zip(pack.mcp, found, strict=True):
        if isinstance(one, str):
            down[name] = one
            continue
        converted, watches[name] = one.converted, one.watch
        told = filter(None, (one.trouble, *converted.troubles))
        troubles += [f"MCP server {name}: {trouble}" for trouble in told]
        for action_name, action in converted.actions.items():
            if action_name in pack.actions or action_name in actions or action_name in taken:
                troubles.append(f"MCP server {name}: {action_name} is another action's name")
            else:
                actions[action_name] = action
    return PackWithTools(_with_actions(pack, actions), down, tuple(troubles), watches)


@dataclass(frozen=True)
class _Listed:
    """What one server's tools became."""

    converted: ConvertedTools
    watch: ToolWatch
    trouble: str | None


@dataclass(frozen=True)
class _Joining:
    """Asks the servers of one pack."""

    pack: Pack
    egress: Egress
    pins: Pins
    withheld: WithheldTools

    async def converted(self, name: str, server: McpServer) -> _Listed | str:
        """Convert a server's tools as they are pinned; a sentence: why there are none."""
        connection = McpConnection(name, server, self.egress, self.pack.folder)
        try:
            tools = await connection.tools()
        except AgentError as error:
            return show_hidden(str(error))
        finally:
            await connection.close()
        pins = await self.pins.sight(self.pack.name, name, tools)
        as_pinned = [
            tool if pins[tool.name].sha256 == tool.pin_sha256 else pins[tool.name].tool
            for tool in tools
        ]
        converted = to_actions(self.pack.name, name, server, as_pinned)
        actions = converted.actions.values()
        loaded = {one.mcp.tool: pins[one.mcp.tool].sha256 for one in actions if one.mcp}
        watch = ToolWatch(self.pack.name, name, self.withheld, loaded)
        watch.hold(tools, pins)
        return _Listed(converted, watch, connection.trouble)


def _with_actions(pack: Pack, actions: Mapping[str, Action]) -> Pack:
    digest = sha256(pack.digest.encode())
    for name, action in sorted(actions.items()):
        digest.update(f"\0{name}\0{action.model_dump_json()}".encode())
    return replace(pack, actions={**pack.actions, **actions}, digest=digest.hexdigest())
