"""How the index of vectors of a folder stands; beside a running service only what is behind."""

from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from graph.assembly.data_folder import hold_folder, open_database
from graph.assembly.indexing import build_indexing
from graph.cli.set_up.finding import Finding
from graph.cli.stored import has_database
from graph.settings import Settings
from graph.words.index import told_index
from state.errors import AgentError, Busy
from tools.storage.tables.vectors import vector_outbox
from tools.vector_index.chroma import FOLDER, ChromaIndex
from tools.vector_index.comparing import IndexState
from tools.vector_index.outbox import count_behind


async def vectors_found(settings: Settings) -> Finding:
    """Hold the index against the tables, row by row, where no service has it; none is made."""
    folder = settings.data_dir.resolve()
    if not has_database(settings):
        return Finding("vectors", "ok", "there are none yet")
    if not _has_outbox(settings):
        return Finding("vectors", "ok", "are indexed from the next start on")
    database, behind = open_database(settings), 0
    try:
        behind = await database.read(count_behind)
        if not ChromaIndex(folder / FOLDER).is_made:
            says = f"{behind} rows wait; the service indexes them" if behind else "none are indexed"
            return Finding("vectors", "ok", says)
        with hold_folder(folder):
            indexing = build_indexing(settings, database)
            try:
                return _finding(await indexing.compare())
            finally:
                await indexing.close()
    except Busy:
        says = f"the running service has the index; {behind} rows behind"
        return Finding("vectors", "ok", says)
    except (SQLAlchemyError, AgentError) as error:
        return Finding("vectors", "degraded", f"cannot be looked at: {type(error).__name__}")
    finally:
        await database.close()


def _has_outbox(settings: Settings) -> bool:
    """Look before it is opened: that would bring an older one to our revision."""
    engine = create_engine(settings.database)
    try:
        return inspect(engine).has_table(vector_outbox.name)
    except SQLAlchemyError:
        return False  # told of the database itself
    finally:
        engine.dispose()


def _finding(index: IndexState) -> Finding:
    says = told_index(index)
    if index.is_whole:
        return Finding("vectors", "ok", says)
    if index.behind and not (index.problem or index.is_damaged):
        return Finding("vectors", "ok", f"{says}; the next start tells it")
    return Finding("vectors", "degraded", f"{says}; `prefrontal journal reindex` makes it anew")
