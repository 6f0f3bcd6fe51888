"""Keep house: watch the ledger every second, and let old things go once a day."""

import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import structlog
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import SecretStr

from graph.checkpoints import forget_threads
from state.freeze import Freeze
from state.retention import Pruned, RetentionTuning
from tools.clock import DAY_SECONDS
from tools.journal.keeping.retiring import retire
from tools.journal.keeping.store import JournalStore
from tools.ledger.pruning import Pruning
from tools.ledger.watching import Watching
from tools.quality.exporting import Exporting
from tools.quality.log import SqlQuality
from tools.quality.redis_sink import RedisSink
from tools.storage.answers import SqlAnswers
from tools.storage.database import Database
from tools.storage.pruning import (
    prune_decisions,
    prune_links,
    prune_memory,
    prune_people,
    prune_queries,
    prune_turns,
    prune_webhooks,
)
from tools.storage.room import Room

log = structlog.get_logger()


@dataclass
class Keeping:
    """What nobody asks for and has to be done all the same."""

    database: Database
    watching: Watching
    retention: RetentionTuning
    saver: AsyncSqliteSaver | None = None
    """None: the threads are another's, who prunes them."""
    exporting: Exporting | None = None
    """Tells the counters to a store outside; None: to nobody."""
    archive: Path | None = None
    """Where the words of old decisions go; None: they stay."""
    _next_pruning: float = field(default=0.0)

    @cached_property
    def _room(self) -> Room:
        return Room(self.database)

    async def keep(self) -> None:
        """Audit what is new and write the heads out; once a day, audit and prune everything."""
        await self.watching.keep_up()
        if time.monotonic() >= self._next_pruning:
            self._next_pruning = time.monotonic() + DAY_SECONDS
            pruned = await prune(self.database, self.retention, self.saver, archive=self.archive)
            log.info("pruned", **pruned.model_dump())
            await SqlAnswers(self.database).let_old_go()

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
        down = (f"{lost}; they are kept here and sent when it is back",) if lost else ()
        return [*(told(freeze) for freeze in self.watching.frozen), *down]


def exporting_of(quality: SqlQuality, url: SecretStr | None) -> Exporting | None:
    """Build what tells the counters to the store outside; None: there is none."""
    return Exporting(quality, RedisSink.at(url)) if url else None


def told(freeze: Freeze) -> str:
    """Say that the ledger stands still, and what to do."""
    since = freeze.since.strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"the ledger is frozen since {since}: {freeze.reason}; "
        "nothing but reads is started until `prefrontal ledger thaw`"
    )


async def prune(
    database: Database,
    retention: RetentionTuning,
    saver: AsyncSqliteSaver | None,
    *,
    archive: Path | None = None,
    is_trial: bool = False,
) -> Pruned:
    """Remove what has ended long ago, each kind after its days; a trial only counts."""
    pruned = await Pruning(database).prune(retention.ledger_days, is_trial=is_trial)
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
        journal = await retire(store, days, archive, is_trial=is_trial)
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
