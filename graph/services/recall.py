"""Answer questions about past messages, decisions, reminders and goals.

And about why something was done.

Reads alone; `why` looks in the session it is asked in.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, tzinfo

from graph.presenters.explanation import short_explanation
from graph.presenters.status import quiet_words
from graph.wiring.toolbox import Toolbox
from state.attention import Goal
from state.event import Event
from state.initiative import Reminder
from state.memory import PackMemory
from state.personality import TRAITS, Personality
from state.record import DecisionRecord, DecisionTrace
from state.remembered import EntityMemory, Forgotten, Remembered, SaidBy
from state.session import Session
from state.talk import TalkRequest
from tools.attention.reminders import cancelled_text, created_text, find_reminders, list_text
from tools.attention.status import AttentionStatus
from tools.journal.search.query import match_of, terms_of
from tools.memory.recall import RecallScope, UtteranceRecall, UtteranceVectors
from tools.nlu.control.meta_questions import (
    RecallQuestion,
    SelfQuestion,
    loose_recall_question,
    recall_question,
    self_question,
)
from tools.nlu.control.requests import matches_topic
from tools.storage.database import Database
from tools.storage.decision_rows import SqlRecords
from tools.storage.reminders import SqlReminders
from tools.storage.retention import forget_person
from tools.storage.sessions import read_session


class AgendaAnswers:
    """Words a request about reminders; what it asks for is written with the decision's record."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box
        self._reminders = SqlReminders(box.database)

    async def __call__(self, event: Event, request: TalkRequest) -> str:
        """Say what comes of it."""
        if request.kind == "goals":
            return await self._goals(event)
        waiting = await self._reminders.waiting(event.tenant_id, event.session_id)
        own = [one for one in waiting if one.is_of(event.user)]
        now, zone = self._box.clock.now(), self._box.settings.zone
        tuning = self._box.tuning.proactive
        if request.kind == "reminders":
            return list_text(own, now, zone)
        if request.kind == "no_reminder":
            return cancelled_text(find_reminders(own, request.topic))
        if len(waiting) >= tuning.reminders:
            return f"I have put nothing down: {tuning.reminders} reminders wait here already."
        return created_text(request, now, tuning, zone)

    async def _goals(self, event: Event) -> str:
        session = await self._box.decisions.session(event.tenant_id, event.session_id)
        lines = [goal_line(goal) for goal in session.goals if goal.is_of(event.user)]
        return "\n".join(lines) or "I know of no goal of yours."


def goal_line(goal: Goal) -> str:
    """Put a goal on a line: how it stands, and how far it is."""
    far = "" if goal.progress is None else f", {round(100 * goal.progress)} %"
    about = f", {goal.touched} events about it" if goal.touched else ""
    return f"{goal.text} ({goal.standing}{far}{about})"


NOBODY = "You gave no name: I keep nothing of you but what is said in this session."


def profile_lines(
    session: Session, standing: Personality, reminders: Iterable[Reminder], now: float
) -> Iterator[str]:
    """Say what holds for `standing.user`; what is only said is found by asking about it."""
    user = standing.user
    rapport = standing.rapport
    yield f"You are {user}; we get on {_rapport(rapport)} (rapport {rapport:.2f})."
    overrides = standing.user_overrides
    moved = [f"{name} {shift:+.2f}" for name in TRAITS if (shift := getattr(overrides, name))]
    manner = f"as {standing.template}" if standing.template else "as the pack has it"
    yield f"I talk to you {manner}{', with ' + ', '.join(moved) if moved else ''}."
    for goal in session.goals:
        if goal.standing == "open" and goal.is_of(user):
            yield f"Goal: {goal_line(goal)}"
    for rule in session.topics:
        if rule.until is None or rule.until > now:
            what = "Here I watch for" if rule.kind == "watch" else "Here I leave alone"
            yield f"{what} {rule.topic}."
    for one in reminders:
        if one.is_of(user):
            yield f"Reminder: {one.text}"
    yield 'Your words are kept too: "what did I say about …?" finds them.'


def _rapport(level: float) -> str:
    if level < 0.2:
        return "badly"
    return "well" if level >= 0.4 else "as people do who met lately"


MOST_MESSAGES = 300
"""Newest records of a tenant in which a thing is looked for."""
_NO_MESSAGE = "I remember nothing that was said about that here."
_ONESELF = ("me", "myself")
_SPEAKERS: Mapping[str, SaidBy] = {"person": "person", "us": "us"}


