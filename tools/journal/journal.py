"""The journal's facade: import, record, search, explain and follow chains of decisions.

Every method takes a tenant or a reader; results hold only what that reader may see.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import cached_property, partial

from state.errors import BadInput, Forbidden
from state.journal import (
    Decision,
    DecisionChain,
    DecisionFilters,
    DecisionLink,
    FoundDecision,
    JournalMessage,
    Scope,
)
from state.noun import Noun
from state.principal import Principal
from state.reader import Reader, whole
from tools.access import SessionReaders
from tools.journal.conversation import Read, read_conversations
from tools.journal.detection.detector import Confirmer
from tools.journal.detection.llm_detector import ModelConfirmer
from tools.journal.events import JournalEvents, link_refused, searched, superseded
from tools.journal.records.reader import read_record
from tools.journal.records.references import resolve_references
from tools.journal.search.search import JournalAnswer, JournalSearch
from tools.journal.store.entry_rows import (
    messages_by_place,
    read_cited_messages,
    store_cited_messages,
)
from tools.journal.store.import_rules import TERMINAL, mark_imported, refuse_future_dates
from tools.journal.store.link_rows import link_sessions
from tools.journal.store.store import Drift, JournalStore, Stored
from tools.journal.supersession.chain import chain_of
from tools.journal.supersession.links import SupersessionFinder, SupersessionLinks
from tools.platform.clock import Clock


class RecordText(Noun):
    """A decision record as it stands in its file."""

    path: str
    text: str


class Taken(Noun):
    """What an import was taken for."""

    messages: tuple[Read, ...] = ()
    records: tuple[Decision, ...] = ()
    stored: Stored
    links: tuple[DecisionLink, ...] = ()


class Kept(Noun):
    """What was written, and which decisions new ones replace or may replace."""

    stored: Stored
    links: tuple[DecisionLink, ...] = ()


MAY_REINDEX = "admin"


@dataclass(frozen=True)
class Journal:
    """Takes decisions in and gives them out, a tenant at a time."""

    search: JournalSearch
    confirmer: Confirmer
    clock: Clock
    model: ModelConfirmer | None = None
    """None: rules alone read conversations."""
    events: JournalEvents = field(default_factory=JournalEvents)
    readers: SessionReaders = field(default_factory=SessionReaders)
    """Who may read which session."""

    def in_zone(self, zone: tzinfo) -> "Journal":
        """Answer questions by the days of a zone."""
        return replace(self, search=replace(self.search, zone=zone))

    @property
    def store(self) -> JournalStore:
        """Hand out its rows."""
        return self.search.store

    @cached_property
    def succession(self) -> SupersessionLinks:
        """Hand out the links between decisions."""
        return SupersessionLinks(self.store.database, self.store.outbox)

    @cached_property
    def revisiting(self) -> SupersessionFinder:
        """Tell who looks for what new decisions replace."""
        return SupersessionFinder(self.search, self.readers)

    async def take(
        self,
        messages: Sequence[JournalMessage],
        records: Sequence[RecordText],
        tenant_id: str,
        *,
        decisions: Sequence[Decision] = (),
        by: str = TERMINAL,
    ) -> Taken:
        """Read messages in order, and records; the same again changes nothing.

        Each decision tells who brought it in; none replaces what was heard or done here.

        Args:
            messages: of conversations, in the order they were said.
            records: linked to each other, and to those that are on record.
            tenant_id: whose they are.
            decisions: of another journal, kept as they are.
            by: who imports.

        Raises:
            BadInput: a record is none, two have one path, or something is dated in the future.
        """
        self.not_ahead(messages, decisions)
        judged = await self.model.judge(messages) if self.model else {}
        found = await asyncio.to_thread(
            lambda: tuple(
                read_conversations(messages, self.confirmer, tenant_id=tenant_id, judged=judged)
            )
        )
        written = await asyncio.to_thread(
            lambda: [read_record(one.text, one.path, tenant_id=tenant_id) for one in records]
        )
        self.not_ahead((), written)
        _without_twins([*written, *decisions])
        known = await self.store.all(whole(tenant_id)) if written else []
        others = [one for one in (*known, *decisions) if one.origin == "record"]
        joined = await asyncio.to_thread(resolve_references, written, others)
        moved = {one.id for one in joined}
        # By id: what was said in short first and then whole is one, and the whole of it is kept.
        decided = {one.decision.id: one.decision for one in found if one.decision is not None}
        others = [one for one in decisions if one.id not in moved]
        brought = mark_imported([*decided.values(), *others, *joined], by)
        kept = await self.keep(brought, tenant_id, messages)
        return Taken(
            messages=found,
            records=tuple(joined[: len(written)]),
            stored=kept.stored,
            links=kept.links,
        )

    def not_ahead(self, said: Sequence[JournalMessage], made: Sequence[Decision] = ()) -> None:
        """Refuse what is dated further ahead of our clock than may be."""
        refuse_future_dates(said, made, self.clock.now(), self.store.future_days)

    async def keep(
        self,
        decisions: Sequence[Decision],
        tenant_id: str,
        messages: Sequence[JournalMessage] = (),
    ) -> Kept:
        """Keep decisions, and link new ones to those that they replace in so many words.

        What may be replaced, though no words say so, is proposed for a person to accept. Of the
        messages those are kept that they cite.
        """
        fresh = await self.store.unknown(decisions)
        stored = await self.store.put(decisions)
        if messages:
            said = partial(
                store_cited_messages, decisions=decisions, messages=messages_by_place(messages)
            )
            await self.store.database.write(said)
        self.events.kept(fresh)
        ids = {one.id for one in decisions}
        links = [one for one in await self.compare(tenant_id) if {one.newer, one.older} & ids]
        return Kept(stored=stored, links=tuple(links))

    async def compare(self, tenant_id: str) -> list[DecisionLink]:
        """Link what nobody has compared yet; what a process left that was killed is among it."""
        made: list[DecisionLink] = []
        while waiting := await self.store.not_compared(tenant_id):
            found = await self.revisiting.found([one.decision for one in waiting], tenant_id)
            entries = [one.entry_id for one in waiting]
            links = await self.succession.suggest(found, tenant_id, entries)
            await self._tell_of(links, tenant_id)
            made += links
        return made

    async def catch_up(self) -> None:
        """Embed and compare what was kept without, in whatever tenant."""
        await self.store.catch_up()
        for one in await self.store.not_compared():
            await self.compare(one.decision.tenant_id)

    async def ask(
        self,
        question: str,
        reader: Reader,
        *,
        filters: DecisionFilters | None = None,
        limit: int = 10,
    ) -> list[FoundDecision]:
        """Find decisions as `answer` does, without what was not understood."""
        return (await self.answer(question, reader, filters=filters, limit=limit)).found

    async def answer(
        self,
        question: str,
        reader: Reader,
        *,
        filters: DecisionFilters | None = None,
        limit: int = 10,
        asked_in: str | None = None,
    ) -> JournalAnswer:
        """Find decisions by a question; "last spring" is meant by our clock. See JournalSearch.

        Args:
            asked_in: the session it was asked in; None: in none.
        """
        now = self.clock.now()
        answer = await self.search.answer(question, reader, now=now, filters=filters, limit=limit)
        found = answer.found
        event, tenant_id = searched(question, len(found)), reader.tenant_id
        # How much was found tells of what was found: only to whoever could have found it.
        sessions = {one.decision.session_id for one in found}
        # And the question of one who reads more than others may tell of it: those hear nothing.
        sessions |= {asked_in} if asked_in else {*self.readers.kept_for(reader)}
        self.events.tell(event, tenant_id, sessions)
        if self.events.telling and self.store.outbox:
            await self.store.outbox.keep(event.kind, tenant_id, event.data, sessions)
        return answer

    async def link(
        self, newer: str, older: str, principal: Principal, *, reason: str, scope: Scope = "full"
    ) -> DecisionLink:
        """Say that one decision replaces or revises another."""
        reader = self.readers.of(principal)
        made = await self.succession.link(
            newer, older, principal, reader=reader, reason=reason, scope=scope
        )
        await self._tell_of([made], principal.tenant_id)
        return made

    async def settle(self, link_id: int, principal: Principal, *, accept: bool) -> DecisionLink:
        """Accept or refuse a link."""
        reader = self.readers.of(principal)
        link, was = await self.succession.settle(link_id, principal, reader=reader, accept=accept)
        if link.standing == was:
            return link
        await self._tell_of([link], principal.tenant_id, held=was == "accepted")
        return link

    async def chain(self, decision_id: str, reader: Reader) -> DecisionChain:
        """Follow a decision both ways, from any member."""
        return await chain_of(self.store, decision_id, reader)

    async def links(self, decision_id: str, reader: Reader) -> list[DecisionLink]:
        """List every link of a decision."""
        return await self.succession.of(decision_id, reader)

    async def said(self, decision: Decision) -> list[JournalMessage]:
        """Read the messages of an import that a decision cites."""
        return await self.store.database.read(partial(read_cited_messages, decision=decision))

    async def reindex(self, caller: Principal) -> Drift:
        """Build words and meanings anew from the rows, of every tenant.

        Raises:
            Forbidden: without the role for it.
        """
        if MAY_REINDEX not in caller.roles:
            raise Forbidden(f"only {MAY_REINDEX} may reindex the journal")
        return await self.store.reindex()

    async def _tell_of(
        self, links: Sequence[DecisionLink], tenant_id: str, *, held: bool = False
    ) -> None:
        """Tell of links that hold or were refused; what is only proposed replaces nothing yet."""
        for link in links if self.events.telling else ():
            if link.standing == "proposed":
                continue
            accepted = link.standing == "accepted"
            event = superseded(link) if accepted else link_refused(link, held=held)
            where = partial(link_sessions, tenant_id=tenant_id, link=link)
            self.events.tell(event, tenant_id, await self.store.database.read(where))


def _without_twins(decisions: Sequence[Decision]) -> None:
    seen: set[str] = set()
    for one in decisions:
        if one.id in seen:
            raise BadInput(f"{one.source or one.id} is given twice in one import")
        seen.add(one.id)
