"""What can be done: a catalogue entry, its slots, its class, and what its handler is given."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from prefrontal.types.memory import PackMemory
from prefrontal.types.noun import CleanJson, CleanText, Name, Noun

ExecutionClass = Literal["A", "B", "C"]
"""A runs by itself, B is offered as a chip, C needs a person's explicit yes."""

Effect = Literal["read", "write", "destructive", "compliance", "multi_user", "financial", "bulk"]

FLOOR_OF_EFFECT: Mapping[Effect, ExecutionClass] = {
    "read": "A",
    "write": "B",
    "destructive": "C",
    "compliance": "C",
    "multi_user": "C",
    "financial": "C",
    "bulk": "C",
}
"""The lowest class an effect allows. Source: action execution contract §1; nothing lowers it."""

PRIMITIVE_SLOT_TYPES = ("text", "number", "integer", "date", "shift", "boolean", "list", "json")
"""Slot types that need no entry in a pack's entities.yaml. A shift moves a date that the pack
holds, `+1 week`; a list is a list of texts; json is any value that fits `json_schema`."""

RiskMeasure = Literal["amount", "count", "recipients"]
"""What can make an action more dangerous than its kind: money, how many, who gets it."""

FUNCTION = r"^[A-Za-z_]\w*:[A-Za-z_]\w*$"
"""How a pack names one of its Python functions: module:function."""

SERVICES = ("papers",)
"""What a handler may take behind its context, by name: `papers` searches scholarly providers.

It is the deployment's, not the pack's: the pack can neither choose its hosts nor see its keys.
"""


class Slot(Noun):
    """One typed argument of an action."""

    type: Name = Field(description="a primitive, or an entity type of the pack")
    required: bool = False
    description: str = ""
    many: bool = Field(default=False, description="a list of that type")
    minimum: float | None = Field(default=None, description="of a number, inclusive")
    maximum: float | None = Field(default=None, description="of a number, inclusive")
    choices: tuple[str, ...] = Field(default=(), description="the only texts that fit")
    behind: tuple[Name, ...] = Field(
        default=(), description="words right behind which alone a number is its value: page 2"
    )
    risk: RiskMeasure | None = Field(default=None, description="the measure this value feeds")
    secret: bool = Field(default=False, description="never shown, logged or journalled")
    json_schema: Mapping[str, Any] | None = Field(  # JSON Schema's own values
        default=None, description="what a json slot must fit (JSON Schema)"
    )


