"""Answer questions about what was said, reminders and goals, and why something was done.

Every answer is a text; nothing is changed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from state.attention import Goal
from state.event import Event
from state.initiative import Reminder
from state.personality import TRAITS, Personality
from state.quietness import Quietness
from state.record import DecisionRecord, DecisionTrace
from state.remembered import Remembered, SaidBy
from state.session import Session
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tools.access import SessionReaders
from tools.attention import AttentionStatus
from tools.memory.recall import RecallScope, UtteranceRecall
from tools.memory.reminders import cancelled_text, created_text, find_reminders, list_text
from tools.nlu import matches_topic
from tools.nlu.control.meta_questions import (
    RecallQuestion,
    SelfQuestion,
    loose_recall_question,
    read_recall_question,
    read_self_question,
    recall_question,
    self_question,
)
from tools.platform.clock import Clock
from tools.platform.texts import t
from tools.response import Character
from tools.storage import SqlDecisions, SqlHolds, SqlRecords
from tools.storage.reminders import SqlReminders


@dataclass(frozen=True)
class AgendaAnswers:
    """Words a request about reminders; what it asks for is written with the decision's record."""

    decisions: SqlDecisions
    clock: Clock
    zone: tzinfo
    tuning: ProactiveTuning

    async def __call__(self, event: Event, request: TalkRequest) -> str:
        """Say what comes of it."""
        if request.kind == "goals":
            return await self._goals(event)
        reminders = SqlReminders(self.decisions.database)
        waiting = await reminders.waiting(event.tenant_id, event.session_id)
        own = [one for one in waiting if one.is_of(event.user)]
        now, zone, tuning = self.clock.now(), self.zone, self.tuning
        if request.kind == "reminders":
            return list_text(own, now, zone)
        if request.kind == "no_reminder":
            return cancelled_text(find_reminders(own, request.topic))
        if len(waiting) >= tuning.reminders:
            return t("answer.recall.too_many_reminders", count=tuning.reminders)
        return created_text(request, now, tuning, zone)

    async def _goals(self, event: Event) -> str:
        session = await self.decisions.session(event.tenant_id, event.session_id)
        lines = [goal_line(goal) for goal in session.goals if goal.is_of(event.user)]
        return "\n".join(lines) or t("answer.recall.no_goals")


def goal_line(goal: Goal) -> str:
    """Put a goal on a line: how it stands, and how far it is."""
    progress, touched = goal.progress, goal.touched
    return t(
        "answer.recall.goal",
        text=goal.text,
        standing=goal.standing,
        percent=""
        if progress is None
        else t("answer.recall.goal_percent", percent=round(100 * progress)),
        events=t("answer.recall.goal_events", count=touched) if touched else "",
    )


def profile_lines(
    session: Session, standing: Personality, reminders: Iterable[Reminder], now: float
) -> Iterator[str]:
    """Say what holds for `standing.user`; what is only said is found by asking about it."""
    user = standing.user
    rapport = standing.rapport
    called = session.profile.called if session.person == user else None
    yield t("answer.recall.you", user=user, called=called, rapport=_rapport(rapport), level=rapport)
    overrides = standing.user_overrides
    moved = [f"{name} {shift:+.2f}" for name in TRAITS if (shift := getattr(overrides, name))]
    manner = t("answer.recall.manner_pack")
    if standing.template:
        manner = t("answer.recall.manner_template", template=standing.template.replace("_", " "))
    yield t("answer.recall.manner", template=manner, moved=", ".join(moved))
    for goal in session.goals:
        if goal.standing == "open" and goal.is_of(user):
            yield t("answer.recall.open_goal", goal=goal_line(goal))
    for rule in session.topics:
        if rule.until is None or rule.until > now:
            is_watch = rule.kind == "watch"
            yield t("answer.recall.watch" if is_watch else "answer.recall.muted", topic=rule.topic)
    for one in reminders:
        if one.is_of(user):
            yield t("answer.recall.reminder", text=one.text)
    yield t("answer.recall.words")


def _rapport(level: float) -> str:
    if level < 0.2:
        return t("answer.recall.rapport_bad")
    return t("answer.recall.rapport_good" if level >= 0.4 else "answer.recall.rapport_new")


_ONESELF = ("me", "myself")
_SPEAKERS: Mapping[str, SaidBy] = {"person": "person", "us": "us"}


