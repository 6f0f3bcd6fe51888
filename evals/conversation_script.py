"""Conversation scripts (`*.replay.yaml`).

Turns, what is expected of each, and the comparison with what happened.

An action that changes something without a yes or a click always counts as a difference.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from graph.replay.harness import ExecutedAction
from state.action import ExecutionClass
from state.errors import BadInput
from state.event import Instant
from state.noun import CleanJson, CleanText, Name, Noun
from state.principal import Principal
from state.quality import TurnQuality
from state.record import Outcome
from tools.catalog.yaml_with_lines import read_yaml


class Expected(Noun):
    """What has to come of a turn; what is not named is not compared."""

    model_config = ConfigDict(**Noun.model_config, validate_by_name=True, validate_by_alias=True)

    intent: str | None = None
    action: str | None = Field(default=None, description="null: none may be settled on")
    execution_class: ExecutionClass | None = Field(default=None, alias="class")
    outcome: Outcome | None = None
    arguments: Mapping[str, CleanJson] | None = Field(
        default=None, description="of those named here each has to be so; null: absent"
    )
    search: Mapping[str, CleanJson] | None = Field(
        default=None, description="search fields, likewise; null as a whole: no search"
    )
    force_tool: str | None = None
    transition: str | None = Field(default=None, description="the stage policy means to go to")
    stage: str | None = Field(default=None, description="where the pack's stages stand after it")
    reasons: tuple[str, ...] = Field(default=(), description="each begins one of policy's reasons")
    blocked: tuple[str, ...] | None = Field(
        default=None, description="what the role may not ask for"
    )
    chips: tuple[str, ...] | None = Field(
        default=None, description="actions among the chips; the first is the first chip"
    )
    ran: tuple[str, ...] | None = Field(
        default=None, description="all actions whose handler was called in the turn"
    )
    spoke: bool | None = None
    text: tuple[CleanText, ...] = Field(default=(), description="each is part of what is said")
    no_text: tuple[CleanText, ...] = Field(default=(), description="none is part of it")

    @model_validator(mode="after")
    def _compares_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("nothing is expected; name at least one field")
        return self


class Turn(Noun):
    """One thing that happens, and what is expected of it: one of say, event, pick, answer."""

    model_config = ConfigDict(**Noun.model_config, validate_by_name=True, validate_by_alias=True)

    say: CleanText | None = None
    event: Mapping[str, CleanJson] | None = Field(
        default=None, description="an event that nobody said to us"
    )
    pick: Name | None = Field(default=None, description="a chip of the last offer, by its action")
    answer: Literal["approve", "reject", "respond"] | None = Field(
        default=None, description="to the last question for a yes"
    )
    reason: CleanText | None = Field(default=None, description="with an answer")
    speaker: str | None = Field(default=None, alias="as", pattern=r"^[^:]+(:[^:]*)?$")
    after_seconds: float = Field(default=5, ge=0, description="since the turn before")
    is_refused: bool = Field(default=False, description="the pick or answer is turned down")
    expect: Expected | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        given = [self.say, self.event, self.pick, self.answer]
        if sum(one is not None for one in given) != 1:
            raise ValueError("a turn is exactly one of say, event, pick and answer")
        return self


class Conversation(Noun):
    """Turns of one session, on a folder of its own."""

    id: Name
    speaker: str | None = Field(default=None, alias="as", pattern=r"^[^:]+(:[^:]*)?$")
    why: str = ""
    turns: tuple[Turn, ...] = Field(min_length=1)

    model_config = ConfigDict(**Noun.model_config, validate_by_name=True, validate_by_alias=True)


class SingleTurn(Turn):
    """A turn by itself, in a session of its own; all of a file share one folder."""

    id: Name


class Script(Noun):
    """A file of replays."""

    model_config = ConfigDict(**Noun.model_config, validate_by_name=True, validate_by_alias=True)

    packs: tuple[Name, ...] = Field(min_length=1)
    starts_at: Instant
    speaker: str = Field(alias="as", pattern=r"^[^:]+(:[^:]*)?$")
    made: str = Field(description="by whom, from what, when")
    papers: Name | None = Field(
        default=None, description="a file beside this one: what the paper providers hold"
    )
    turns: tuple[SingleTurn, ...] = ()
    conversations: tuple[Conversation, ...] = ()

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        names = [*(one.id for one in self.turns), *(one.id for one in self.conversations)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice or not names:
            raise ValueError(f"ids that stand twice: {twice}" if twice else "there are no turns")
        return self


def parse_speaker(written: str) -> Principal:
    """Read `ann:engineer,captain`."""
    user, _colon, roles = written.partition(":")
    named = tuple(role.strip() for role in roles.split(",") if role.strip())
    return Principal(user=user, tenant_id="default", roles=named)


def read_script(path: Path) -> Script:
    """Read a file of replays.

    Raises:
        BadInput: it cannot be read; each fault names its line and field.
    """
    marked = read_yaml(path)
    faults = [str(fault) for fault in marked.faults]
    if not faults:
        try:
            return Script.model_validate(marked.value)
        except ValidationError as error:
            faults = [
                str(marked.fault(_path(fault["loc"]), fault["msg"])) for fault in error.errors()
            ]
    raise BadInput("\n".join(faults))


def _path(loc: tuple[Any, ...]) -> tuple[str | int, ...]:  # pydantic's own type
    return tuple(part for part in loc if isinstance(part, str | int))


class TurnResult(Noun):
    """What is seen of a turn, as plain JSON."""

    outcome: str
    intent: str | None = None
    action: str | None = None
    execution_class: str | None = None
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    search: Mapping[str, Any] | None = None
    force_tool: str | None = None
    transition: str | None = None
    stage: str | None = None
    reasons: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    chips: tuple[str, ...] = ()
    ran: tuple[ExecutedAction, ...] = ()
    spoke: bool = False
    text: str = ""
    quality: TurnQuality | None = Field(
        default=None, description="whether policy kept its word, as the service's own rates count"
    )


class Difference(Noun):
    """One field of one turn that is not as expected."""

    where: str = Field(description="conversation and number of the turn")
    said: str
    field: str
    expected: str
    got: str


def compare_turn(
    where: str, said: str, expected: Expected | None, came: TurnResult, harmless: Sequence[str]
) -> Iterator[Difference]:
    """Compare a turn; that nothing changes the world without a yes or a click is always expected.

    Args:
        harmless: actions that may run by themselves.
    """
    for ran in came.ran:
        if not ran.approved and ran.action not in harmless:
            yield Difference(
                where=where, said=said, field="ran", expected="a yes before it", got=ran.action
            )
    for field, wanted, got in _unlike(expected, came) if expected else ():
        yield Difference(
            where=where, said=said, field=field, expected=_told(wanted), got=_told(got)
        )


Unlike = Iterator[tuple[str, object, object]]
"""Field, what was expected, what came."""


def _unlike(expected: Expected, came: TurnResult) -> Unlike:
    for field in sorted(expected.model_fields_set):
        compare = _COMPARED.get(field, _unlike_plain)
        yield from compare(field, getattr(expected, field), came)


def _unlike_plain(field: str, wanted: object, came: TurnResult) -> Unlike:
    got = getattr(came, field)
    if wanted != got:
        yield field, wanted, got


def _unlike_reasons(field: str, wanted: Sequence[str], came: TurnResult) -> Unlike:
    missing = [one for one in wanted if not any(got.startswith(one) for got in came.reasons)]
    if missing:
        yield field, missing, came.reasons


def _unlike_text(field: str, wanted: Sequence[str], came: TurnResult) -> Unlike:
    for part in wanted:
        if part.lower() not in came.text.lower():
            yield field, part, came.text


def _unlike_no_text(field: str, wanted: Sequence[str], came: TurnResult) -> Unlike:
    for part in wanted:
        if part.lower() in came.text.lower():
            yield field, f"not: {part}", came.text


def _unlike_ran(field: str, wanted: Sequence[str], came: TurnResult) -> Unlike:
    named = tuple(ran.action for ran in came.ran)
    if named != wanted:
        yield field, wanted, named


def _unlike_chips(field: str, wanted: Sequence[str], came: TurnResult) -> Unlike:
    if wanted[:1] != came.chips[:1] or not set(wanted) <= set(came.chips):
        yield field, wanted, came.chips


def _unlike_within(field: str, wanted: Mapping[str, object] | None, came: TurnResult) -> Unlike:
    got = getattr(came, field)
    if wanted is None or got is None:
        if wanted != got:
            yield field, wanted, got
        return
    for name, value in wanted.items():
        if _plain(value) != _plain(got.get(name)):
            yield f"{field}.{name}", value, got.get(name)


_COMPARED: Mapping[str, Callable[[str, Any, TurnResult], Unlike]] = {  # each knows its field's type
    "arguments": _unlike_within,
    "search": _unlike_within,
    "reasons": _unlike_reasons,
    "text": _unlike_text,
    "no_text": _unlike_no_text,
    "ran": _unlike_ran,
    "chips": _unlike_chips,
}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _told(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value is None or value == "" else str(value)
