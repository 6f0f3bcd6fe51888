"""Read agents' calls: the decision each is, the suggestion it led to, and what was chosen."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, RowMapping, bindparam, select

from state.errors import NotFound
from state.event import Event
from state.offer import Offer
from state.reader import Reader
from state.record import DecisionRecord
from state.stored_call import StoredCall
from tools.storage import Database
from tools.storage.offers import end_offer, is_offer_open, to_offer
from tools.storage.query_filters import may_see
from tools.storage.tables.decisions import decision
from tools.storage.tables.decisions import offer as offers

WITHDRAWN = "withdrawn"
"""Stands in the place of who chose an offer where its agent called it off."""

# Built once: to build a statement takes longer than to run it.
_CALL = select(decision).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.kind == "proposal"
)
_RECORD = select(decision.c.record).where(decision.c.decision_id == bindparam("wanted"))
_OFFER = select(offers).where(offers.c.offer_id == bindparam("wanted"))
_CHOSEN = select(offers.c.decision_id).where(offers.c.chosen_decision_id == bindparam("wanted"))


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

    async def behind(self, decision_id: str, tenant_id: str) -> StoredCall | None:
        """Read the call that a decision is of, or whose suggestion it chose; None: of no call."""

        def work(connection: Connection) -> StoredCall | None:
            chosen = connection.scalar(_CHOSEN, {"wanted": decision_id})
            row = connection.execute(_CALL, {"wanted": chosen or decision_id}).mappings().first()
            if row is None or row["tenant_id"] != tenant_id:
                return None
            return _stored(connection, self.database, row)

        return await self.database.read(work)

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
