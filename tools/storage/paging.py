"""Pages of a list: the next one begins after the last row of the one before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, literal, select, tuple_

from state.errors import BadInput

NO_PLACE = "`cursor` is none of this list's; take `next_cursor` of the page before"


@dataclass(frozen=True)
class Paging:
    """A list of rows, a page at a time, in an order that no two of them share."""

    whose: ColumnElement[bool]
    """Which rows a cursor may name: those of the tenant, also such as have left the list since."""
    keys: Sequence[ColumnElement[Any]]
    """What it is ordered by; none of them null, the last one the name of a row."""
    descending: bool = False

    def page(
        self, connection: Connection, listed: Select[Any], *, limit: int, after: str | int | None
    ) -> Select[Any]:
        """Cut a page out of what is listed, in order.

        Args:
            after: the name of the last row of the page before; None: the first page.

        Raises:
            BadInput: there is no such row.
        """
        by = [key.desc() for key in self.keys] if self.descending else self.keys
        ordered = listed.where(self.whose).order_by(*by).limit(limit)
        if after is None:
            return ordered
        last = select(*self.keys).where(self.whose, self.keys[-1] == after)
        found = connection.execute(last).first()
        if found is None:
            raise BadInput(NO_PLACE)
        keys, place = tuple_(*self.keys), tuple_(*(literal(value) for value in found))
        return ordered.where(keys < place if self.descending else keys > place)
