"""Verify the chain: every entry bears its seal, follows the one before, and none is missing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection

from state.audit import FaultKind, LedgerFault
from tools.ledger.chain import Head, message, seal_older
from tools.storage.seal import Seal

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
                == over(message(tenant, place, before, action_id, at, actor, event, body))
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
    sealed = message(
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
    """Tell whether a tenant's last entry bears this seal, or there is none: is it the right key?"""
    found = fetch(connection, _LAST, (tenant_id,))
    return not found or _is_sealed(Entry(*found[0]), tenant_id, found[0][0], seal)


def fetch(connection: Connection, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Read rows past SQLAlchemy, which would cost more than the check itself."""
    driver = connection.connection.driver_connection
    if driver is None:
        raise ValueError("the connection is closed")
    rows: list[tuple[Any, ...]] = driver.execute(query, values).fetchall()
    return rows
