"""The decision journal, put together."""

from state.tuning import Tuning
from tools.callers.readers import Readers
from tools.clock import Clock
from tools.embedding.encoder import Encoder
from tools.journal.by_model.confirming import ModelConfirmer
from tools.journal.detecting.detector import Detector
from tools.journal.events import JournalEvents
from tools.journal.journal import Journal
from tools.journal.keeping.store import JournalStore
from tools.journal.searching.search import JournalSearch
from tools.models.chat import ChatModel
from tools.ports import Telling
from tools.storage.database import Database
from tools.vector_index.indexing import Indexing
from tools.webhooks.outbox import Outbox


def build_journal(
    database: Database,
    encoder: Encoder | None,
    tuning: Tuning,
    clock: Clock,
    *,
    model: ChatModel | None = None,
    telling: Telling | None = None,
    outbox: Outbox | None = None,
    indexing: Indexing | None = None,
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
        Readers(tuning.sessions),
    )