class HttpCall(Noun):
    """An action done by another service over HTTP; its host must be on the deployment's list."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    url: str = Field(min_length=1, max_length=2_000, description="template over the slots")
    headers: Mapping[str, str] = Field(
        default_factory=dict, description="values may name a secret of the deployment: ${NAME}"
    )
    body: tuple[str, ...] | None = Field(
        default=None, description="slots sent as JSON; without it, all that the URL does not take"
    )
    seconds: float = Field(default=5.0, gt=0, le=60)
    idempotency_header: str | None = Field(default=None, description="such as Idempotency-Key")


class McpTool(Noun):
    """An action that is a tool of an MCP server."""

    server: Name
    tool: str = Field(min_length=1, max_length=200)
    schema_sha256: str = Field(description="over the tool as its server described it")
    trusted: bool = Field(default=False, description="its server's own word counts, see floor")


DECLARED = "declared"
"""The pack of the tools that agents declare; no folder may be called so."""


class PermitTool(Noun):
    """An action that an agent does itself, once it has taken a permit for it."""

    keeper: Name = Field(description="the agent that declared the tool")
    sha256: str = Field(description="over the tool as its agent declared it")
    withheld: bool = Field(
        default=False, description="its agent declares it otherwise by now; nobody accepted that"
    )


class Approvers(Noun):
    """Who may say yes to an action, and for how long the question stands."""

    roles: tuple[Name, ...] = Field(default=(), description="empty: whoever may ask may approve")
    quorum: int = Field(default=1, ge=1, le=10)
    four_eyes: bool = Field(default=False, description="the asker may not approve")
    expires_minutes: float = Field(
        default=15, gt=0, le=10_080, description="left out: as [execution] expires_minutes says"
    )


class Action(Noun):
    """One catalogue entry, as a pack's actions.yaml writes it plus its name and pack."""

    name: Name
    pack: Name
    summary: str = Field(min_length=1, description="template over the slots: what people see")
    verb: Name = Field(description="verb family: add show create update diagnose export query …")
    words: tuple[Name, ...] = Field(default=(), description="verbs and phrases that ask for it")
    object: Name = Field(description="target object, such as work_order")
    container: Name | None = Field(default=None, description="where the object goes")
    slots: Mapping[str, Slot] = Field(default_factory=dict)
    effect: Effect
    roles: tuple[Name, ...] = Field(default=(), description="who may ask; empty: anyone")
    approvers: Approvers = Approvers()
    handler: str | None = Field(default=None, pattern=FUNCTION, description="module:function")
    http: HttpCall | None = None
    mcp: McpTool | None = None
    permit: PermitTool | None = Field(default=None, description="never in a pack's file")
    preview: str | None = Field(
        default=None, pattern=FUNCTION, description="reads what would change; see state/preview.py"
    )
    status: str | None = Field(
        default=None, pattern=FUNCTION, description="tells whether a key's effect has happened"
    )
    idempotent: bool = Field(default=False, description="the handler honours its idempotency key")
    transactional: bool = Field(
        default=False, description="the handler changes our own store, in the ledger's transaction"
    )
    grantable: bool = Field(
        default=True, description="false: every call of it is asked about, none can be granted"
    )
    undo: Name | None = None
    undo_minutes: float = Field(default=15, gt=0, le=10_080)
    examples: tuple[str, ...] = ()
    description: str = Field(
        default="", max_length=4_000, description="more about it, for agents that choose a tool"
    )

    @field_validator("slots", mode="before")
    @classmethod
    def _no_slots_is_empty(cls, slots: Any) -> Any:  # whatever YAML gave
        return {} if slots is None else slots

    @model_validator(mode="after")
    def _is_done_one_way(self) -> Self:
        every = (self.handler, self.http, self.mcp, self.permit)
        if sum(way is not None for way in every) != 1:
            raise ValueError("an action has one of handler, http and mcp")
        if self.transactional and self.handler is None:
            raise ValueError("only a Python handler can be transactional")
        return self

    @property
    def floor(self) -> ExecutionClass:
        """The lowest class this action can ever have.

        A tool of a server that is not trusted never runs unasked: that it only reads is its own
        word, and the server's to keep.
        """
        lowest = FLOOR_OF_EFFECT[self.effect]
        return max(lowest, "B") if self.mcp and not self.mcp.trusted else lowest

    def is_secret(self, name: str) -> bool:
        """Tell whether a slot of this name holds a secret."""
        slot = self.slots.get(name)
        return slot is not None and slot.secret


class HandlerContext(Noun):
    """What a handler is told besides its arguments; frozen, and no door to the ledger."""

    action_id: str
    idempotency_key: str
    tenant_id: str
    user: str
    roles: tuple[str, ...]
    now: datetime
    data_dir: str = Field(description="folder where the pack keeps its own store")
    session_id: str = Field(default="default", description="the conversation it was asked in")
    memory: PackMemory = Field(
        default=PackMemory(), description="what the session keeps for the pack; empty in a preview"
    )
    stages: Mapping[str, str] = Field(
        default_factory=dict,
        description="session → its stage, for reads that the pack's policy lets see them",
    )


class ActionResult(Noun):
    """What a handler gives back: words for the person, data for programs, what it changed."""

    text: str = Field(min_length=1)
    data: Mapping[CleanText, CleanJson] = Field(default_factory=dict)
    changed: tuple[str, ...] = Field(default=(), description="such as `WO-1042: open → closed`")
    undo: Mapping[CleanText, CleanJson] | None = Field(
        default=None,
        description="arguments that undo it, never shown; None: the slots both actions share",
    )
