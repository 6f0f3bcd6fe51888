"""Make a function of the pack a handler: one transaction, done once for one key, told again."""

import sqlite3

from prefrontal.pack import ActionResult, Effects, HandlerContext, KeptResults, NotFound
from prefrontal.pack import Work as PackWork
from prefrontal.pack import preview_of as preview_in

from .store import STORE


class Work(PackWork):
    """What every handler works with, inside the transaction somebody else holds."""

    def row(self, table: str, prefix: str, name: str) -> sqlite3.Row:
        """Read a note or a place by its id, and rest on what it is now.

        Raises:
            NotFound: there is none.
        """
        number = int(name.removeprefix(prefix))
        query = f"SELECT * FROM {table} WHERE number = ?"  # noqa: S608  # a name of ours
        row: sqlite3.Row | None = self.connection.execute(query, (number,)).fetchone()
        if row is None:
            raise NotFound(table, name)
        self.seen[name] = "deleted" if row["is_deleted"] else "kept"
        return row


_EFFECTS: Effects[Work] = Effects(STORE, Work, KeptResults())
reads = _EFFECTS.reads
changes = _EFFECTS.changes
preview_of = preview_in(STORE, Work)


def was_done(context: HandlerContext) -> ActionResult | None:
    """Tell whether the effect with the context's key has happened, and with what result."""
    return _EFFECTS.was_done(context)
