"""The action that policy settled on, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from state.action import Action
from state.execution import ExecutionTuning
from state.policy import Hold, Routing
from tools.policy.search_slots import arguments_with
from tools.policy.searching import Sought
from tools.search_fields.talk import only_talks_of_papers


@dataclass(frozen=True)
class Found:
    """One action with its arguments; `sought` is the search behind them."""

    action: Action
    confidence: float
    intent: str
    arguments: Mapping[str, Any]  # by slot type
    reasons: tuple[str, ...] = ()
    force_tool: str | None = None
    sought: Sought | None = None

    @classmethod
    def refined(cls, action: Action, intent: str, sought: Sought, sure: float) -> "Found":
        """Make the change of a search that a follow-up asks for; it runs, whatever was routed."""
        given = arguments_with(action, sought.search, {})
        reasons = (f"forced:{action.name}",)
        return cls(action, sure, intent, given, reasons, force_tool=action.name, sought=sought)

    def held_as(self, routing: Routing) -> Hold | None:
        """Keep even a forced read from running where a text turns on a word for something else.

        `Hide the most cited papers on it from the auditors` names papers on it all the same. A
        search that only talk came to is the person's to start: `papers on bees bore me to death`.
        """
        if self.sought is not None and only_talks_of_papers(routing.text):
            return "mood"
        held = routing.held
        return held if self.force_tool is None or held == "foreign_word" else None

    def is_only_offered(self, routing: Routing, tuning: ExecutionTuning) -> bool:
        """Tell what neither runs nor is asked about, however sure it is.

        The first of several requests is not for that: what stands beside it is asked for too.
        """
        is_held = self.held_as(routing) not in (None, "several_requests")
        return is_held or self.confidence < tuning.ask_confidence
