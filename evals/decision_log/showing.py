"""Lay out what is decided otherwise, for a person to read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from evals.decision_log.comparing import Otherwise
from graph.cli.terminal.console import shown

_LONGEST = 70


def table(unlike: Sequence[Otherwise]) -> Table:
    """Draw a line for each decision."""
    drawn = Table(box=None, pad_edge=False, title="decided otherwise", title_justify="left")
    for column in ("at", "event", "how", "was", "is", "because"):
        drawn.add_column(column, overflow="fold")
    for one in unlike:
        drawn.add_row(
            f"{one.at:%Y-%m-%d %H:%M:%S}",
            shown(one.event_id),
            one.how,
            shown(_ending(one.before)),
            shown(_ending(one.after)),
            shown(_because(one)),
        )
    return drawn


def told(unlike: Sequence[Otherwise]) -> str:
    """Count them by how."""
    counted = Counter(one.how for one in unlike)
    return ", ".join(f"{count} {how}" for how, count in sorted(counted.items())) or "none"


def _ending(record: Mapping[str, Any] | None) -> str:
    if record is None:
        return "not begun"
    parts = (record.get("outcome"), record.get("action"), record.get("execution_class"))
    return " ".join(str(part) for part in parts if part)


def _because(one: Otherwise) -> str:
    before, after = one.before or {}, one.after or {}
    said = [
        f"{name} {_number(before.get(name))} → {_number(after.get(name))}"
        for name in ("relevance", "threshold", "confidence")
        if _number(before.get(name)) != _number(after.get(name))
    ]
    if not said:
        said = [f"{before.get('reason')} → {after.get('reason')}"]
    if one.differs_in == ("text",):
        said = [f"says: {str(after.get('text'))[:_LONGEST]}"]
    return ", ".join(said)


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "none"
