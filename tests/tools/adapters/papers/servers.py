"""Paper providers on loopback that speak as documented, check what they are sent, and can fail.

In a test: `with semantic_scholar(entries) as server:`, `server.url`, `server.asked`; append to
`server.next` what it has to answer first instead.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any = None


@dataclass(frozen=True)
class Reply:
    """An answer byte for byte."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    half: bool = False
    """Break off in the middle."""
    silent: bool = False
    """Never answer."""


Speak = Callable[[Asked], Reply]


def said(value: Any, status: int = 200, **headers: str) -> Reply:
    """Answer JSON."""
    told = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(status, json.dumps(value).encode(), told)


class PaperServer:
    """One provider, in threads of its own."""

    def __init__(self, speak: Speak) -> None:
        self.speak = speak
        self.asked: list[Asked] = []
        self.next: deque[Reply] = deque()
        """Answered first, one a request."""
        self.always: Reply | None = None
        """Answered instead of anything else, from then on."""
        self.stopped = threading.Event()
        self._http = _Listener(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @property
    def place(self) -> str:
        """Return host:port."""
        return f"127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        """Return the base URL."""
        return f"http://{self.place}"

    def answer(self, asked: Asked) -> Reply:
        """Say what is due."""
        self.asked.append(asked)
        if self.next:
            return self.next.popleft()
        return self.always or self.speak(asked)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = False  # joined when the server closes, so no thread outlives a test

    def __init__(self, papers: PaperServer) -> None:
        self.papers = papers
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that goes away is what faults provoke."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"  # a connection a request: closing it never waits for a client
    wbufsize = -1

    def do_GET(self) -> None:
        self._take(None)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        self._take(json.loads(raw))

    def _take(self, body: Any) -> None:
        assert isinstance(self.server, _Listener)
        papers = self.server.papers
        parts = urlsplit(self.path)
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = papers.answer(Asked(self.command, parts.path, params, headers, body))
        if reply.silent:
            papers.stopped.wait()
            return
        self.send_response(reply.status)
        told = {"content-type": "application/json", "content-length": str(len(reply.body))}
        for name, value in (told | dict(reply.headers)).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body[: len(reply.body) // 2] if reply.half else reply.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
        """Say nothing: `asked` is the log."""


def unknown(given: Mapping[str, str], known: Sequence[str]) -> list[str]:
    """Name the parameters that a provider does not have."""
    return [name for name in given if name not in known]
