"""What a reader may see, as a condition that stands inside every query."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, FromClause, and_, func, not_, or_, true

from state.reader import Reader, fold_session


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
