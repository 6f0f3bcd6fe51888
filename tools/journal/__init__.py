"""What was decided, and why."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.journal.conversation import ConversationReader
    from tools.journal.decision_recall import JournalNotes, decision_line
    from tools.journal.detection.detector import Detector
    from tools.journal.detection.llm_detector import ModelConfirmer
    from tools.journal.events import JournalEvents
    from tools.journal.journal import Journal, RecordText
    from tools.journal.search.search import JournalSearch, newest_decisions
    from tools.journal.store.retention import archive_old_entries
    from tools.journal.store.store import JournalStore

__all__ = [
    "ConversationReader",
    "Detector",
    "Journal",
    "JournalEvents",
    "JournalNotes",
    "JournalSearch",
    "JournalStore",
    "ModelConfirmer",
    "RecordText",
    "archive_old_entries",
    "decision_line",
    "newest_decisions",
]

__getattr__ = lazy_names(
    __name__,
    {
        "conversation": ("ConversationReader",),
        "decision_recall": ("JournalNotes", "decision_line"),
        "detection.detector": ("Detector",),
        "detection.llm_detector": ("ModelConfirmer",),
        "events": ("JournalEvents",),
        "journal": ("Journal", "RecordText"),
        "search.search": ("JournalSearch", "newest_decisions"),
        "store.retention": ("archive_old_entries",),
        "store.store": ("JournalStore",),
    },
)
