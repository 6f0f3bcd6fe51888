"""How a session stands on speaking, and changing it: each change is an event with its record."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from uuid import uuid4

from graph.assembly.toolbox import Toolbox
from state.attention import Goal
from state.errors import BadInput, Forbidden
from state.event import Event
from state.initiative import Reminder
from state.modulation import Modulation
from state.principal import Principal
from state.quietness import Quietness, UnaskedBudget
from state.record import DecisionRecord
from state.talk import TalkRequest
from tools.policy.manner_names import resolved
from tools.policy.talk_rights import REFUSAL, may_ask_for
from tools.proactive.noting import reminder_id_of
from tools.proactive.pacing import hourly_budget, unasked_lately
from tools.proactive.reminders import may_wait
from tools.relevance.modulations import modulations_of, taking_back
from tools.relevance.quietness import Standing
from tools.storage.reminders import SqlReminders
from tools.timing.wording import acknowledge

SOURCE = "attention"


class Attending:
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
        standing = Standing(self._box.tuning, self._box.context, self._box.settings.zone)
        return standing.of(session, waiting, now)

    async def budget(self, tenant_id: str, session_id: str) -> UnaskedBudget:
        """Tell how much of this hour is left for what nobody asked for."""
        session = await self._box.decisions.session(tenant_id, session_id)
        now = self._box.clock.now().timestamp()
        session = self._box.character.present(session, now)
        hourly = hourly_budget(session, self._box.tuning.proactive)
        return UnaskedBudget(said=unasked_lately(session, now), hourly=hourly)

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
        await self.ask(principal, session_id, taking_back(modulation_id, known))
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
        if not may_ask_for(TalkRequest(kind="quiet"), self._box.catalogue, principal.roles):
            raise Forbidden(REFUSAL)
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
        request = resolved(request, self._box.catalogue)
        if not may_ask_for(request, self._box.catalogue, principal.roles):
            raise Forbidden(REFUSAL)
        return await self._submit(
            Event(
                event_id=f"{SOURCE}-{uuid4().hex}",
                kind="signal",
                source=SOURCE,
                text=acknowledge(request, self._box.tuning.relevance),
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
        if due <= now or not may_wait(due, now, tuning):
            raise BadInput(f"name a time to come, {tuning.reminder_days:g} days ahead at most")
        seconds = (due - now).total_seconds()
        request = TalkRequest(kind="remind", topic=text, seconds=seconds)
        record = await self.ask(principal, session_id, request)
        name = reminder_id_of(record.decision_id)
        reminders = SqlReminders(self._box.database)
        for one in await reminders.waiting(principal.tenant_id, session_id):
            if one.reminder_id == name:
                return one
        raise BadInput(f"{tuning.reminders} reminders wait here already; call one off first")
