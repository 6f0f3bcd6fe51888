"""Read agents' calls: the decision each is, the suggestion it led to, and what was chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, RowMapping, bindparam, func, literal_column, select, update

from state.errors import NotFound
from state.event import Event
from state.offer import Offer
from state.reader import Reader
from state.record import DecisionRecord
from state.stored_call import StoredCall
from tools.platform.clock import DAY_SECONDS
from tools.storage import Database
from tools.storage.offers import end_offer, is_offer_open, to_offer
from tools.storage.query_filters import KeysetPage, may_see, readable_in
from tools.storage.tables.decisions import decision
from tools.storage.tables.decisions import offer as offers

WITHDRAWN, EXPIRED = "withdrawn", "expired"
"""Stand in the place of who chose an offer: its agent called it off; it has run out, and that
was told."""
MOST_EXPIRED = 500
"""Offers of one turn; the next second takes the rest."""

# Built once: to build a statement takes longer than to run it.
_CALL = select(decision).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.kind == "proposal"
)
_RECORD = select(decision.c.record).where(decision.c.decision_id == bindparam("wanted"))
_OFFER = select(offers).where(offers.c.offer_id == bindparam("wanted"))
_SHOWN_IN = select(offers.c.decision_id).where(offers.c.chosen_decision_id == bindparam("wanted"))


@dataclass(frozen=True)
class SqlAgentCalls:
    """Agents' calls in our tables."""

    database: Database

    async def read(self, proposal_id: str, reader: Reader) -> StoredCall:
        """Read one call.

        Raises:
            NotFound: there is none, it is another tenant's, or closed to the reader.
        """

        def work(connection: Connection) -> StoredCall:
            row = connection.execute(_CALL, {"wanted": proposal_id}).mappings().first()
            if row is None or not may_see(reader, dict(row)):
                raise NotFound("proposal", proposal_id)
            return _stored(connection, self.database, row)

        return await self.database.read(work)

    async def page(
        self, reader: Reader, *, agent: str | None, limit: int, after: str | None
    ) -> Sequence[StoredCall]:
        """List calls, newest first.

        Args:
            agent: who proposed them; None: anybody.
            after: the last call of the page before.

        Raises:
            BadInput: there is no such call.
        """
        at = decision.c
        # Written out: a bound value would leave the index of calls aside.
        query = select(decision).where(at.kind == literal_column("'proposal'"))
        if agent is not None:
            event = at.event
            proposer = func.coalesce(event["sender"].as_string(), event["user"].as_string())
            query = query.where(proposer == agent)
        place = (at.accepted_at, at.decision_id)
        paging = KeysetPage(readable_in(decision, reader), place, descending=True)

        def work(connection: Connection) -> Sequence[StoredCall]:
            page = paging.page(connection, query, limit=limit, after=after)
            rows = connection.execute(page).mappings().all()
            return [_stored(connection, self.database, row) for row in rows]

        return await self.database.read(work)

    async def find(self, decision_id: str, tenant_id: str | None = None) -> StoredCall | None:
        """Read the call that a decision is, or is the choice of; None: there is none.

        Args:
            tenant_id: whose it has to be; None: anybody's.
        """

        def work(connection: Connection) -> StoredCall | None:
            shown_in = connection.scalar(_SHOWN_IN, {"wanted": decision_id})
            wanted = {"wanted": shown_in or decision_id}
            row = connection.execute(_CALL, wanted).mappings().first()
            if row is None or tenant_id not in (None, row["tenant_id"]):
                return None
            return _stored(connection, self.database, row)

        return await self.database.read(work)

    async def expire_offers(self) -> Sequence[str]:
        """Mark the suggestions of calls that have run out, each once; list their decisions."""
        at = offers.c
        due = (
            select(at.offer_id, at.decision_id)
            .join(decision, decision.c.decision_id == at.decision_id)
            .where(
                decision.c.kind == "proposal",
                at.chosen.is_(None),
                at.chosen_by.is_(None),
                at.expires_at.between(self.database.now() - DAY_SECONDS, self.database.now()),
            )
            .limit(MOST_EXPIRED)
        )

        def work(connection: Connection) -> Sequence[str]:
            found = {row.offer_id: row.decision_id for row in connection.execute(due)}
            whose = at.offer_id.in_(found)
            connection.execute(update(offers).where(whose).values(chosen_by=EXPIRED))
            return list(found.values())

        if await self.database.read(lambda connection: connection.execute(due).first()) is None:
            return ()
        return await self.database.write(work)

    async def withdraw(self, shown: Offer) -> bool:
        """Call off the suggestion of a call; False: it was chosen, or is over."""

        def work(connection: Connection) -> bool:
            return end_offer(connection, self.database, shown, ended_by=WITHDRAWN)

        return await self.database.write(work, durable=True)


def _stored(connection: Connection, database: Database, row: RowMapping) -> StoredCall:
    event = Event.model_validate(row["event"])
    if event.call is None:
        raise NotFound("proposal", row["decision_id"])
    record = None if row["record"] is None else DecisionRecord.model_validate(row["record"])
    wanted = record.offer_id if record is not None else None
    shown = wanted and connection.execute(_OFFER, {"wanted": wanted}).first()
    offer = to_offer(shown) if shown else None
    chosen_id = shown.chosen_decision_id if shown else None
    chosen = connection.scalar(_RECORD, {"wanted": chosen_id}) if chosen_id is not None else None
    return StoredCall(
        event=event,
        call=event.call,
        standing=row["standing"],
        accepted_at=datetime.fromtimestamp(row["accepted_at"], UTC),
        record=record,
        offer=offer,
        is_offer_open=offer is not None and is_offer_open(connection, database, offer),
        is_withdrawn=offer is not None and offer.chosen is None and offer.chosen_by == WITHDRAWN,
        chosen_decision_id=chosen_id,
        chosen=None if chosen is None else DecisionRecord.model_validate(chosen),
    )
