"""A place in the list of decisions, to go on from."""

from dataclasses import dataclass

from state.errors import BadInput
from state.record import DecisionRecord


@dataclass(frozen=True)
class Cursor:
    """When the last one seen was recorded, in seconds since 1970, and which it was."""

    recorded_at: float
    decision_id: str


def cursor_of(record: DecisionRecord) -> str:
    """Write a place down; opaque to everybody else."""
    return f"{record.recorded_at.timestamp()!r}/{record.decision_id}"


def read_cursor(written: str) -> Cursor:
    """Read a place back.

    Raises:
        BadInput: it is no cursor of ours.
    """
    time, _slash, decision_id = written.partition("/")
    try:
        return Cursor(float(time), decision_id)
    except ValueError as error:
        raise BadInput("`before` is no cursor of ours; take the one from the last page") from error
