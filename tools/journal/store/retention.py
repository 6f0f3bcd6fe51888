"""Archive old decisions that are no longer in force and empty their text."""

import asyncio
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, select

from state.journal import Decision, DecisionStatus
from tools.journal.store.entry_rows import empty_entry, read_decision
from tools.journal.store.store import JournalStore
from tools.platform.clock import DAY_SECONDS
from tools.storage.tables.journal import journal_entry

AT_ONCE = 500
ARCHIVE = "decisions.jsonl"
_OVER = (DecisionStatus.SUPERSEDED, DecisionStatus.REJECTED)


class _Kept(NamedTuple):
    entry_id: int
    decision: Decision


async def archive_old_entries(
    store: JournalStore, days: int, archive: Path, *, is_trial: bool = False
) -> int:
    """Archive what was taken and recorded over `days` ago and is in force no more; 0: nothing.

    Id, title, dates and links stay, so that no chain breaks; the other words go to the archive, a
    line of JSON a decision, before they leave the tables. What is in force stays whole.

    Returns:
        How many were emptied, or would be.
    """
    if days == 0:
        return 0
    before = store.seconds() - days * DAY_SECONDS
    gone = after = 0
    while rows := await store.database.read(partial(_old, before=before, after=after)):
        after = rows[-1].entry_id
        old = [one.decision for one in rows if without_text(one.decision) != one.decision]
        gone += len(old)
        if old and not is_trial:
            await asyncio.to_thread(_write, archive, old)
            gone -= await store.database.write(partial(empty_archived, old=old))
            store.embedding.is_checked = False  # their vectors are made anew
    return gone


def without_text(decision: Decision) -> Decision:
    """Leave of a decision what a chain needs."""
    return Decision(
        id=decision.id,
        timestamp=decision.timestamp,
        session_id=decision.session_id,
        tenant_id=decision.tenant_id,
        origin=decision.origin,
        source=decision.source,
        heard_in=decision.heard_in,
        title=decision.title,
        decision=decision.title,
        confidence=decision.confidence,
        status=decision.status,
        superseded_by=decision.superseded_by,
        supersedes=decision.supersedes,
    )


def _old(connection: Connection, *, before: float, after: int) -> list[_Kept]:
    entry = journal_entry.c
    query = (
        select(entry.entry_id, entry.body)
        .where(
            entry.status.in_([one.value for one in _OVER]),
            entry.recorded_at < before,
            entry.decided_at.is_(None) | (entry.decided_at < before),
            entry.entry_id > after,
        )
        .order_by(entry.entry_id)
        .limit(AT_ONCE)
    )
    return [
        _Kept(row.entry_id, Decision.model_validate(row.body))
        for row in connection.execute(query).all()
    ]


def _write(archive: Path, old: Sequence[Decision]) -> None:
    archive.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (archive / ARCHIVE).open("a", encoding="utf-8") as file:
        file.writelines(f"{one.model_dump_json()}\n" for one in old)
        file.flush()
        os.fsync(file.fileno())
    folder = os.open(archive, os.O_RDONLY)
    try:
        os.fsync(folder)  # a new file is lost with its folder's entry
    finally:
        os.close(folder)


def empty_archived(connection: Connection, *, old: Sequence[Decision]) -> int:
    """Empty what still is as it was archived; tell how many were changed since and stay."""
    stays = 0
    for one in old:
        if read_decision(connection, one.id, one.tenant_id) == one:
            empty_entry(connection, without_text(one))
        else:
            stays += 1
    return stays
