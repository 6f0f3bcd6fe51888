"""What MCP clients may send and see: messages, a tool for each action, and our own five.

And, on stdio where it is asked for, the tool that Claude Code asks before it runs one of its own
(`--permission-prompt-tool`). That answers in permit mode: the call is proposed, a person decides,
and the permit is taken before Claude Code hears `allow`. It gives itself no right.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import structlog
from pydantic import JsonValue

from prefrontal.adapters.claude_code import answer_prompt
from prefrontal.gate import Gate
from state.principal import roles_in_words
from state.proposal_view import ProposalStatus
from tools.platform.texts import t

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Tool, ToolAnnotations

CHECK, WITHDRAW, WHY = "check_proposal", "withdraw_proposal", "why"
SEARCH, WAITING = "search_decisions", "what_is_waiting"
WAIT_SECONDS = 20.0
"""The longest a call waits for a person; clients give up after a minute, some sooner."""
PREFIX = "action_"
"""Stands before the name of an action that is called as one of our own tools is."""

Schema = dict[str, Any]  # JSON Schema
Entry = Mapping[str, Any]  # a CatalogEntry as the API writes it; a newer one may say more


def _text(about: str) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": 1_000, "description": about}


def _arguments(required: Sequence[str] = (), **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


def own_tools() -> Mapping[str, Schema]:
    """Map our own tools to the schema of their arguments; none of them answers an approval."""
    proposal = _text(t("mcp.argument.proposal_id"))
    wait: Schema = {
        "type": "number",
        "minimum": 0,
        "maximum": WAIT_SECONDS,
        "description": t("mcp.argument.wait_seconds"),
    }
    limit = {"type": "integer", "minimum": 1, "maximum": 50}
    return {
        CHECK: _arguments(["proposal_id"], proposal_id=proposal, wait_seconds=wait),
        WITHDRAW: _arguments(["proposal_id"], proposal_id=proposal),
        WHY: _arguments(["decision_id"], decision_id=_text(t("mcp.argument.decision_id"))),
        SEARCH: _arguments(
            ["question"],
            question=_text(t("mcp.argument.question")),
            limit=limit | {"description": t("mcp.argument.limit")},
        ),
        WAITING: _arguments(),
    }


OWN = frozenset({CHECK, WITHDRAW, WHY, SEARCH, WAITING})

VIEW_SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "proposal_id": {"type": "string"},
        "decision_id": {"type": "string"},
        "status": {"type": "string", "enum": [*get_args(ProposalStatus)]},
        "message": {"type": "string"},
        "summary": {"type": "string"},
        "arguments": {"type": "object"},
        "reasons": {"type": "array", "items": {"type": "string"}},
        "result": {"type": ["object", "null"]},
        "approval": {"type": ["object", "null"]},
        "choice": {"type": ["object", "null"]},
    },
    "required": ["proposal_id", "status", "message"],
}
"""What clients may rely on of a ProposalView; GET /v1/proposals/{id} gives all of it."""


def tool_name(action: str) -> str:
    """Name the tool of an action: as the action, but for a prefix where it would be one of ours."""
    return f"{PREFIX}{action}" if _unprefixed(action) in OWN else action


def action_name(tool: str) -> str:
    """Name the action of a tool; see tool_name."""
    is_prefixed = tool.startswith(PREFIX) and _unprefixed(tool) in OWN
    return tool.removeprefix(PREFIX) if is_prefixed else tool


def _unprefixed(name: str) -> str:
    while name.startswith(PREFIX):
        name = name.removeprefix(PREFIX)
    return name


def is_permitted_only(entry: Entry) -> bool:
    """Tell whether an agent runs the action itself, with a permit (permit mode)."""
    return entry.get("mode") == "permit"


def list_tools(catalog: Sequence[Entry]) -> list["Tool"]:
    """Describe every tool of a caller who has this catalog."""
    return [*map(_of_action, catalog), *_our_own()]


def _of_action(entry: Entry) -> "Tool":
    from mcp.types import Tool

    effect = entry["effect"]
    return Tool(
        name=tool_name(entry["name"]),
        description=_described(entry),
        inputSchema=dict(entry["arguments"]),
        outputSchema=VIEW_SCHEMA,
        annotations=_hints(reads=effect == "read", makes_worse=effect not in ("read", "write")),
    )


def _described(entry: Entry) -> str:
    who, quorum = roles_in_words(entry["approver_roles"]), entry["quorum"]
    said = (
        entry["description"] or entry["summary"],
        t(f"mcp.describe.{entry['runs']}", who=who, quorum=quorum if quorum > 1 else None),
        t("mcp.describe.undo", minutes=f"{entry['undo_minutes']:g}")
        if entry["undo_minutes"]
        else "",
    )
    return "\n".join(filter(None, said))


def _our_own() -> list["Tool"]:
    from mcp.types import Tool

    return [
        Tool(
            name=name,
            description=t(f"mcp.tool.{name}"),
            inputSchema=schema,
            outputSchema=VIEW_SCHEMA if name in (CHECK, WITHDRAW) else None,
            annotations=_hints(reads=name != WITHDRAW, makes_worse=False),
        )
        for name, schema in own_tools().items()
    ]


def _hints(*, reads: bool, makes_worse: bool) -> "ToolAnnotations":
    from mcp.types import ToolAnnotations

    return ToolAnnotations(
        readOnlyHint=reads, destructiveHint=makes_worse, idempotentHint=reads or None
    )


PROMPT = "permission_prompt"
_PROMPT_SCHEMA: dict[str, Any] = {  # as Claude Code sends it
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

        return Tool(
            name=PROMPT, description=t("mcp.tool.permission_prompt"), inputSchema=_PROMPT_SCHEMA
        )

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


PARSE_ERROR, INVALID_REQUEST = -32_700, -32_600
METHOD_NOT_FOUND, INVALID_PARAMS = -32_601, -32_602
METHODS = frozenset({"initialize", "ping", "tools/list", "tools/call"})
"""Those that this server answers."""


class Fault(NamedTuple):
    """Why a message cannot be answered; JSON-RPC wants a null id where none could be read."""

    code: int
    detail: str
    id: str | int | None = None

    @property
    def is_of_form(self) -> bool:
        """Tell whether it is no request at all."""
        return self.code in (PARSE_ERROR, INVALID_REQUEST)

    @property
    def answer(self) -> JsonValue:
        """The error that answers it."""
        error: JsonValue = {"code": self.code, "message": self.detail}
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


def parse_fault(detail: str) -> Fault:
    """Name what is no JSON."""
    return Fault(PARSE_ERROR, t("mcp.message.parse", detail=detail))


def fault_of(message: JsonValue) -> Fault | None:
    """Find what is wrong with a message; None: the SDK can read it."""
    if not isinstance(message, dict):
        return Fault(INVALID_REQUEST, t("mcp.message.no_object"))
    named = message.get("id")
    is_named = isinstance(named, (str, int)) and not isinstance(named, bool)
    known = named if isinstance(named, (str, int)) and is_named else None
    if message.get("jsonrpc") != "2.0":
        return Fault(INVALID_REQUEST, t("mcp.message.version"), known)
    if "id" in message and not is_named:
        return Fault(INVALID_REQUEST, t("mcp.message.id"))
    if "method" not in message:
        return _fault_of_answer(message, known)
    method, params = message["method"], message.get("params", {})
    if not isinstance(method, str):
        return Fault(INVALID_REQUEST, t("mcp.message.method"), known)
    if known is not None and method not in METHODS:
        return Fault(METHOD_NOT_FOUND, t("mcp.message.unknown", method=method[:100]), known)
    if known is not None and not isinstance(params, dict):
        return Fault(INVALID_PARAMS, t("mcp.message.params"), known)
    return None  # a notification has no answer, whatever is wrong with it


def _fault_of_answer(message: dict[str, Any], known: str | int | None) -> Fault | None:
    """Check an answer to us, who ask nothing: it is read and dropped."""
    is_answer = known is not None and (
        isinstance(message.get("result"), dict) or isinstance(message.get("error"), dict)
    )
    return None if is_answer else Fault(INVALID_REQUEST, t("mcp.message.no_method"), known)
