"""Response bodies of an OpenAI-compatible server, made from the request alone."""

import base64
import hashlib
import json
import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

CREATED = 1_760_000_000
DIMENSIONS = 64


def models() -> bytes:
    """Return the list of models: one, called test."""
    entry = {"id": "test", "object": "model", "created": CREATED, "owned_by": "tests"}
    return json.dumps({"object": "list", "data": [entry]}).encode()


def completion(
    body: Mapping[str, Any],
    text: str,
    finish_reason: str,
    calls: Sequence[Mapping[str, Any]] = (),
    *,
    refused: str | None = None,
) -> dict[str, Any]:
    """Return a whole chat completion.

    Args:
        calls: tools that it wants called beside its text.
        refused: why it refuses; then there is no text.
    """
    content = None if refused else text
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": refused}
    if calls:
        message["tool_calls"] = list(calls)
    return _frame(body, "chat.completion") | {
        "choices": [
            {"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}
        ],
        "usage": _usage(body, text),
    }


def chunks(
    body: Mapping[str, Any], text: str, finish_reason: str, *, refused: str | None = None
) -> Iterator[bytes]:
    """Yield the same completion as server-sent events, a word a piece."""
    yield _event(body, {"role": "assistant", "content": ""}, None)
    for piece in re.findall(r"\S+\s*|\s+", refused or text):
        yield _event(body, {"refusal" if refused else "content": piece}, None)
    yield _event(body, {}, finish_reason)
    if (body.get("stream_options") or {}).get("include_usage"):
        last = _frame(body, "chat.completion.chunk") | {"choices": [], "usage": _usage(body, text)}
        yield f"data: {json.dumps(last)}\n\n".encode()
    yield b"data: [DONE]\n\n"


def embedding(
    body: Mapping[str, Any], vectors: Sequence[Sequence[float]] | None = None
) -> dict[str, Any]:
    """Return `vectors`, or unit vectors of hashed words: texts that share words are near."""
    texts = [body["input"]] if isinstance(body["input"], str) else list(body["input"])
    if vectors is None:
        vectors = [_vector(str(text), int(body.get("dimensions") or DIMENSIONS)) for text in texts]
    encoded = [_encode(vector, body.get("encoding_format")) for vector in vectors]
    tokens = sum(len(str(text).split()) for text in texts)
    return {
        "object": "list",
        "model": body.get("model", "test"),
        "data": [
            {"object": "embedding", "index": index, "embedding": vector}
            for index, vector in enumerate(encoded)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def example(response_format: Mapping[str, Any] | None) -> Any:
    """Return a value that the requested JSON schema accepts; None when none was requested."""
    if not response_format or response_format.get("type") != "json_schema":
        return None
    schema = response_format["json_schema"]["schema"]
    return _example(schema, schema.get("$defs", {}))


def _example(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    match schema:
        case {"$ref": reference}:
            found = _example(definitions[reference.rsplit("/", 1)[-1]], definitions)
        case {"const": value} | {"enum": [value, *_]}:
            found = value
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]} | {"allOf": [first, *_]}:
            found = _example(first, definitions)
        case {"type": "object"}:
            parts = schema.get("properties", {})
            found = {name: _example(part, definitions) for name, part in parts.items()}
        case {"type": "array"}:
            item = _example(schema.get("items", {}), definitions)
            found = [item] * schema.get("minItems", 0)
        case {"type": "number" | "integer"}:
            found = schema.get("minimum", 0)
        case _:
            found = {"boolean": False, "null": None}.get(schema.get("type", ""), "words")
    return found


def _frame(body: Mapping[str, Any], kind: str) -> dict[str, Any]:
    seen = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    return {
        "id": f"chatcmpl-{seen[:12]}",
        "object": kind,
        "created": CREATED,
        "model": body.get("model", "test"),
    }


def _event(body: Mapping[str, Any], delta: Mapping[str, Any], finish_reason: str | None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
    frame = _frame(body, "chat.completion.chunk") | {"choices": [choice]}
    return f"data: {json.dumps(frame)}\n\n".encode()


def _usage(body: Mapping[str, Any], text: str) -> dict[str, int]:
    prompt = sum(len(str(message.get("content")).split()) for message in body["messages"])
    answer = len(text.split())
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "total_tokens": prompt + answer,
    }


def _vector(text: str, dimensions: int) -> list[float]:
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or [""]:
        digest = hashlib.sha256(word.encode()).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] % 2 else -1.0
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else [1.0] + [0.0] * (dimensions - 1)


def _encode(vector: Sequence[float], encoding: str | None) -> list[float] | str:
    if encoding != "base64":
        return list(vector)
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
