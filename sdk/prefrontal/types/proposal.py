"""What somebody wants done, as it comes to the ledger."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.action import ExecutionClass
from prefrontal.types.execution import Budget, ReleasePhase
from prefrontal.types.noun import Noun
from prefrontal.types.principal import Principal

Origin = Literal["routed", "choice", "undo", "model", "search", "untrusted", "agent"]
"""Who had the idea: a person's text, a click on a chip, a click on undo, a model, our own search,
a text that nobody here said, such as an event or a quotation, or an agent that proposed a call."""
UNTRUSTED: tuple[Origin, ...] = ("model", "untrusted")
"""Origins that are nobody's own request."""
NOT_OWN: tuple[Origin, ...] = (*UNTRUSTED, "agent")
"""Origins that are nobody's own request in their own words or clicks."""


def budget_of(origin: str) -> Budget:
    """Name the budget that a question of this origin is counted in."""
    if origin in UNTRUSTED:
        return "untrusted"
    return "agent" if origin == "agent" else "own"


WANTED_AGAIN = "wanted_again"
"""What raises a call that its agent wants although the same one waits, or was just rejected."""


class Proposal(Noun):
    """An action somebody wants done; `at_least` may raise its class and never lowers it.

    What it takes back, if anything, is read from our own tables alone.
    """

    decision_id: str
    requester: Principal
    action: str
    arguments: Mapping[str, Any]  # typed by the catalogue's slots
    at_least: ExecutionClass
    origin: Origin = "routed"
    raised: tuple[str, ...] = Field(default=(), description="what raised it to `at_least`")
    phase: ReleasePhase = "general"
