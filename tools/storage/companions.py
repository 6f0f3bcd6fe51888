"""What goes along with every decision that is kept: notes of it, and covers over its secrets."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from sqlalchemy import Connection

from state.arrival import Standing
from state.record import DecisionRecord


class Notes(Protocol):
    """Notes something of every decision, inside the decision's own transaction."""

    def note(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        standing: Standing,
    ) -> Callable[[], None] | None:
        """Note what this decision says; what is returned is called once that is kept."""
        ...


class Covers(Protocol):
    """Covers secrets in what is kept. See tools/approvals/covering.py."""

    def decision(
        self, record: DecisionRecord, stages: Mapping[str, Any]
    ) -> tuple[DecisionRecord, Mapping[str, Any]]:
        """Cover a record and the stages behind it."""
        ...

    def forget_choice(self, connection: Connection, decision_id: str) -> None:
        """Cover what was chosen on a chip, once that choice is over."""
        ...


def was_only_weighed(stages: Mapping[str, Any]) -> bool:
    """Tell whether policy was never asked: so nothing that a person says or chooses ends."""
    return "salience" in stages and "policy" not in stages
