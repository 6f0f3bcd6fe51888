"""Whom webhooks wake: a question, the last of its time, and its end."""

import json
from pathlib import Path

from state.webhook import Endpoint
from tests.safety.benches import CAPTAIN, MATE, no, proposal, sql, yes
from tools.gate.ledger.entry_hooks import ApprovalWebhooks
from tools.gate.ledger.ledger import Ledger
from tools.notifications.webhook_outbox import Outbox


async def test_approvals_are_told_when_asked_running_out_and_decided(
    ledger: Ledger, data_dir: Path
) -> None:
    everything = {"url": "https://h.test/x", "events": ("*",), "secret": "s" * 24}
    endpoints = tuple(
        Endpoint.model_validate({"name": name, "tenant": name, **everything})
        for name in ("aurora", "borealis")
    )
    ledger.database.on_entry = ApprovalWebhooks(Outbox(ledger.database, endpoints))
    first, second, third = [
        await ledger.propose(proposal(decision_id=f"d-{number}", valve=f"V-101{number}"))
        for number in range(3)
    ]
    twin = await ledger.propose(proposal(decision_id="d-7", requester=MATE, valve="V-1010"))
    await ledger.propose(proposal("read_gauge", decision_id="d-9", gauge="G-1"))
    await ledger.decide(first.action_id, yes(first), CAPTAIN)
    await ledger.execute(first.action_id)
    await ledger.decide(second.action_id, no(second), CAPTAIN)
    soon = "update ledger_action set expires_at = asked_at + {} where action_id = '{}'"
    sql(data_dir, soon.format("0.001", third.action_id))
    assert await ledger.asking.expire_due()
    fourth = await ledger.propose(proposal(decision_id="d-4"))
    sql(data_dir, soon.format("60", fourth.action_id))
    back = "update ledger_action set asked_at = asked_at - 3600 where action_id = '{}'"
    sql(data_dir, back.format(fourth.action_id))
    assert await ledger.asking.warn_due()
    assert not await ledger.asking.warn_due()

    rows = sql(data_dir, "select body from webhook_delivery order by delivery_id")
    told = [json.loads(str(body)) for (body,) in rows]
    named = {first.action_id: 1, second.action_id: 2, third.action_id: 3, fourth.action_id: 4}
    named[twin.action_id] = 5
    assert [
        (
            one["type"].removeprefix("approval:"),
            named[one["data"]["action_id"]],
            one["data"]["state"],
        )
        for one in told
    ] == [
        ("asked", 1, "pending"),
        ("asked", 2, "pending"),
        ("asked", 3, "pending"),
        ("asked", 5, "pending"),
        ("decided", 1, "approved"),
        ("decided", 5, "stale"),
        ("decided", 2, "rejected"),
        ("decided", 3, "expired"),
        ("asked", 4, "pending"),
        ("expiring", 4, "pending"),
    ]
    assert {one["tenant_id"] for one in told} == {"aurora"}
    assert told[4]["data"]["decided_by"] == CAPTAIN.user
    assert not any("V-101" in json.dumps(one) for one in told)
