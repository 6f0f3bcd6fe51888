"""LangGraph: a tool node, or a single tool, whose every call passes the gate.

node = gated_node([close_work_order, read_manual], AsyncGate(AsyncClient(url, key)))
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, cast

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, interrupt
from pydantic import ConfigDict

from prefrontal.gate import AnyGate, AsyncGate, Gate, run_async
from prefrontal.outcomes import Outcome, ToolCall, call_key, described
from prefrontal.types.declared_tool import DeclaredTool

Answer = ToolMessage | Command[Any]
CHECK_PROPOSAL = "check_proposal"


class GatedCalls:
    """What a tool node calls instead of its tools.

    Args:
        pause: interrupt the graph while a person has not answered, so that it can be resumed, by
            `Command(resume=True)`, after days and in another process; needs a checkpointer.
    """

    def __init__(self, gate: AnyGate, *, pause: bool = False) -> None:
        self.gate = gate
        self.pause = pause

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]
    ) -> Answer:
        """Run one call through the gate; only what is permitted reaches the tool."""
        if request.tool_call["name"] == CHECK_PROPOSAL:
            return handler(request)
        gate, call = _blocking(self.gate), _call(request)
        while True:
            outcome = gate.run(call, lambda arguments: handler(_with(request, arguments)))
            if not (self.pause and outcome.is_pending):
                return _message(request, outcome)
            interrupt(question(outcome))  # raises; once resumed it returns, and the gate asks again

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        """See `wrap_tool_call`."""
        if request.tool_call["name"] == CHECK_PROPOSAL:
            return await handler(request)

        call = _call(request)
        while True:
            outcome = await run_async(
                self.gate, call, lambda arguments: handler(_with(request, arguments))
            )
            if not (self.pause and outcome.is_pending):
                return _message(request, outcome)
            interrupt(question(outcome))


def gated_node(
    tools: Sequence[BaseTool | Callable[..., Any]],
    gate: AnyGate,
    *,
    pause: bool = False,
    **options: Any,  # of ToolNode
) -> ToolNode:
    """Make a tool node behind the gate, with `check_proposal` beside its tools."""
    calls = GatedCalls(gate, pause=pause)
    return ToolNode(
        [*tools, check_tool(gate)],
        wrap_tool_call=calls.wrap_tool_call,
        awrap_tool_call=calls.awrap_tool_call,
        **options,
    )


def gated(tool: BaseTool, gate: AnyGate, *, pause: bool = False) -> BaseTool:
    """Put the gate before one tool, wherever it is called from. See GatedCalls for `pause`.

    A tool into which LangGraph injects state or a store needs `gated_node` instead.
    """
    return _GatedTool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.tool_call_schema,
        inner=tool,
        calls=GatedCalls(gate, pause=pause),
    )


def catalog_tools(gate: Gate) -> list[BaseTool]:
    """Make a tool of each action in the catalog that the service runs itself."""
    return [
        _GatedTool(
            name=entry.name,
            description=described(entry),
            args_schema=dict(entry.arguments),
            calls=GatedCalls(gate),
        )
        for entry in gate.client.catalog()
        if entry.mode == "execute"
    ]


def check_tool(gate: AnyGate) -> BaseTool:
    """Make the tool with which a model asks what became of a call that waited."""
    description = Gate.check_proposal.__doc__ or ""
    if isinstance(gate, AsyncGate):
        return StructuredTool.from_function(
            coroutine=gate.check_proposal, name=CHECK_PROPOSAL, description=description
        )
    return StructuredTool.from_function(
        gate.check_proposal, name=CHECK_PROPOSAL, description=description
    )


def question(outcome: Outcome) -> dict[str, Any]:
    """Return what an interrupted graph tells: which proposal waits, and where to answer it."""
    view = outcome.proposal
    asked = view and (view.approval or view.choice)
    return {
        "proposal_id": view.proposal_id if view else None,
        "action": view.action if view else None,
        "arguments": dict(outcome.arguments),
        "message": outcome.text,
        "url": asked.url if asked else None,
    }


_ASKED: ContextVar[tuple[Any, str | None]] = ContextVar("prefrontal_asked")


class _GatedTool(BaseTool):
    inner: BaseTool | None = None
    calls: GatedCalls

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def run(self, tool_input: str | dict[str, Any], *given: Any, **named: Any) -> Any:
        token = _ASKED.set((tool_input, named.get("tool_call_id")))
        try:
            return super().run(tool_input, *given, **named)
        finally:
            _ASKED.reset(token)

    async def arun(self, tool_input: str | dict[str, Any], *given: Any, **named: Any) -> Any:
        token = _ASKED.set((tool_input, named.get("tool_call_id")))
        try:
            return await super().arun(tool_input, *given, **named)
        finally:
            _ASKED.reset(token)

    def _run(self, config: RunnableConfig, **_: Any) -> Any:
        answer = self.calls.wrap_tool_call(self._request(config), self._local(config))
        return _content(answer)

    async def _arun(self, config: RunnableConfig, **_: Any) -> Any:
        async def local(request: ToolCallRequest) -> Answer:
            return _returned(await self._inner().ainvoke(request.tool_call["args"], config))

        return _content(await self.calls.awrap_tool_call(self._request(config), local))

    def _inner(self) -> BaseTool:
        if self.inner is None:
            raise RuntimeError(f"{self.name} runs in the service alone")
        return self.inner

    def _local(self, config: RunnableConfig) -> Callable[[ToolCallRequest], Answer]:
        return lambda request: _returned(self._inner().invoke(request.tool_call["args"], config))

    def _request(self, config: RunnableConfig) -> ToolCallRequest:
        asked, call_id = _ASKED.get()
        call = {"name": self.name, "args": asked, "id": call_id, "type": "tool_call"}
        runtime = cast(Any, _Runtime(config))
        return ToolCallRequest(cast(Any, call), self.inner, None, runtime)


class _Runtime:
    def __init__(self, config: RunnableConfig) -> None:
        self.config = config


def _returned(value: Any) -> ToolMessage:
    return ToolMessage(value if isinstance(value, str | list) else str(value), tool_call_id="")


def _content(answer: Answer) -> Any:
    return answer.content if isinstance(answer, ToolMessage) else answer


def _blocking(gate: AnyGate) -> Gate:
    if isinstance(gate, AsyncGate):
        raise TypeError("an AsyncGate needs ainvoke or astream; use a Gate for invoke and stream")
    return gate


def _call(request: ToolCallRequest) -> ToolCall:
    asked = request.tool_call
    thread = (request.runtime.config or {}).get("configurable", {}).get("thread_id")
    call = ToolCall(asked["name"], asked["args"], _own(request.tool))
    key = call_key(thread, asked["id"], call)
    return ToolCall(call.name, call.arguments, call.own, key)


def _own(tool: BaseTool | None) -> DeclaredTool | None:
    if tool is None:
        return None
    told = convert_to_openai_tool(tool)["function"]
    schema = {"type": "object", "properties": {}} | told.get("parameters", {})
    return DeclaredTool(name=tool.name, description=tool.description[:4_000], arguments=schema)


def _with(request: ToolCallRequest, arguments: Mapping[str, Any]) -> ToolCallRequest:
    changed: Any = {**request.tool_call, "args": dict(arguments)}
    return request.override(tool_call=changed)


def _message(request: ToolCallRequest, outcome: Outcome) -> Answer:
    call_id = request.tool_call["id"] or ""
    name = request.tool_call["name"]
    if outcome.ran_here:
        value: Answer = outcome.value
        if outcome.edited and isinstance(value, ToolMessage):
            return value.model_copy(update={"content": f"{outcome.edited}\n{value.content}"})
        return value
    return ToolMessage(
        outcome.text,
        name=name,
        tool_call_id=call_id,
        status="error" if outcome.is_error else "success",
        artifact=outcome,
    )
