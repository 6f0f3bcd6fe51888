"""Pydantic AI: a toolset behind the gate.

    agent = Agent(model, toolsets=[gated(FunctionToolset([close_work_order]), gate)])

With `defer` a call that waits for a person ends the run with `DeferredToolRequests`, and
`results_of` makes of them, days later and in another process, what the next run goes on with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import DeferredToolRequests, DeferredToolResults, RunContext, Tool, ToolReturn
from pydantic_ai.exceptions import CallDeferred
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.toolsets import (
    AbstractToolset,
    CombinedToolset,
    FunctionToolset,
    ToolsetTool,
    WrapperToolset,
)

from prefrontal.gate import AnyGate, AsyncGate, resume_async, run_async
from prefrontal.outcomes import Outcome, ToolCall, call_key, described
from prefrontal.types.catalog_entry import CatalogEntry
from prefrontal.types.declared_tool import DeclaredTool


@dataclass
class GatedToolset(WrapperToolset[Any]):
    """Puts the gate before each tool of a toolset.

    A call keeps its identity in its conversation: run again, after a retry or a restart with the
    same message history, it is the same call and is done once.
    """

    gate: AnyGate
    defer: bool = False
    is_remote: bool = False
    """The tools are the catalog's: the service runs them, and nothing runs here."""

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Run one call through the gate; only what is permitted reaches the tool."""
        told = tool.tool_def
        own = DeclaredTool(
            name=name,
            description=(told.description or "")[:4_000],
            arguments=told.parameters_json_schema,
        )
        call = ToolCall(name, tool_args, None if self.is_remote else own)
        call = replace(call, key=call_key(ctx.conversation_id, ctx.tool_call_id, call))

        def local(arguments: Mapping[str, Any]) -> Any:
            return self.wrapped.call_tool(name, dict(arguments), ctx, tool)

        outcome = await run_async(self.gate, call, None if self.is_remote else local)
        if self.defer and outcome.is_pending and outcome.proposal:
            raise CallDeferred({"proposal_id": outcome.proposal.proposal_id, "told": outcome.text})
        return _returned(outcome)


def gated(
    toolset: AbstractToolset[Any], gate: AnyGate, *, defer: bool = False
) -> AbstractToolset[Any]:
    """Put the gate before a toolset, and `check_proposal` beside its tools."""
    return CombinedToolset([GatedToolset(toolset, gate, defer), _checking(gate)])


async def catalog_tools(gate: AsyncGate, *, defer: bool = False) -> AbstractToolset[Any]:
    """Make a toolset of the actions in the catalog that the service runs itself."""
    listed = await gate.client.catalog()
    tools = [_remote(each) for each in listed if each.mode == "execute"]
    remote = GatedToolset(FunctionToolset(tools), gate, defer, is_remote=True)
    return CombinedToolset([remote, _checking(gate)])


def _remote(entry: CatalogEntry) -> Tool[Any]:
    async def run(**_: Any) -> str:
        raise RuntimeError(f"{entry.name} runs in the service alone")

    return Tool.from_schema(
        run, name=entry.name, description=described(entry), json_schema=dict(entry.arguments)
    )


def _checking(gate: AnyGate) -> FunctionToolset[Any]:
    async def check_proposal(proposal_id: str) -> str:
        """Tell what became of a call that waited for a person. Nothing is asked anew."""
        return (await resume_async(gate, proposal_id)).text

    return FunctionToolset([check_proposal])


async def results_of(requests: DeferredToolRequests, gate: AnyGate) -> DeferredToolResults | None:
    """Return what became of deferred calls, for the next run; None while one still waits.

    An agent's own tool that was approved is told to be called again: its function is not here.
    """
    found: dict[str, Any] = {}
    for call in requests.calls:
        outcome = await resume_async(gate, _proposal_of(requests, call))
        if outcome.is_pending:
            return None
        found[call.tool_call_id] = outcome.text
    return DeferredToolResults(calls=found)


def _proposal_of(requests: DeferredToolRequests, call: ToolCallPart) -> str:
    return str(requests.metadata[call.tool_call_id]["proposal_id"])


def _returned(outcome: Outcome) -> Any:
    if outcome.ran_here and outcome.edited and not isinstance(outcome.value, str):
        return ToolReturn(outcome.value, content=outcome.edited)
    return outcome.result
