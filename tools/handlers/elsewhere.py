"""Everything outside this process that a deployment lets actions use."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from state.action import SERVICES
from state.errors import NeverCalled
from tools.egress.egress import Egress
from tools.mcp.connection import McpConnection
from tools.mcp.pins import Pins
from tools.search.paper_search import PaperSearch


@dataclass(frozen=True)
class Elsewhere:
    """The way out over HTTP, and the MCP servers of the packs; by default nothing."""

    egress: Egress = field(default_factory=Egress)
    servers: Mapping[tuple[str, str], McpConnection] = field(default_factory=dict)
    """Pack and server name → its connection."""
    papers: PaperSearch = field(default_factory=PaperSearch)
    """Scholarly search; it has a way out of its own, which leads to its providers alone."""

    def services_for(self, function: Callable[..., Any]) -> tuple[Any, ...]:  # each its own type
        """Give a handler the services that it takes behind its context.

        Raises:
            NeverCalled: it takes something else there.
        """
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = inspect.signature(function).parameters.values()
        taken = [each.name for each in parameters if each.kind in kinds][1:]
        strange = [name for name in taken if name not in SERVICES]
        if strange:
            raise NeverCalled(function.__name__, f"a handler is given no {', '.join(strange)}")
        return tuple(getattr(self, name) for name in taken)

    def watch_with(self, pins: Pins) -> None:
        """Hold whatever a server lists from now on against these pins."""
        for server in self.servers.values():
            if server.watch is not None:
                server.watch.pins = pins

    async def close(self) -> None:
        """End every server that was started."""
        for server in self.servers.values():
            await server.close()
