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
        self.runs: dict[str, dict[str, Any]] = {}
        self.comparisons: list[dict[str, Any]] = []
        self.feedback: list[dict[str, Any]] = []
        self.calls: list[str] = []
        self.fails_on: tuple[str, int] | None = None
        """How a path ends, and the call to it, from 1 on, since which it answers `fails_with`."""
        self.fails_with = 422
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                target = urlsplit(self.path)
                stub.calls.append(f"{self.command} {target.path}")
                fails = stub.is_out_of_order(self.command, target.path)
                answer = (
                    {"detail": "out of order"}
                    if fails
                    else stub.answer(
                        self.command,
                        target.path,
                        parse_qs(target.query),
                        body,
                        self.headers.get("content-type") or "",
                    )
                )
                sent = json.dumps(answer).encode()
                self.send_response(stub.fails_with if fails else 200)
                if fails:
                    self.send_header("retry-after", "3600")
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve  # noqa: N815 - http.server's names

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

    def is_out_of_order(self, method: str, path: str) -> bool:
        if self.fails_on is None or method == "GET" or not path.endswith(self.fails_on[0]):
            return False
        before = [call for call in self.calls if call.startswith(method) and call.endswith(path)]
        return len(before) >= self.fails_on[1]

    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: bytes, kind: str
    ) -> Any:
        if re.fullmatch(r"(/v1)?/platform/datasets/[^/]+/examples", path):
            return self._take_examples(path.split("/")[-2], body, kind)
        if path.startswith("/sessions/"):
            named = [one for one in self.sessions if one["id"] == path.rsplit("/", maxsplit=1)[-1]]
            return named[-1] if named else {}
        if path == "/runs/multipart":
            self._take_runs(body, kind)
        if (method, path) == ("DELETE", "/examples"):
            gone = query["example_ids"]
            self.examples = [one for one in self.examples if one["id"] not in gone]
        if method == "GET":
            return self._look_up(path, query)
        given = json.loads(body) if kind.startswith("application/json") and body else {}
        return self._take(path, given)

    def _look_up(self, path: str, query: dict[str, list[str]]) -> Any:
        kept = {"/datasets": self.datasets, "/sessions": self.sessions}
        if path in kept:
            return [one for one in kept[path] if [one["name"]] == query.get("name")]
        return INFO if path == "/info" else self._list_examples(query)

    def _take(self, path: str, given: dict[str, Any]) -> Any:
        if path == "/runs/query":
            return {"runs": self._find_runs(given), "cursors": {}}
        if path == "/api/v2/runs/query":
            return self._page_of_runs(given)
        kept = {
            "/datasets": self.datasets,
            "/sessions": self.sessions,
            "/feedback": self.feedback,
            "/datasets/comparative": self.comparisons,
        }.get(path)
        if kept is None:
            return {}
        made: dict[str, Any] = {"id": str(uuid4()), "tenant_id": str(uuid4())}
        made |= {"created_at": NOW, "modified_at": NOW, "start_time": NOW, "example_count": 0}
        made["reference_dataset_id"] = None
        if path == "/datasets/comparative":
            made["reference_dataset_id"] = self.sessions[-1]["reference_dataset_id"]
        kept.append({**made, **given})
        return kept[-1]

    def _list_examples(self, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        first = int(query.get("offset", ["0"])[0])
        ids = query.get("id")
        there = [one for one in self.examples if [one["dataset_id"]] == query.get("dataset")]
        return [one for one in there if ids is None or one["id"] in ids][first:]

    def _find_runs(self, wanted: dict[str, Any]) -> list[dict[str, Any]]:
        """Find root runs by project, and by the thread that a filter names."""
        thread = re.search(
            r'"thread_id"\), eq\(metadata_value, "([^"]+)"', wanted.get("filter") or ""
        )
        names = {one["name"]: one["id"] for one in self.sessions}
        found = []
        for run in self.runs.values():
            project = names.get(run.get("session_name") or "", run.get("session_id"))
            metadata = (run.get("extra") or {}).get("metadata") or {}
            is_asked = project in (wanted.get("session") or [])
            if thread is not None:
                is_asked = is_asked and metadata.get("thread_id") == thread[1]
            if is_asked and not run.get("parent_run_id"):
                found.append({**run, "session_id": project})
        return found

    def _page_of_runs(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Answer the newer query: one run a page, of the last day unless a time is named."""
        if "min_start_time" not in wanted:
            return {"items": [], "next_cursor": None}
        found = self._find_runs({**wanted, "session": wanted["project_ids"]})
        place = int(wanted.get("cursor") or 0)
        names = {"ID": "id", "PROJECT_ID": "session_id", "START_TIME": "start_time"}
        items = [
            {name.lower(): run[names[name]] for name in wanted["selects"]}
            for run in found[place : place + 1]
        ]
        is_more = place + 1 < len(found)
        return {"items": items, "next_cursor": str(place + 1) if is_more else None}

    def _take_runs(self, body: bytes, kind: str) -> None:
        for name, value in _parts(body, kind).items():
            _method, run_id, *field = name.split(".", 2)
            run = self.runs.setdefault(run_id, {})
            if field:
                run[field[0]] = value
            else:
                run.update({key: one for key, one in value.items() if one is not None})

    def _take_examples(self, dataset_id: str, body: bytes, kind: str) -> dict[str, Any]:
        parts = _parts(body, kind)
        ids = [name for name in parts if "." not in name]
        for each in ids:
            known = {"id": each, "dataset_id": dataset_id, "created_at": NOW, "modified_at": NOW}
            split = parts[each].get("split") or "base"
            metadata = {
                **parts[each].get("metadata", {}),
                "dataset_split": [split] if isinstance(split, str) else split,
            }
            inputs, outputs = parts[f"{each}.inputs"], parts[f"{each}.outputs"]
            self.examples = [one for one in self.examples if one["id"] != each]
            self.examples.append(
                {**known, "inputs": inputs, "outputs": outputs, "metadata": metadata}
            )
        return {"example_ids": ids, "count": len(ids)}


def _parts(body: bytes, kind: str) -> dict[str, Any]:
    message = message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
    parts: dict[str, Any] = {}
    for part in message.get_payload():
        name = part.get_param("name", header="content-disposition")  # type: ignore[union-attr]
        parts[str(name)] = json.loads(part.get_payload(decode=True))  # type: ignore[union-attr,arg-type]
    return parts
