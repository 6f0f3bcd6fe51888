"""What is written down, and how it is read again."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.storage import retention, tables
    from tools.storage.database import Database
    from tools.storage.decision_rows import SqlRecords, read_row
    from tools.storage.decisions import SqlDecisions
    from tools.storage.holds import SqlHolds
    from tools.storage.idempotency import SqlIdempotency
    from tools.storage.offers import SqlOffers
    from tools.storage.query_filters import KeysetPage, readable_in
    from tools.storage.record_hooks import RecordRedactor

__all__ = [
    "Database",
    "KeysetPage",
    "RecordRedactor",
    "SqlDecisions",
    "SqlHolds",
    "SqlIdempotency",
    "SqlOffers",
    "SqlRecords",
    "read_row",
    "readable_in",
    "retention",
    "tables",
]

__getattr__ = lazy_names(
    __name__,
    {
        "database": ("Database",),
        "decision_rows": ("SqlRecords", "read_row"),
        "decisions": ("SqlDecisions",),
        "holds": ("SqlHolds",),
        "idempotency": ("SqlIdempotency",),
        "offers": ("SqlOffers",),
        "query_filters": ("KeysetPage", "readable_in"),
        "record_hooks": ("RecordRedactor",),
    },
)
