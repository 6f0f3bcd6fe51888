"""The Executive's state in one session, whole. Source: Executive decision loop §13.1 and §14.1."""

from pydantic import Field

from state.attention import Goal
from state.initiative import Reminder
from state.modulation import Modulation
from state.noun import Noun, Score
from state.personality import Personality
from state.quietness import Quietness
from state.record import DecisionRecord
from state.remembered import Remembered
from state.session import Busy


class UserState(Noun):
    """What is known of the person; signals say it."""

    busy: Busy | None = None
    focus: Score
    present: bool


class ExecutiveState(Noun):
    """What it goes by now, and what it did last."""

    session_id: str
    active_context: str | None = Field(default=None, description="such as gaming.minecraft")
    loaded_skills: tuple[str, ...]
    personality: Personality
    user_state: UserState
    quiet: Quietness = Field(description="with the decisions that wait: pending responses")
    modulations: tuple[Modulation, ...]
    goals: tuple[Goal, ...]
    reminders: tuple[Reminder, ...]
    recent_responses: tuple[Remembered, ...] = Field(description="what we said, newest first")
    recent_events: tuple[DecisionRecord, ...] = Field(description="what was decided, newest first")
