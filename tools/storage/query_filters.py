"""Conditions of list queries: keyset pagination, and the rows that a reader may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    func,
    literal,
    not_,
    or_,
    select,
    true,
    tuple_,
)

from state.errors import BadInput
from state.reader import Reader, fold_session
from tools.platform.texts import t


@dataclass(frozen=True)
class KeysetPage:
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
            raise BadInput(t("problem.cursor"))
        keys, place = tuple_(*self.keys), tuple_(*(literal(value) for value in found))
        return ordered.where(keys < place if self.descending else keys > place)


def readable(session_id: ColumnElement[Any], reader: Reader) -> ColumnElement[bool]:
    """Write that a session is not closed to a reader; GLOB reads patterns as `is_among` does."""
    folded = func.prefrontal_fold_session(session_id)
    shut = [folded.bool_op("GLOB")(fold_session(one)) for one in reader.closed]
    return not_(or_(*shut)) if shut else true()


def readable_in(table: FromClause, reader: Reader) -> ColumnElement[bool]:
    """Write that a row with a tenant and a session is the reader's to see."""
    return and_(table.c.tenant_id == reader.tenant_id, readable(table.c.session_id, reader))


def may_see(reader: Reader, row: Mapping[str, Any]) -> bool:
    """Tell the same of a row that was read by its id."""
    return row["tenant_id"] == reader.tenant_id and reader.may_read(row["session_id"])
