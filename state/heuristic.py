"""What was learned of answers that people liked, and what they said of them."""

from typing import Literal

from pydantic import Field

from state.noun import Noun, Score

Rating = Literal["good", "meh", "bad"]
Attribution = Literal["not_wanted", "wrong_answer", "bad_timing"]
"""What was bad of it: that it was said at all, what was said, or when."""
Sign = Literal["good", "meh", "bad", "undone", "ignored", "silence", "agreed"]
"""undone: taken back soon; ignored: the third in a row; agreed: a model said the same."""
Origin = Literal["learned", "pack"]


class Feedback(Noun):
    """What somebody says of a response; said again it counts once, and the last word counts."""

    response_id: str = Field(min_length=1, max_length=200)
    rating: Rating
    attribution: Attribution | None = Field(default=None, description="of a bad one")


SilenceRating = Literal["should_have_told", "rightly_silent"]
"""rightly_silent takes the other back."""


class SilenceFeedback(Noun):
    """What somebody says of a decision not to speak; the last word counts."""

    decision_id: str = Field(min_length=1, max_length=200)
    rating: SilenceRating


class RatedSilence(Noun):
    """What became of feedback on a silence, and what else would help."""

    decision_id: str
    rating: SilenceRating
    reason: str = Field(description="why nothing was said")
    woken: str | None = Field(
        default=None, description="the pattern of events whose habituation was dropped"
    )
    watch: str | None = Field(
        default=None, description="a topic of such events; a watch on it doubles their relevance"
    )
    rule: str | None = Field(
        default=None, description="the muted topic that hid it; forget it to hear of such events"
    )


class Signal(Noun):
    """One thing that speaks for or against a heuristic."""

    sign: Sign
    attribution: Attribution | None = None
    session_id: str = "default"
    given_by: str | None = Field(default=None, description="the person; null: nobody by name")
    strength: Score = Field(default=1.0, description="of an agreement: how alike the words were")


class Heuristic(Noun):
    """A condition and what to say when an event meets it: learned, or shipped and since moved."""

    heuristic_id: str
    tenant_id: str
    origin: Origin = "learned"
    condition: str
    source: str | None = Field(default=None, description="only events of this source")
    kind: str = Field(default="ambient", description="of events: ambient or message")
    says: str = ""
    action: str | None = Field(default=None, description="a catalogue action it proposes")
    declared: Score | None = Field(default=None, description="confidence that a pack ships it with")
    locked: bool = False
    floor: Score = 0.05
    ceiling: Score = 0.95
    weight: float = Field(default=1.0, ge=0, le=10, description="of every signal")
    reworded: bool = Field(
        default=False, description="its words are a person's; else a shipped one's are its pack's"
    )
    disabled: str | None = Field(default=None, description="why it is out of use; null: it is not")
    unlearned: bool = Field(
        default=False, exclude=True, description="out of use for want of a good answer alone"
    )
    made_at: float = Field(description="seconds since 1970")
    made_from: str | None = Field(default=None, description="the response it was learned from")


class Confidence(Noun):
    """How far a heuristic may be relied on, and every number behind it."""

    usable: Score = Field(description="against the threshold")
    mean: Score
    lower: float = Field(description="mean - half a standard deviation")
    a: float
    b: float
    blocked: bool = Field(description="on probation: it never fires alone")
    doubted: bool = Field(
        default=False, description="called wrong last: it fires alone only where no model is there"
    )
    taught_by: tuple[str, ...] = Field(default=(), description="people who called it good")
    taught_in: tuple[str, ...] = Field(default=(), description="sessions where they did")
    shared: bool = Field(
        default=True, description="anybody may hear it alone; else who taught it, and where"
    )
    goods: int = 0
    bads: int = 0
    signals: int = 0


class KnownHeuristic(Noun):
    """A heuristic and what it may be relied on for."""

    heuristic: Heuristic
    confidence: Confidence