@dataclass(frozen=True)
class RecallAnswers:
    """Answers what was said: in the session of the question, one's own words in any session."""

    recall: UtteranceRecall
    decisions: SqlDecisions
    readers: SessionReaders
    character: Character
    clock: Clock
    zone: tzinfo

    async def __call__(self, event: Event) -> str:
        """Answer a question about what was said."""
        asked = (
            recall_question(event.text)
            or loose_recall_question(event.text)
            or read_recall_question(event.text)
        )
        if asked.by == "anybody" and asked.topic in _ONESELF:
            return await self._person(event)
        found = await self._found(event, asked)
        now = self.clock.now()
        return "\n".join(message_line(one, now, self.zone) for one in found) or t(
            "answer.recall.nothing"
        )

    async def _person(self, event: Event) -> str:
        """Tell a person what is kept of them, and of nobody else."""
        if event.speaker is None:
            return t("answer.recall.nobody")
        now, where = self.clock.now().timestamp(), (event.tenant_id, event.session_id)
        session = await self.decisions.session(*where, speaker=event.speaker)
        waiting = await SqlReminders(self.decisions.database).waiting(*where)
        standing = self.character.standing(session, now)
        return "\n".join(profile_lines(session, standing, waiting, now))

    async def _found(self, event: Event, asked: RecallQuestion) -> tuple[Remembered, ...]:
        where = RecallScope(
            event.tenant_id,
            # One's own words in any session; those of others only where one hears them anyway.
            None if asked.by == "person" and event.user else event.session_id,
            _SPEAKERS.get(asked.by),
            event.user if asked.by == "person" else None,
            event.decision_id,
            self.readers.heard_in(event.tenant_id, event.session_id, event.user, event.roles),
        )
        if not asked.topic:
            return await self.recall.recent(where, limit=1)
        found = await self.recall.about(asked.topic, where, limit=5)
        # What was asked about it before is no news about it.
        return tuple(one for one in found if recall_question(one.text) is None)


def message_line(one: Remembered, now: datetime, zone: tzinfo) -> str:
    """Put something that was said on a line: when, by whom, and how it was taken."""
    here = one.at.astimezone(zone)
    is_today = here.date() == now.astimezone(zone).date()
    when = f"{here:%H:%M}" if is_today else f"{here:%Y-%m-%d %H:%M}"
    who = one.user or t("answer.recall.somebody")
    return t(
        "answer.recall.message",
        when=when,
        who=t("answer.recall.me") if one.said_by == "us" else who,
        text=" ".join(one.text.split())[:300],
        reaction=one.reaction,
    )


MOST_DECISIONS = 50
EXPLAINS = "explain"
"""The intent of such questions; none of them is about another one."""
_NOT_DONE = (
    *("passed", "held", "merged", "silent", "refused", "rejected", "failed"),
    *("offered", "awaiting_approval", "permitted"),
)
_DONE = (
    *("executed", "spoke", "offered", "awaiting_approval", "permitted"),
    *("refused", "rejected", "failed"),
)
_KEPT = ("passed", "held", "merged", "silent")
_BY_QUESTION = {"silence": _KEPT, "done": _DONE, "not_done": _NOT_DONE}


@dataclass(frozen=True)
class WhyAnswers:
    """Finds the decision that is meant and says why; it looks in the session alone."""

    decisions: SqlDecisions
    records: SqlRecords
    holds: SqlHolds
    status: AttentionStatus
    clock: Clock
    explain: Callable[[DecisionTrace], Iterable[str]]
    """Puts a decision into a few lines."""
    describe_quiet: Callable[[Quietness], Iterable[str]]
    """Puts what keeps a session silent into lines."""

    async def __call__(self, event: Event) -> str:
        """Answer a question about our own doing."""
        asked = self_question(event.text) or read_self_question(event.text)
        if asked.about == "silence":
            return "\n".join(await self._standing(event))
        trace = await self._meant(event, asked)
        return t("why.no_decision") if trace is None else "\n".join(self._lines(trace))

    async def _standing(self, event: Event) -> Iterable[str]:
        """Say what keeps it silent: a wish for quiet, else why the last event was not announced."""
        session = await self.decisions.session(event.tenant_id, event.session_id)
        waiting = await self.holds.waiting(event.tenant_id, event.session_id)
        standing = self.status.of(session, waiting, self.clock.now())
        lines = list(self.describe_quiet(standing))
        kept = await self._meant(event, SelfQuestion("silence"))
        if kept is not None:
            why = next(iter(self.explain(kept)), "")
            told = t("why.kept", text=_shortened(kept), why=why)
            lines.insert(0 if standing.reason == "free" else 1, told)
        return lines

    async def _meant(self, event: Event, asked: SelfQuestion) -> DecisionTrace | None:
        """Find the newest decision of that kind on what happened, or on the person's own words."""
        outcomes = _BY_QUESTION[asked.about]
        newest = await self.records.newest(
            event.tenant_id, session_id=event.session_id, limit=MOST_DECISIONS
        )
        for record in newest:
            if record.outcome not in outcomes or not _may_be_meant(record, event):
                continue
            trace = await self.records.trace(record.decision_id, event.tenant_id)
            is_said = trace.event.get("kind") == "message"  # an event has no speaker
            is_own = not is_said or trace.event.get("user") in (None, event.user)
            if is_own and (not asked.topic or _is_about(trace, asked.topic)):
                return trace
        return None

    def _lines(self, trace: DecisionTrace) -> Iterator[str]:
        yield t("why.about", text=_shortened(trace))
        yield from self.explain(trace)
        yield t("why.more", decision=trace.record.decision_id[:8])


def _shortened(trace: DecisionTrace) -> str:
    return " ".join(str(trace.event.get("text", "")).split())[:120]


def _may_be_meant(record: DecisionRecord, event: Event) -> bool:
    return (
        record.decision_id != event.decision_id
        and record.intent != EXPLAINS
        and record.reason != "signal_noted"
    )


def _is_about(trace: DecisionTrace, topic: str) -> bool:
    return matches_topic(topic, str(trace.event.get("text", "")), trace.record.text)
