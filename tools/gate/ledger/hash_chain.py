"""The ledger's hash chain, one a tenant.

Append sealed entries, verify them, and read sealed evidence.

Every entry is sealed together with the hash of the one before it.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    bindparam,
    insert,
    select,
    type_coerce,
)

from state.audit import FaultKind, LedgerFault
from tools.platform.serialization import sorted_json
from tools.storage import Database
from tools.storage.seal_key import Seal
from tools.storage.tables.ledger import ledger_anchor, ledger_entry

START = ""
"""What stands before a tenant's first entry, when nothing older than the chain is there."""

# Built once: putting a statement together costs as much as running it.
_LAST_SEALED = (
    select(ledger_entry.c.number, ledger_entry.c.hash)
    .where(ledger_entry.c.tenant_id == bindparam("tenant"), ledger_entry.c.number.is_not(None))
    .order_by(ledger_entry.c.number.desc())
    .limit(1)
)
_ANCHOR_HEAD = select(ledger_anchor.c.number, ledger_anchor.c.hash).where(
    ledger_anchor.c.tenant_id == bindparam("tenant")
)
_UNCHAINED = (
    select(
        ledger_entry.c.action_id,
        ledger_entry.c.at,
        ledger_entry.c.actor,
        ledger_entry.c.event,
        type_coerce(ledger_entry.c.body, Text),
    )
    .where(ledger_entry.c.tenant_id == bindparam("tenant"), ledger_entry.c.number.is_(None))
    .order_by(ledger_entry.c.seq)
)
_APPEND = insert(ledger_entry).values(
    tenant_id=bindparam("tenant"),
    action_id=bindparam("action"),
    at=bindparam("moment"),
    actor=bindparam("who"),
    event=bindparam("what"),
    body=type_coerce(bindparam("text"), Text),  # byte for byte what was sealed
    number=bindparam("place"),
    previous=bindparam("before"),
    hash=bindparam("sealed"),
)


@dataclass(frozen=True)
class Head:
    """The last link of a tenant's chain."""

    number: int
    hash: str


def append_entry(
    connection: Connection,
    database: Database,
    *,
    tenant_id: str,
    action_id: str,
    actor: str,
    event: str,
    body: Mapping[str, Any],
) -> None:
    """Add one entry to the end of its tenant's chain, inside the transaction of what it tells."""
    head = head_of(connection, tenant_id) or Head(0, before_chain(connection, tenant_id, database))
    at = connection.execute(_time(database.now())).scalar_one()
    text = sorted_json(dict(body)).decode()
    sealed = database.seal.over(
        seal_message(tenant_id, head.number + 1, head.hash, action_id, at, actor, event, text)
    )
    connection.execute(
        _APPEND,
        {
            "tenant": tenant_id,
            "action": action_id,
            "moment": at,
            "who": actor,
            "what": event,
            "text": text,
            "place": head.number + 1,
            "before": head.hash,
            "sealed": sealed,
        },
    )
    database.dirty_chains.add(tenant_id)


@cache  # to build a statement takes longer than to run it
def _time(now: ColumnElement[float]) -> Select[Any]:
    return select(now)


def head_of(connection: Connection, tenant_id: str) -> Head | None:
    """Read the last link of a tenant's chain; None: it has none yet."""
    for query in (_LAST_SEALED, _ANCHOR_HEAD):
        row = connection.execute(query, {"tenant": tenant_id}).first()
        if row is not None:
            return Head(row.number, row.hash)
    return None


def before_chain(connection: Connection, tenant_id: str, database: Database) -> str:
    """Seal what was entered before there was a chain, as what its first entry follows."""
    older = connection.execute(_UNCHAINED, {"tenant": tenant_id}).all()
    return seal_older(database.seal, [tuple(row) for row in older])


def seal_older(seal: Seal, rows: list[tuple[Any, ...]]) -> str:
    """Seal entries (action, at, actor, event, body text) that have no place in the chain."""
    return seal.over(orjson.dumps(rows)) if rows else START


