"""Datasets: JSON lines of labelled cases, a first line that says what they are."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar
from uuid import UUID, uuid5

from langsmith.schemas import Example
from pydantic import Field, ValidationError, field_validator

from evals.inputs import (
    ApprovalInputs,
    Course,
    DiscussionInputs,
    QueryInputs,
    RatedInputs,
    RequestInputs,
    SceneInputs,
    SearchInputs,
    StreamInputs,
    WordingInputs,
)
from state.errors import BadInput, NotFound
from state.event import Instant
from state.noun import CleanJson, Name, Noun
from tools.strict_json import read_json

SHIPPED = Path(__file__).parent / "datasets"
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
]
"""What answers the cases of a dataset."""

N = TypeVar("N", bound=Noun)


class Header(Noun):
    """The first line of a dataset."""

    dataset: Name
    pack: Name
    target: Judged
    starts_at: Instant
    read_only: tuple[Name, ...] = Field(description="actions that change nothing, by people's word")
    made: str = Field(description="by whom, from what, when")
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


def find_datasets(named: list[str]) -> list[Path]:
    """Find datasets by name or path; no name means all that ship.

    Raises:
        NotFound: there is none of that name.
    """
    if not named:
        return sorted(SHIPPED.glob("*.jsonl"))
    return [_find(name) for name in named]


def read_dataset(path: Path) -> Dataset:
    """Read a dataset and every case of it.

    Raises:
        BadInput: a line cannot be read; it names the file and the line.
    """
    lines = list(_lines(path))
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


def _find(name: str) -> Path:
    shipped, given = SHIPPED / f"{name}.jsonl", Path(name)
    if "/" not in name and shipped.is_file():
        return shipped
    if not given.is_file():
        raise NotFound("dataset", name)
    return given


def _lines(path: Path) -> Iterator[tuple[str, Any]]:  # whatever JSON a line holds
    text = path.read_bytes().removeprefix(b"\xef\xbb\xbf")  # as some editors begin a file
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
