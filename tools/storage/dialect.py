"""SQLite as SQLAlchemy speaks it, with each statement compiled once a process."""

from sqlalchemy import URL
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

COMPILED: LRUCache[object, object] = LRUCache(2_000)
"""Statements as they were compiled, for all engines of this dialect.

An engine keeps its own by default, and each database has two: whoever opens many of them in a
process, such as the evals and the tests, spent an eighth of the time on compiling the same anew.
"""


class SharedSqlite(SQLiteDialect_pysqlite):
    """One dialect is as good as another: all of a process speak to one library, in one way."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is SharedSqlite

    def __hash__(self) -> int:
        return hash(SharedSqlite)


registry.register("sqlite.shared", __name__, SharedSqlite.__name__)


def shared(url: URL) -> URL:
    """Name the same database by this dialect."""
    return url.set(drivername="sqlite+shared")
