"""Execute an action by an HTTP service or a tool of an MCP server; a request is never repeated.

Holds the external services that a deployment lets actions use.
"""

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx
import orjson
from pydantic import JsonValue

from state.action import SERVICES, Action, ActionResult, HandlerContext, HttpCall
from state.errors import AgentError, BadInput, Conflict, Forbidden, NeverCalled, Unreachable
from tools.adapters import McpConnection, PaperSearch
from tools.adapters.mcp.tool_pins import Pins
from tools.gate.handlers.python_handlers import result_of
from tools.platform.egress import (
    MAX_ANSWER_BYTES,
    Egress,
    one_line_reason,
    parse_json,
    place_of,
    visible_lines,
)
from tools.platform.egress_policy import fill_template, read_template
from tools.platform.redaction import named_secrets, redact_secrets
from tools.platform.texts import t


@dataclass(frozen=True)
class ExternalServices:
    """The way out over HTTP, and the MCP servers of the packs; by default nothing."""

    egress: Egress = field(default_factory=Egress)
    servers: Mapping[tuple[str, str], McpConnection] = field(default_factory=dict)
    """Pack and server name → its connection."""
    papers: PaperSearch = field(default_factory=PaperSearch)
    """Scholarly search; it has a way out of its own, which leads to its providers alone."""

    def services_for(self, function: Callable[..., Any]) -> tuple[Any, ...]:  # each its own type
        """Give a handler the services that it takes behind its context.

        Raises:
            NeverCalled: it takes something else there.
        """
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = inspect.signature(function).parameters.values()
        taken = [each.name for each in parameters if each.kind in kinds][1:]
        strange = [name for name in taken if name not in SERVICES]
        if strange:
            raise NeverCalled(function.__name__, f"a handler is given no {', '.join(strange)}")
        return tuple(getattr(self, name) for name in taken)

    def watch_with(self, pins: Pins) -> None:
        """Hold whatever a server lists from now on against these pins."""
        for server in self.servers.values():
            if server.watch is not None:
                server.watch.pins = pins

    async def close(self) -> None:
        """End every server that was started."""
        for server in self.servers.values():
            await server.close()


class NotKnown(Exception):
    """The request went out, and what the service made of it cannot be told."""


@dataclass(frozen=True)
class _Answer:
    status: int
    is_json: bool
    raw: bytes
    is_whole: bool


async def call_http(
    egress: Egress, action: Action, context: HandlerContext, arguments: Mapping[str, Any]
) -> ActionResult:
    """Send an action's request.

    Raises:
        AgentError: nothing was sent, the service refused it (4xx), or a read brought no answer.
        NotKnown: it was sent, and a change may have been made.
    """
    call = action.http
    if call is None:
        raise TypeError(f"{action.name} has no http call")
    request = _request(egress, call, context, arguments)
    host = str(place_of(request.url))
    secrets = named_secrets(call.headers.values(), egress.secrets)
    try:
        async with asyncio.timeout(call.seconds):
            answer = await _sent(egress, call, request)
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
        raise Unreachable(t("gate.remote.unreachable", host=host)) from error
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError) as error:
        cause = "did not answer in time" if _is_late(error) else "broke the answer off"
        raise no_answer_error(action, f"{host} {cause}") from error
    return _judged(action, host, answer, secrets)


def _request(
    egress: Egress, call: HttpCall, context: HandlerContext, arguments: Mapping[str, Any]
) -> httpx.Request:
    headers = egress.filled(call.headers)
    headers |= {"Accept": "application/json, text/plain;q=0.9", "Accept-Encoding": "identity"}
    if call.idempotency_header is not None:
        headers[call.idempotency_header] = context.idempotency_key
    body = body_slots(call, arguments)
    content = None
    if body is not None:
        content = orjson.dumps({name: arguments[name] for name in body if name in arguments})
        headers["Content-Type"] = "application/json"
    try:
        url = httpx.URL(fill_template(read_template(call.url), arguments))
    except (ValueError, httpx.InvalidURL) as error:
        raise BadInput(t("gate.remote.bad_address")) from error
    return httpx.Request(call.method, url, headers=headers, content=content)


