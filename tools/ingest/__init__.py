"""Webhook bodies of other tools, read into events by mapping files, one a kind."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.ingest.kinds import IngestKinds, Misfit, Received, UnknownKind
    from tools.ingest.log_lines import events_of_line

__all__ = ["IngestKinds", "Misfit", "Received", "UnknownKind", "events_of_line"]

__getattr__ = lazy_names(
    __name__,
    {
        "kinds": ("IngestKinds", "Misfit", "Received", "UnknownKind"),
        "log_lines": ("events_of_line",),
    },
)
