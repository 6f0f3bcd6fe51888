"""What is said of goals over the wire, with its examples."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictFloat, StrictInt, model_validator

from api.examples.common import Json
from api.payloads.sessions import InSession
from state.attention import Goal
from state.noun import CleanText, Noun, Score
from state.talk import LONGEST_SECONDS, TalkKind, TalkRequest


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
WISHES: dict[str, Any] = {"a goal": {"value": {"text": "finish the nether portal"}}}
STEPS: dict[str, Any] = {
    "progress": {"value": {"progress": 0.5}},
    "the end": {"value": {"ends": "reached"}},
}
