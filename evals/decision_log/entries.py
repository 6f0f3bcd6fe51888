"""A decision log as lines of JSON: its head, what came in, what stood outside, what was decided."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import AwareDatetime, Field, ValidationError

from graph.cli.validating import faults_of
from state.approval import ActionState
from state.classification import BrokenLookup
from state.errors import BadInput
from state.event import Event
from state.noun import Noun

_UNLIKE_EACH_TIME = ("elapsed_ms", "recorded_at")
"""What a record says of the machine it was made on; everything else is in the digest."""


class Head(Noun):
    """With what the decisions were made; the seeds of chance stand in the policy."""

    log: Literal[1] = Field(default=1, description="the form of these lines")
    packs: tuple[str, ...]
    settings: Mapping[str, Any] = Field(description="those that decisions depend on, by name")
    policy: str = Field(description="policy.toml, whole")
    until: datetime = Field(description="when it was written, or its last line was")
    decisions: int
    digest: str = Field(description="sha256 over the lines of what was decided")


class Answered(Noun):
    """What a person said to a question, about the decision that asked it."""

    decision_id: str
    user: str
    roles: tuple[str, ...]
    decision: Literal["approve", "reject", "edit", "respond"]
    reason: str | None = None
    arguments: Mapping[str, Any] | None = None


class Chosen(Noun):
    """What a person clicked on: a chip of an offer, or the way back from an action."""

    offer_id: str | None = None
    chip_id: str | None = None
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    undo_of: str | None = Field(default=None, description="the decision whose action is undone")


class Given(Noun):
    """Something that came in: an event, a click, an answer, or a beat of the clock."""

    at: AwareDatetime
    event: Mapping[str, Any] | None = None
    chosen: Chosen | None = None
    answered: Answered | None = None
    runs_out: bool = Field(default=False, description="a beat at which a question was over")

    @property
    def leads_to(self) -> str | None:
        """Name the decision that it moves on; None: a beat of the clock names none."""
        return self.answered.decision_id if self.answered else self.decision_id

    @property
    def decision_id(self) -> str | None:
        """Name the decision its event begins; None: it has no event."""
        return None if self.event is None else Event.model_validate(self.event).decision_id


class KnownAction(Noun):
    """A row of the ledger: what its pack foresaw, and what came of it; a replay asks no pack."""

    decision_id: str
    action: str
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    state: ActionState
    preview: Mapping[str, Any] | None = None
    result: Mapping[str, Any] | None = None
    undo: Mapping[str, Any] | None = Field(
        default=None, description="what its handler told for the way back, where none is secret"
    )
    reason: str | None = None


class Decided(Noun):
    """What was decided; its record is what stands in the digest."""

    at: AwareDatetime
    record: Mapping[str, Any]
    broken_lookup: BrokenLookup | None = Field(
        default=None, description="what ended it, outside the digest: its reason tells that it did"
    )

    @property
    def decision_id(self) -> str:
        """Name the decision."""
        return str(self.record["decision_id"])


@dataclass
class DecisionLog:
    """A log in memory; ten thousand decisions take some 20 MB."""

    head: Head
    given: list[Given] = field(default_factory=list)
    actions: list[KnownAction] = field(default_factory=list)
    decided: list[Decided] = field(default_factory=list)


def canonical(record: Mapping[str, Any]) -> dict[str, Any]:  # a DecisionRecord as JSON
    """Leave out of a record what no replay can repeat."""
    return {name: value for name, value in record.items() if name not in _UNLIKE_EACH_TIME}


def digest_of(decided: Iterable[Decided]) -> str:
    """Hash what was decided, in order: equal digests are equal decisions, to the byte."""
    digest = hashlib.sha256()
    for one in decided:
        digest.update(_line(one.record) + b"\n")
    return digest.hexdigest()


def write_log(log: DecisionLog, file: Path) -> None:
    """Write a log for its owner only: it holds what people said."""
    file.touch(mode=0o600)
    file.chmod(0o600)  # also one that was there, and anybody could read
    with file.open("wb") as out:
        out.write(_line(log.head.model_dump(mode="json")) + b"\n")
        for kind, entries in (
            ("given", log.given),
            ("action", log.actions),
            ("decided", log.decided),
        ):
            for entry in entries:
                kept = entry.model_dump(mode="json", exclude_defaults=True)
                out.write(_line({kind: kept}) + b"\n")


def read_log(file: Path) -> DecisionLog:
    """Read a log.

    Raises:
        BadInput: it cannot be read, and the sentence names the line; or what was decided is not
            what its head has the digest of: it was cut or changed since.
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}") from error
    log: DecisionLog | None = None
    for number, line in enumerate(lines, start=1):
        try:
            value = orjson.loads(line)
            if log is None:
                log = DecisionLog(Head.model_validate(value))
            else:
                _take(log, value)
        except (ValueError, KeyError, TypeError) as error:
            told = faults_of(error) if isinstance(error, ValidationError) else str(error)
            raise BadInput(f"{file}:{number}: no line of a decision log: {told}") from error
    if log is None:
        raise BadInput(f"{file} is empty; a decision log begins with its head")
    found = digest_of(log.decided)
    if found != log.head.digest:
        raise BadInput(
            f"{file} was cut or changed: what was decided has the digest {found}, "
            f"its head says {log.head.digest}"
        )
    return log


def _take(log: DecisionLog, value: Mapping[str, Any]) -> None:
    (kind,) = value
    if kind == "given":
        given = Given.model_validate(value[kind])
        _ = given.leads_to  # an event that is none is found here, where its line is known
        log.given.append(given)
    elif kind == "action":
        log.actions.append(KnownAction.model_validate(value[kind]))
    else:
        decided = Decided.model_validate(value["decided"])
        _ = decided.decision_id
        log.decided.append(decided)


def _line(value: Any) -> bytes:  # JSON
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
