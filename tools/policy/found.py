"""The action that policy settled on, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from state.action import Action
from tools.policy.searching import Sought


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
