"""Read agents' calls: the decision each is, the suggestion it led to, and what was chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, select

from state.errors import NotFound
from state.event import Event
from state.offer import Offer
from state.reader import Reader
from state.record import DecisionRecord
from state.stored_call import StoredCall
from tools.storage import Database
from tools.storage.offers import end_offer, to_offer
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
_OFFER = select(offers).where(offers.c.decision_id == bindparam("wanted"))
_CALL_EVENT = decision.c.event["call"]


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
            return _stored(connection, row)

        return await self.database.read(work)

    async def awaiting_choice(
        self,
        action: str,
        arguments: Mapping[str, Any],  # by slot type
        event: Event,
    ) -> str | None:
        """Name the call of the same asker whose suggestion of exactly this is open; None: none."""
        query = (
            select(offers, decision.c.event)
            .join(decision, decision.c.decision_id == offers.c.decision_id)
            .where(
                offers.c.tenant_id == event.tenant_id,
                offers.c.chosen.is_(None),
                offers.c.expires_at > self.database.now(),
                decision.c.kind == "proposal",
                _CALL_EVENT["action"].as_string() == action,
            )
            .order_by(offers.c.expires_at.desc())
        )

        def work(connection: Connection) -> str | None:
            for row in connection.execute(query).mappings():
                [chip] = Offer.model_validate(row["body"]).chips
                asked = (row["event"].get("user"), row["event"].get("sender"))
                if asked == (event.user, event.sender) and dict(chip.arguments) == dict(arguments):
                    return str(row["decision_id"])
            return None

        return await self.database.read(work)

    async def withdraw(self, shown: Offer) -> bool:
        """Call off the suggestion of a call; False: it was chosen, or is over."""

        def work(connection: Connection) -> bool:
            return end_offer(connection, self.database, shown, ended_by=WITHDRAWN)

        return await self.database.write(work, durable=True)


def _stored(connection: Connection, row: RowMapping) -> StoredCall:
    event = Event.model_validate(row["event"])
    if event.call is None:
        raise NotFound("proposal", row["decision_id"])
    shown = connection.execute(_OFFER, {"wanted": row["decision_id"]}).first()
    chosen_id = shown.chosen_decision_id if shown is not None else None
    chosen = connection.scalar(_RECORD, {"wanted": chosen_id}) if chosen_id is not None else None
    return StoredCall(
        event=event,
        call=event.call,
        standing=row["standing"],
        accepted_at=datetime.fromtimestamp(row["accepted_at"], UTC),
        record=None if row["record"] is None else DecisionRecord.model_validate(row["record"]),
        offer=None if shown is None else to_offer(shown),
        is_withdrawn=shown is not None and shown.chosen is None and shown.chosen_by == WITHDRAWN,
        chosen_decision_id=chosen_id,
        chosen=None if chosen is None else DecisionRecord.model_validate(chosen),
    )
