"""Google ADK: a plugin of the runner that puts the gate before every tool of every agent in it.

runner = InMemoryRunner(agent=agent, plugins=[GatePlugin(AsyncGate(AsyncClient(url, key)))])
"""

from dataclasses import replace
from typing import Any

from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.adk.tools.transfer_to_agent_tool import TransferToAgentTool
from google.genai.types import FunctionDeclaration

from prefrontal.gate import AsyncGate
from prefrontal.outcomes import Outcome, ToolCall, call_key, described, evidence_of
from prefrontal.types.catalog_entry import CatalogEntry
from prefrontal.types.declared_tool import DeclaredTool

CHECK_PROPOSAL = "check_proposal"
_DELEGATES = (AgentTool, TransferToAgentTool)
"""Tools that let another agent of the runner act; what that does passes the gate by itself."""


class GatePlugin(BasePlugin):
    """Proposes each call. Add `gate.check_proposal` to an agent's tools to let it ask again."""

    def __init__(self, gate: AsyncGate, name: str = "prefrontal_gate") -> None:
        super().__init__(name)
        self.gate = gate
        self._running: dict[str, Outcome] = {}

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """Return what the tool gives back instead; None lets it run, with approved arguments."""
        if tool.name == CHECK_PROPOSAL or isinstance(tool, _DELEGATES):
            return None
        call = ToolCall(tool.name, dict(tool_args), _own(tool))
        scope, call_id = tool_context.session.id, tool_context.function_call_id
        key = call_key(scope, call_id, call)
        outcome = await self.gate.check(ToolCall(call.name, call.arguments, call.own, key))
        if outcome.may_run:
            outcome = await self.gate.take(outcome)
        if not outcome.may_run:
            return {"error" if outcome.is_error else "result": outcome.text}
        tool_args.clear()
        tool_args.update(outcome.arguments)
        self._running[_id(tool_context)] = outcome
        return None

    async def after_tool_callback(
        self,
        *,
        tool: BaseTool,
        tool_args: dict[str, Any],
        tool_context: ToolContext,
        result: Any,  # ADK gives what the function returned, whatever it is
    ) -> dict[str, Any] | None:
        """Report what a permitted tool returned."""
        outcome = self._running.pop(_id(tool_context), None)
        if outcome is None:
            return None
        await self.gate.report(outcome.gave(result), evidence_of(outcome, result))
        if outcome.edited is None:
            return None
        given = result if isinstance(result, dict) else {"result": result}
        return {**given, "note": outcome.edited}

    async def on_tool_error_callback(
        self,
        *,
        tool: BaseTool,
        tool_args: dict[str, Any],
        tool_context: ToolContext,
        error: BaseException,  # CancelledError too
    ) -> dict[str, Any] | None:
        """Report that a permitted tool failed; a cancelled one stays open, it may have run."""
        outcome = self._running.pop(_id(tool_context), None)
        if outcome is not None and isinstance(error, Exception):
            await self.gate.report(outcome, evidence_of(outcome, error=error))
        return None


async def catalog_tools(gate: AsyncGate) -> list[BaseTool]:
    """Make a tool of each action in the catalog that the service runs itself.

    Each asks the gate itself, and so needs no GatePlugin; beside one it is still asked once.
    """
    listed = await gate.client.catalog()
    return [_CatalogTool(each, gate) for each in listed if each.mode == "execute"]


class _CatalogTool(BaseTool):
    def __init__(self, entry: CatalogEntry, gate: AsyncGate) -> None:
        super().__init__(name=entry.name, description=described(entry))
        self._gate, self._arguments = gate, dict(entry.arguments)

    def _get_declaration(self) -> FunctionDeclaration:
        return FunctionDeclaration(
            name=self.name,
            description=self.description,
            parameters_json_schema=self._arguments,
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        call = ToolCall(self.name, dict(args))
        key = call_key(tool_context.session.id, tool_context.function_call_id, call)
        outcome = await self._gate.run(replace(call, key=key))
        return {"error" if outcome.is_error else "result": outcome.text}


def _id(context: ToolContext) -> str:
    return f"{context.session.id} {context.function_call_id}"


def _own(tool: BaseTool) -> DeclaredTool | None:
    told = tool._get_declaration()  # noqa: SLF001 - ADK's own callers have no other way
    if told is None:
        return None
    schema = told.parameters_json_schema
    if schema is None and told.parameters is not None:
        schema = told.parameters.json_schema.model_dump(mode="json", exclude_none=True)
    return DeclaredTool(
        name=tool.name,
        description=tool.description[:4_000],
        arguments={"type": "object", "properties": {}} | _lower(schema or {}),
    )


def _lower(schema: Any) -> Any:
    """Return a schema with its types as JSON Schema writes them; ADK has them in capitals."""
    if isinstance(schema, list):
        return [_lower(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: value.lower() if name == "type" and isinstance(value, str) else _lower(value)
        for name, value in schema.items()
    }
