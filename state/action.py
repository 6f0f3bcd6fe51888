"""What can be done: a catalogue entry, its slots, its class, and what its handler is given."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, field_validator

from state.noun import CleanJson, CleanText, Name, Noun

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

PRIMITIVE_SLOT_TYPES = ("text", "number", "integer", "date", "boolean", "list")
"""Slot types that need no entry in a pack's entities.yaml. A list is a list of texts."""


class Slot(Noun):
    """One typed argument of an action."""

    type: Name = Field(description="a primitive, or an entity type of the pack")
    required: bool = False
    description: str = ""


class Approvers(Noun):
    """Who may say yes to an action, and for how long the question stands."""

    roles: tuple[Name, ...] = Field(default=(), description="empty: whoever may ask may approve")
    quorum: int = Field(default=1, ge=1, le=10)
    four_eyes: bool = Field(default=False, description="the asker may not approve")
    expires_minutes: float = Field(default=15, gt=0, le=10_080)


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
    handler: str = Field(pattern=r"^[A-Za-z_]\w*:[A-Za-z_]\w*$", description="module:function")
    idempotent: bool = Field(default=False, description="the handler honours its idempotency key")
    undo: Name | None = None
    examples: tuple[str, ...] = ()

    @field_validator("slots", mode="before")
    @classmethod
    def _no_slots_is_empty(cls, slots: Any) -> Any:  # whatever YAML gave
        return {} if slots is None else slots

    @property
    def floor(self) -> ExecutionClass:
        """The lowest class this action can ever have."""
        return FLOOR_OF_EFFECT[self.effect]


class HandlerContext(Noun):
    """What a handler is told besides its arguments; frozen, and no door to the ledger."""

    action_id: str
    idempotency_key: str
    tenant_id: str
    user: str
    roles: tuple[str, ...]
    now: datetime
    data_dir: str = Field(description="folder where the pack keeps its own store")


class ActionResult(Noun):
    """What a handler gives back: words for the person, data for programs, what it changed."""

    text: str = Field(min_length=1)
    data: Mapping[CleanText, CleanJson] = Field(default_factory=dict)
    changed: tuple[str, ...] = Field(default=(), description="such as `WO-1042: open → closed`")
