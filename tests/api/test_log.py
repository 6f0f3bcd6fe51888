"""What the log says of requests: that they came, never what was in them."""

import json

import httpx
import pytest
import structlog


@pytest.mark.usefixtures("every_line")
async def test_the_log_holds_neither_words_nor_keys(captain: httpx.AsyncClient):
    with structlog.testing.capture_logs() as lines:
        await captain.post("/v1/messages", json={"text": "canary-7261", "session_id": "s-7261"})
        await captain.post("/v1/messages", json={"text": "boom canary-7261"})
        await captain.get("/v1/decisions?session_id=s-7261")
        await captain.get("/v1/decisions", headers={"Authorization": "Bearer pf_7261"})
    told = json.dumps(lines)
    assert len(lines) >= 4
    assert "7261" not in told
    assert "captain-key" not in told
    assert {line["event"] for line in lines} == {"request", "unexpected", "permission_refused"}
