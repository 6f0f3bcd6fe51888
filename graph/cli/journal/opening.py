"""The journal of a data folder, opened for one command."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from graph.assembly.data_folder import open_database
from graph.assembly.encoding import build_encoder
from graph.assembly.indexing import build_indexing
from graph.assembly.journal import build_journal
from graph.assembly.modelling import build_model
from graph.assembly.thresholds import read_tuning
from graph.assembly.webhooks import build_outbox
from graph.cli.stored import need_database
from graph.settings import Settings
from tools.clock import SystemClock
from tools.journal.journal import Journal

T = TypeVar("T")


async def from_journal(settings: Settings, work: Callable[[Journal], Awaitable[T]]) -> T:
    """Do something with the journal of a folder that has one."""
    need_database(settings)
    return await with_journal(settings, work)


async def with_journal(
    settings: Settings, work: Callable[[Journal], Awaitable[T]], *, is_indexing: bool = False
) -> T:
    """Do something with the journal of a folder, which is made if need be.

    Args:
        is_indexing: whoever holds the folder may have the index of vectors too.
    """
    async with _journal(settings, is_indexing=is_indexing) as journal:
        return await work(journal)


@asynccontextmanager
async def _journal(settings: Settings, *, is_indexing: bool) -> AsyncIterator[Journal]:
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    database = open_database(settings)
    model = build_model(settings, tuning)
    indexing = build_indexing(settings, database) if is_indexing else None
    try:
        outbox = build_outbox(settings, database, tuning.sessions)
        yield build_journal(
            database,
            encoder,
            tuning,
            SystemClock(),
            model=model,
            outbox=outbox,
            indexing=indexing,
        )
    finally:
        if indexing is not None:
            await indexing.close()
        await database.close()
        if model is not None:
            await model.close()
        if encoder is not None:
            encoder.close()
