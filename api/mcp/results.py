"""Answers of the API as results of MCP tools: in words for the model, and as the JSON they are."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from api.mcp.client import Answer
from graph.presenters.explanation import explain
from state.principal import roles_in_words
from state.proposal_view import OPEN
from state.record import DecisionTrace
from tools.platform.texts import t

if TYPE_CHECKING:
    from mcp.types import CallToolResult

_BUSY = (429, 503)
_FINE = ("executed", *OPEN)


def result(text: str, body: Any = None, *, is_error: bool = False) -> "CallToolResult":
    """Make a result of words and, where there is an object, of that too."""
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structuredContent=body if isinstance(body, dict) else None,
        isError=is_error,
    )


def view_result(body: Mapping[str, Any], *, is_withdrawal: bool = False) -> "CallToolResult":
    """Tell where a call stands; what did not run and never will is an error."""
    status = body["status"]
    is_error = status not in _FINE and not (is_withdrawal and status == "withdrawn")
    return result(_told(body), body, is_error=is_error)


def _told(body: Mapping[str, Any]) -> str:
    if body["status"] == "executed":
        return _done(body)
    if body["status"] in OPEN:
        asked = body["approval"] or body["choice"] or {}
        return t(
            "mcp.pending", message=body["message"], url=asked.get("url"), id=body["proposal_id"]
        )
    return str(body["message"])


def _done(body: Mapping[str, Any]) -> str:
    """Give what a handler said, what it changed, and its data, unless they say the same."""
    came = body["result"] or {}
    text, data = str(came.get("text", "")), came.get("data") or {}
    lines = [text, *came.get("changed", ())]
    if data and [str(each).strip() for each in data.values()] != [text.strip()]:
        lines.append(json.dumps(data, ensure_ascii=False))
    return "\n".join(filter(None, lines)) or str(body["message"])


def problem_result(answer: Answer) -> "CallToolResult":
    """Tell why the API refused, with every argument that is wrong."""
    faults = answer.body.get("errors", ()) if isinstance(answer.body, Mapping) else ()
    detail = t("mcp.problem", detail=answer.detail)
    told = [t("mcp.busy", detail=detail) if answer.status in _BUSY else detail]
    told += [t("mcp.faults", field=one["field"], problem=one["problem"]) for one in faults]
    # Without the problem as an object: clients hold that against the tool's own output schema.
    return result("\n".join(told), is_error=True)


def trace_result(body: Mapping[str, Any]) -> "CallToolResult":
    """Explain a decision in words."""
    sections = explain(DecisionTrace.model_validate_json(json.dumps(body)))
    text = "\n".join(
        line for one in sections for line in (f"{one.title}:", *(f"  {each}" for each in one.lines))
    )
    return result(text, body)


def search_result(body: Mapping[str, Any]) -> "CallToolResult":
    """List decisions that were found."""
    lines = [
        t(
            "mcp.found",
            number=number,
            title=one["decision"]["title"],
            status=one["decision"]["status"],
            day=str(one["decision"].get("timestamp") or "")[:10] or None,
            id=one["decision"]["id"],
        )
        + (f"\n   {one['snippet']}" if one.get("snippet") else "")
        for number, one in enumerate(body["decisions"], 1)
    ]
    return result("\n".join(lines) or t("mcp.no_decisions"), body)


def record_result(body: Mapping[str, Any]) -> "CallToolResult":
    """Give a decision of the journal in the words it was written in."""
    told = (body["title"], body["decision"], body["rationale"], body["context"])
    return result("\n".join(filter(None, told)), body)


def waiting_result(
    approvals: Mapping[str, Any], offers: Mapping[str, Any], pages: str | None
) -> "CallToolResult":
    """List what waits for a person.

    Args:
        pages: the address of the console; None: it is not known.
    """
    lines = [
        t(
            "mcp.waits_approval",
            who=roles_in_words(one["approver_roles"]) if one["approver_roles"] else None,
            summary=one["summary"],
            asker=one["requester"],
            id=one["action_id"],
            url=f"{pages}/approvals/{one['action_id']}" if pages else None,
        )
        for one in approvals["approvals"]
    ]
    lines += [
        t(
            "mcp.waits_choice",
            summary="; ".join(chip["summary"] for chip in one["chips"]),
            id=one["offer_id"],
        )
        for one in offers["offers"]
    ]
    body = {"approvals": approvals["approvals"], "offers": offers["offers"]}
    return result("\n".join(lines) or t("mcp.nothing_waits"), body)
