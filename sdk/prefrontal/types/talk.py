"""What a person asks about the talking itself."""

from typing import Literal

from pydantic import Field

from prefrontal.types.attention import ClockTime, QuietHours
from prefrontal.types.noun import Noun, Score
from prefrontal.types.personality import Shift, TraitName

TalkKind = Literal[
    "quiet",
    "mute",
    "quiet_hours",
    "no_quiet_hours",
    "talk",
    "prompt",
    "suppress",
    "watch",
    "forget",
    "habituate",
    "threshold",
    "less",
    "more",
    "goal",
    "no_goal",
    "goal_progress",
    "goal_reached",
    "goals",
    "trait",
    "template",
    "as_usual",
    "load_skill",
    "unload_skill",
    "remind",
    "no_reminder",
    "reminders",
    "called",
    "not_called",
    "fact",
    "no_fact",
    "unclear",
]

LONGEST_SECONDS = 10 * 366 * 86_400.0
"""Ten years: a time that any clock can be set to, and more than anybody says in hours."""


RepeatUnit = Literal["minute", "hour", "day", "week", "month", "year", "event"]


class Repeat(Noun):
    """How often a reminder comes back; with a clock on these days, else so long after the last."""

    every: float = Field(default=1, gt=0, le=1_000, allow_inf_nan=False)
    unit: RepeatUnit
    on: tuple[str, ...] = Field(
        default=(),
        max_length=31,
        description="mon to sun; of a month also 15, 1mon or lastfri",
    )
    at: tuple[ClockTime, ...] = Field(default=(), max_length=24)
    hours: QuietHours | None = Field(default=None, description="of the day, between which alone")


class TalkRequest(Noun):
    """Be quiet, leave that alone, watch for this, be less sarcastic, what did I miss."""

    kind: TalkKind
    seconds: float | None = Field(
        default=None, ge=0, le=LONGEST_SECONDS, allow_inf_nan=False, description="for how long"
    )
    until: ClockTime | None = Field(default=None, description="until the clock on the wall says")
    tomorrow: bool = Field(default=False, description="`until` is of tomorrow, not of today")
    hours: QuietHours | None = None
    repeats: Repeat | None = Field(default=None, description="how often it comes back")
    when: str | None = Field(default=None, max_length=400, description="the event it waits for")
    topic: str | None = Field(
        default=None,
        max_length=1_000,
        description="what to leave alone, watch for, reach; a template or a skill",
    )
    instead: str | None = Field(
        default=None, max_length=1_000, description="the fact that it replaces"
    )
    by: str | None = Field(default=None, description="who has the goal")
    learned: bool = Field(default=False, description="we proposed it")
    threats: bool = Field(default=False, description="threats about it are to be left alone too")
    trait: TraitName | None = None
    step: Shift | None = Field(
        default=None, description="how much more or less of the trait, or of the threshold"
    )
    steps: float | None = Field(
        default=None, ge=-5, le=5, description="the same in words: in steps of policy.toml"
    )
    value: Score | None = Field(default=None, description="instead of a step: where it shall be")


class Aside(Noun):
    """A wish about the talking that stands beside something else, in one message."""

    talk: TalkRequest | None = Field(default=None, description="null: it is not granted")
    says: str = Field(default="", description="the answer to it, when policy has it already")
    rest: str = Field(description="the words without it, which the decision itself is of")
