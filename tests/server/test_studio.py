"""What LangGraph Studio asks of the server, and what it finds there."""

from typing import Any
from uuid import uuid4

import pytest
from langgraph_sdk.client import SyncLangGraphClient

GRAPH = "prefrontal"

pytestmark = pytest.mark.xdist_group("langgraph-server")


def test_a_run_of_ours_is_a_thread_that_studio_opens(
    served: Any, client: SyncLangGraphClient
) -> None:
    with served.api() as api:
        record = api.post(
            "/v1/events", json={"text": "emergency: smoke in the galley", "source": "galley"}
        ).json()
    thread: Any = client.threads.get(record["decision_id"])
    assert thread["metadata"]["graph_id"] == GRAPH
    assert thread["metadata"]["name"].startswith("emergency")
    values: Any = client.threads.get_state(record["decision_id"])["values"]
    assert values["record"]["decision_id"] == record["decision_id"]


def test_the_calls_studio_makes_at_start_are_answered(served: Any) -> None:
    with served.api() as studio:
        assert studio.get("/info").status_code == 200
        [assistant] = studio.post("/assistants/search", json={"graph_id": GRAPH}).json()
        home = f"/assistants/{assistant['assistant_id']}"
        for path in (home, f"{home}/schemas", f"{home}/graph?xray=true"):
            assert studio.get(path).status_code == 200, path
        schemas = studio.get(f"{home}/schemas").json()
        assert studio.get(f"{home}/subgraphs?recurse=true").status_code == 200
        assert studio.post("/threads/search", json={}).status_code == 200
        thread = studio.post("/threads", json={}).json()["thread_id"]
        assert studio.get(f"/threads/{thread}/state?subgraphs=true").status_code == 200
        assert studio.post(f"/threads/{thread}/history", json={}).status_code == 200
        drawn = studio.get(f"{home}/graph?xray=true").json()
    names = {node["id"] for node in drawn["nodes"]}
    assert {"receive", "classify_action", "confirm", "act", "write_record"} <= names
    form, shown = schemas["input_schema"], schemas["output_schema"]
    assert list(form["properties"]) == form["required"] == ["event"]
    event = form["$defs"]["Event"]
    assert event["required"] == ["text"]
    assert {"kind", "source", "session_id"} <= set(event["properties"])
    assert {"event", "classification", "response", "record"} <= set(shown["properties"])
    assert "reason" in shown["$defs"]["DecisionRecord"]["properties"]


def test_what_nobody_is_told_is_a_run_of_every_stage_and_its_twins_are_runs(served: Any) -> None:
    event = {"text": "cabin light switched on", "source": "lights", "session_id": "dull"}
    events = [{**event, "event_id": f"dull-{uuid4()}"} for _each in range(6)]
    with served.api() as api:
        records = api.post("/v1/events", json=events).json()
        assert {record["outcome"] for record in records} <= {"passed", "merged"}
        for record in records:
            home = f"/threads/{record['decision_id']}"
            shown = api.get(f"{home}/state").json()["values"]["record"]
            assert (shown["decision_id"], shown["outcome"]) == (
                record["decision_id"],
                record["outcome"],
            )
            steps = api.post(f"{home}/history", json={"limit": 20}).json()
            next_stages = [name for step in steps for name in step["next"]]
            assert next_stages[-2:] == ["receive", "__start__"]
            assert len(next_stages) in (2, 4, 5), "a twin, a dull one, and one that was weighed"
