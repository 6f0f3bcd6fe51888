"""OpenAI's Agents SDK with a scripted model."""

import json
from collections.abc import AsyncIterator
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    Usage,
    function_tool,
)
from agents.items import ToolCallOutputItem
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from prefrontal import AsyncGate
from prefrontal.adapters.openai_agents import gated
from tests.adapters.drivers.harbour import Call, Script, Tools

RUN = RunConfig(tracing_disabled=True)


class ScriptedModel(Model):
    """Calls what the script says, whatever it is told."""

    def __init__(self, script: Script) -> None:
        self.answers = iter([[_call(one) for one in batch] for batch in script])

    def _next(self) -> list[Any]:
        text = ResponseOutputText(text="done", type="output_text", annotations=[])
        said = ResponseOutputMessage(
            id="m", content=[text], role="assistant", status="completed", type="message"
        )
        return next(self.answers, [said])

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        return ModelResponse(output=self._next(), usage=Usage(), response_id=None)

    async def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        response = Response(
            id="r",
            created_at=0,
            model="scripted",
            object="response",
            output=self._next(),
            tool_choice="auto",
            tools=[],
            parallel_tool_calls=True,
        )
        yield ResponseCompletedEvent(
            type="response.completed", response=response, sequence_number=0
        )


def _call(one: Call) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        call_id=one.id, name=one.name, arguments=json.dumps(one.arguments), type="function_call"
    )


async def run(
    script: Script, gate: AsyncGate, tools: Tools, *, stream: bool = False, nested: bool = False
) -> dict[str, str]:
    """See Driver. Nested: an outer agent has the gated one as a tool. Every run has a context."""
    functions: list[FunctionTool] = [function_tool(one, strict_mode=False) for one in tools.all()]
    found: dict[str, str] = {}
    inner = Agent(name="inner", model=ScriptedModel(script), tools=[*gated(functions, gate)])
    context = {"user": "amir"}
    if nested:

        async def extract(result: Any) -> str:
            found.update(_told(result.new_items))
            return "done"

        tool = inner.as_tool("delegate", "Let it do it.", custom_output_extractor=extract)
        model = ScriptedModel([[Call("delegate", {"input": "go on"})]])
        outer = Agent(name="outer", model=model, tools=[tool])
        await Runner.run(outer, "go on", run_config=RUN, context=context)
        return found
    if stream:
        streamed = Runner.run_streamed(inner, "go on", run_config=RUN, context=context)
        async for _ in streamed.stream_events():
            pass
        return _told(streamed.new_items)
    result = await Runner.run(inner, "go on", run_config=RUN, context=context)
    return _told(result.new_items)


def _told(items: Any) -> dict[str, str]:
    answers = [one for one in items if isinstance(one, ToolCallOutputItem)]
    return {one.raw_item["call_id"]: str(one.output) for one in answers}  # type: ignore[index,misc]
