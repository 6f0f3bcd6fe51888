"""An OpenAI-compatible server on loopback that follows a script of answers and faults."""

import base64
import contextlib
import hashlib
import json
import math
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self, cast

Fault = Literal[
    "hang",  # nothing is ever answered
    "rate_limit",  # 429 with retry-after
    "server_error",  # 500
    "unavailable",  # 503
    "reset",  # the connection is reset instead of an answer
    "refusal",  # a whole answer without content that says it refuses
    "drip",  # `seconds` before each byte of the answer
    "garbage",  # 200, and an HTML page
    "half_body",  # the connection closes in the middle of the answer
    "stall",  # the connection stays open in the middle of the answer
    "half_json",  # a whole answer, but the model's text is cut in the middle
    "length",  # the same, and it says so: finish_reason "length"
    "slow",  # `seconds` before each piece of a stream
]


@dataclass(frozen=True)
class ModelRequest:
    """One request as it arrived; header names are in lower case."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """Return what rules look at: every message, or every text to embed."""
        if "messages" not in self.body:
            given = self.body.get("input", "")
            return given if isinstance(given, str) else "\n".join(map(str, given))
        return "\n".join(_words(message.get("content")) for message in self.body["messages"])

    @property
    def last(self) -> str:
        """Return the last message alone."""
        messages = self.body.get("messages")
        return _words(messages[-1].get("content")) if messages else self.text


Says = str | Mapping[str, Any] | Callable[[ModelRequest], str | Mapping[str, Any]]


@dataclass
class Rule:
    """What to answer to which request; the first rule that fits and is not used up counts."""

    when: str = ""
    """A regular expression searched in the request's text, ignoring case; empty: always."""
    says: Says | None = None
    """None: an example of the response schema that was asked for, or an echo."""
    calls: Callable[[ModelRequest], Sequence[Mapping[str, Any]]] | None = None
    """Tools it wants called, beside what it says."""
    vectors: Callable[[ModelRequest], Sequence[Sequence[float]]] | None = None
    """What an embeddings request is answered with; None: vectors made of its words."""
    fault: Fault | None = None
    seconds: float = 0.0
    """Waited before the first byte and, with "slow" or "drip", before each piece or byte."""
    times: int | None = None
    """How often it may be used; None: for ever."""

    def fits(self, asked: ModelRequest) -> bool:
        """Tell whether this rule answers the request."""
        return self.times != 0 and re.search(self.when, asked.text, re.IGNORECASE) is not None

    def words(self, asked: ModelRequest) -> tuple[str, str]:
        """Return the answer's text and its finish reason."""
        said = self.says(asked) if callable(self.says) else self.says
        if said is None:
            said = example(asked.body.get("response_format"))
        if said is None:
            said = f"You said: {asked.last}"
        text = said if isinstance(said, str) else json.dumps(said)
        if self.fault in ("half_json", "length"):
            text = text[: len(text) // 2]
        return text, "length" if self.fault == "length" else "stop"


class Script:
    """The rules of one server and every request it was asked; safe to use from threads."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = list(rules)
        self.asked: list[ModelRequest] = []
        self.stopped = threading.Event()
        self._lock = threading.Lock()

    def rule(self, asked: ModelRequest) -> Rule:
        """Note the request and use up the rule that answers it."""
        with self._lock:
            self.asked.append(asked)
            rule = next((rule for rule in self.rules if rule.fits(asked)), Rule())
            if rule.times is not None:
                rule.times -= 1
            return rule


def _words(content: Any) -> str:
    if isinstance(content, list):
        return " ".join(str(part.get("text", "")) for part in content)
    return str(content or "")


REFUSED = "I cannot help with that."


class OpenAIServer:
    """Chat completions, streams, embeddings and models on 127.0.0.1, in threads of its own."""

    def __init__(self, *rules: Rule, port: int = 0) -> None:
        self._script = Script(rules)
        self.rules = self._script.rules
        """In their order; append while the server runs."""
        self.asked = self._script.asked
        """Every request so far, oldest first."""
        self._http = _Listener(port, self._script)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @property
    def base_url(self) -> str:
        """Return what a client takes as `base_url`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._script.stopped.set()
        self._http.shutdown()
        self._http.hang_up()
        self._http.server_close()
        self._thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = False  # joined when the server closes, so no thread outlives a test

    def __init__(self, port: int, script: Script) -> None:
        self.script = script
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Wake every handler that waits for a client's next request."""
        for connection in list(self._open):
            with contextlib.suppress(OSError):  # the client was first
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that goes away is what faults provoke."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body leave in one write: two would cost a delayed ACK, 40 ms

    @property
    def _script(self) -> Script:
        return cast("_Listener", self.server).script  # nobody else makes one

    def do_GET(self) -> None:
        found = self.path.rstrip("/") == "/v1/models"
        self._send(200, models()) if found else self._send(404, _error("no such path"))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = ModelRequest(self.path.rstrip("/"), json.loads(raw), headers)
        except ValueError:
            return self._send(400, _error("the body is not JSON"))
        rule = self._script.rule(asked)
        self._script.stopped.wait(rule.seconds)
        match rule.fault:
            case "hang":
                self._script.stopped.wait()
                self.close_connection = True
            case "rate_limit":
                self._send(429, _error("rate limit reached"), {"retry-after": "1"})
            case "server_error":
                self._send(500, _error("the model fell over"))
            case "unavailable":
                self._send(503, _error("the model is being loaded"))
            case "reset":
                self._reset()
            case "garbage":
                self._send(200, b"<html>Bad gateway</html>")
            case _:
                self._answer(rule, asked)
        return None

    def _answer(self, rule: Rule, asked: ModelRequest) -> None:
        if asked.path == "/v1/embeddings":
            vectors = rule.vectors(asked) if rule.vectors else None
            return self._whole(rule, json.dumps(embedding(asked.body, vectors)).encode())
        if asked.path != "/v1/chat/completions":
            return self._send(404, _error("no such path"))
        text, reason = rule.words(asked)
        refused = REFUSED if rule.fault == "refusal" else None
        if asked.body.get("stream"):
            return self._stream(rule, list(chunks(asked.body, text, reason, refused=refused)))
        calls = rule.calls(asked) if rule.calls else ()
        whole = completion(asked.body, text, reason, calls, refused=refused)
        return self._whole(rule, json.dumps(whole).encode())

    def _whole(self, rule: Rule, body: bytes) -> None:
        if rule.fault in ("half_body", "stall"):
            self._head(200, {"content-length": str(len(body))})
            self._break_off(rule, body[: len(body) // 2])
        elif rule.fault == "drip":
            self._head(200, {"content-length": str(len(body))})
            self._drip(rule, body)
        else:
            self._send(200, body)

    def _stream(self, rule: Rule, pieces: list[bytes]) -> None:
        self._head(200, {"content-type": "text/event-stream", "connection": "close"})
        if rule.fault in ("half_body", "stall"):
            return self._break_off(rule, b"".join(pieces[: len(pieces) // 2]))
        if rule.fault == "drip":
            return self._drip(rule, b"".join(pieces))
        for piece in pieces:
            if rule.fault == "slow":
                self.wfile.flush()
                self._script.stopped.wait(rule.seconds)
            self.wfile.write(piece)
        return None

    def _break_off(self, rule: Rule, beginning: bytes) -> None:
        self.wfile.write(beginning)
        self.wfile.flush()
        self.close_connection = True
        if rule.fault == "stall":
            self._script.stopped.wait()

    def _drip(self, rule: Rule, body: bytes) -> None:
        for byte in body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if self._script.stopped.wait(rule.seconds):
                break

    def _reset(self) -> None:
        """Close so that the client is sent a reset, and no end of a stream."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._head(status, {"content-length": str(len(body))} | dict(headers or {}))
        self.wfile.write(body)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"content-type": "application/json"} | dict(headers)).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
        """Say nothing: `asked` is the log."""


def _error(message: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": "scripted", "code": None}}).encode()


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
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


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