def seal_message(
    tenant_id: str,
    number: int,
    previous: str,
    action_id: str,
    at: float,
    actor: str,
    event: str,
    body: str,
) -> bytes:
    """Write what is sealed: canonical JSON (RFC 8785), as texts and numbers sorted by name.

    The body goes in as the text that is stored, so that checking it need not read it.
    """
    return orjson.dumps(
        {
            "action": action_id,
            "actor": actor,
            "at": int(at) if at == int(at) else at,
            "body": body,
            "event": event,
            "number": number,
            "previous": previous,
            "tenant": tenant_id,
        }
    )


MOST_FAULTS = 100
"""Beyond it a tenant's chain is broken, and a longer list tells nobody more."""
SLICE = 20_000

_ENTRIES = """
    select number, previous, hash, action_id, at, actor, event, body, seq from ledger_entry
    where tenant_id = ? and number > ? order by number limit ?
"""
_ANCHOR = "select number, hash from ledger_anchor where tenant_id = ?"
_OLDER = """
    select action_id, at, actor, event, body from ledger_entry
    where tenant_id = ? and number is null order by seq
"""
_LATER = """
    select seq from ledger_entry where tenant_id = ? and number is null
    and seq > (select min(seq) from ledger_entry where tenant_id = ? and number is not null)
"""
_LAST = """
    select number, previous, hash, action_id, at, actor, event, body, seq from ledger_entry
    where tenant_id = ? and number is not null order by number desc limit 1
"""
_PLACE_OF = "select number from ledger_entry where tenant_id = ? and hash = ?"


class Entry(NamedTuple):
    """One entry as it is stored."""

    number: int
    previous: str
    hash: str
    action_id: str
    at: float
    actor: str
    event: str
    body: str
    seq: int


@dataclass
class ChainCheck:
    """Walks one tenant's chain, a slice at a time; what was seen once need not be seen again."""

    tenant_id: str
    seal: Seal
    head: Head | None = None
    """The last entry seen; None: the walk begins at the front."""
    entries: int = 0
    faults: list[LedgerFault] = field(default_factory=list)
    _seq: int = 0

    def walk(self, connection: Connection, *, at_most: int = SLICE) -> bool:
        """Look at the next entries; False: there are none left, or too many faults."""
        if self.head is None:
            self.head = self._front(connection)
        number, last, seq = self.head.number, self.head.hash, self._seq
        over, tenant = self.seal.over, self.tenant_id
        found = fetch(connection, _ENTRIES, (tenant, number, at_most + 1))
        for index, row in enumerate(found[:at_most]):
            place, before, sealed, action_id, at, actor, event, body, own_seq = row
            # The good way is one comparison: 100,000 entries a second is the least it must do.
            if not (
                before == last
                and place == number + 1
                and own_seq > seq
                and sealed
                == over(seal_message(tenant, place, before, action_id, at, actor, event, body))
            ):
                following = found[index + 1] if index + 1 < len(found) else None
                self._name(connection, Entry(*row), following, Head(number, last), seq)
                if len(self.faults) >= MOST_FAULTS:
                    return False
            number, last, seq = place, sealed, own_seq
            self.entries += 1
        self.head, self._seq = Head(number, last), seq
        return len(found) > at_most

    def _front(self, connection: Connection) -> Head:
        anchored = fetch(connection, _ANCHOR, (self.tenant_id,))
        for (seq,) in fetch(connection, _LATER, (self.tenant_id, self.tenant_id)):
            self._fault("unnumbered", None, f"entry with seq {seq} has no place in the chain")
        if anchored:
            return Head(*anchored[0])
        return Head(0, seal_older(self.seal, fetch(connection, _OLDER, (self.tenant_id,))))

    def _name(
        self,
        connection: Connection,
        entry: Entry,
        following: Sequence[Any] | None,
        last: Head,
        seq: int,
    ) -> None:
        """Say what was done to an entry that is not as it was left, as well as can be told."""
        number = entry.number
        if number > last.number + 1:
            missing = f"{last.number + 1}" + (
                f" to {number - 1}" if number > last.number + 2 else ""
            )
            self._fault("deleted", last.number + 1, f"entry {missing} is missing")
        if not self._is_sealed(entry, number):
            kind, says = self._forged(connection, entry, following, last)
            self._fault(kind, number, says, entry.action_id)
        elif number == last.number + 1 and entry.previous != last.hash:
            what = "what it follows" if last.number else "what was entered before the chain"
            self._fault("replaced", number, f"{what} (entry {number}) is not what it was")
        elif number == last.number + 1 and entry.seq <= seq:
            self._fault("reordered", number, f"entry {number} was stored before the one it follows")

    def _forged(
        self,
        connection: Connection,
        entry: Entry,
        following: Sequence[Any] | None,
        last: Head,
    ) -> tuple[FaultKind, str]:
        was = self._was_at(connection, entry)
        if was is not None:
            return "reordered", f"entry {entry.number} was number {was}"
        is_expected_next = following is not None and following[1] == entry.hash
        if entry.previous == last.hash and (is_expected_next or following is None):
            return "edited", f"entry {entry.number} is not what was entered: its seal is broken"
        return "inserted", f"entry {entry.number} was put there: no seal fits it"

    def _was_at(self, connection: Connection, entry: Entry) -> int | None:
        before = fetch(connection, _PLACE_OF, (self.tenant_id, entry.previous))
        likely = {entry.number - 1, entry.number + 1, *(place + 1 for (place,) in before if place)}
        return next((place for place in sorted(likely) if self._is_sealed(entry, place)), None)

    def _is_sealed(self, entry: Entry, number: int) -> bool:
        return _is_sealed(entry, self.tenant_id, number, self.seal)

    def _fault(
        self, kind: FaultKind, number: int | None, says: str, action_id: str | None = None
    ) -> None:
        self.faults.append(
            LedgerFault(
                tenant_id=self.tenant_id, kind=kind, number=number, says=says, action_id=action_id
            )
        )


