"""What is asked of each kind of dataset: the inputs of a case, as a line of the file has them."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from state.event import Event
from state.heuristic import Rating
from state.journal import JournalMessage
from state.noun import CleanJson, CleanText, Name, Noun
from state.personality import Traits
from state.policy import SearchPolicy
from state.response import ResponseType
from state.strategy import StrategyName


class RequestInputs(Noun):
    """A message of a person."""

    text: CleanText
    user: Name
    role: Name


class Step(Noun):
    """What somebody does about a gated action: a word in the conversation, or an answer to it."""

    does: Literal["say", "approve", "reject", "edit"]
    user: Name
    role: Name
    text: str = Field(default="", description="of say")
    tenant: Name = "default"
    typed: str | None = Field(default=None, description="the phrase that a dialog asks for by hand")
    arguments: Mapping[str, CleanJson] | None = Field(default=None, description="of edit: all")
    after_seconds: float = Field(default=5, ge=0)
    is_blind: bool = Field(default=False, description="repeats no digest that anybody was shown")


class ApprovalInputs(RequestInputs):
    """A gated request, and what people do about it, one after the other."""

    stream: Name = Field(description="cases of one share a folder")
    before: tuple[Step, ...] = Field(
        default=(), description="what has to be there, said and approved when the folder is new"
    )
    steps: tuple[Step, ...] = ()


class SearchInputs(Noun):
    """A text, and the search that it may refine."""

    text: CleanText
    previous: SearchPolicy | None = None


class TimedEvent(Noun):
    """An event of a stream; it arrives `at_seconds` after the stream's start."""

    at_seconds: float = Field(ge=0)
    event: Event


class StreamInputs(TimedEvent):
    """An event, and what came before it in its stream."""

    stream: Name
    before: tuple[TimedEvent, ...] = ()


class SceneInputs(Noun):
    """A few minutes of a session; the case is about when one of its events is told."""

    events: tuple[TimedEvent, ...] = Field(min_length=1)
    judged: Name = Field(description="event_id of the one")
    listen_seconds: float = Field(gt=0, description="how long after the last event is listened")


Figure = Literal["unasked", "moved", "wished", "remembered", "recorded", "journal"]
"""What may be measured where a course ends; see courses.py."""


class CourseStep(Noun):
    """Something that happens, once or again and again, or a message that a journal imports."""

    at_seconds: float = Field(ge=0)
    times: int = Field(default=1, ge=1)
    every_seconds: float = Field(default=60, gt=0)
    event: Event | None = None
    said: JournalMessage | None = None


class Course(Noun):
    """Hours or days of one session, and the one figure that is looked at in the end."""

    steps: tuple[CourseStep, ...] = ()
    ends_at_seconds: float = Field(gt=0)
    figure: Figure
    of: str = Field(default="", description="the trait, or what is asked for")


class Lesson(Noun):
    """An answer of the model to something that comes back, and what people said of it each time."""

    text: CleanText
    source: Name
    answer: CleanText
    ratings: tuple[Rating, ...] = Field(min_length=1, description="each in a session of its own")
    by: Name = "ines"


class RatedInputs(Noun):
    """What was learnt before, and what happens now."""

    strategy: StrategyName
    lessons: tuple[Lesson, ...] = ()
    text: CleanText
    source: Name
    stake: float = Field(default=0.79, ge=0, le=1, description="how much it matters")
    company: tuple[Name, ...] = Field(default=(), description="said something there just before")
    model_says: CleanText = Field(description="what a model answers, if it is asked")


class WordingInputs(Noun):
    """Something to be said, by skills that are loaded and traits that hold."""

    event: Event
    says: CleanText = Field(description="the plain words")
    kind: ResponseType
    traits: Traits = Traits()
    loaded: tuple[Name, ...] = Field(default=(), description="skills that somebody asked for")
    model_says: CleanText | None = Field(default=None, description="a model's wording of it")


class DiscussionInputs(Noun):
    """Messages of which the last takes a decision."""

    messages: tuple[JournalMessage, ...] = Field(min_length=1)


class QueryInputs(Noun):
    """A question to a journal that holds the records of evals/journal/library.yaml."""

    query: CleanText
