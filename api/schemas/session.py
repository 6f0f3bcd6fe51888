"""Request and response types of memory, goals, reminders, personality and state.

With their examples.
"""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictFloat, StrictInt, model_validator

from api.schemas.attention import MODULATION, QUIETNESS
from api.schemas.common import InSession
from api.schemas.examples import RECORD, Json
from state.attention import Goal
from state.errors import Forbidden
from state.event import Instant
from state.initiative import Reminder
from state.noun import CleanText, Name, Noun, Score
from state.personality import TraitName
from state.principal import Principal
from state.reader import Reader
from state.remembered import Remembered, SaidBy
from state.skill import LoadedSkill
from state.talk import LONGEST_SECONDS, TalkKind, TalkRequest
from tools.memory import RecallScope

_STILL = dict.fromkeys(
    ("humor", "sarcasm", "formality", "proactive", "enthusiasm", "helpfulness", "verbosity"), 0.0
)
PERSONALITY: Json = {
    "session_id": "overworld",
    "user": "sam",
    "template": "dry_wit",
    "templates": ["cheerful", "dry_wit", "mentor"],
    "base_traits": {
        "humor": 0.7,
        "sarcasm": 0.8,
        "formality": 0.3,
        "proactive": 0.4,
        "enthusiasm": 0.3,
        "helpfulness": 0.6,
        "verbosity": 0.4,
    },
    "context_modifiers": {**_STILL, "sarcasm": -0.18, "proactive": 0.135},
    "circumstances": {"high_threat": 0.45},
    "mood_modifiers": {**_STILL, "sarcasm": -0.03, "proactive": -0.04, "formality": -0.012},
    "user_overrides": {**_STILL, "sarcasm": -0.2},
    "effective_traits": {
        "humor": 0.7,
        "sarcasm": 0.39,
        "formality": 0.288,
        "proactive": 0.495,
        "enthusiasm": 0.3,
        "helpfulness": 0.6,
        "verbosity": 0.4,
    },
    "mood": {"valence": -0.12, "arousal": 0.2, "at": 1781452800.0},
    "rapport": 0.34,
}
SKILL: Json = {
    "name": "minecraft_expertise",
    "type": "domain_skill",
    "summary": "Knows the creatures, ores and nights of Minecraft",
    "is_loaded": True,
    "reason": "the context is gaming.minecraft",
    "capabilities": ["threat_assessment"],
}
TEMPLATES: dict[str, Any] = {"a template": {"value": {"template": "dry_wit"}}}
TRAITS: dict[str, Any] = {
    "a bit less": {"value": {"session_id": "overworld", "trait": "sarcasm", "step": -0.1}},
    "none of it": {"value": {"trait": "humor", "value": 0}},
}


