"""Pages of lists that are at hand whole: those of a session, and what was learned."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import Field

from api.payloads.sessions import InSession
from state.errors import BadInput
from state.noun import LONGEST_NAME, CleanText, Noun
from tools.storage.paging import NO_PLACE

T = TypeVar("T")


class PageWish(Noun):
    """Which page of a list."""

    limit: int = Field(default=100, ge=1, le=200)
    cursor: CleanText | None = Field(
        default=None, max_length=3 * LONGEST_NAME, description="`next_cursor` of the page before"
    )


class SessionPageWish(InSession, PageWish):
    """Which page of a session's list."""


def page_of(
    found: Sequence[T], wanted: PageWish, name: Callable[[T], str]
) -> tuple[tuple[T, ...], str | None]:
    """Cut a page out of a list, and name what the next one begins after; None: it is the last.

    Raises:
        BadInput: nothing in it has the name that `cursor` is.
    """
    rest = list(found)
    if wanted.cursor is not None:
        places = [place for place, one in enumerate(found) if name(one) == wanted.cursor]
        if not places:
            raise BadInput(NO_PLACE)
        rest = rest[places[0] + 1 :]
    page = tuple(rest[: wanted.limit])
    return page, name(page[-1]) if len(rest) > len(page) else None
