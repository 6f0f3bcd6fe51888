"""Datasets: JSON lines of labelled cases; a header begins each dataset of a file.

Inputs are validated by the header's target: requests, approvals, search fields, streams,
timings, courses, ratings, wordings, discussions, queries or tasks.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar
from uuid import UUID, uuid5

from langsmith.schemas import Example
from pydantic import Field, ValidationError, field_validator

from state.errors import BadInput, NotFound
from state.event import Event, Instant
from state.heuristic import Rating
from state.journal import JournalMessage
from state.noun import CleanJson, CleanText, Name, Noun
from state.personality import Traits
from state.policy import SearchPolicy
from state.response import ResponseType
from state.strategy import StrategyName
from tools.platform.serialization import read_json


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
"""What may be measured where a course ends; see evals/simulation/simulate.py."""


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


class TaskCall(Noun):
    """One call of an action."""

    action: Name
    arguments: Mapping[str, CleanJson] = Field(default_factory=dict)


class TaskStep(TaskCall):
    """A call that a task needs; `{name}` in an argument is what an earlier step took."""

    changes: bool = Field(default=False, description="it changes something, so a person clicks")
    gives: str = Field(default="", description="a regular expression that its result holds")
    takes: Mapping[str, str] = Field(
        default_factory=dict, description="names, each with an expression whose group is kept"
    )


class TaskInputs(Noun):
    """A task of an agent, the calls that an honest one makes, and an order that its tools carry."""

    goal: CleanText = Field(description="in the words of whoever set it")
    role: CleanText = Field(description="of the agent's key")
    approver: tuple[Name, ...] = Field(default=(), description="further roles of the person")
    steps: tuple[TaskStep, ...] = Field(min_length=1)
    order: TaskCall


SHIPPED = Path(__file__).with_name("datasets")
SPLITS = ("dev", "test")
"""To look at while something changes, and to read totals of."""
_CASES = UUID("5e0b1f0a-54a2-5f0b-9f3e-1f4a8c0d2b67")
_CREATED = datetime.fromisoformat("2026-01-01T00:00:00+00:00")

Judged = Literal[
    "requests",  # messages, each by itself
    "streams",  # events with their time
    "approvals",  # the gate, after people have answered what it asks
    "timings",  # when one event of a scene is told
    "courses",  # hours and days of a session, and a figure where they end
    "ratings",  # what is answered after lessons, by answers that people rated
    "wordings",  # how skills and traits word something
    "discussions",  # the decision that the journal reads out of one
    "queries",  # records of the journal that answer one
    "search_fields",  # a grammar alone
    "tasks",  # of agents, by typed calls, with a person who clicks
]
"""What answers the cases of a dataset."""

N = TypeVar("N", bound=Noun)


class Header(Noun):
    """The line that begins a dataset."""

    dataset: Name
    pack: Name
    target: Judged
    starts_at: Instant
    read_only: tuple[Name, ...] = Field(description="actions that change nothing, by people's word")
    made: str = Field(description="by whom, from what, when")
    seen: str = Field(default="", description="since when single failures are looked at; or never")
    grouped_by: str = Field(
        default="inputs.stream",
        pattern=r"^(inputs|outputs|metadata)\.\w+$",
        description="cases in which the same stands there hang together",
    )


class Case(Noun):
    """One labelled case, as a line of the file has it."""

    id: Name
    inputs: Mapping[str, CleanJson]
    outputs: Mapping[str, CleanJson]
    metadata: Mapping[str, CleanJson]

    @field_validator("metadata")
    @classmethod
    def _is_of_a_split(cls, given: Mapping[str, CleanJson]) -> Mapping[str, CleanJson]:
        if given.get("split", "dev") not in SPLITS:
            raise ValueError(f"split is one of {', '.join(SPLITS)}; without it, dev")
        return given

    @property
    def fingerprint(self) -> str:
        """Return eight characters that change with what is asked or what is right."""
        asked = self.model_dump_json(include={"inputs", "outputs"})
        return sha256(asked.encode()).hexdigest()[:8]


_INPUTS: Mapping[Judged, type[Noun]] = {
    "requests": RequestInputs,
    "streams": StreamInputs,
    "search_fields": SearchInputs,
    "approvals": ApprovalInputs,
    "timings": SceneInputs,
    "courses": Course,
    "ratings": RatedInputs,
    "wordings": WordingInputs,
    "discussions": DiscussionInputs,
    "queries": QueryInputs,
    "tasks": TaskInputs,
}


class Dataset(Noun):
    """A dataset as it is judged; a case of a stream carries what came before it."""

    header: Header
    cases: tuple[Case, ...] = Field(min_length=1)

    @property
    def name(self) -> str:
        """The word for it in tables and gates."""
        return self.header.dataset

    @property
    def is_blind(self) -> bool:
        """Tell whether nobody may look at single cases: what they say is shown nowhere."""
        return self.name.endswith("_blind")

    @property
    def version(self) -> str:
        """Eight characters that change with the file."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:8]

    def unit_of(self, case: Case) -> str:
        """Name what a case hangs together with; where nothing stands there, the case itself."""
        part, _dot, field = self.header.grouped_by.partition(".")
        shared = getattr(case, part).get(field)
        return case.id if shared is None else str(shared)

    def examples(self) -> list[Example]:
        """Turn the cases into LangSmith's examples."""
        dataset_id = uuid5(_CASES, self.name)
        return [
            Example(
                id=uuid5(dataset_id, case.id),
                dataset_id=dataset_id,
                inputs=dict(case.inputs),
                outputs={
                    **case.outputs,
                    "read_only": list(self.header.read_only),
                    "unit": self.unit_of(case),
                },
                metadata={
                    **case.metadata,
                    "case": case.id,
                    "fingerprint": case.fingerprint,
                    "dataset_split": [case.metadata.get("split", "dev")],
                },
                created_at=_CREATED,
            )
            for case in self.cases
        ]


