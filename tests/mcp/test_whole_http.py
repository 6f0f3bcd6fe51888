"""Through the whole graph: a payment is asked for, approved, sent once, or told rightly."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.mcp.office import OpenOffice
from tests.tools.gate.handlers.service import Service, reply, running

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
    actions = PAYING.replace("PORT", str(service.port))
    return {"actions.yaml": actions, "entities.yaml": INVOICES}


async def test_a_payment_over_http_is_asked_for_and_sent_once(
    open_office: OpenOffice, bank: Service, tmp_path: Path
) -> None:
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
) -> None:
    bank.says(answer)
    async with open_office(paying(bank), allowed_private_hosts=(bank.place,)) as office:
        ended = await office.approves(await office.says("pay invoice IN-12"))
    assert ended.state == state
    assert len(bank.requests) == 1


async def test_a_host_that_is_not_listed_is_never_called(
    open_office: OpenOffice, bank: Service
) -> None:
    async with open_office(paying(bank), allowed_hosts=(bank.place,)) as office:
        ended = await office.approves(await office.says("pay invoice IN-12"))
    assert ended.state == "failed"
    assert "not public" in str(ended.reason)
    async with open_office(paying(bank)) as office:
        ended = await office.approves(await office.says("pay invoice IN-40"))
    assert ended.state == "failed"
    assert bank.connects == 0
