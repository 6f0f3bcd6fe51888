"""Ask the servers of a pack what they offer, once at start; one that is down is left out."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from state.action import Action
from state.errors import AgentError
from tools.catalogue.mcp_file import McpServer
from tools.catalogue.pack import Pack
from tools.egress.egress import Egress
from tools.mcp.actions import Converted, to_actions
from tools.mcp.connection import McpConnection
from tools.visible import visible


@dataclass(frozen=True)
class Joined:
    """A pack with the tools of its servers among its actions."""

    pack: Pack
    down: Mapping[str, str] = field(default_factory=dict)
    """Server → why none of its tools is there."""
    troubles: tuple[str, ...] = ()
    """What is wrong with single tools, which are left out or kept as they are."""


async def join_servers(pack: Pack, egress: Egress, taken: Collection[str] = ()) -> Joined:
    """List every server's tools and add them to the pack's actions.

    Args:
        taken: names of actions in other packs; a tool never pushes one of them aside.
    """
    if not pack.mcp:
        return Joined(pack)
    found = await asyncio.gather(
        *(_converted(pack, name, server, egress) for name, server in pack.mcp.items())
    )
    actions: dict[str, Action] = {}
    down: dict[str, str] = {}
    troubles: list[str] = []
    for name, converted in zip(pack.mcp, found, strict=True):
        if isinstance(converted, str):
            down[name] = converted
            continue
        troubles += [f"MCP server {name}: {trouble}" for trouble in converted.troubles]
        for action_name, action in converted.actions.items():
            if action_name in pack.actions or action_name in actions or action_name in taken:
                troubles.append(f"MCP server {name}: {action_name} is another action's name")
            else:
                actions[action_name] = action
    return Joined(_with_actions(pack, actions), down, tuple(troubles))


async def _converted(pack: Pack, name: str, server: McpServer, egress: Egress) -> Converted | str:
    connection = McpConnection(name, server, egress, pack.folder)
    try:
        tools = await connection.tools()
    except AgentError as error:
        return visible(str(error))
    finally:
        await connection.close()
    return to_actions(pack.name, name, server, tools)


def _with_actions(pack: Pack, actions: Mapping[str, Action]) -> Pack:
    digest = sha256(pack.digest.encode())
    for name, action in sorted(actions.items()):
        digest.update(f"\0{name}\0{action.model_dump_json()}".encode())
    return replace(pack, actions={**pack.actions, **actions}, digest=digest.hexdigest())
