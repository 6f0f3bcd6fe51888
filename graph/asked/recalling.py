"""Answer what was said before, and gather what is known of a thing or a person."""

from collections.abc import Mapping
from datetime import datetime, tzinfo

from graph.assembly.toolbox import Toolbox
from graph.words.profile import NOBODY, profile_lines
from state.event import Event
from state.memory import PackMemory
from state.record import DecisionRecord
from state.remembered import EntityMemory, Forgotten, Remembered, SaidBy
from tools.journal.searching.terms import match_of, terms_of
from tools.memory.embedding import UtteranceVectors
from tools.memory.recalling import Recalling, Where
from tools.policy.recall_questions import RecallQuestion, loose_recall_question, recall_question
from tools.salience.requests import matches_topic
from tools.storage.database import Database
from tools.storage.forgetting import forget_person
from tools.storage.records import SqlRecords
from tools.storage.reminders import SqlReminders
from tools.storage.sessions import read_session

LOOKED_AT = 300
"""Newest records of a tenant in which a thing is looked for."""
_NOTHING = "I remember nothing that was said about that here."
_ONESELF = ("me", "myself")
_SPEAKERS: Mapping[str, SaidBy] = {"person": "person", "us": "us"}


class Recollection:
    """Recalls from what was said and decided; of the session it is asked in, or of the tenant."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box
        self._recalling = Recalling(
            box.database,
            box.encoder,
            box.tuning.journal.similarity_floor,
            box.journal.store.indexing,
        )
        self._embedding = UtteranceVectors(box.database, box.encoder)

    async def __call__(self, event: Event) -> str:
        """Answer a question about what was said."""
        asked = recall_question(event.text) or loose_recall_question(event.text)
        if asked is None:
            return _NOTHING
        if asked.by == "anybody" and asked.topic in _ONESELF:
            return await self._person(event)
        found = await self._found(event, asked)
        now, zone = self._box.clock.now(), self._box.settings.zone
        return "\n".join(said_line(one, now, zone) for one in found) or _NOTHING

    async def catch_up(self) -> int:
        """Embed what was said and has no vector yet. See UtteranceVectors.catch_up."""
        return await self._embedding.catch_up()

    async def recent(self, where: Where, *, limit: int = 10) -> tuple[Remembered, ...]:
        """List what was said, newest first."""
        return await self._recalling.recent(where, limit=limit)

    async def page(
        self, where: Where, *, limit: int, after: int | None = None
    ) -> tuple[tuple[Remembered, ...], int | None]:
        """List a page of what was said. See Recalling.page for what it raises."""
        return await self._recalling.page(where, limit=limit, after=after)

    async def about(
        self, question: str, where: Where, *, limit: int = 10
    ) -> tuple[Remembered, ...]:
        """List what was said about something, the nearest first."""
        match = match_of(terms_of(question))
        return await self._recalling.about(question, where, match=match, limit=limit)

    async def entity(self, name: str, tenant_id: str, session_id: str) -> EntityMemory:
        """Gather what is known of a thing: words, decisions, and what packs remember."""
        return await entity_memory(
            self._box.database, self._recalling, name, tenant_id=tenant_id, session_id=session_id
        )

    async def forget(self, user: str, tenant_id: str) -> Forgotten:
        """Remove what memory holds of a person; records and the ledger stay."""
        return await self._box.database.write(
            lambda connection: forget_person(connection, tenant_id, user)
        )

    async def _person(self, event: Event) -> str:
        """Tell a person what is kept of them, and of nobody else."""
        if event.speaker is None:
            return NOBODY
        box, now = self._box, self._box.clock.now().timestamp()
        session = await box.decisions.session(
            event.tenant_id, event.session_id, speaker=event.speaker
        )
        waiting = await SqlReminders(box.database).waiting(event.tenant_id, event.session_id)
        standing = box.character.standing(session, now)
        return "\n".join(profile_lines(session, standing, waiting, now))

    async def _found(self, event: Event, asked: RecallQuestion) -> tuple[Remembered, ...]:
        where = Where(
            event.tenant_id,
            # One's own words in any session; those of others only where one hears them anyway.
            None if asked.by == "person" and event.user else event.session_id,
            _SPEAKERS.get(asked.by),
            event.user if asked.by == "person" else None,
            event.decision_id,
            self._box.readers.heard_in(event.tenant_id, event.session_id, event.user, event.roles),
        )
        if not asked.topic:
            return await self.recent(where, limit=1)
        found = await self.about(asked.topic, where, limit=5)
        # What was asked about it before is no news about it.
        return tuple(one for one in found if recall_question(one.text) is None)


async def entity_memory(
    database: Database, recalling: Recalling, name: str, *, tenant_id: str, session_id: str
) -> EntityMemory:
    """Gather what is known of a thing: words, decisions, and what packs remember."""
    where, match = Where(tenant_id, session_id), match_of(terms_of(name))
    said = await recalling.about(name, where, match=match, limit=10)
    newest = await SqlRecords(database).newest(tenant_id, session_id=session_id, limit=LOOKED_AT)
    session = await database.read(lambda one: read_session(one, tenant_id, session_id))
    return EntityMemory(
        entity=name,
        said=tuple(one for one in said if matches_topic(name, one.text, one.about)),
        happened=tuple(one for one in newest if _concerns(one, name))[:10],
        facts=_facts(session.memory, name),
    )


def said_line(one: Remembered, now: datetime, zone: tzinfo) -> str:
    """Put something that was said on a line: when, by whom, and how it was taken."""
    here = one.at.astimezone(zone)
    is_today = here.date() == now.astimezone(zone).date()
    when = f"{here:%H:%M}" if is_today else f"{here:%Y-%m-%d %H:%M}"
    who = "I" if one.said_by == "us" else one.user or "somebody"
    taken = f" ({one.reaction})" if one.reaction else ""
    return f"{when} {who}: {' '.join(one.text.split())[:300]}{taken}"


def _concerns(record: DecisionRecord, name: str) -> bool:
    arguments = " ".join(map(str, (record.arguments or {}).values()))
    return matches_topic(name, record.text, arguments)


def _facts(memory: Mapping[str, PackMemory], name: str) -> dict[str, str]:
    return {
        f"{pack}.{fact}": learnt.value
        for pack, kept in memory.items()
        for fact, learnt in kept.facts.items()
        if matches_topic(name, fact.replace("_", " "), learnt.value)
    }
