"""What goes over the wire about queries and is not a noun of the house."""

import re
from typing import Annotated

from pydantic import BeforeValidator, Field

from state.cursor import Cursor
from state.event import Instant
from state.noun import Noun
from state.query import Query

_SECONDS = re.compile(r"(?![0-9]{8}\Z)[0-9]{1,12}(\.[0-9]{1,9})?", re.ASCII)
"""Eight digits are a day in ISO 8601; any other number counts seconds."""


def _number_of(value: object) -> object:
    """Read a number that was sent as text: in an address everything is text."""
    if isinstance(value, str) and _SECONDS.fullmatch(value):
        return float(value)
    return value


Since = Annotated[Instant, BeforeValidator(_number_of)]


class QueryFilter(Noun):
    """Which queries to list."""

    since: Since | None = Field(default=None, description="ISO time, or seconds since 1970")
    limit: int = Field(default=100, ge=1, le=500)
    cursor: str | None = Field(
        default=None,
        pattern=r"^[0-9]{1,12}(\.[0-9]{1,9})?/[0-9a-f-]{36}$",
        description="`next_cursor` of the page before",
    )


class SinceFilter(Noun):
    """From when on to count."""

    since: Since | None = Field(default=None, description="ISO time, or seconds since 1970")


class HistoryFilter(SinceFilter):
    """How to cut the past into spans."""

    aggregate_minutes: int = Field(
        default=60, ge=1, le=527_040, description="length of a span; the longest is a year"
    )


class QueryPage(Noun):
    """Queries, oldest first."""

    queries: tuple[Query, ...]
    next_cursor: str | None = Field(description="null on the last page")


def seconds_of(since: Instant | None) -> float:
    """Give a moment in seconds since 1970; none: from the first on."""
    return since.timestamp() if since else 0.0


def written(place: Cursor) -> str:
    """Write a place down as a cursor."""
    return f"{place.recorded_at!r}/{place.decision_id}"
