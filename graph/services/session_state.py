"""Read and change the state of a session: quiet, goals, reminders, personality and skills.

Every change is an event with its record.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from graph.toolbox import Toolbox
from state.attention import Goal
from state.errors import BadInput, Forbidden
from state.event import Event
from state.executive_state import ExecutiveState, UserState
from state.initiative import Reminder
from state.modulation import Modulation
from state.personality import Personality
from state.principal import Principal
from state.quietness import Quietness, UnaskedBudget
from state.record import DecisionRecord
from state.session import Session
from state.skill import LoadedSkill
from state.talk import TalkRequest
from tools.access.permissions import may_control
from tools.attention import AttentionStatus
from tools.attention.initiatives import hourly_budget, recent_initiatives
from tools.attention.status import modulations_of, reverting_request
from tools.dialogue import with_resolved_name
from tools.memory import RecallScope
from tools.memory.recorders import reminder_id_of
from tools.memory.reminders import is_allowed_time
from tools.platform.texts import t
from tools.response.template_replies import acknowledgement
from tools.storage.reminders import SqlReminders

SOURCE = "attention"


class SessionControls:
    """Says why it is silent, and takes what people want of it."""

    def __init__(self, box: Toolbox, submit: Callable[[Event], Awaitable[DecisionRecord]]) -> None:
        self._box = box
        self._submit = submit

    async def standing(self, tenant_id: str, session_id: str) -> Quietness:
        """Say why a session is silent now, until when, and what waits."""
        session = await self._box.decisions.session(tenant_id, session_id)
        now = self._box.clock.now()
        session = self._box.character.present(session, now.timestamp())
        waiting = await self._box.holds.waiting(tenant_id, session_id)
        standing = AttentionStatus(self._box.tuning, self._box.context, self._box.settings.zone)
        return standing.of(session, waiting, now)

    async def budget(self, tenant_id: str, session_id: str) -> UnaskedBudget:
        """Tell how much of this hour is left for what nobody asked for."""
        session = await self._box.decisions.session(tenant_id, session_id)
        now = self._box.clock.now().timestamp()
        session = self._box.character.present(session, now)
        hourly = hourly_budget(session, self._box.tuning.proactive)
        return UnaskedBudget(said=recent_initiatives(session, now), hourly=hourly)

    async def modulations(self, tenant_id: str, session_id: str) -> tuple[Modulation, ...]:
        """List what moves the attention of a session; each can be taken back."""
        session = await self._box.decisions.session(tenant_id, session_id)
        now, tuning = self._box.clock.now().timestamp(), self._box.tuning.habituation
        fade_seconds = tuning.fade_seconds[self._box.context]
        return modulations_of(session, now, fade_seconds, tuning)

    async def take_back(
        self, principal: Principal, session_id: str, modulation_id: str
    ) -> tuple[Modulation, ...]:
        """Take one back, and list what still holds.

        Raises:
            NotFound: none of that id holds.
            Forbidden: as for any change.
        """
        known = await self.modulations(principal.tenant_id, session_id)
        await self.ask(principal, session_id, reverting_request(modulation_id, known))
        return await self.modulations(principal.tenant_id, session_id)

    async def goals(self, tenant_id: str, session_id: str) -> tuple[Goal, ...]:
        """List the goals of a session, the ended ones first."""
        return (await self._box.decisions.session(tenant_id, session_id)).goals

    async def change(
        self, principal: Principal, session_id: str, request: TalkRequest
    ) -> Quietness:
        """Do what was asked about the talking, and say how it stands then. See ask."""
        await self.ask(principal, session_id, request)
        return await self.standing(principal.tenant_id, session_id)

    def interrupt(self, principal: Principal, session_id: str | None) -> int:
        """Cut the voice off in a session, None: in all that they may read; tell what that ended.

        Raises:
            Forbidden: as for any change.
        """
        if not may_control(TalkRequest(kind="quiet"), self._box.catalogue, principal.roles):
            raise Forbidden(t("dialogue.refused.control"))
        return self._box.voice.interrupt(self._box.readers.of(principal), session_id)

    async def ask(
        self, principal: Principal, session_id: str, request: TalkRequest
    ) -> DecisionRecord:
        """Do what was asked about the talking, in a person's name.

        Raises:
            Forbidden: the session is closed to them, or these roles change nothing here, so they
                hush nobody either.
            NotFound: it names a personality or a skill that no pack has.
        """
        self._box.readers.demand(principal, [session_id])
        request = with_resolved_name(request, self._box.catalogue)
        if not may_control(request, self._box.catalogue, principal.roles):
            raise Forbidden(t("dialogue.refused.control"))
        return await self._submit(
            Event(
                event_id=f"{SOURCE}-{uuid4().hex}",
                kind="signal",
                source=SOURCE,
                text=acknowledgement(request, self._box.tuning.relevance),
                session_id=session_id,
                tenant_id=principal.tenant_id,
                user=principal.user,
                role=",".join(principal.roles) or None,
                payload={"talk": request.model_dump(mode="json", exclude_none=True)},
            )
        )

    async def remind(
        self,
        principal: Principal,
        session_id: str,
        text: str,
        due_at: Callable[[datetime], datetime],
    ) -> Reminder:
        """Put a reminder down in a person's name.

        Args:
            due_at: tells the time it is wanted for, from the time it is now.

        Raises:
            Forbidden: as for any change.
            BadInput: that time is past or too far ahead, or too many reminders wait.
        """
        now, tuning = self._box.clock.now(), self._box.tuning.proactive
        due = due_at(now)
        if due <= now or not is_allowed_time(due, now, tuning):
            raise BadInput(t("reminder.api_time", reminder_days=tuning.reminder_days))
        seconds = (due - now).total_seconds()
        request = TalkRequest(kind="remind", topic=text, seconds=seconds)
        record = await self.ask(principal, session_id, request)
        name = reminder_id_of(record.decision_id)
        reminders = SqlReminders(self._box.database)
        for one in await reminders.waiting(principal.tenant_id, session_id):
            if one.reminder_id == name:
                return one
        raise BadInput(t("reminder.api_too_many", reminders=tuning.reminders))


class PersonalityService:
    """Shows personality and skills of a session, and takes what people want of them."""

    def __init__(self, box: Toolbox, attention: SessionControls) -> None:
        self._box = box
        self._attention = attention

    async def standing(
        self, tenant_id: str, session_id: str, user: str | None = None
    ) -> Personality:
        """Say how a session is spoken to now; `user` is whose profile counts if nobody spoke."""
        session = await self._session(tenant_id, session_id, user)
        return self._box.character.standing(session, self._now())

    async def skills(
        self, tenant_id: str, session_id: str, user: str | None = None
    ) -> tuple[LoadedSkill, ...]:
        """List the skills of the packs, whether each is loaded in a session, and why."""
        session = await self._session(tenant_id, session_id, user)
        present = self._box.character.present(session, self._now())
        template = self._box.character.standing(session, self._now()).template
        return tuple(self._box.skills.listed(present, template))

    async def change(
        self, principal: Principal, session_id: str, request: TalkRequest
    ) -> Personality:
        """Do what was asked about the manner, in a person's name, and say how it stands then.

        Raises:
            Forbidden: these roles change nothing here.
            NotFound: no such personality or skill.
        """
        await self._attention.ask(principal, session_id, request)
        return await self.standing(principal.tenant_id, session_id, principal.user)

    async def _session(self, tenant_id: str, session_id: str, user: str | None) -> Session:
        session = await self._box.decisions.session(tenant_id, session_id)
        if session.person is None and user is not None:
            return await self._box.decisions.session(tenant_id, session_id, speaker=user)
        return session

    def _now(self) -> float:
        return self._box.clock.now().timestamp()


SHOWN = 10


@dataclass(frozen=True)
class SessionStates:
    """Reads; nothing is changed by it."""

    box: Toolbox
    attention: SessionControls

    async def of(self, tenant_id: str, session_id: str) -> ExecutiveState:
        """Tell what it goes by in a session now, and what it did last."""
        box = self.box
        now = box.clock.now().timestamp()
        session = await box.decisions.session(tenant_id, session_id)
        ours = RecallScope(tenant_id, session_id, "us")
        return ExecutiveState(
            session_id=session_id,
            active_context=session.active_context,
            loaded_skills=tuple(skill.name for skill in box.skills.speaking(session)),
            personality=box.character.standing(session, now),
            user_state=UserState(busy=session.busy, focus=session.focus, present=session.present),
            quiet=await self.attention.standing(tenant_id, session_id),
            modulations=await self.attention.modulations(tenant_id, session_id),
            goals=session.goals,
            reminders=await SqlReminders(box.database).waiting(tenant_id, session_id),
            recent_responses=await box.recall.recent(ours, limit=SHOWN),
            recent_events=tuple(
                await box.records.newest(tenant_id, session_id=session_id, limit=SHOWN)
            ),
        )
