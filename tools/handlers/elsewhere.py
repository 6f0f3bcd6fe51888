"""Everything outside this process that a deployment lets actions use."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.handlers.egress import Egress
from tools.mcp.connection import McpConnection


@dataclass(frozen=True)
class Elsewhere:
    """The way out over HTTP, and the MCP servers of the packs; by default nothing."""

    egress: Egress = field(default_factory=Egress)
    servers: Mapping[tuple[str, str], McpConnection] = field(default_factory=dict)
    """Pack and server name → its connection."""

    async def close(self) -> None:
        """End every server that was started."""
        for server in self.servers.values():
            await server.close()
