"""What an import may claim: dates that can be, and who brought it in beside whom it names."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from state.errors import BadInput
from state.journal import Decision, JournalMessage

TERMINAL = "terminal"
"""Who imports at a command line: whoever may open the folder, and nobody by name."""


def not_ahead(
    messages: Iterable[JournalMessage], decisions: Iterable[Decision], now: datetime, days: float
) -> None:
    """Refuse what says that it was said in a future that no other clock explains.

    It would be the newest there is for ever, and with it in force.

    Raises:
        BadInput: one is dated so, and which.
    """
    latest = now + timedelta(days=days)
    for name, at in _dated(messages, decisions):
        if at is not None and at > latest:
            raise BadInput(
                f"{name}: dated {at:%Y-%m-%d %H:%M}, and it is {now:%Y-%m-%d %H:%M}; give the "
                "time it was said, or none"
            )


def brought_by(decisions: Iterable[Decision], who: str) -> list[Decision]:
    """Mark decisions as imported: whom they name, and where they were heard, is said by `who`."""
    marked = {"imported_by": who, "heard_in": None}
    return [one.model_copy(update=marked) for one in decisions]


def is_ours(decision: Decision) -> bool:
    """Tell whether the Executive wrote it down itself, of a message it heard or what it did."""
    has_seen = decision.origin == "action" or decision.heard_in is not None
    return decision.imported_by is None and has_seen


def _dated(
    messages: Iterable[JournalMessage], decisions: Iterable[Decision]
) -> Iterator[tuple[str, datetime | None]]:
    yield from ((f"message {one.message_id}", one.timestamp) for one in messages)
    yield from ((one.source or f"decision {one.id}", one.timestamp) for one in decisions)