class RecallService:
    """Recalls from what was said and decided; of the session it is asked in, or of the tenant."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box
        self._recalling = UtteranceRecall(
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
            return _NO_MESSAGE
        if asked.by == "anybody" and asked.topic in _ONESELF:
            return await self._person(event)
        found = await self._found(event, asked)
        now, zone = self._box.clock.now(), self._box.settings.zone
        return "\n".join(message_line(one, now, zone) for one in found) or _NO_MESSAGE

    async def catch_up(self) -> int:
        """Embed what was said and has no vector yet. See UtteranceVectors.catch_up."""
        return await self._embedding.catch_up()

    async def recent(self, where: RecallScope, *, limit: int = 10) -> tuple[Remembered, ...]:
        """List what was said, newest first."""
        return await self._recalling.recent(where, limit=limit)

    async def page(
        self, where: RecallScope, *, limit: int, after: int | None = None
    ) -> tuple[tuple[Remembered, ...], int | None]:
        """List a page of what was said. See Recalling.page for what it raises."""
        return await self._recalling.page(where, limit=limit, after=after)

    async def about(
        self, question: str, where: RecallScope, *, limit: int = 10
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
        where = RecallScope(
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
    database: Database, recalling: UtteranceRecall, name: str, *, tenant_id: str, session_id: str
) -> EntityMemory:
    """Gather what is known of a thing: words, decisions, and what packs remember."""
    where, match = RecallScope(tenant_id, session_id), match_of(terms_of(name))
    said = await recalling.about(name, where, match=match, limit=10)
    newest = await SqlRecords(database).newest(
        tenant_id, session_id=session_id, limit=MOST_MESSAGES
    )
    session = await database.read(lambda one: read_session(one, tenant_id, session_id))
    return EntityMemory(
        entity=name,
        said=tuple(one for one in said if matches_topic(name, one.text, one.about)),
        happened=tuple(one for one in newest if _concerns(one, name))[:10],
        facts=_facts(session.memory, name),
    )


def message_line(one: Remembered, now: datetime, zone: tzinfo) -> str:
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


MOST_DECISIONS = 50
EXPLAINS = "explain"
"""The intent of such questions; none of them is about another one."""
_NOT_DONE = (
    *("passed", "held", "merged", "silent", "refused", "rejected", "failed"),
    *("offered", "awaiting_approval"),
)
_DONE = ("executed", "spoke", "offered", "awaiting_approval", "refused", "rejected", "failed")
_NO_DECISION = "I have no decision of this session on record that this could be about."


class DecisionExplainer:
    """Finds the decision that is meant and says why; it looks in the session alone."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box

    async def __call__(self, event: Event) -> str:
        """Answer a question about our own doing."""
        asked = self_question(event.text)
        if asked is not None and asked.about == "silence":
            return "\n".join(await self._standing(event))
        trace = None if asked is None else await self._meant(event, asked)
        return _NO_DECISION if trace is None else "\n".join(_lines(trace))

    async def _standing(self, event: Event) -> Iterator[str]:
        box = self._box
        session = await box.decisions.session(event.tenant_id, event.session_id)
        waiting = await box.holds.waiting(event.tenant_id, event.session_id)
        standing = AttentionStatus(box.tuning, box.context, box.settings.zone)
        return quiet_words(standing.of(session, waiting, box.clock.now()))

    async def _meant(self, event: Event, asked: SelfQuestion) -> DecisionTrace | None:
        """Find the newest decision of that kind on what happened, or on the person's own words."""
        outcomes = _DONE if asked.about == "done" else _NOT_DONE
        newest = await self._box.records.newest(
            event.tenant_id, session_id=event.session_id, limit=MOST_DECISIONS
        )
        for record in newest:
            if record.outcome not in outcomes or not _may_be_meant(record, event):
                continue
            trace = await self._box.records.trace(record.decision_id, event.tenant_id)
            is_own = trace.event.get("user") in (None, event.user)
            if is_own and (not asked.topic or _is_about(trace, asked.topic)):
                return trace
        return None


def _may_be_meant(record: DecisionRecord, event: Event) -> bool:
    return (
        record.decision_id != event.decision_id
        and record.intent != EXPLAINS
        and record.reason != "signal_noted"
    )


def _is_about(trace: DecisionTrace, topic: str) -> bool:
    return matches_topic(topic, str(trace.event.get("text", "")), trace.record.text)


def _lines(trace: DecisionTrace) -> Iterator[str]:
    yield f'About "{" ".join(str(trace.event.get("text", "")).split())[:120]}":'
    yield from short_explanation(trace)
    yield f"All of it: prefrontal why {trace.record.decision_id[:8]}"
