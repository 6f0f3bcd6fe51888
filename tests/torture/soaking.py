"""A ledger that is years old: rows and sealed entries as the product writes them, a million."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from tests.safety.benches import FILE
from tools.gate.ledger.hash_chain import seal_message
from tools.gate.ledger.rows import row_hash
from tools.platform.serialization import sorted_json
from tools.storage.seal_key import KEY_FILE, Seal
from tools.storage.tables.ledger import FROZEN

Row = dict[str, Any]  # by column
NEVER = 9e9
"""Seconds since 1970 at which no question here has run out."""
SLICE = 20_000
ASKED_EACH = 20


@dataclass
class Soak:
    """Writes copies of one pending and one finished action, each sealed into the chain."""

    data_dir: Path
    pending: Row
    done: Row
    entries: Sequence[Row]
    """Those of the finished one."""
    vote: Row
    number: int = 0
    last: str = ""
    _seal: Seal = field(init=False)

    def __post_init__(self) -> None:
        self._seal = Seal.kept_in(self.data_dir / KEY_FILE)

    @classmethod
    def of(cls, data_dir: Path, pending_id: str, done_id: str) -> "Soak":
        """Take the patterns from what the product wrote."""
        with closing(_connected(data_dir)) as connection:
            actions = {
                row["action_id"]: dict(row)
                for row in connection.execute("select * from ledger_action")
            }
            entries = [dict(row) for row in connection.execute(_ENTRIES)]
            voted = connection.execute(
                "select * from ledger_approval where action_id = ?", (done_id,)
            )
            [vote] = [dict(row) for row in voted]
        return cls(
            data_dir,
            actions[pending_id] | {"expires_at": NEVER},
            actions[done_id],
            [each for each in entries if each["action_id"] == done_id],
            vote,
            entries[-1]["number"],
            entries[-1]["hash"],
        )

    def write(self, pending: int, entries: int) -> None:
        """Write so many questions, and finished actions until there are so many entries."""
        finished = (entries - pending - self.number) // len(self.entries)
        with closing(_connected(self.data_dir)) as connection:
            connection.execute("pragma synchronous = off")
            for first in range(0, pending + finished, SLICE):
                numbers = range(first, min(first + SLICE, pending + finished))
                self._write_some(connection, [(n, n < pending) for n in numbers])
            connection.execute("analyze")
            connection.commit()

    def _write_some(self, connection: sqlite3.Connection, some: list[tuple[int, bool]]) -> None:
        rows = [(self._action(number, is_open), is_open) for number, is_open in some]
        _insert(connection, "ledger_action", [row for row, _is_open in rows])
        votes = [
            self.vote | {"action_id": row["action_id"]} for row, is_open in rows if not is_open
        ]
        _insert(connection, "ledger_approval", votes)
        sealed = [entry for row, is_open in rows for entry in self._sealed(row, is_open=is_open)]
        _insert(connection, "ledger_entry", sealed)
        connection.commit()

    def _action(self, number: int, is_open: bool) -> Row:
        names = {
            "action_id": f"soak-{number:08}",
            "decision_id": f"soaked-{number:08}",
            "requester": f"amir-{number // ASKED_EACH}",
        }
        return (self.pending if is_open else self.done) | names

    def _sealed(self, row: Row, *, is_open: bool) -> Iterator[Row]:
        for pattern in self.entries[:1] if is_open else self.entries:
            body = pattern["body"]
            if pattern["event"].startswith("proposed "):
                frozen = [row[column] for column in FROZEN]
                seal = {"digest": row["digest"], "row_sha256": row_hash(frozen)}
                body = sorted_json(orjson.loads(body) | seal).decode()
            self.number += 1
            entry: Mapping[str, Any] = pattern | {
                "action_id": row["action_id"],
                "body": body,
                "number": self.number,
                "previous": self.last,
            }
            sealed = seal_message(
                entry["tenant_id"], self.number, self.last, entry["action_id"], entry["at"],
                entry["actor"], entry["event"], body,
            )  # fmt: skip
            self.last = self._seal.over(sealed)
            yield {name: value for name, value in entry.items() if name != "seq"} | {
                "hash": self.last
            }


_ENTRIES = "select * from ledger_entry order by number"


def add_checkpoints(file: Path, thread_id: str, count: int) -> None:
    """Put so many copies of a thread's first checkpoint before its newest."""
    with closing(sqlite3.connect(file)) as connection:
        names = [str(row[1]) for row in connection.execute("pragma table_info(checkpoints)")]
        chosen = ", ".join("'0' || printf('%08d', n)" if n == "checkpoint_id" else n for n in names)
        copied = f"""
            with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
            insert into checkpoints ({", ".join(names)})
            select {chosen} from numbers, (select * from checkpoints where thread_id = ? limit 1)
        """
        connection.execute(copied, (count, thread_id))
        connection.commit()


def _connected(data_dir: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(data_dir / FILE)
    connection.row_factory = sqlite3.Row
    return connection


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    if rows:
        names = ", ".join(rows[0])
        places = ", ".join(f":{name}" for name in rows[0])
        connection.executemany(f"insert into {table} ({names}) values ({places})", rows)
