"""Whatever is sent, a line of the log is one JSON object: nobody writes a line of his own."""

import json
import logging
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
import structlog

from api.cli.terminal import configure_logs
from tests.safety.benches import CAPTAIN
from tests.safety.executives import opened_executive
from tests.torture.serving import clients
from tests.torture.tally import Tally

CANARY = "canary-3391"
FORGED = '{"event": "request", "status": 200, "user": "nobody", "forged": true}'
BREAKS = ("\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1b[2J\n", "\x00\n")
PLACES = ("text", "session", "source", "path", "query", "agent", "request id", "body", "boom")
FIELDS = {
    *("event", "level", "timestamp", "method", "route", "status", "elapsed_ms", "request_id"),
    *("tenant", "user", "error", "at", "decision_id", "action", "action_id"),
    *("event_id", "outcome", "reason", "path", "execution_class"),
}
"""What a line may tell; of what was said, nothing."""


@pytest.fixture
def logged() -> Iterator[None]:
    """Log everything to stderr, as the service does."""
    before, level = logging.getLogger().handlers, logging.getLogger().level
    configure_logs("info")
    yield
    logging.getLogger().handlers = before
    logging.getLogger().setLevel(level)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


@pytest.mark.usefixtures("logged")
async def test_nothing_that_is_sent_makes_a_line_of_its_own(
    data_dir: Path, pack: Path, tally: Tally, capfd: pytest.CaptureFixture[str]
) -> None:
    sent = 0
    async with (
        opened_executive(data_dir, pack) as opened,
        clients(opened.executive, CAPTAIN) as [captain],
    ):
        for broken, place in product(BREAKS, PLACES):
            said = f"{CANARY}{broken}{FORGED}"
            answer = await _send(captain, place, said)
            assert answer.status_code < 500, answer.text
            sent += 1
            tally.add("attempts to write a line of the log")
    lines = capfd.readouterr().err.split("\n")
    told = [json.loads(line) for line in lines if line]
    assert len([each for each in told if each["event"] == "request"]) >= sent
    assert not [each for each in told if "forged" in each]
    for each in told:
        each.pop("request_id", None)  # the caller's own name for it, cleaned
        assert CANARY not in json.dumps(each), each
    assert not [line for line in lines if not line.isprintable()]
    assert {name for each in told for name in each} <= FIELDS, told[-1]


async def _send(client: httpx.AsyncClient, place: str, said: str) -> httpx.Response:
    # No client sends these in a header, and no server takes them.
    header = "".join(each for each in said if each >= " " and each != "\x7f").encode()
    match place:
        case "path":
            return await client.get(f"/v1/decisions/{quote(said)}")
        case "query":
            return await client.get("/v1/decisions", params={"session_id": said})
        case "agent":
            return await client.get("/v1/decisions", headers={b"User-Agent": header})
        case "request id":
            return await client.get("/v1/decisions", headers={b"X-Request-ID": header})
        case "body":
            return await client.post("/v1/events", content=said.encode("utf-8", "ignore"))
        case "boom":
            return await client.post("/v1/offers/x", json={said: said, "chip_id": [said]})
    body = {"text": "read gauge G-1", "session_id": "s", "source": "log"}
    named = {"text": "text", "session": "session_id", "source": "source"}[place]
    return await client.post("/v1/events", json=body | {named: said})
