"""What is remembered of one user's running context between decisions."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from state.attention import Goal, OpenCause, QuietHours, ThresholdShift
from state.initiative import OpenProposal, Proactive
from state.memory import PackMemory
from state.noun import Noun, Score
from state.personality import Activation, Circumstance, Mood, Profile, Traits
from state.policy import Hold
from state.salience import SalienceVector

SkillChoice = Literal["loaded", "unloaded"]
Busy = Literal["typing", "menu", "combat", "call", "speaking", "focused"]


class Spoken(Noun):
    """Something we said, so as not to say it again."""

    at: float
    text: str
    pattern: str
    group: str = ""
    about: str = Field(default="", description="the event's own words, which ours may not hold")
    praised: bool = Field(default=False, description="somebody liked that it was said")
    response_id: str = Field(default="", description="what feedback names")


class Familiarity(Noun):
    """How used to one pattern of events the session is. Source: executive.md §1.8."""

    level: Score = 0.0
    at: float = Field(description="when it was last seen, seconds since 1970")
    seen: SalienceVector
    gain: float = Field(default=1.0, description="grows by 1.15 after each full recovery")
    last: str = Field(default="", description="the beginning of what was said last")
    last_by: str = Field(default="", description="whose key sent that")
    is_over: bool = Field(default=False, description="that said that it is well again")
    wordings: Mapping[str, tuple[float, ...]] = Field(
        default_factory=dict, description="what was said of it lately: digest → figures"
    )
    pace: float = Field(
        default=0.0, description="events lately, each halved every few seconds: a burst is many"
    )
    told_at: float | None = Field(default=None, description="when we last spoke of it")
    ignored: int = Field(default=0, description="tellings in a row that nobody answered")
    asked_at: float | None = Field(
        default=None, description="when we asked whether to leave it alone"
    )


class ThreatTold(Noun):
    """A threat that was told, so that it repeats on a schedule and not at every event."""

    level: Score
    at: float
    times: int
    figures: tuple[float, ...] = Field(default=(), description="when it was told")


class TopicRule(Noun):
    """Something the person asked for: leave a topic alone, or watch for it."""

    topic: str
    kind: Literal["suppress", "watch"]
    at: float
    until: float | None = Field(default=None, description="seconds since 1970; null: for good")
    threats: bool = Field(default=False, description="threats about it are to be left alone too")
    learned: bool = Field(default=False, description="we proposed it, and somebody said yes")


class Shown(Noun):
    """The thing that a person's last answered request was about: `that` may mean it."""

    at: float
    thing: str = Field(description="by its canonical name or id")


class OpenQuestion(Noun):
    """A slot that was asked for: what the person says next may be its value."""

    action: str
    arguments: Mapping[str, Any]
    slots: tuple[str, ...] = Field(description="what was asked for")
    confidence: Score = Field(description="that this action was meant")
    held: Hold | None = Field(default=None, description="why a read would not run by itself")
    at: float
    decision_id: str = Field(default="", description="the decision that asked; sessions of old: ''")


class OpenOffer(Noun):
    """Chips that were shown to a person last: `yes` or `the second one` may mean them."""

    offer_id: str
    decision_id: str = Field(description="the decision that showed them last")
    at: float
    recorded_at: float | None = Field(
        default=None, description="when the record that shows them was written, database's clock"
    )
    tainted: bool = Field(description="it came from words that were not the person's")


class PassedOver(Noun):
    """An event that was not told and that somebody may ask for."""

    decision_id: str
    at: float
    source: str
    sender: str = Field(default="", description="whose key sent it")
    identity: str = Field(description="the same matter, whatever its figures")
    text: str
    worth: Score = Field(description="the chance that it belongs in a digest")


