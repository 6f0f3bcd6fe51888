"""Let days pass for what stands in a ledger."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.safety.benches import FILE
from tools.gate.ledger.hash_chain import seal_message
from tools.storage.seal_key import KEY_FILE, Seal

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
