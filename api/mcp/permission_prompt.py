"""The tool that Claude Code asks before it runs one of its own: `--permission-prompt-tool`.

It answers in permit mode: the call is proposed, a person decides, and the permit is taken before
Claude Code hears `allow`. It gives itself no right: the key that asks can approve nothing.
"""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from prefrontal.adapters.claude_code import answer_prompt
from prefrontal.gate import Gate
from tools.platform.texts import t

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Tool

PROMPT = "permission_prompt"
_SCHEMA: dict[str, Any] = {  # as Claude Code sends it
    "type": "object",
    "properties": {
        "tool_name": {"type": "string", "minLength": 1},
        "input": {"type": "object"},
        "tool_use_id": {"type": "string"},
    },
    "required": ["tool_name", "input"],
}
_log = structlog.get_logger("api.mcp")


class PermissionPrompt:
    """Answers `{"behavior": "allow", "updatedInput": …}` or `{"behavior": "deny", …}`.

    Args:
        gate: with the key of the agent that Claude Code is.
        state: the folder in which the hook of Claude Code finds taken permits.
    """

    def __init__(self, gate: Gate, state: Path) -> None:
        self._gate, self._state = gate, state

    def tool(self) -> "Tool":
        """Describe it as MCP lists tools."""
        from mcp.types import Tool

        return Tool(name=PROMPT, description=t("mcp.tool.permission_prompt"), inputSchema=_SCHEMA)

    async def answer(self, given: Mapping[str, Any]) -> "CallToolResult":
        """Ask for one call; whatever goes wrong is a deny that says so."""
        from mcp.types import CallToolResult, TextContent

        name, wanted, call_id = given.get("tool_name"), given.get("input"), given.get("tool_use_id")
        if not isinstance(name, str) or not name or not isinstance(wanted, dict):
            said = {"behavior": "deny", "message": t("mcp.prompt_arguments", tool=PROMPT)}
        else:
            try:
                said = await asyncio.to_thread(
                    answer_prompt,
                    self._gate,
                    name,
                    wanted,
                    call_id if isinstance(call_id, str) else None,
                    self._state,
                )
            except Exception as error:  # noqa: BLE001  # an unforeseen failure must not let the tool run
                _log.warning("permission_prompt_failed", error=type(error).__name__)
                said = {"behavior": "deny", "message": t("mcp.prompt_failed", error=str(error))}
        text = json.dumps(said, ensure_ascii=False)
        return CallToolResult(content=[TextContent(type="text", text=text)])