class Session(Noun):
    """The snapshot a decision is made on; times in seconds since 1970, lists newest last."""

    tenant_id: str
    session_id: str
    started_at: float = 0.0
    sitting_since: float = Field(
        default=0.0, description="since when something goes on here without a long pause"
    )
    answered_at: float = Field(default=0.0, description="when we last answered somebody")
    seen_at: float = Field(default=0.0, description="when something last went on here")
    traits: Traits = Field(default=Traits(), description="effective at the time of the snapshot")
    person: str | None = Field(default=None, description="who spoke last: their profile counts")
    profile: Profile = Field(default=Profile(), description="that person's; kept apart from this")
    mood: Mood = Mood()
    circumstances: Mapping[Circumstance, Activation] = Field(default_factory=dict)
    failures_at: tuple[float, ...] = Field(default=(), description="what went wrong for the user")
    active_context: str | None = Field(default=None, description="such as gaming.minecraft")
    skills: Mapping[str, SkillChoice] = Field(
        default_factory=dict, description="skill → what a person asked for, whatever the context"
    )
    busy: Busy | None = None
    focus: Score = 0.5
    focus_on: str | None = Field(default=None, description="what the person is at: events match it")
    present: bool = True
    quiet_asked_at: float | None = Field(default=None, description="'be quiet', no duration given")
    muted_until: float | None = Field(default=None, description="'be quiet for N minutes'")
    muted_from: float | None = Field(default=None, description="when that was asked for")
    quiet_hours: QuietHours | None = None
    causes: Mapping[str, OpenCause] = Field(
        default_factory=dict, description="rule and keys → what hides what follows from it"
    )
    goals: tuple[Goal, ...] = ()
    talk_bias: float = Field(default=0.0, ge=-1, le=1, description="talk more / talk less")
    threshold_shift: ThresholdShift | None = None
    annoyed_at: tuple[float, ...] = ()
    rated: Mapping[str, str] = Field(
        default_factory=dict, description="response → rating and what was bad, newest last"
    )
    slighted_at: tuple[float, ...] = Field(
        default=(), description="when something was ignored for the third time in a row"
    )
    topics: tuple[TopicRule, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    missed: tuple[PassedOver, ...] = Field(
        default=(), description="not told, for who asks what they missed"
    )
    familiar: Mapping[str, Familiarity] = Field(default_factory=dict)
    threats: Mapping[str, ThreatTold] = Field(default_factory=dict)
    questions: Mapping[str, OpenQuestion] = Field(
        default_factory=dict, description="user → what that person was asked last"
    )
    offered: Mapping[str, OpenOffer] = Field(
        default_factory=dict, description="user → the chips that person was shown last"
    )
    shown: Mapping[str, Shown] = Field(
        default_factory=dict, description="user → what that person was shown or changed last"
    )
    proactive: Proactive = Proactive()
    proposed: Mapping[str, OpenProposal] = Field(
        default_factory=dict, description="user → what a yes of that person does; none: anybody's"
    )
    memory: Mapping[str, PackMemory] = Field(
        default_factory=dict, description="pack → what the session keeps for it"
    )

    @property
    def aims(self) -> tuple[str, ...]:
        """List the goals that are open, in the person's words."""
        return tuple(goal.text for goal in self.goals if goal.standing == "open")

    @property
    def concerns(self) -> tuple[str, ...]:
        """List what makes an event matter that is about it: open goals, and what is done now."""
        return self.aims if self.focus_on is None else (*self.aims, self.focus_on)

    def aims_of(self, user: str | None) -> tuple[str, ...]:
        """List the open goals that somebody may speak of as theirs."""
        return tuple(one.text for one in self.goals if one.standing == "open" and one.is_of(user))

    @model_validator(mode="before")
    @classmethod
    def _as_once_written(cls, given: Any) -> Any:  # whatever a store of ours holds
        """Leave out `stage`, which stores of before packs had a memory hold empty."""
        if isinstance(given, dict) and given.get("stage", "") is None:
            return {name: value for name, value in given.items() if name != "stage"}
        return given
