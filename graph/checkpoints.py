"""Where threads are kept: SQLite beside our tables, with nothing in it that could run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from state.checkpointed import CHECKPOINTED
from tools.storage.database import Database
from tools.storage.pruning import finished


@asynccontextmanager
async def open_saver(data_dir: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """Open the checkpoints of a data folder.

    Strict: a stored type that is not on our list comes back as plain data, never as an object,
    so a tampered row cannot run anything.
    """
    connection = await aiosqlite.connect(_own_file(data_dir))
    try:
        for pragma in ("journal_mode=wal", "synchronous=normal", "busy_timeout=5000"):
            await connection.execute(f"pragma {pragma}")
        saver = AsyncSqliteSaver(
            connection, serde=JsonPlusSerializer(allowed_msgpack_modules=CHECKPOINTED)
        )
        await saver.setup()
        yield saver
    finally:
        await connection.close()


async def forget_threads(
    saver: AsyncSqliteSaver, database: Database, days: int, *, is_trial: bool = False
) -> int:
    """Remove the threads of decisions recorded more than `days` ago; 0: none."""
    if days == 0:
        return 0
    async with saver.lock, saver.conn.execute("select distinct thread_id from checkpoints") as rows:
        known = [str(row[0]) async for row in rows]
    old = await finished(database, known, days)
    if not is_trial:
        for thread_id in old:
            await saver.adelete_thread(thread_id)
    return len(old)


def _own_file(data_dir: Path) -> Path:
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = data_dir / "checkpoints.sqlite"
    file.touch(mode=0o600)  # it keeps what people said, secrets among it
    return file