def body_slots(call: HttpCall, slots: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Name the slots that go into the body; None: there is no body."""
    if call.method == "GET":
        return None
    if call.body is not None:
        return call.body
    taken = read_template(call.url).slots
    left = tuple(name for name in slots if name not in taken)
    return left if left or call.method != "DELETE" else None


async def _sent(egress: Egress, call: HttpCall, request: httpx.Request) -> _Answer:
    limits = httpx.Timeout(call.seconds)
    async with egress.client(timeout=limits) as client:
        response = await client.send(request, stream=True)
        try:
            raw = bytearray()
            # Raw: what is unpacked could be a thousand times as large.
            async for chunk in response.aiter_raw():
                raw += chunk
                if len(raw) > MAX_ANSWER_BYTES:
                    break
        finally:
            await response.aclose()
    is_packed = response.headers.get("content-encoding", "identity").lower() != "identity"
    return _Answer(
        status=response.status_code,
        is_json="json" in response.headers.get("content-type", "").lower(),
        raw=b"" if is_packed else bytes(raw[:MAX_ANSWER_BYTES]),
        is_whole=len(raw) <= MAX_ANSWER_BYTES and not is_packed,
    )


def _judged(action: Action, host: str, answer: _Answer, secrets: tuple[str, ...]) -> ActionResult:
    data = parse_json(answer.raw) if answer.is_json and answer.is_whole else None
    data = redact_secrets(data, secrets)
    text = str(redact_secrets(answer.raw.decode("utf-8", "replace"), secrets))
    if 200 <= answer.status < 300:
        otherwise = t("gate.remote.answered", host=host, status=answer.status)
        return result_of(visible_lines(text), data, otherwise=otherwise)
    told = f": {one_line_reason(text)}" if text.strip() else ""
    if 400 <= answer.status < 500:
        raise _refusal(
            answer.status, t("gate.remote.refused", host=host, status=answer.status, told=told)
        )
    raise no_answer_error(action, f"{host} answered {answer.status}{told}")


def _refusal(status: int, sentence: str) -> AgentError:
    if status in (401, 403):
        return Forbidden(sentence)
    if status in (409, 412):
        return Conflict(sentence, standing="refused")
    return BadInput(sentence)


def no_answer_error(action: Action, sentence: str) -> Exception:
    """Make the error of a request that went out: for a read nothing can have happened."""
    if action.effect == "read":
        return Unreachable(sentence)
    return NotKnown(t("gate.remote.unknown", sentence=sentence))


def _is_late(error: BaseException) -> bool:
    return isinstance(error, (TimeoutError, httpx.TimeoutException))


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
        raise Unreachable(t("gate.remote.not_connected", server=tool.server))
    try:
        result = await connection.call(tool.tool, tool.schema_sha256, arguments)
    except AgentError:
        raise
    except McpError as error:
        reason = one_line_reason(str(redact_secrets(error.error.message, connection.secrets)))
        if error.error.code in _NEVER_RAN:
            raise BadInput(
                t("gate.remote.tool_refused", server=tool.server, reason=reason)
            ) from error
        raise no_answer_error(action, f"{tool.server} failed: {reason}") from error
    except TimeoutError as error:
        raise no_answer_error(action, t("gate.remote.tool_silent", server=tool.server)) from error
    except Exception as error:
        raise no_answer_error(action, f"{tool.server} broke off: {type(error).__name__}") from error
    text = str(redact_secrets(_text(result.content), connection.secrets))
    if result.isError:
        raise no_answer_error(
            action, f"{tool.server} failed: {one_line_reason(text) or 'without a reason'}"
        )
    data = redact_secrets(result.structuredContent, connection.secrets)
    return _result(tool.server, data, text)


def _result(server: str, data: JsonValue, text: str) -> ActionResult:
    kept = data if len(text) <= MAX_ANSWER_BYTES else None
    return result_of(
        text[:MAX_ANSWER_BYTES], kept, otherwise=t("gate.remote.tool_done", server=server)
    )


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
