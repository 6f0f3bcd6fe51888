"""What handlers make of words and days: free text checked on its way in, states in plain words."""

from datetime import date, datetime

from state.errors import BadInput

LONGEST_TEXT = 8_000
"""Characters one note may have."""


def checked_text(text: str, what: str) -> str:
    """Return free text fit to be kept, without the space around it.

    Raises:
        BadInput: it is empty, too long, or holds characters that cannot be stored.
    """
    kept = text.strip()
    if not kept:
        raise BadInput(f"the {what} is empty; say what it should hold")
    if len(kept) > LONGEST_TEXT:
        raise BadInput(f"the {what} is longer than {LONGEST_TEXT} characters; shorten it")
    if "\x00" in kept or any("\ud800" <= character <= "\udfff" for character in kept):
        raise BadInput(f"the {what} holds characters that cannot be kept; send plain text")
    return kept


def day_of(value: str) -> str:
    """Read an ISO date or time as the day it falls on.

    Raises:
        BadInput: it is neither.
    """
    try:
        return datetime.fromisoformat(value).date().isoformat()
    except ValueError as error:
        raise BadInput(f"{value!r} is no date; write it as 2026-06-14") from error


def days_between(earlier: str, later: date) -> int:
    """Count the days from an ISO date to `later`; negative when it lies ahead."""
    return (later - date.fromisoformat(earlier)).days


def in_words(state: str) -> str:
    """Write a state for people: `waiting_for_parts` is `waiting for parts`."""
    return state.replace("_", " ")


def euros(cents: int) -> str:
    """Write an amount of money: 2450 is `EUR 24.50`."""
    return f"EUR {cents // 100:,}.{cents % 100:02d}"
