"""Run our routes inside a LangGraph server, in this process, and print what the calls answer."""

import json
import os
import sys
from typing import cast

from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from api.app import create_app
from graph.executive import Executive
from state.principal import Principal
from tests.api.memory_executive import MemoryExecutive


class Words(TypedDict):
    """The state of the smallest graph."""

    words: str


def _echo(state: Words) -> Words:
    return {"words": state["words"] + "!"}


builder = StateGraph(Words)
builder.add_node("echo", _echo)
builder.add_edge(START, "echo")
graph = builder.compile()

executive = MemoryExecutive()
executive.keys.principals["key"] = Principal(user="ingrid", tenant_id="t", roles=("captain",))
app = create_app(cast("Executive", executive))

CALLS = [
    ("GET", "/ok", None),
    ("GET", "/info", None),
    ("GET", "/openapi.json", None),
    ("POST", "/assistants/search", {"graph_id": "echo"}),
    ("POST", "/threads", {}),
    ("POST", "/threads", "not JSON"),
    ("GET", "/threads/not-a-uuid", None),
    ("POST", "/runs/wait", {"assistant_id": "echo", "input": {"words": "hot"}}),
    ("GET", "/nowhere", None),
    ("GET", "/", None),
    ("GET", "/livez", None),
    ("GET", "/readyz", None),
    ("GET", "/v1/decisions", None),
    ("POST", "/v1/events", {"text": "hot"}),
    ("POST", "/v1/events", "not JSON"),
    ("GET", "/v1/events", None),
    ("GET", "/v1/nowhere", None),
]


def main() -> None:
    """Serve in process, call, and print one line a call."""
    os.environ.update(
        DATABASE_URI=":memory:",
        LANGGRAPH_DISABLE_FILE_PERSISTENCE="true",
        LANGGRAPH_HTTP=json.dumps({"app": "tests.api.hosted:app"}),
        LANGGRAPH_RUNTIME_EDITION="inmem",
        LANGSERVE_GRAPHS=json.dumps({"echo": "tests.api.hosted:graph"}),
        LANGSMITH_LANGGRAPH_API_VARIANT="local_dev",
        MIGRATIONS_PATH="__inmem",
        N_JOBS_PER_WORKER="1",
        REDIS_URI="fake",
    )
    from langgraph_api.server import app as server  # type: ignore[import-untyped]  # ships no types
    from starlette.testclient import TestClient

    with TestClient(server, raise_server_exceptions=False) as client:
        for keyed in (False, True):
            for method, path, sent in CALLS:
                headers = {"Content-Type": "application/json"}
                if keyed:
                    headers["Authorization"] = "Bearer key"
                body = sent if isinstance(sent, str) else json.dumps(sent)
                answer = client.request(
                    method, path, content=body if method == "POST" else None, headers=headers
                )
                told = {
                    "call": f"{method} {path}{' broken' if isinstance(sent, str) else ''}",
                    "keyed": keyed,
                    "status": answer.status_code,
                    "type": answer.headers.get("content-type", ""),
                    "ours": "x-frame-options" in answer.headers,
                    "text": answer.text[:200],
                    "operations": answer.text.count("operationId") if "openapi" in path else 0,
                }
                sys.stderr.write(f"CALL {json.dumps(told)}\n")


if __name__ == "__main__":
    main()
