"""Open and prune checkpoints, watch the ledger.

Export quality counters and apply retention once a day.
"""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from pydantic import SecretStr

from state.freeze import Freeze
from state.retention import Pruned, RetentionTuning
from tools.gate import AuditMonitor
from tools.gate.ledger.maintenance import LedgerPruner
from tools.journal import JournalStore, archive_old_entries
from tools.observability import SqlQuality
from tools.observability.metrics_export import MetricsExporter, RedisSink
from tools.platform.clock import DAY_SECONDS
from tools.platform.texts import t
from tools.storage import Database, SqlIdempotency
from tools.storage.database import DiskCheck
from tools.storage.retention import (
    finished_threads,
    prune_decisions,
    prune_links,
    prune_memory,
    prune_people,
    prune_queries,
    prune_turns,
    prune_webhooks,
)

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


@asynccontextmanager
async def open_saver(data_dir: Path) -> "AsyncIterator[AsyncSqliteSaver]":
    """Open the checkpoints of a data folder.

    Strict: a stored type that is not on our list comes back as plain data, never as an object,
    so a tampered row cannot run anything.
    """
    import aiosqlite
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    from state.checkpointed import CHECKPOINTED

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
    saver: "AsyncSqliteSaver", database: Database, days: int, *, is_trial: bool = False
) -> int:
    """Remove the threads of decisions recorded more than `days` ago; 0: none."""
    if days == 0:
        return 0
    async with saver.lock, saver.conn.execute("select distinct thread_id from checkpoints") as rows:
        known = [str(row[0]) async for row in rows]
    old = await finished_threads(database, known, days)
    if not is_trial:
        for thread_id in old:
            await saver.adelete_thread(thread_id)
    return len(old)


def _own_file(data_dir: Path) -> Path:
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = data_dir / "checkpoints.sqlite"
    file.touch(mode=0o600)  # it keeps what people said, secrets among it
    return file


log = structlog.get_logger()


@dataclass
class Maintenance:
    """What nobody asks for and has to be done all the same."""

    database: Database
    watching: AuditMonitor
    retention: RetentionTuning
    saver: "AsyncSqliteSaver | None" = None
    """None: the threads are another's, who prunes them."""
    exporting: MetricsExporter | None = None
    """Tells the counters to a store outside; None: to nobody."""
    archive: Path | None = None
    """Where the words of old decisions go; None: they stay."""
    _next_pruning: float = field(default=0.0)

    @cached_property
    def _room(self) -> DiskCheck:
        return DiskCheck(self.database)

    async def keep(self) -> None:
        """Audit what is new and write the heads out; once a day, audit and prune everything."""
        await self.watching.keep_up()
        if time.monotonic() >= self._next_pruning:
            self._next_pruning = time.monotonic() + DAY_SECONDS
            pruned = await prune(self.database, self.retention, self.saver, archive=self.archive)
            log.info("pruned", **pruned.model_dump())
            await SqlIdempotency(self.database).let_old_go()

    async def export(self) -> None:
        """Tell the counters that moved to the store outside, if there is one."""
        if self.exporting is not None:
            await self.exporting.export()

    async def problems(self) -> list[str]:
        """Say why nothing can be written, and what an audit found that nobody has looked at."""
        return [*await self._room.problems(), *await self.watching.problems()]

    @property
    def degraded(self) -> list[str]:
        """Say why nothing that changes anything is started, and which figures are not told."""
        lost = self.exporting.problem if self.exporting else ""
        down = (t("service.counters_lost", lost=lost),) if lost else ()
        return [*(freeze_notice(freeze) for freeze in self.watching.frozen), *down]


def build_exporter(quality: SqlQuality, url: SecretStr | None) -> MetricsExporter | None:
    """Build what tells the counters to the store outside; None: there is none."""
    return MetricsExporter(quality, RedisSink.at(url)) if url else None


def freeze_notice(freeze: Freeze) -> str:
    """Say that the ledger stands still, and what to do."""
    since = freeze.since.strftime("%Y-%m-%d %H:%M UTC")
    return t("service.ledger_frozen", since=since, reason=freeze.reason)


async def prune(
    database: Database,
    retention: RetentionTuning,
    saver: "AsyncSqliteSaver | None",
    *,
    archive: Path | None = None,
    is_trial: bool = False,
) -> Pruned:
    """Remove what has ended long ago, each kind after its days; a trial only counts."""
    pruned = await LedgerPruner(database).prune(retention.ledger_days, is_trial=is_trial)
    threads = 0
    if saver is not None:
        days = retention.checkpoint_days
        threads = await forget_threads(saver, database, days, is_trial=is_trial)
    decisions = await prune_decisions(database, retention.decisions_days, is_trial=is_trial)
    queries = await prune_queries(database, retention.query_log_days, is_trial=is_trial)
    memories = await prune_memory(database, retention.memory_days, is_trial=is_trial)
    turns = await prune_turns(database, retention.query_log_days, is_trial=is_trial)
    journal = 0
    if archive is not None:
        store, days = JournalStore(database), retention.journal_days
        journal = await archive_old_entries(store, days, archive, is_trial=is_trial)
    links = await prune_links(database, retention.journal_days, is_trial=is_trial)
    people = await prune_people(database, retention.people_days, is_trial=is_trial)
    webhooks = await prune_webhooks(database, retention.webhook_days, is_trial=is_trial)
    return pruned.model_copy(
        update={
            "decisions": decisions,
            "queries": queries,
            "memories": memories,
            "turns": turns,
            "threads": threads,
            "journal": journal,
            "journal_links": links,
            "people": people,
            "webhooks": webhooks,
        }
    )
