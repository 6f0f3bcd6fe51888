"""Pydantic AI with its FunctionModel."""

import json
from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from prefrontal import AsyncGate
from prefrontal.adapters.pydantic_ai import gated
from tests.adapters.drivers.harbour import Script, Tools


def scripted(script: Script, *, stream: bool = False) -> FunctionModel:
    """Return a model that makes the calls of a script, whatever it is told."""
    batches = iter(script)

    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        calls = [ToolCallPart(one.name, one.arguments, one.id) for one in next(batches, [])]
        return ModelResponse(parts=calls or [TextPart("done")])

    async def streamed(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Any]:
        batch = next(batches, None)
        if batch is None:
            yield "done"
            return
        for number, one in enumerate(batch):
            yield {number: DeltaToolCall(one.name, json.dumps(one.arguments), tool_call_id=one.id)}

    return FunctionModel(stream_function=streamed) if stream else FunctionModel(answer)


def agent_of(
    script: Script, gate: AsyncGate, tools: Tools, *, stream: bool = False, defer: bool = False
) -> Agent[Any, Any]:
    """Return an agent whose functions are behind the gate."""
    toolset = gated(FunctionToolset(tools.all()), gate, defer=defer)
    output: Any = [str, DeferredToolRequests]
    return Agent(scripted(script, stream=stream), toolsets=[toolset], output_type=output)


async def run(
    script: Script, gate: AsyncGate, tools: Tools, *, stream: bool = False, nested: bool = False
) -> dict[str, str]:
    """See Driver. Nested: an outer agent has a tool that runs the gated one."""
    inner = agent_of(script, gate, tools, stream=stream)
    if nested:
        found: dict[str, str] = {}

        async def delegate(task: str) -> str:
            found.update(told((await inner.run(task)).all_messages()))
            return "done"

        model = FunctionModel(_once("delegate", {"task": "go on"}))
        await Agent(model, tools=[delegate]).run("go on")
        return found
    if not stream:
        return told((await inner.run("go on")).all_messages())
    async with inner.run_stream("go on") as result:
        async for _ in result.stream_output():
            pass
        return told(result.all_messages())


def _once(name: str, arguments: dict[str, Any]) -> Any:
    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        is_first = len(messages) == 1
        return ModelResponse(parts=[ToolCallPart(name, arguments) if is_first else TextPart("ok")])

    return answer


def told(messages: list[ModelMessage]) -> dict[str, str]:
    """Return what the model was told of each call."""
    parts = [part for message in messages for part in message.parts]
    return {
        part.tool_call_id: str(part.content) for part in parts if isinstance(part, ToolReturnPart)
    }