def _is_sealed(entry: Entry, tenant_id: str, number: int, seal: Seal) -> bool:
    sealed = seal_message(
        tenant_id,
        number,
        entry.previous,
        entry.action_id,
        entry.at,
        entry.actor,
        entry.event,
        entry.body,
    )
    return entry.hash == seal.over(sealed)


def last_is_sealed(connection: Connection, tenant_id: str, seal: Seal) -> bool:
    """Tell whether the key is right: a tenant's last entry bears its seal, or there is none."""
    found = fetch(connection, _LAST, (tenant_id,))
    return not found or _is_sealed(Entry(*found[0]), tenant_id, found[0][0], seal)


def fetch(connection: Connection, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Read rows past SQLAlchemy, which would cost more than the check itself."""
    driver = connection.connection.driver_connection
    if driver is None:
        raise ValueError("the connection is closed")
    rows: list[tuple[Any, ...]] = driver.execute(query, values).fetchall()
    return rows


_ENTRIES_OF_ACTION = """
    select tenant_id, number, previous, action_id, at, actor, event, body, hash
    from ledger_entry where action_id = ? and number is not null order by seq
"""


@dataclass(frozen=True)
class SealedEntry:
    """An entry whose seal was just checked against the key, which is not in the database."""

    actor: str
    event: str
    body: str


def sealed_entries(
    connection: Connection, database: Database, action_id: str
) -> tuple[SealedEntry, ...]:
    """Read the entries of an action that were made with our key, oldest first.

    Whoever can write to the database can add a vote, and can move a row; an entry they cannot.
    """
    return tuple(
        SealedEntry(actor=row[5], event=row[6], body=row[7])
        for row in fetch(connection, _ENTRIES_OF_ACTION, (action_id,))
        if _is_genuine(database, row)
    )


def _is_genuine(database: Database, row: tuple[Any, ...]) -> bool:  # as SQLite keeps it
    *fields, sealed = row
    return isinstance(sealed, str) and hmac.compare_digest(
        database.seal.over(seal_message(*fields)), sealed
    )