class LoadedSkills(Noun):
    """The skills of the packs, as a session stands to them."""

    skills: tuple[LoadedSkill, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


class TemplateWish(InSession):
    """A personality of the loaded packs; what had been adjusted is gone with it."""

    template: Name

    def request(self) -> TalkRequest:
        """Put it as a person would have said it."""
        return TalkRequest(kind="template", topic=self.template)


class TraitWish(InSession):
    """One trait: so much more or less of it, or where it shall be."""

    trait: TraitName
    step: StrictFloat | StrictInt | None = Field(default=None, ge=-1, le=1)
    value: StrictFloat | StrictInt | None = Field(default=None, ge=0, le=1)

    @model_validator(mode="after")
    def _says_how_far(self) -> Self:
        if (self.step is None) == (self.value is None):
            raise ValueError("give step (more or less of it) or value (where it shall be)")
        return self

    def request(self) -> TalkRequest:
        """Put it as a person would have said it."""
        value = None if self.value is None else float(self.value)
        step = None if self.step is None else float(self.step)
        return TalkRequest(kind="trait", trait=self.trait, step=step, value=value)


REMINDER: Json = {
    "reminder_id": "reminder-0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    "session_id": "engine-room",
    "text": "check the furnace",
    "due_at": "2026-02-07T14:52:00Z",
    "user": "amir",
    "standing": "scheduled",
    "decision_id": None,
}
REMINDER_REQUESTS: dict[str, Any] = {
    "in a while": {
        "value": {"session_id": "engine-room", "text": "check the furnace", "in_seconds": 1200}
    },
    "at a time": {"value": {"text": "call the yard", "at": "2026-02-08T09:00:00Z"}},
}


class ReminderWish(InSession):
    """What to be reminded of, and either in how long or at which time."""

    text: Annotated[CleanText, Field(min_length=2, max_length=200)]
    in_seconds: StrictInt | StrictFloat | None = Field(default=None, gt=0, le=LONGEST_SECONDS)
    at: Instant | None = Field(default=None, description="ISO 8601, or seconds since 1970")

    @model_validator(mode="after")
    def _says_when(self) -> Self:
        if (self.in_seconds is None) == (self.at is None):
            raise ValueError("say when: either in_seconds or at")
        return self

    def due(self, now: datetime) -> datetime:
        """Tell at which time that is."""
        return self.at or now + timedelta(seconds=self.in_seconds or 0)


class ReminderPage(Noun):
    """What waits in a session, the next first."""

    reminders: tuple[Reminder, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


class GoalWish(InSession):
    """A goal, and for how long it is one."""

    text: Annotated[CleanText, Field(min_length=3, max_length=120)]
    lasts_seconds: StrictInt | StrictFloat | None = Field(
        default=None, gt=0, le=LONGEST_SECONDS, description="then it lapses; null: until it is over"
    )

    def request(self, user: str) -> TalkRequest:
        """Put it as a person would have said it."""
        return TalkRequest(kind="goal", topic=self.text, seconds=self.lasts_seconds, by=user)


class GoalStep(InSession):
    """Either progress, 0 to 1, or its end."""

    progress: Score | None = None
    ends: Literal["reached", "dropped"] | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if (self.progress is None) == (self.ends is None):
            raise ValueError("say either progress or ends")
        return self

    @property
    def kind(self) -> TalkKind:
        """Tell what a person would have said."""
        if self.ends is None:
            return "goal_progress"
        return "goal_reached" if self.ends == "reached" else "no_goal"


class GoalPage(Noun):
    """The goals of a session."""

    goals: tuple[Goal, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


GOAL: Json = {
    "text": "finish the nether portal",
    "at": 1770474720.0,
    "goal_id": "goal-0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    "by": "amir",
    "standing": "open",
    "progress": 0.5,
    "until": None,
    "ended_at": None,
    "touched": 3,
}
GOAL_REQUESTS: dict[str, Any] = {"a goal": {"value": {"text": "finish the nether portal"}}}
GOAL_STEPS: dict[str, Any] = {
    "progress": {"value": {"progress": 0.5}},
    "the end": {"value": {"ends": "reached"}},
}


class MemoryQuery(Noun):
    """What to recall; without `about` the newest."""

    about: str | None = Field(default=None, min_length=2, max_length=400)
    session_id: Name | None = Field(
        default=None, description="null: your own words, and what you were told, in any session"
    )
    said_by: SaidBy | None = None
    user: Name | None = None
    limit: int = Field(default=10, ge=1, le=100)
    cursor: int | None = Field(
        default=None, ge=1, le=2**53, description="`next_cursor` of the page before"
    )

    @model_validator(mode="after")
    def _goes_on_in_a_list(self) -> Self:
        if self.about is not None and self.cursor is not None:
            raise ValueError("what is about something has one page; leave about or cursor out")
        return self

    def where(self, caller: Principal, reader: Reader) -> RecallScope:
        """Say in whose words to look: those of others are found in the session they fell in.

        Raises:
            Forbidden: others' words are asked for in any session.
        """
        user = self.user
        if self.session_id is None:
            if user not in (None, caller.user):
                raise Forbidden("others' words are found in a session; name session_id")
            user = caller.user
        return RecallScope(caller.tenant_id, self.session_id, self.said_by, user, reader=reader)


class ForgetQuery(Noun):
    """Whom to forget: the caller, whether named or not."""

    user: Name | None = Field(default=None, description="yourself, if anybody is named")

    def demand(self, caller: Principal) -> None:
        """Refuse to forget the caller where somebody else was meant.

        Raises:
            Forbidden: somebody else is named.
        """
        if self.user not in (None, caller.user):
            raise Forbidden("somebody else's is removed by `prefrontal memory forget` alone")


class MemoryPage(Noun):
    """What was found."""

    said: tuple[Remembered, ...]
    next_cursor: int | None = Field(
        default=None, description="null on the last page, and where `about` was asked for"
    )


SAID: Json = {
    "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    "session_id": "engine-room",
    "said_by": "us",
    "user": None,
    "at": "2026-02-07T14:32:00Z",
    "text": "Watermaker salinity high: 520 ppm",
    "about": "tank_sensor watermaker",
    "action": {"event_id": "evt-18", "response_type": "observation", "skills_used": []},
    "reaction": "good",
}
FORGOTTEN: Json = {
    "user": "ann",
    "said": 31,
    "reminders": 1,
    "goals": 2,
    "profile": True,
    "sessions": 1,
}
ENTITY: Json = {"entity": "watermaker", "said": [SAID], "happened": [RECORD], "facts": {}}


STATE: Json = {
    "session_id": "engine-room",
    "active_context": None,
    "loaded_skills": [],
    "personality": PERSONALITY,
    "user_state": {"busy": "call", "focus": 0.5, "present": True},
    "quiet": QUIETNESS,
    "modulations": [MODULATION],
    "goals": [GOAL],
    "reminders": [REMINDER],
    "recent_responses": [SAID],
    "recent_events": [RECORD],
}
