"""Days that pass, audits, clicks and choices for tests of the ledger."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from state.audit import LedgerAudit
from state.event import Event
from state.offer import Chip, Offer
from tests.safety.benches import CAPTAIN, COOK, ENGINEER, FILE, MATE, ROBOT, STRANGER, opened_ledger
from tools.gate.ledger.audit import audit
from tools.gate.ledger.hash_chain import Head, seal_message
from tools.gate.ledger.ledger import Ledger
from tools.storage.offers import SqlOffers
from tools.storage.seal_key import KEY_FILE, Seal

# Let days pass for what stands in a ledger.

GUARD = "ledger_entry_stays_on_update"


def age(data_dir: Path, *, days: int, up_to: int = 99) -> None:
    """Make the first actions, of five entries each, older; what is sealed is sealed anew."""
    seal = Seal.kept_in(data_dir / KEY_FILE)
    with closing(sqlite3.connect(data_dir / FILE)) as connection, connection:
        [(guard,)] = connection.execute("select sql from sqlite_master where name = ?", (GUARD,))
        connection.execute(f"drop trigger {GUARD}")
        last: dict[str, str] = {}
        for row in connection.execute(
            "select * from ledger_entry order by tenant_id, number"
        ).fetchall():
            seq, tenant, action, at, actor, event, body, number, _, _ = row
            at -= days * 86_400.0 if number <= up_to * 5 else 0.0
            before = last.get(tenant, "")
            last[tenant] = seal.over(
                seal_message(tenant, number, before, action, at, actor, event, body)
            )
            connection.execute(
                "update ledger_entry set at = ?, previous = ?, hash = ? where seq = ?",
                (at, before, last[tenant], seq),
            )
        connection.execute(guard)


# Audits of a folder that somebody with the disk in hand may have changed.

AT = "tenant_id = 'aurora' and number = ?"


async def audited(
    data_dir: Path, pack: Path, *, heads: dict[str, Head] | None = None, tenant: str | None = None
) -> LedgerAudit:
    async with opened_ledger(data_dir, pack) as ledger:
        return (await audit(ledger.database, heads or {}, tenant_id=tenant)).report


async def heads_of(data_dir: Path, pack: Path) -> dict[str, Head]:
    async with opened_ledger(data_dir, pack) as ledger:
        checks = (await audit(ledger.database, {})).checks
    return {tenant: check.head for tenant, check in checks.items() if check.head}


def kinds_of(report: LedgerAudit) -> set[tuple[str, str]]:
    return {(fault.tenant_id, fault.kind) for fault in report.faults}


# A click on a chip, with nothing between it and the tables.


async def click(ledger: Ledger, *, sent: dict[str, Any] | None = None, **shown: Any) -> Event:
    """Show one chip and have it clicked."""
    offers = SqlOffers(ledger.database)
    chip = Chip(
        chip_id="chip-1",
        action="label_valve",
        arguments=shown,
        summary="Label a valve",
        confidence=0.6,
    )
    offer = Offer(
        offer_id="offer-1",
        decision_id="decision-1",
        tenant_id="aurora",
        session_id="default",
        chips=(chip,),
        reason="several_plausible",
    )
    await offers.put(offer, minutes=5)
    return await offers.choose("offer-1", "chip-1", ENGINEER, sent or {})


# What may be asked for, by whom, and where a process may die: the choices of chance.

ARGUMENTS: dict[str, tuple[dict[str, Any], ...]] = {
    "open_valve": ({"valve": "V-1"}, {"valve": "V-2", "turns": 3}, {"valve": "V-1", "note": "x"}),
    "flood_hold": ({"hold": "H-1"}, {"hold": "H-2"}),
    "shift_ballast": ({"tonnes": 20}, {"tonnes": 500}),
    "buy_pump": ({"count": 1}, {"count": 99}),
}
PEOPLE = (ENGINEER, CAPTAIN, MATE, COOK, STRANGER, ROBOT)
STEPS = ("before_claim", "after_claim", "in_effect", "after_effect", "after_record")

people = st.sampled_from((ENGINEER, CAPTAIN, MATE, CAPTAIN, MATE, *PEOPLE))
actions = st.sampled_from(sorted(ARGUMENTS))
places = st.integers(min_value=0, max_value=30)
