"""Entries of a decision log, their JSON lines and digest, and the comparison of two logs.

A log is one header line, then inputs, ledger actions and decisions. The digest is the SHA-256
over the canonical decision records; equal digests are equal decisions to the byte.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import AwareDatetime, Field, ValidationError

from state.approval import ActionState
from state.classification import BrokenLookup
from state.errors import BadInput
from state.event import Event
from state.noun import Noun
from tools.platform.serialization import faults_of

_UNLIKE_EACH_TIME = ("elapsed_ms", "recorded_at")
"""What a record says of the machine it was made on; everything else is in the digest."""


class LogHeader(Noun):
    """With what the decisions were made; the seeds of chance stand in the policy."""

    log: Literal[1] = Field(default=1, description="the form of these lines")
    packs: tuple[str, ...]
    settings: Mapping[str, Any] = Field(description="those that decisions depend on, by name")
    policy: str = Field(description="policy.toml, whole")
    until: datetime = Field(description="when it was written, or its last line was")
    decisions: int
    digest: str = Field(description="sha256 over the lines of what was decided")


class LoggedAnswer(Noun):
    """What a person said to a question, about the decision that asked it."""

    decision_id: str
    user: str
    roles: tuple[str, ...]
    decision: Literal["approve", "reject", "edit", "respond"]
    reason: str | None = None
    arguments: Mapping[str, Any] | None = None


class LoggedChoice(Noun):
    """What a person clicked on: a chip of an offer, or the way back from an action."""

    offer_id: str | None = None
    chip_id: str | None = None
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    undo_of: str | None = Field(default=None, description="the decision whose action is undone")


class LoggedInput(Noun):
    """Something that came in: an event, a click, an answer, or a beat of the clock."""

    at: AwareDatetime
    event: Mapping[str, Any] | None = None
    chosen: LoggedChoice | None = None
    answered: LoggedAnswer | None = None
    runs_out: bool = Field(default=False, description="a beat at which a question was over")

    @property
    def leads_to(self) -> str | None:
        """Name the decision that it moves on; None: a beat of the clock names none."""
        return self.answered.decision_id if self.answered else self.decision_id

    @property
    def decision_id(self) -> str | None:
        """Name the decision its event begins; None: it has no event."""
        return None if self.event is None else Event.model_validate(self.event).decision_id


class LoggedAction(Noun):
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


class LoggedDecision(Noun):
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

    head: LogHeader
    given: list[LoggedInput] = field(default_factory=list)
    actions: list[LoggedAction] = field(default_factory=list)
    decided: list[LoggedDecision] = field(default_factory=list)


def canonical_record(record: Mapping[str, Any]) -> dict[str, Any]:  # a DecisionRecord as JSON
    """Leave out of a record what no replay can repeat."""
    return {name: value for name, value in record.items() if name not in _UNLIKE_EACH_TIME}


def digest_of(decided: Iterable[LoggedDecision]) -> str:
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
                log = DecisionLog(LogHeader.model_validate(value))
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
        given = LoggedInput.model_validate(value[kind])
        _ = given.leads_to  # an event that is none is found here, where its line is known
        log.given.append(given)
    elif kind == "action":
        log.actions.append(LoggedAction.model_validate(value[kind]))
    else:
        decided = LoggedDecision.model_validate(value["decided"])
        _ = decided.decision_id
        log.decided.append(decided)


def _line(value: Any) -> bytes:  # JSON
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


How = Literal["crossed", "followed", "gone", "new"]
"""crossed: the same numbers and request, another verdict; followed: something before it differed;
gone, new: it was begun in one of the two only."""
SAME_WITHIN = 0.001
_VERDICT = ("outcome", "spoke", "timing", "execution_class", "output", "response_type", "path")
_BEHAVIOUR = (*_VERDICT, "action", "arguments", "text")
_GROUNDS = ("relevance", "threat", "confidence", "intent", "action", "arguments")
_LATER = ("confidence", "intent", "action", "arguments", "threat")
"""Known only of what was not passed over: absent on one side they tell nothing."""


class Divergence(Noun):
    """One decision that is not as it was."""

    decision_id: str
    event_id: str
    at: datetime
    how: How
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None

    @property
    def differs_in(self) -> tuple[str, ...]:
        """Name the fields of behaviour that differ."""
        before, after = self.before or {}, self.after or {}
        return tuple(name for name in _BEHAVIOUR if before.get(name) != after.get(name))


def find_divergences(
    before: Iterable[LoggedDecision], after: Iterable[LoggedDecision]
) -> Iterator[Divergence]:
    """Tell of every decision that behaves otherwise, in the order they were made."""
    stood, stands = ({one.decision_id: one for one in each} for each in (before, after))
    for name, one in sorted({**stands, **stood}.items(), key=lambda item: (item[1].at, item[0])):
        then, now = stood.get(name), stands.get(name)
        how = _how(then, now)
        if how is not None:
            yield Divergence(
                decision_id=name,
                event_id=str(one.record["event_id"]),
                at=one.at,
                how=how,
                before=None if then is None else then.record,
                after=None if now is None else now.record,
            )


def _how(then: LoggedDecision | None, now: LoggedDecision | None) -> How | None:
    if then is None or now is None:
        return "new" if then is None else "gone"
    if all(then.record.get(name) == now.record.get(name) for name in _BEHAVIOUR):
        return None
    is_verdict = any(then.record.get(name) != now.record.get(name) for name in _VERDICT)
    grounds = (name for name in _GROUNDS if not _is_same(then.record, now.record, name))
    return "crossed" if is_verdict and not any(grounds) else "followed"


def _is_same(then: Mapping[str, Any], now: Mapping[str, Any], name: str) -> bool:
    one, other = then.get(name), now.get(name)
    if (one is None or other is None) and name in _LATER:
        return True
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= SAME_WITHIN
    return bool(one == other)
