"""What somebody wants done, as it comes to the ledger."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.action import ExecutionClass
from prefrontal.types.execution import ReleasePhase
from prefrontal.types.noun import Noun
from prefrontal.types.principal import Principal

Origin = Literal["routed", "choice", "undo", "model", "search", "untrusted"]
"""Who had the idea: a person's text, a click on a chip, a click on undo, a model, our own search,
or a text that nobody here said, such as an event or a quotation."""
UNTRUSTED: tuple[Origin, ...] = ("model", "untrusted")
"""Origins that are nobody's own request; their questions have a budget of their own."""


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
