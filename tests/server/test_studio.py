"""What LangGraph Studio asks of the server, and what it finds there."""

from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient

GRAPH = "prefrontal"

pytestmark = pytest.mark.xdist_group("langgraph-server")


def test_a_run_of_ours_is_a_thread_that_studio_opens(
    served: Any, visitor: SyncLangGraphClient
) -> None:
    with served.api() as api:
        record = api.post(
            "/v1/events", json={"text": "emergency: smoke in the galley", "source": "galley"}
        ).json()
    thread: Any = visitor.threads.get(record["decision_id"])
    assert thread["metadata"]["graph_id"] == GRAPH
    assert thread["metadata"]["name"].startswith("emergency")
    values: Any = visitor.threads.get_state(record["decision_id"])["values"]
    assert values["record"]["decision_id"] == record["decision_id"]


def test_the_calls_studio_makes_at_start_are_answered(served: Any) -> None:
    with httpx.Client(base_url=served.url, timeout=30) as studio:
        assert studio.get("/info").status_code == 200
        [assistant] = studio.post("/assistants/search", json={"graph_id": GRAPH}).json()
        home = f"/assistants/{assistant['assistant_id']}"
        for path in (home, f"{home}/schemas", f"{home}/graph?xray=true"):
            assert studio.get(path).status_code == 200, path
        assert studio.get(f"{home}/subgraphs?recurse=true").status_code == 200
        assert studio.post("/threads/search", json={}).status_code == 200
        thread = studio.post("/threads", json={}).json()["thread_id"]
        assert studio.get(f"/threads/{thread}/state?subgraphs=true").status_code == 200
        assert studio.post(f"/threads/{thread}/history", json={}).status_code == 200
        drawn = studio.get(f"{home}/graph?xray=true").json()
    names = {node["id"] for node in drawn["nodes"]}
    assert {"receive", "classify_action", "confirm", "act", "write_record"} <= names
