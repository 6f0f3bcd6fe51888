"""How dangerous the action is, and what follows from that."""

from typing import Literal

from pydantic import Field

from state.action import ExecutionClass
from state.approval import LedgerAction
from state.noun import Noun

ClassVerdict = Literal["none", "act", "offer", "confirm", "ask", "refuse"]


class Classification(Noun):
    """The class of an action, why it is not lower, and the way on."""

    verdict: ClassVerdict
    reason: str = Field(description="reason code")
    execution_class: ExecutionClass | None = None
    raised: tuple[str, ...] = Field(default=(), description="what raised it above its floor")
    action: LedgerAction | None = Field(default=None, description="the frozen row in the ledger")
    question: str | None = Field(default=None, description="what has to be known first")
