"""LangChain: a middleware of `create_agent` in place of HumanInTheLoopMiddleware.

agent = create_agent(model, tools, middleware=[GateMiddleware(Gate(Client(url, key)))])
"""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langgraph.prebuilt.tool_node import ToolCallRequest

from prefrontal.adapters.langgraph import Answer, GatedCalls, catalog_tools, check_tool
from prefrontal.gate import AnyGate

__all__ = ["GateMiddleware", "catalog_tools"]


class GateMiddleware(AgentMiddleware[Any, Any]):
    """Puts the gate before every tool of an agent; `invoke` needs a Gate, `ainvoke` takes either.

    A call that a person refuses goes back to the model with the reason and ends nothing: the other
    calls of its batch go on. Edited arguments reach the tool, and the model is told.

    Args:
        pause: interrupt the graph while a person has not answered; see GatedCalls.
    """

    def __init__(self, gate: AnyGate, *, pause: bool = False) -> None:
        super().__init__()
        self.calls = GatedCalls(gate, pause=pause)
        self.tools = [check_tool(gate)]

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]
    ) -> Answer:
        """Run one call through the gate."""
        return self.calls.wrap_tool_call(request, handler)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        """Run one call through the gate."""
        return await self.calls.awrap_tool_call(request, handler)
