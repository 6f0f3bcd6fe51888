"""The pinned tools of MCP servers: which have changed, and a person's yes to a change."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.assembly.toolbox import Toolbox
from state.principal import Principal
from state.tool_pin import PinnedTool, ToolAcceptance
from tools.catalogue.withheld import ToolKey
from tools.mcp.pins import accepted


@dataclass(frozen=True)
class PinnedTools:
    """Reads and accepts for whoever may; pins are the deployment's, and no tenant's own."""

    box: Toolbox

    async def list(self) -> Sequence[PinnedTool]:
        """List every pin, changed ones first."""
        return await self.box.tool_pins.list(self.box.catalogue.packs)

    async def accept(self, given: ToolAcceptance, principal: Principal) -> PinnedTool:
        """Pin a tool as it is described now. See SqlToolPins.accept for what it raises."""
        pinned = await self.box.tool_pins.accept(given, principal, self.box.catalogue.packs)
        key = ToolKey.of(given.id)
        self.box.catalogue.withheld.withhold(key, accepted(key))
        return pinned
