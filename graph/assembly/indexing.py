"""The index of vectors, put together: which tables have vectors, and where its files are."""

from graph.settings import Settings
from tools.journal.searching.vectors import OF_DECISIONS
from tools.memory.embedding import OF_UTTERANCES
from tools.storage.database import Database
from tools.vector_index.chroma import FOLDER, ChromaIndex
from tools.vector_index.indexing import Indexing


def build_indexing(settings: Settings, database: Database) -> Indexing:
    """Build it for the process that holds the data folder; nothing is opened yet."""
    index = ChromaIndex(settings.data_dir.resolve() / FOLDER)
    return Indexing(database, index, (OF_DECISIONS, OF_UTTERANCES))
