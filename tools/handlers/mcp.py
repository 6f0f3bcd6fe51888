"""Have an action done by a tool of an MCP server, if the tool is still the one that was meant."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from state.action import Action, ActionResult
from state.errors import AgentError, BadInput, Unreachable
from tools.egress.answers import MAX_ANSWER_BYTES, said
from tools.handlers.http import unanswered
from tools.handlers.results import result_of
from tools.mcp.connection import McpConnection
from tools.secrecy import without_secrets

if TYPE_CHECKING:
    from mcp.types import ContentBlock

_NEVER_RAN = (-32_600, -32_601, -32_602)
"""JSON-RPC: invalid request, no such method, invalid parameters."""


async def call_mcp(
    servers: Mapping[tuple[str, str], McpConnection],
    action: Action,
    arguments: Mapping[str, Any],
) -> ActionResult:
    """Call an action's tool.

    Raises:
        AgentError: it was not called, it refused, or a read brought no answer.
        NotKnown: it was called, and a change may have been made.
    """
    from mcp.shared.exceptions import McpError

    tool = action.mcp
    if tool is None:
        raise TypeError(f"{action.name} has no tool")
    connection = servers.get((action.pack, tool.server))
    if connection is None:
        raise Unreachable(f"MCP server {tool.server} is not connected; nothing was called")
    try:
        result = await connection.call(tool.tool, tool.schema_sha256, arguments)
    except AgentError:
        raise
    except McpError as error:
        reason = said(str(without_secrets(error.error.message, connection.secrets)))
        if error.error.code in _NEVER_RAN:
            raise BadInput(f"{tool.server} refused it: {reason}") from error
        raise unanswered(action, f"{tool.server} failed: {reason}") from error
    except TimeoutError as error:
        raise unanswered(action, f"{tool.server} did not answer in time") from error
    except Exception as error:
        raise unanswered(action, f"{tool.server} broke off: {type(error).__name__}") from error
    text = str(without_secrets(_text(result.content), connection.secrets))
    if result.isError:
        raise unanswered(action, f"{tool.server} failed: {said(text) or 'without a reason'}")
    data = without_secrets(result.structuredContent, connection.secrets)
    return _result(tool.server, data, text)


def _result(server: str, data: JsonValue, text: str) -> ActionResult:
    kept = data if len(text) <= MAX_ANSWER_BYTES else None
    return result_of(text[:MAX_ANSWER_BYTES], kept, otherwise=f"{server} is done.")


def _text(blocks: Iterable["ContentBlock"]) -> str:
    return "\n".join(filter(None, map(_told, blocks)))


def _told(block: "ContentBlock") -> str:
    match block.type:
        case "text":
            return block.text
        case "image" | "audio":
            return f"[{block.type}: {block.mimeType}, {len(block.data)} characters of base64]"
        case "resource_link":
            return f"[resource: {block.uri}]"
    inner = getattr(block.resource, "text", None)
    return inner if isinstance(inner, str) else f"[resource: {block.resource.uri}]"
