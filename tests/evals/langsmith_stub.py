"""A LangSmith on loopback: keeps datasets and examples, and what experiments send."""

import json
import re
from datetime import UTC, datetime
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

NOW = datetime(2026, 6, 14, tzinfo=UTC).isoformat()
INFO = {
    "version": "0.1",
    "batch_ingest_config": {
        "use_multipart_endpoint": True,
        "size_limit": 100,
        "size_limit_bytes": 20_000_000,
        "scale_up_nthreads_limit": 1,
        "scale_up_qsize_trigger": 1_000,
        "scale_down_nempty_trigger": 4,
    },
    "instance_flags": {"dataset_examples_multipart_enabled": True},
}


class LangSmithStub:
    """Serves while it is open; `feedback` and `sessions` are what was uploaded."""

    def __init__(self) -> None:
        self.datasets: list[dict[str, Any]] = []
        self.examples: list[dict[str, Any]] = []
        self.sessions: list[dict[str, Any]] = []
        self.feedback: list[dict[str, Any]] = []
        self.calls: list[str] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                target = urlsplit(self.path)
                stub.calls.append(f"{self.command} {target.path}")
                answer = stub.answer(
                    self.command,
                    target.path,
                    parse_qs(target.query),
                    body,
                    self.headers.get("content-type") or "",
                )
                sent = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - http.server's names

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_ended: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: bytes, kind: str
    ) -> Any:
        match method, path:
            case "GET", "/info":
                return INFO
            case "GET", "/datasets":
                return [one for one in self.datasets if [one["name"]] == query.get("name")]
            case "POST", "/datasets":
                made = {"id": str(uuid4()), "created_at": NOW, "example_count": 0}
                self.datasets.append({**json.loads(body), **made})
                return self.datasets[-1]
            case "POST", "/sessions":
                made = {"tenant_id": str(uuid4()), "start_time": NOW, "last_run_start_time": NOW}
                self.sessions.append({**made, **json.loads(body)})
                return self.sessions[-1]
            case "POST", "/feedback":
                self.feedback.append(json.loads(body))
                return self.feedback[-1]
            case "GET", "/examples":
                first = int(query.get("offset", ["0"])[0])
                return self.examples[first:]
        if re.fullmatch(r"(/v1)?/platform/datasets/[^/]+/examples", path):
            return self._take_examples(path.split("/")[-2], body, kind)
        if path.startswith("/sessions/"):
            return self.sessions[-1]
        return {}

    def _take_examples(self, dataset_id: str, body: bytes, kind: str) -> dict[str, Any]:
        message = message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
        parts: dict[str, Any] = {}
        for part in message.get_payload():
            name = part.get_param("name", header="content-disposition")  # type: ignore[union-attr]
            parts[str(name)] = json.loads(part.get_payload(decode=True))  # type: ignore[union-attr,arg-type]
        ids = [name for name in parts if "." not in name]
        for each in ids:
            known = {"id": each, "dataset_id": dataset_id, "created_at": NOW, "modified_at": NOW}
            split = parts[each].get("split") or "base"
            metadata = {
                **parts[each].get("metadata", {}),
                "dataset_split": [split] if isinstance(split, str) else split,
            }
            inputs, outputs = parts[f"{each}.inputs"], parts[f"{each}.outputs"]
            self.examples.append(
                {**known, "inputs": inputs, "outputs": outputs, "metadata": metadata}
            )
        return {"example_ids": ids, "count": len(ids)}
