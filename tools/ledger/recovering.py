"""Recover: what became of an action that was left started, as far as anybody can tell."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from state.approval import LedgerAction
from state.errors import NotFound
from tools.ledger.claiming import Claim, Claiming
from tools.ledger.freezing import why_frozen
from tools.ledger.rows import read_action
from tools.ledger.running import Effect, Running
from tools.ledger.staleness import digest_now
from tools.storage.database import Database
from tools.storage.tables.ledger import ledger_action, ledger_entry

CRASHED = "how it ended could not be written down; check the target and settle it"
UNDONE = "it was interrupted, and nothing of it remains; ask again"
READ_AGAIN = "it was interrupted; a read may be read again"
FORGOTTEN_SECONDS = 60.0
"""After so long an approved action that nobody has started is started here."""

MOST_CLAIMS = 5
"""An action that honours keys and was left started so often is not run again: it ends processes."""


@dataclass(frozen=True)
class Left:
    """An action that was left started, and the claim it was left with."""

    action: LedgerAction
    fence: int


@dataclass(frozen=True)
class Recovering:
    """Reads the ledger alone: what a graph or a process thinks about it has no say."""

    database: Database
    claiming: Claiming
    running: Running

    async def left_over(self, *, by_anybody: bool = False) -> tuple[Left, ...]:
        """List what was left started: by us, or by others whose lease is over.

        Nothing while the ledger is frozen, but for reads: a person looks first.

        Args:
            by_anybody: the others are gone, whatever their leases say.
        """

        def work(connection: Connection) -> tuple[Left, ...]:
            query = select(ledger_action.c.action_id, ledger_action.c.fence).where(
                ledger_action.c.state == "started", self._is_left(by_anybody=by_anybody)
            )
            if why_frozen(connection):
                query = query.where(ledger_action.c.execution_class == "A")
            return tuple(
                Left(read_action(connection, row.action_id), row.fence)
                for row in connection.execute(query).all()
                if row.action_id not in self.claiming.claimed
            )

        return await self.database.read(work)

    async def forgotten(self) -> tuple[str, ...]:
        """List the approved actions, reads left out, that nobody has started for a minute."""

        def work(connection: Connection) -> tuple[str, ...]:
            touched = (
                select(ledger_entry.c.action_id)
                .where(
                    ledger_entry.c.action_id == ledger_action.c.action_id,
                    ledger_entry.c.at > self.database.now() - FORGOTTEN_SECONDS,
                )
                .exists()
            )
            query = select(ledger_action.c.action_id).where(
                ledger_action.c.state == "approved",
                ledger_action.c.execution_class != "A",
                ~touched,
            )
            return () if why_frozen(connection) else tuple(connection.scalars(query))

        return await self.database.read(work)

    async def recover(self, left: Left) -> LedgerAction | Claim:
        """Settle what was left started; a claim: it has to be run again, with the same key."""
        standing = left.action
        is_worth = left.fence < MOST_CLAIMS
        if standing.execution_class == "B" and is_worth and self._honours_keys(standing):
            return await self.database.write(lambda connection: self._again(connection, left))
        effect = await self._became(standing)
        return await self.database.write(
            lambda connection: self.claiming.settle(connection, standing, left.fence, effect),
            durable=True,
        )

    async def _became(self, standing: LedgerAction) -> Effect:
        if standing.execution_class == "A":
            return Effect("approved", reason=READ_AGAIN)
        if not self._is_as_it_was(standing):  # under other code nothing follows from the entry
            return Effect("unknown", reason=CRASHED)
        action = self.running.catalogue.action(standing.action)
        if action.transactional:
            return Effect("failed", reason=UNDONE)
        if action.status is not None:
            return await self.running.has_happened(standing)
        return Effect("unknown", reason=CRASHED)

    def _honours_keys(self, standing: LedgerAction) -> bool:
        # By its floor too: a change that was raised to C is C, and C is never tried again.
        action = self.running.catalogue.actions.get(standing.action)
        return (
            action is not None
            and action.idempotent
            and not action.transactional
            and action.status is None
            and action.floor == "B"
            and self._is_as_it_was(standing)
        )

    def _is_as_it_was(self, standing: LedgerAction) -> bool:
        try:
            digest = digest_now(self.claiming.catalogue, self.claiming.policies, standing)
        except NotFound:
            return False
        return digest == standing.digest

    def _again(self, connection: Connection, left: Left) -> LedgerAction | Claim:
        standing = read_action(connection, left.action.action_id)
        query = select(ledger_action.c.fence).where(
            ledger_action.c.action_id == standing.action_id, ledger_action.c.state == "started"
        )
        if connection.execute(query).scalar() != left.fence:
            return standing  # somebody else has settled it, or is at it
        return self.claiming.claim_again(connection, standing, left.fence)

    def _is_left(self, *, by_anybody: bool) -> ColumnElement[bool]:
        if by_anybody:
            return ledger_action.c.state.is_not(None)
        lease = ledger_action.c.lease_until
        return or_(
            ledger_action.c.owner == self.claiming.owner,
            ledger_action.c.owner.is_(None),
            and_(lease.is_not(None), lease <= self.database.now()),
            # From before there were leases: no process that wrote it lives on.
            lease.is_(None),
        )
