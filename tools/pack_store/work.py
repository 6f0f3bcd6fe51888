"""One piece of work on a pack's store: who asks, what it rests on, and what it changes."""

import sqlite3
from dataclasses import dataclass, field

from state.action import HandlerContext
from state.preview import Change, Fact, Preview

MOST_CHANGES = 500
MOST_FACTS = 50


@dataclass
class Work:
    """What a handler works with, inside the transaction somebody else holds."""

    connection: sqlite3.Connection
    context: HandlerContext
    changes: list[Change] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)
    """What the work rests on: target and the version of its row."""
    facts: list[tuple[str, str]] = field(default_factory=list)
    count: int | None = None
    recipients: list[str] = field(default_factory=list)

    @property
    def now(self) -> str:
        """Tell when, in ISO form."""
        return self.context.now.isoformat(timespec="seconds")

    def change(self, target: str, name: str, before: object, after: object) -> None:
        """Note a change for the person who is asked and for the record: None is not there."""
        shown = [None if value is None else str(value) for value in (before, after)]
        self.changes.append(Change(target=target, field=name, before=shown[0], after=shown[1]))

    def told(self) -> Preview:
        """Tell what it would change."""
        return Preview(
            facts=tuple(Fact(label=name, value=value) for name, value in self.facts[:MOST_FACTS]),
            changes=tuple(self.changes[:MOST_CHANGES]),
            count=self.count,
            recipients=tuple(self.recipients),
            versions=self.seen,
        )
