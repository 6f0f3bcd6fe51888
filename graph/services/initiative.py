"""Emit events unprompted: what is due once a second, and opportunities to speak."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from types import MappingProxyType
from uuid import NAMESPACE_OID, uuid4, uuid5

from graph.toolbox import Toolbox
from state.errors import Forbidden
from state.event import Event
from state.initiative import KEPT, Initiative, InitiativeKind, Reminder
from state.principal import Principal
from state.record import DecisionRecord
from state.salience import SalienceVector
from state.session import Session
from state.talk import TalkRequest
from tools.access.permissions import may_control
from tools.attention.initiatives import Opportunities, ProactiveRules, occasion_name
from tools.memory.reminders import due_text, next_due
from tools.platform.clock import DAY_SECONDS
from tools.platform.texts import t
from tools.storage.reminders import (
    SOURCE,
    ActiveSession,
    DueReminder,
    DueTimes,
    SqlInitiatives,
    SqlReminders,
    Whose,
    held_reminders,
    read_due_times,
)

_MATTERS = {"deadline_seconds": 0}
"""What was asked for or earned is told late rather than never. See
state/release.py."""
_KEPT_SECONDS = DAY_SECONDS
"""A day: no mute is longer, and after a restart a reminder is not too old to be told."""
_KEPT_SALIENCE = SalienceVector(goal_relevance=0.75)
_CHAT_SALIENCE = SalienceVector(social=0.5)

Listener = Callable[[Event, DecisionRecord], None]


class InitiativeService:
    """Begins ticks of our own; each is a decision with its record, like anything else we say."""

    def __init__(self, box: Toolbox, decide: Callable[[str], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._decide = decide
        self._rules = ProactiveRules.of(box.catalogue.packs)
        self._initiatives = SqlInitiatives(box.database)
        self._reminders = SqlReminders(box.database)
        relevance = box.tuning.relevance
        self._opportunities = Opportunities(
            self._rules,
            box.tuning.proactive,
            box.settings.zone,
            relevance.quiet_hours,
            box.character,
            box.tuning.habituation.ignored_in_a_row,
        )
        self._present_seconds = box.tuning.proactive.present_seconds
        self._known: Mapping[Whose, ActiveSession] = {}
        self.listener: Listener | None = None
        """Hears what we began ourselves, besides whoever listens to all decisions."""
        self._begun: dict[tuple[str, str], set[str]] = {}
        """By tenant and session, of those in which somebody is: what was taken there."""

    async def tick(self) -> int:
        """Begin what this second calls for; tell how many utterances that was.

        What was missed while nobody ticked is not made up for: a reminder is told once, late.
        """
        now = self._box.clock.now()
        begun, ahead = 0, await self._look(now)
        if ahead.reminds_at is not None and ahead.reminds_at <= now.timestamp():
            for whose, due in _by_session(await self._reminders.due(now.timestamp())):
                begun += await self._remind(whose, due, now)
            ahead = await self._look(now)
        for active in ahead.active.values():
            begun += await self._take_occasion(active, now)
        return begun

    async def emit(self, principal: Principal, session_id: str, text: str) -> DecisionRecord:
        """Have words said that somebody asks for; they pass the quiet and the busy like others.

        Raises:
            Forbidden: the session is closed to them, or these roles change nothing here.
        """
        self._box.readers.demand(principal, [session_id])
        if not may_control(TalkRequest(kind="talk"), self._box.catalogue, principal.roles):
            raise Forbidden(t("dialogue.refused.control"))
        meant = Initiative(kind="emitted", about=principal.user)
        whose, now = (principal.tenant_id, session_id), self._box.clock.now()
        event = _event(whose, meant.kind, text, uuid4().hex, now)
        await self._initiatives.begin(event, meant, {})
        return await self._decide(event.decision_id)

    async def next_due(self, until: datetime | None = None) -> datetime | None:
        """Tell when there is next something to say, for a clock that does not run by itself.

        Args:
            until: look for chance occasions up to here; None: for holds and reminders alone.
        """
        looks = until is not None and not self._rules.says_nothing
        ahead = await self._look(self._box.clock.now() if looks else None)
        due = None if ahead.due is None else datetime.fromtimestamp(ahead.due, UTC)
        if until is None or not looks:
            return due
        sessions = [(one.session, one.is_free) for one in ahead.active.values()]
        occasion = self._next_occasion(sessions, self._box.clock.now(), min(until, due or until))
        return occasion or due

    def _next_occasion(
        self, sessions: Sequence[tuple[Session, bool]], now: datetime, until: datetime
    ) -> datetime | None:
        seconds = min((until - now).total_seconds(), self._present_seconds)
        for second in range(1, int(seconds) + 1):
            instant = now + timedelta(seconds=second)
            for session, is_free in sessions:
                begun = self._begun.get(_whose(session), ())
                found = self._opportunities.find(session, instant, may_chat=is_free, begun=begun)
                if found and occasion_name(session, found.initiative, instant) not in begun:
                    return instant
        return None

    async def _remind(
        self, whose: tuple[str, str], due: tuple[DueReminder, ...], now: datetime
    ) -> int:
        tuning, zone = self._box.tuning.proactive, self._box.settings.zone
        waits = timedelta(days=tuning.reminder_days)
        reminders = tuple(one.reminder for one in due)
        again = {one.reminder_id: next_due(one, now, zone, waits) for one in reminders}
        held = await self._box.database.read(lambda one: held_reminders(one, *whose))
        # What waits to be said already is not said twice when the quiet ends.
        said = [one for one in reminders if one.repeats is None or one.reminder_id not in held]
        if not said:
            await self._initiatives.put_off(again)
            return 0
        names = ",".join(one.reminder_id for one in said)
        times = "|".join(map(_occurrence, said))
        meant = Initiative(kind="reminder", about=names[:400])
        text = due_text(said, now, tuning, zone)
        event = _event(whose, meant.kind, text, f"{meant.kind}|{times}", now)
        return await self._begin(event, meant, again)

    async def _take_occasion(self, active: ActiveSession, now: datetime) -> int:
        session = active.session
        begun = self._begun.setdefault(_whose(session), set())
        found = self._opportunities.find(session, now, begun=begun)
        if found is None:
            return 0
        name = occasion_name(session, found.initiative, now)
        is_earned = found.initiative.kind == "achievement"
        if name in begun or not (is_earned or active.is_free):
            return 0
        begun.add(name)
        event = _event(_whose(session), found.initiative.kind, found.text, name, now)
        return await self._begin(event, found.initiative)

    async def _begin(
        self,
        event: Event,
        meant: Initiative,
        reminders: Mapping[str, datetime | None] = MappingProxyType({}),
    ) -> int:
        if not await self._initiatives.begin(event, meant, reminders):
            return 0
        record = await self._decide(event.decision_id)
        if self.listener is not None:
            self.listener(event, record)
        return 1

    async def _look(self, now: datetime | None) -> DueTimes:
        """See what waits and, given the time, the sessions in which somebody is."""
        since = None if now is None else now.timestamp() - self._present_seconds
        ahead = await read_due_times(self._box.database, since, self._known)
        if now is not None:
            self._known = ahead.active
            self._begun = {whose: self._begun.get(whose, set()) for whose in ahead.active}
        return ahead


def _by_session(
    due: tuple[DueReminder, ...],
) -> list[tuple[tuple[str, str], tuple[DueReminder, ...]]]:
    def whose(one: DueReminder) -> tuple[str, str]:
        return one.tenant_id, one.reminder.session_id

    return [(name, tuple(found)) for name, found in groupby(sorted(due, key=whose), key=whose)]


def _occurrence(one: Reminder) -> str:
    """Name one telling: what comes back is told once each time."""
    again = f"@{one.due_at.timestamp():.0f}" if one.repeats is not None else ""
    return f"{one.reminder_id}{again}"


def _whose(session: Session) -> tuple[str, str]:
    return session.tenant_id, session.session_id


def _event(
    whose: tuple[str, str], kind: InitiativeKind, text: str, name: str, now: datetime
) -> Event:
    tenant_id, session_id = whose
    kept = kind in KEPT
    return Event(
        event_id=f"{kind}-{uuid5(NAMESPACE_OID, f'{tenant_id}|{session_id}|{name}')}",
        kind="tick",
        source=SOURCE,
        text=text,
        session_id=session_id,
        tenant_id=tenant_id,
        occurred_at=now,
        salience=_KEPT_SALIENCE if kept else _CHAT_SALIENCE,
        payload=_MATTERS if kept else {},
        expires_in_seconds=_KEPT_SECONDS if kept else None,
    )
