"""The journal as a whole: conversations and records go in, answers come out."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from state.errors import Forbidden
from state.journal import DecisionFilters, FoundDecision, JournalMessage
from state.noun import Noun
from state.principal import Principal
from tools.clock import Clock
from tools.journal.chains import linked
from tools.journal.conversation import Read, read_conversations
from tools.journal.detector import Confirmer
from tools.journal.records import read_record
from tools.journal.search import JournalSearch
from tools.journal.store import Drift, JournalStore, Stored

MAY_REINDEX = "admin"


class RecordText(Noun):
    """A decision record as it stands in its file."""

    path: str
    text: str


class Taken(Noun):
    """What an import was taken for."""

    messages: tuple[Read, ...] = ()
    records: tuple[str, ...] = ()
    stored: Stored


@dataclass(frozen=True)
class Journal:
    """Takes decisions in and gives them out, a tenant at a time."""

    search: JournalSearch
    confirmer: Confirmer
    clock: Clock

    @property
    def store(self) -> JournalStore:
        """Hand out its rows."""
        return self.search.store

    async def take(
        self, messages: Sequence[JournalMessage], records: Sequence[RecordText], tenant_id: str
    ) -> Taken:
        """Read messages in order, and records; the same again changes nothing.

        Raises:
            BadInput: a record is none.
        """
        found = await asyncio.to_thread(
            lambda: tuple(read_conversations(messages, self.confirmer, tenant_id=tenant_id))
        )
        written = linked([read_record(one.text, one.path, tenant_id=tenant_id) for one in records])
        decided = [one.decision for one in found if one.decision is not None]
        stored = await self.store.put([*decided, *written])
        return Taken(messages=found, records=tuple(one.id for one in written), stored=stored)

    async def ask(
        self,
        question: str,
        tenant_id: str,
        *,
        filters: DecisionFilters | None = None,
        limit: int = 10,
    ) -> list[FoundDecision]:
        """Find decisions by a question; "last spring" is meant by our clock. See JournalSearch."""
        now = self.clock.now()
        return await self.search.search(question, tenant_id, now=now, filters=filters, limit=limit)

    async def reindex(self, caller: Principal) -> Drift:
        """Build words and meanings anew from the rows, of every tenant.

        Raises:
            Forbidden: without the role for it.
        """
        if MAY_REINDEX not in caller.roles:
            raise Forbidden(f"only {MAY_REINDEX} may reindex the journal")
        return await self.store.reindex()
