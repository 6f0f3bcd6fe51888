"""Through the whole graph: a tool is asked for, approved, called once, or told rightly."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yaml

from tests.mcp.office import ADA, OpenOffice
from tests.mcp.servers import become, calls, honest, lying
from tests.tools.gate.handlers.service import Service, reply, running
from tools.catalog.pack_schema import McpServer


def servers(**named: McpServer) -> dict[str, str]:
    """Write mcp.yaml."""
    told = {
        name: each.model_dump(mode="json", exclude_defaults=True) for name, each in named.items()
    }
    return {"mcp.yaml": yaml.safe_dump({"servers": told})}


async def test_a_read_of_a_trusted_server_runs_by_itself(open_office: OpenOffice, tmp_path: Path):
    async with open_office(servers(notebook=honest(tmp_path, trusted=True))) as office:
        record = await office.says("count the entries of the notebook")
    assert (record.outcome, record.action) == ("executed", "notebook_count_entries")
    assert record.text == "0 entries"


async def test_a_change_by_a_tool_is_offered_and_done_when_it_is_chosen(
    open_office: OpenOffice, tmp_path: Path
):
    async with open_office(servers(notebook=honest(tmp_path))) as office:
        record = await office.says("add an entry: fog at noon")
        assert (record.outcome, record.execution_class) == ("offered", "B")
        assert not (tmp_path / "book").exists()
        (offer,) = await office.executive.offers.list("default")
        chip = next(chip for chip in offer.chips if chip.action == "notebook_add_entry")
        chosen = await office.executive.offers.choose(
            offer.offer_id, chip.chip_id, ADA, {} if chip.arguments else {"text": "fog at noon"}
        )
    assert chosen.outcome == "executed"
    assert (tmp_path / "book").read_text("utf-8") == "calm: fog at noon\n"


async def test_a_tool_that_says_nothing_of_itself_is_asked_for_and_done_once(
    open_office: OpenOffice, tmp_path: Path
):
    async with open_office(servers(notebook=honest(tmp_path))) as office:
        record = await office.says("erase the notebook")
        assert (record.outcome, record.execution_class) == ("awaiting_approval", "C")
        assert not (tmp_path / "book").exists()
        assert (await office.approves(record)).state == "succeeded"
        assert (await office.executive.decide(record.decision_id)).outcome == "executed"
    assert (tmp_path / "book").read_text("utf-8") == "erased\n"


async def test_a_tool_that_changed_after_the_question_is_not_called(
    open_office: OpenOffice, tmp_path: Path
):
    async with open_office(servers(till=lying(tmp_path))) as office:
        record = await office.says("pay with the till")
        assert record.outcome == "awaiting_approval", record
        become(tmp_path, "changed")
        ended = await office.approves(record)
    assert ended.state == "failed"
    assert "not what was approved" in str(ended.reason)
    assert calls(tmp_path) == []


async def test_a_tool_changed_between_two_starts_makes_its_approval_stale(
    open_office: OpenOffice, tmp_path: Path
):
    files = servers(till=lying(tmp_path))
    async with open_office(files) as office:
        record = await office.says("pay with the till")
    become(tmp_path, "changed")
    async with open_office(files) as office:
        ended = await office.approves(record)
    assert ended.state == "stale"
    assert calls(tmp_path) == []


async def test_what_a_tool_says_is_never_a_request(open_office: OpenOffice, tmp_path: Path):
    async with open_office(servers(till=lying(tmp_path, trusted=True))) as office:
        record = await office.says("peek with the till")
        assert record.outcome == "executed"
        assert "it is approved" in record.text
        assert await office.executive.approvals.list("default", state=None) == []
        assert await office.executive.offers.list("default", open_only=False) == []
    assert calls(tmp_path) == ["peek"]


async def test_a_server_that_dies_in_the_call_leaves_a_change_unknown(
    open_office: OpenOffice, tmp_path: Path
):
    async with open_office(servers(till=lying(tmp_path))) as office:
        record = await office.says("pay with the till")
        become(tmp_path, "die")
        ended = await office.approves(record)
    assert ended.state == "unknown"
    assert calls(tmp_path) == ["pay"]


async def test_a_server_that_is_down_is_told_and_comes_back_with_a_start(
    open_office: OpenOffice, tmp_path: Path
):
    up = honest(tmp_path)
    down = up.model_copy(update={"command": "/no/such/server"})
    async with open_office(servers(notebook=down)) as office:
        assert any("notebook" in line for line in office.executive.degraded)
        assert (await office.says("erase the notebook")).outcome != "awaiting_approval"
    async with open_office(servers(notebook=up)) as office:
        assert not any("notebook" in line for line in office.executive.degraded)
        assert (await office.says("erase the notebook")).outcome == "awaiting_approval"


# Through the whole graph: a payment is asked for, approved, sent once, or told rightly.

PAYING = """
actions:
  pay_invoice:
    summary: "Pay invoice {invoice}"
    verb: update
    words: [pay, settle]
    object: invoice
    slots:
      invoice: {type: invoice, required: true}
    effect: financial
    http:
      method: POST
      url: "http://127.0.0.1:PORT/invoices/{invoice}/payment"
      headers: {Authorization: "Bearer ${BANK}"}
      idempotency_header: Idempotency-Key
      seconds: 2
    examples: ["pay invoice IN-12", "settle invoice IN-40", "pay IN-77"]
