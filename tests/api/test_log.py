"""What the log says of requests: that they came, never what was in them."""

import json

import httpx
import pytest
import structlog


@pytest.mark.usefixtures("every_line")
async def test_the_log_holds_neither_words_nor_keys(captain: httpx.AsyncClient):
    with structlog.testing.capture_logs() as lines:
        await captain.post("/v1/messages", json={"text": "canary-quux", "session_id": "s-quux"})
        await captain.post("/v1/messages", json={"text": "boom canary-quux"})
        await captain.get("/v1/decisions?session_id=s-quux")
        await captain.get("/v1/decisions", headers={"Authorization": "Bearer pf_quux"})
    told = json.dumps(lines)
    assert len(lines) >= 4
    assert "quux" not in told
    assert "captain-key" not in told
    assert {line["event"] for line in lines} == {"request", "unexpected", "permission_refused"}
