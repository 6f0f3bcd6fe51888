"""Gather the whole state of a session from what each part knows of it."""

from dataclasses import dataclass

from graph.asked.attending import Attending
from graph.asked.recalling import Recollection
from graph.assembly.toolbox import Toolbox
from state.executive_state import ExecutiveState, UserState
from tools.memory.recalling import Where
from tools.storage.reminders import SqlReminders

SHOWN = 10


@dataclass(frozen=True)
class States:
    """Reads; nothing is changed by it."""

    box: Toolbox
    attention: Attending
    recollection: Recollection

    async def of(self, tenant_id: str, session_id: str) -> ExecutiveState:
        """Tell what it goes by in a session now, and what it did last."""
        box = self.box
        now = box.clock.now().timestamp()
        session = await box.decisions.session(tenant_id, session_id)
        ours = Where(tenant_id, session_id, "us")
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
            recent_responses=await self.recollection.recent(ours, limit=SHOWN),
            recent_events=tuple(
                await box.records.newest(tenant_id, session_id=session_id, limit=SHOWN)
            ),
        )
