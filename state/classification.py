"""How dangerous the action is, and what follows from that."""

from typing import Literal

from pydantic import Field

from state.action import ExecutionClass
from state.approval import LedgerAction
from state.execution import ReleasePhase
from state.noun import Noun

ClassVerdict = Literal["none", "act", "offer", "confirm", "ask", "refuse", "shadow"]
"""shadow: everything was worked out, and nothing is done, offered, asked or said."""


WhyNot = Literal["role", "read_only", "tool_changed"]
"""What keeps somebody from asking for an action; tool_changed keeps everybody from it."""


class BrokenLookup(Noun):
    """A pack's lookup that broke, for which something was not done. See LookupFailed."""

    pack: str
    entity_type: str
    cause: str


class Classification(Noun):
    """The class of an action, why it is not lower, and the way on."""

    verdict: ClassVerdict
    reason: str = Field(description="reason code")
    execution_class: ExecutionClass | None = None
    raised: tuple[str, ...] = Field(default=(), description="what raised it above its floor")
    action: LedgerAction | None = Field(default=None, description="the frozen row in the ledger")
    question: str | None = Field(default=None, description="what has to be known first")
    broken_lookup: BrokenLookup | None = Field(
        default=None, description="why its target could not be looked up, where that ended it"
    )
    unchecked: str = Field(
        default="", description="what could not be looked up and ended nothing, as a sentence"
    )
    tainted: tuple[str, ...] = Field(
        default=(), description="slots that others' words filled; `request`: the asking itself"
    )
    phase: ReleasePhase = "general"
    would: ClassVerdict | None = Field(default=None, description="what the shadow kept back")
    would_show: tuple[str, ...] = Field(default=(), description="actions of the chips kept back")
