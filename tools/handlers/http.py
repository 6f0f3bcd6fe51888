"""Have an action done by a service over HTTP: one request, no redirect, nothing sent twice."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import orjson

from state.action import Action, ActionResult, HandlerContext, HttpCall
from state.errors import AgentError, BadInput, Conflict, Forbidden, Unreachable
from tools.egress.answers import MAX_ANSWER_BYTES, parsed, readable, said
from tools.egress.egress import Egress, place_of
from tools.egress.secrets import named_secrets
from tools.egress.url_template import fill_template, read_template
from tools.handlers.results import result_of
from tools.secrecy import without_secrets


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
        raise Unreachable(f"{host} cannot be connected to; nothing was sent") from error
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError) as error:
        cause = "did not answer in time" if _is_late(error) else "broke the answer off"
        raise unanswered(action, f"{host} {cause}") from error
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
        raise BadInput("the address of the service cannot be read; nothing was sent") from error
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
    data = parsed(answer.raw) if answer.is_json and answer.is_whole else None
    data = without_secrets(data, secrets)
    text = str(without_secrets(answer.raw.decode("utf-8", "replace"), secrets))
    if 200 <= answer.status < 300:
        otherwise = f"{host} answered {answer.status}."
        return result_of(readable(text), data, otherwise=otherwise)
    told = f": {said(text)}" if text.strip() else ""
    if 400 <= answer.status < 500:
        raise _refusal(answer.status, f"{host} refused it ({answer.status}){told}")
    raise unanswered(action, f"{host} answered {answer.status}{told}")


def _refusal(status: int, sentence: str) -> AgentError:
    if status in (401, 403):
        return Forbidden(sentence)
    if status in (409, 412):
        return Conflict(sentence, standing="refused")
    return BadInput(sentence)


def unanswered(action: Action, sentence: str) -> Exception:
    """Make the error of a request that went out: for a read nothing can have happened."""
    if action.effect == "read":
        return Unreachable(sentence)
    return NotKnown(f"{sentence}; whether it was done is not known")


def _is_late(error: BaseException) -> bool:
    return isinstance(error, (TimeoutError, httpx.TimeoutException))
