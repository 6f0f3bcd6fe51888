"""LangChain's agent with a scripted model."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, StructuredTool, tool

from prefrontal import AsyncGate
from prefrontal.adapters.langchain import GateMiddleware
from tests.adapters.drivers.harbour import Script, Tools


class ScriptedModel(GenericFakeChatModel):
    """Calls what the script says, whatever it is told."""

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Runnable[Any, AIMessage]:  # type: ignore[override]
        return self


def scripted(script: Script) -> ScriptedModel:
    """Return a model that makes the calls of a script."""
    calls = [
        AIMessage("", tool_calls=[{"name": c.name, "args": c.arguments, "id": c.id} for c in batch])
        for batch in script
    ]
    return ScriptedModel(messages=iter([*calls, AIMessage("done")]))


def told(messages: Sequence[Any]) -> dict[str, str]:
    """Return what the model was told of each call."""
    return {m.tool_call_id: str(m.content) for m in messages if isinstance(m, ToolMessage)}


def structured(functions: Sequence[Callable[..., Any]]) -> list[BaseTool]:
    """Make LangChain's tools of functions."""
    return [StructuredTool.from_function(one) for one in functions]


async def run(
    script: Script, gate: AsyncGate, tools: Tools, *, stream: bool = False, nested: bool = False
) -> dict[str, str]:
    """See Driver. Nested: an outer agent, ungated, delegates to the gated one."""
    inner = create_agent(
        scripted(script), structured(tools.all()), middleware=[GateMiddleware(gate)]
    )
    found: dict[str, str] = {}
    sent: Any = {"messages": [("user", "go on")]}
    if nested:

        @tool
        async def delegate(task: str) -> str:
            """Let the other agent do it."""
            asked: Any = {"messages": [("user", task)]}
            end = await inner.ainvoke(asked)
            found.update(told(end["messages"]))
            return "done"

        outer_calls = [{"name": "delegate", "args": {"task": "go on"}, "id": "outer"}]
        outer_model = ScriptedModel(
            messages=iter([AIMessage("", tool_calls=outer_calls), AIMessage("done")])
        )
        await create_agent(outer_model, [delegate]).ainvoke(sent)
    elif stream:
        async for update in inner.astream(sent, stream_mode="updates"):
            for part in update.values():
                found.update(told(part["messages"]))
    else:
        found.update(told((await inner.ainvoke(sent))["messages"]))
    return found