"""
INVOICES = 'entities:\n  invoice:\n    patterns: ["IN-\\\\d{2}"]\n'


@pytest.fixture
async def bank(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """Return the service that takes payments."""
    monkeypatch.setenv("EXECUTIVE_SECRET_BANK", "canary-4711")
    async with running() as service:
        yield service


def paying(service: Service) -> dict[str, str]:
    """Write a pack that pays there."""
    return {"actions.yaml": PAYING.replace("PORT", str(service.port)), "entities.yaml": INVOICES}


async def test_a_payment_over_http_is_asked_for_and_sent_once(
    open_office: OpenOffice, bank: Service, tmp_path: Path
):
    bank.says(reply(b'{"paid": true, "by": "canary-4711"}'))
    async with open_office(paying(bank), allowed_private_hosts=(bank.place,)) as office:
        record = await office.says("pay invoice IN-12")
        assert (record.outcome, bank.connects) == ("awaiting_approval", 0)
        done = await office.approves(record)
        assert done.state == "succeeded"
        await office.executive.decide(record.decision_id)
    (request,) = bank.requests
    assert request.url.path == "/invoices/IN-12/payment"
    assert request.headers["authorization"] == "Bearer canary-4711"
    assert request.headers["idempotency-key"] == record.action_id
    kept = b"".join(file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file())
    assert b"canary-4711" not in kept
    assert done.result is not None
    assert json.loads(json.dumps(done.result["data"])) == {"paid": True, "by": "•••"}


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (reply(b"no", "402 Pay first", "text/plain"), "failed"),
        (reply(b"", "500 Oops"), "unknown"),
        (b"", "unknown"),
        (b"garbage\r\n\r\n", "unknown"),
        (reply(b"", "307 There", headers="Location: http://169.254.169.254/\r\n"), "unknown"),
    ],
)
async def test_what_became_of_a_payment_is_told_rightly(
    open_office: OpenOffice, bank: Service, answer: bytes, state: str
):
    bank.says(answer)
    async with open_office(paying(bank), allowed_private_hosts=(bank.place,)) as office:
        ended = await office.approves(await office.says("pay invoice IN-12"))
    assert ended.state == state
    assert len(bank.requests) == 1


async def test_a_host_that_is_not_listed_is_never_called(open_office: OpenOffice, bank: Service):
    async with open_office(paying(bank), allowed_hosts=(bank.place,)) as office:
        ended = await office.approves(await office.says("pay invoice IN-12"))
    assert ended.state == "failed"
    assert "not public" in str(ended.reason)
    async with open_office(paying(bank)) as office:
        ended = await office.approves(await office.says("pay invoice IN-40"))
    assert ended.state == "failed"
    assert bank.connects == 0
