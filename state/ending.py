"""How a decision ends: its record, the stages behind it, and what is remembered of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from state.record import DecisionRecord
from state.session import Session


@dataclass(frozen=True)
class Ending:
    """What is written when a decision has come to its end."""

    record: DecisionRecord
    stages: Mapping[str, Any]
    """Every stage that was reached, as JSON."""
    remember: Callable[[Session], Session]
    """From the session as it is when this is written to the one after it."""
