"""Rows planted by hand, as they would stand after what they tell of."""

from itertools import count
from typing import Any

from sqlalchemy import insert

from tools.storage.database import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action, ledger_approval
from tools.storage.tables.observability import query_log

TENANT = "aurora"
_NUMBERS = count(1)


async def plant_action(database: Database, action: str, **fields: Any) -> str:
    """Plant an action of the ledger; without more it is a read that succeeded."""
    action_id = f"action-{next(_NUMBERS)}"
    values: dict[str, Any] = {
        "action_id": action_id,
        "tenant_id": TENANT,
        "decision_id": f"decision-of-{action_id}",
        "action": action,
        "pack": "harbour",
        "execution_class": "A",
        "arguments": {},
        "digest": f"digest-of-{action_id}",
        "summary": action,
        "state": "succeeded",
        "requester": "amir",
        "requester_roles": [],
        "approver_roles": [],
        "quorum": 1,
        "four_eyes": False,
        "proposed_at": 100.0,
        "started_at": 101.0,
        **fields,
    }
    await database.write(
        lambda connection: connection.execute(insert(ledger_action).values(values))
    )
    return action_id


async def plant_yes(
    database: Database, action_id: str, approver: str, *, digest: str | None = None
) -> None:
    """Plant a yes to an action, on its own digest unless another is given."""
    values = {
        "action_id": action_id,
        "approver": approver,
        "decision": "approve",
        "digest_seen": digest or f"digest-of-{action_id}",
        "method": "approval",
        "decided_at": 100.5,
    }
    await database.write(
        lambda connection: connection.execute(insert(ledger_approval).values(values))
    )


async def plant_query(database: Database, text: str = "close it", **fields: Any) -> str:
    """Plant a query, and the decision it belongs to with the mood it was said in."""
    decision_id = f"query-{next(_NUMBERS)}"
    mood = fields.pop("mood", "command")
    chosen = fields.get("chip_chosen")
    values = {
        "decision_id": decision_id,
        "tenant_id": TENANT,
        "session_id": "bridge",
        "at": 100.0,
        "raw_text": text,
        "normalized": text.lower(),
        "tokens": text.lower().split(),
        "alternatives": [],
        "entities": [],
        "reasons": [],
        "chips_shown": [chosen] if chosen else [],
        "collision": "none",
        "phase": "general",
        "execution_class": "suggest",
        "outcome": "offered",
        **fields,
    }
    decided = {
        "decision_id": decision_id,
        "tenant_id": values["tenant_id"],
        "session_id": "bridge",
        "source": "tests",
        "event_id": decision_id,
        "kind": "message",
        "event": {},
        "thread_id": decision_id,
        "standing": "recorded",
        "accepted_at": 100.0,
        "stages": {"policy": {"routing": {"mood": mood}}},
    }

    def work(connection: Any) -> None:
        connection.execute(insert(decision).values(decided))
        connection.execute(insert(query_log).values(values))

    await database.write(work)
    return decision_id
