"""A checkpointer that throws at the nth call, and on every one after it when it is to stay so."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


@dataclass
class Failing:
    """Counts calls of a checkpointer and lets some of them fail."""

    nth: int
    place: str | None = None
    """`put` or `writes`; None: either counts."""
    for_good: bool = False
    calls: int = 0
    is_armed: bool = True

    def reach(self, place: str) -> None:
        """Count a call; throw when it is one of those."""
        if not self.is_armed or self.place not in (None, place):
            return
        self.calls += 1
        if self.calls == self.nth or (self.for_good and self.calls > self.nth):
            raise sqlite3.OperationalError("database or disk is full")

    @property
    def was_reached(self) -> bool:
        """Tell whether it has failed at all."""
        return self.calls >= self.nth

    def around(self, saver: BaseCheckpointSaver[Any]) -> BaseCheckpointSaver[Any]:
        """Stand between the graph and its checkpoints."""
        assert isinstance(saver, AsyncSqliteSaver)
        return _FailingSaver(saver, self)


class _FailingSaver(AsyncSqliteSaver):
    def __init__(self, saver: AsyncSqliteSaver, failing: Failing) -> None:
        super().__init__(saver.conn, serde=saver.serde)
        self._failing = failing

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        self._failing.reach("put")
        return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        self._failing.reach("writes")
        await super().aput_writes(config, writes, task_id, task_path)
