"""A replay as it is written: who says what when, and what has to come of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from state.action import ExecutionClass
from state.errors import BadInput, NotFound
from state.event import Instant
from state.noun import CleanJson, CleanText, Name, Noun
from state.principal import Principal
from state.record import Outcome
from tools.catalogue.marked_yaml import read_marked

SHIPPED = Path(__file__).parents[1] / "replays"


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


def person(written: str) -> Principal:
    """Read `ann:engineer,captain`."""
    user, _colon, roles = written.partition(":")
    named = tuple(role.strip() for role in roles.split(",") if role.strip())
    return Principal(user=user, tenant_id="default", roles=named)


def find_scripts(named: list[str]) -> list[Path]:
    """Find files by path, or the shipped ones by the name of their folder; none: all that ship.

    Raises:
        NotFound: there is none of that name.
    """
    if not named:
        return sorted(SHIPPED.glob("*/*.replay.yaml"))
    found: list[Path] = []
    for name in named:
        path = Path(name)
        inside = sorted((SHIPPED / name).glob("*.replay.yaml")) if "/" not in name else []
        if not inside and not path.is_file():
            raise NotFound("replay", name)
        found += inside or [path]
    return found


def read_script(path: Path) -> Script:
    """Read a file of replays.

    Raises:
        BadInput: it cannot be read; each fault names its line and field.
    """
    marked = read_marked(path)
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
