"""The tools that MCP clients see: a tool for each action of the catalog, and our own five."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from state.principal import roles_in_words
from state.proposal_view import ProposalStatus
from tools.platform.texts import t

if TYPE_CHECKING:
    from mcp.types import Tool, ToolAnnotations

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
