"""Build the decision journal and its vector index."""

from graph.settings import Settings
from state.tuning import Tuning
from tools.access.permissions import SessionReaders
from tools.adapters.chat_model import ChatModel
from tools.adapters.embedding.encoder import Encoder
from tools.adapters.vector_index.chroma import FOLDER, ChromaIndex
from tools.adapters.vector_index.indexer import Indexer
from tools.journal.detection.detector import Detector
from tools.journal.detection.llm_detector import ModelConfirmer
from tools.journal.events import JournalEvents
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.entry_rows import OF_DECISIONS
from tools.journal.store.store import JournalStore
from tools.memory.recall import OF_UTTERANCES
from tools.notifications.webhook_outbox import Outbox
from tools.platform.clock import Clock
from tools.ports import NoticeStream
from tools.storage.database import Database


def build_indexing(settings: Settings, database: Database) -> Indexer:
    """Build it for the process that holds the data folder; nothing is opened yet."""
    index = ChromaIndex(settings.data_dir.resolve() / FOLDER)
    return Indexer(database, index, (OF_DECISIONS, OF_UTTERANCES))


def build_journal(
    database: Database,
    encoder: Encoder | None,
    tuning: Tuning,
    clock: Clock,
    *,
    model: ChatModel | None = None,
    telling: NoticeStream | None = None,
    outbox: Outbox | None = None,
    indexing: Indexer | None = None,
) -> Journal:
    """Build the decision journal on our tables.

    Args:
        telling: the live stream, if there is one.
        outbox: what webhooks tell; None: nothing.
        indexing: of whoever holds the data folder; None: vectors are compared one by one.
    """
    journal = tuning.journal
    rules = Detector(journal.detection_threshold)
    is_asked = model is not None and journal.model_confirmation
    return Journal(
        JournalSearch(
            JournalStore(
                database,
                encoder,
                outbox=outbox,
                future_days=journal.future_days,
                indexing=indexing,
            ),
            journal.similarity_floor,
        ),
        rules,
        clock,
        ModelConfirmer(rules, model, journal.detection_threshold) if model and is_asked else None,
        JournalEvents(telling),
        SessionReaders(tuning.sessions),
    )
