"""Pages of a list: the next one begins after the last row of the one before."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, literal, select, true, tuple_

from state.errors import BadInput


def following(
    connection: Connection, keys: Sequence[ColumnElement[object]], last: ColumnElement[bool] | None
) -> ColumnElement[bool]:
    """Say in SQL that a row comes after the one that `last` finds; None: all do.

    Args:
        keys: what the list is ordered by, ascending, the last one unique; none of them null.

    Raises:
        BadInput: there is no such row.
    """
    if last is None:
        return true()
    place = connection.execute(select(*keys).where(last)).first()
    if place is None:
        raise BadInput("`cursor` is none of this list's; take `next_cursor` of the page before")
    return tuple_(*keys) > tuple_(*(literal(value) for value in place))
