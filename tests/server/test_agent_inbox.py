"""Agent Inbox's own calls, as its code makes them: list, accept, edit, ignore, resolve.

Source: ThreadContext.tsx and use-interrupted-actions.tsx of langchain-ai/agent-inbox.
"""

from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient

from tests.server.test_langgraph_server import GRAPH, at_the_gate, state_of

pytestmark = pytest.mark.xdist_group("langgraph-server")


def _listed(inbox: httpx.Client, thread: str) -> dict[str, Any]:
    """Find a thread as the inbox lists it; its card is drawn from what stands there."""
    wanted = {"offset": 0, "limit": 100, "status": "interrupted", "metadata": {"graph_id": GRAPH}}
    found = inbox.post("/threads/search", json=wanted).json()
    [card] = [one for one in found if one["thread_id"] == thread]
    [[interrupt]] = card["interrupts"].values()
    value: dict[str, Any] = interrupt["value"]
    assert value["action_request"]["action"]
    assert set(value["config"]) == {"allow_ignore", "allow_respond", "allow_edit", "allow_accept"}
    assert value["description"]
    return value


def _submit(inbox: httpx.Client, thread: str, response: dict[str, Any]) -> None:
    sent = {"assistant_id": GRAPH, "command": {"resume": [response]}, "stream_mode": ["events"]}
    with inbox.stream("POST", f"/threads/{thread}/runs/stream", json=sent) as told:
        assert told.status_code == 200
        assert not [line for line in told.iter_lines() if line == "event: error"]


def test_agent_inbox_accepts_edits_and_ignores(served: Any, client: SyncLangGraphClient) -> None:
    before = served.executions()
    accepted, edited, ignored = [at_the_gate(client, f"WO-{n}")[0] for n in (1046, 1047, 1048)]
    with httpx.Client(base_url=served.url, headers={"X-Api-Key": served.key}, timeout=60) as inbox:
        question = _listed(inbox, accepted)
        _submit(inbox, accepted, {"type": "accept", "args": question["action_request"]})
        assert state_of(served, question) == "succeeded"

        question = _listed(inbox, edited)
        args = {**question["action_request"]["args"], "note": "checked twice"}
        request = {**question["action_request"], "args": args}
        _submit(inbox, edited, {"type": "edit", "args": request})
        assert state_of(served, question) == "superseded"

        question = _listed(inbox, ignored)
        resolved = {"values": None, "as_node": "__end__"}  # "mark as resolved" answers nothing
        inbox.post(f"/threads/{ignored}/state", json=resolved)
        assert state_of(served, question) == "pending"
        sent = {
            "assistant_id": GRAPH,
            "command": {"resume": [{"type": "ignore", "args": None}]},
        }
        run = inbox.post(f"/threads/{ignored}/runs", json=sent).json()
        inbox.get(f"/threads/{ignored}/runs/{run['run_id']}/join")
    assert served.executions() == before + 2
    assert state_of(served, question) == "rejected"
