"""`prefrontal doctor` on the index of vectors: what is behind or missing is told."""

from pathlib import Path

from api.cli.doctor.storage_checks import check_vector_index
from graph.settings import Settings
from graph.wiring.data_folder import lock_folder
from state.journal import Decision
from tests.tools.journal.importing import Hashed, indexing_of
from tools.adapters.vector_index.chroma import FOLDER, ChromaIndex
from tools.adapters.vector_index.vector_table import VectorOwner
from tools.journal.store.entry_rows import OF_DECISIONS
from tools.journal.store.store import JournalStore
from tools.storage.database import Database


async def test_doctor_holds_the_index_against_the_tables(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)

    async def found() -> tuple[str, str]:
        told = await check_vector_index(settings)
        return told.state, told.says

    assert await found() == ("ok", "no index yet")
    database = Database(settings.database)
    await JournalStore(database, Hashed()).put(
        [Decision(id=name, session_id="s", title=name, decision=name, confidence=1.0)
         for name in ("one", "two")]
    )  # fmt: skip
    assert await found() == ("ok", "2 rows wait; the service indexes them")
    assert not ChromaIndex(data_dir / FOLDER).is_made

    indexing = indexing_of(database, data_dir)
    assert await indexing.feed() == 2
    indexing.index.remove(OF_DECISIONS.prefix(VectorOwner("default", Hashed.name)), ["2.0"])
    await indexing.close()
    with lock_folder(data_dir):
        assert await found() == ("ok", "the running service has the index; 0 rows behind")
    says = "4 vectors, 1 missing; `prefrontal journal reindex` makes it anew"
    assert await found() == ("degraded", says)
    assert (await indexing.rebuild()).is_whole
    await indexing.close()
    await database.close()
    assert await found() == ("ok", "4 vectors, in sync with the tables")
