"""OpenAI Agents SDK: function tools behind the gate.

    gate = AsyncGate(AsyncClient(url, key))
    agent = Agent("mate", tools=gated([close_work_order], gate))

It takes the place of `needs_approval`: the yes is the service's, not the run's, so nothing is lost
with a context, a stream or a nested agent, and a refusal reaches the model with its reason.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents import FunctionTool
from agents.tool_context import ToolContext

from prefrontal.gate import AnyGate, AsyncGate, resume_async, run_async
from prefrontal.outcomes import Local, ToolCall, call_key, described
from prefrontal.types.catalog_entry import CatalogEntry
from prefrontal.types.declared_tool import DeclaredTool

CHECK_PROPOSAL = "check_proposal"


def gated(tools: Sequence[FunctionTool], gate: AnyGate) -> list[FunctionTool]:
    """Put the gate before function tools, and `check_proposal` beside them.

    A call keeps its identity over restarts where the run has a `group_id` (`RunConfig`): proposed
    again in the same group it is the same call.
    """
    return [*(_gated(tool, gate) for tool in tools), check_tool(gate)]


async def catalog_tools(gate: AsyncGate) -> list[FunctionTool]:
    """Make a tool of each action in the catalog that the service runs itself."""
    listed = await gate.client.catalog()
    return [check_tool(gate), *(_remote(one, gate) for one in listed if one.mode == "execute")]


def _remote(entry: CatalogEntry, gate: AnyGate) -> FunctionTool:
    return FunctionTool(
        name=entry.name,
        description=described(entry),
        params_json_schema=dict(entry.arguments),
        on_invoke_tool=_invoking(entry.name, None, gate),
        strict_json_schema=False,
    )


def check_tool(gate: AnyGate) -> FunctionTool:
    """Make the tool with which a model asks what became of a call that waited."""

    async def check(_: ToolContext[Any], given: str) -> str:
        return (await resume_async(gate, str(json.loads(given)["proposal_id"]))).text

    schema = {
        "type": "object",
        "properties": {"proposal_id": {"type": "string"}},
        "required": ["proposal_id"],
        "additionalProperties": False,
    }
    return FunctionTool(CHECK_PROPOSAL, gate.check_proposal.__doc__ or "", schema, check)


def _gated(tool: FunctionTool, gate: AnyGate) -> FunctionTool:
    return replace(tool, on_invoke_tool=_invoking(tool.name, tool, gate))


def _invoking(name: str, tool: FunctionTool | None, gate: AnyGate) -> Any:
    async def invoke(context: ToolContext[Any], given: str) -> Any:
        # A strict schema requires every argument, and null stands for one that was left out.
        arguments = {
            one: value for one, value in json.loads(given or "{}").items() if value is not None
        }
        call = ToolCall(name, arguments, _own(tool))
        group = context.run_config.group_id if context.run_config else None
        call = replace(call, key=call_key(group, context.tool_call_id, call))
        return (await run_async(gate, call, _local(tool, context))).result

    return invoke


def _local(tool: FunctionTool | None, context: ToolContext[Any]) -> Local | None:
    if tool is None:
        return None
    return lambda approved: tool.on_invoke_tool(context, json.dumps(dict(approved)))


def _own(tool: FunctionTool | None) -> DeclaredTool | None:
    if tool is None:
        return None
    return DeclaredTool(
        name=tool.name, description=tool.description[:4_000], arguments=tool.params_json_schema
    )