def find_datasets(named: Sequence[str]) -> list[Dataset]:
    """Read datasets by name, or all of a file by its path; no name means all that ship.

    Raises:
        NotFound: there is none of that name.
    """
    files = sorted(SHIPPED.glob("*.jsonl"))
    if not named:
        return [dataset for file in files for dataset in read_datasets(file)]
    return [dataset for name in named for dataset in _find(name, files)]


def read_datasets(path: Path, only: str | None = None) -> list[Dataset]:
    """Read the datasets of a file; each begins with its header.

    Args:
        only: the name of the one that is read; None: all.

    Raises:
        BadInput: a line cannot be read; it names the file and the line.
    """
    parts: list[list[tuple[str, Any]]] = []  # places and JSON
    for place, value in json_lines(path):
        if not parts or (isinstance(value, dict) and "dataset" in value):
            parts.append([])
        parts[-1].append((place, value))
    if only is not None:
        parts = [part for part in parts if part[0][1].get("dataset") == only]
    return [_dataset_of(path, part) for part in parts or [[]]]


def read_dataset(path: Path) -> Dataset:
    """Read the one dataset of a file.

    Raises:
        BadInput: a line cannot be read, or the file holds several datasets.
    """
    found = read_datasets(path)
    if len(found) > 1:
        raise BadInput(f"{path} holds {len(found)} datasets, where one is read")
    return found[0]


def _dataset_of(path: Path, lines: Sequence[tuple[str, Any]]) -> Dataset:  # places and JSON
    if len(lines) < 2:
        raise BadInput(f"{path} is no dataset: it needs a first line and at least one case")
    header = _read(Header, *lines[0])
    cases = [_read(Case, place, value) for place, value in lines[1:]]
    if len({case.id for case in cases}) < len(cases):
        raise BadInput(f"{path}: two cases have the same id")
    inputs = _INPUTS[header.target]
    for (place, _value), case in zip(lines[1:], cases, strict=True):
        _read(inputs, place, dict(case.inputs))
    if header.target == "streams":
        cases = list(_with_what_came_before(cases))
    return Dataset(header=header, cases=tuple(cases))


def _find(name: str, files: Sequence[Path]) -> list[Dataset]:
    if "/" not in name:
        wanted = f'{{"dataset":"{name}",'.encode()
        for file in files:
            if any(line.startswith(wanted) for line in file.read_bytes().splitlines()):
                return read_datasets(file, name)
    if not Path(name).is_file():
        raise NotFound("dataset", name)
    return read_datasets(Path(name))


def json_lines(path: Path) -> Iterator[tuple[str, Any]]:  # whatever JSON a line holds
    """Read lines of JSON, each with its place.

    Raises:
        BadInput: the file or a line cannot be read.
    """
    try:
        text = path.read_bytes().removeprefix(b"\xef\xbb\xbf")  # as some editors begin a file
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            place = f"{path}:{number}"
            try:
                yield place, read_json(line)
            except BadInput as error:
                raise BadInput(f"{place}: {error}") from error


def _read(noun: type[N], place: str, value: Any) -> N:  # whatever JSON the line holds
    try:
        return noun.model_validate(value)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()
        )
        raise BadInput(f"{place}: {faults}") from error


def _with_what_came_before(cases: list[Case]) -> Iterator[Case]:
    before: dict[str, list[Any]] = {}
    for case in cases:
        earlier = before.setdefault(str(case.inputs["stream"]), [])
        yield case.model_copy(update={"inputs": {**case.inputs, "before": list(earlier)}})
        earlier.append({key: case.inputs[key] for key in ("at_seconds", "event")})
