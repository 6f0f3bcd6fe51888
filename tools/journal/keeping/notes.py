"""Decisions noted before there was a journal, and the few that a question may be about."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Row, literal_column, select

from state.note import NotedDecision
from state.reader import Reader
from tools.storage.database import Database
from tools.storage.readable import readable_in
from tools.storage.tables.decisions import noted_decision as table

LATEST = 2_000
"""How many of a tenant's newest decisions a question is held against."""

_COMMON_WORDS = """
a an and are as at be been but by can did do does for from had has have he how i in is it its of
on or our she so that the their them then there they this to us use was we were what when where
which who why will with you your not decide decided decision choose chose"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True)
class SqlNotes:
    """Reads what was noted then; nothing is added to it. See tools/journal/remembered.py."""

    database: Database

    async def about(self, question: str, reader: Reader, *, limit: int = 3) -> list[NotedDecision]:
        """Find noted decisions that share the question's rarer words: best, then newest first."""
        query = (
            select(table)
            .where(readable_in(table, reader))
            .order_by(table.c.decided_at.desc(), literal_column("rowid").desc())
            .limit(LATEST)
        )
        rows = await self.database.read(lambda connection: connection.execute(query).all())
        known = [(row, _words(f"{row.decision} {row.rationale}")) for row in rows]
        spread = Counter(word for _row, words in known for word in words)
        asked = _words(question)
        scored = [
            (sum(math.log(1 + len(known) / spread[word]) for word in asked & words), row)
            for row, words in known
            if len(asked & words) >= min(2, len(asked))
        ]
        best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
        return [_note(row) for _score, row in best[:limit]]


def _words(text: str) -> frozenset[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(word.removesuffix("s") for word in words if word not in _COMMON)


def _note(row: Row[tuple[object, ...]]) -> NotedDecision:
    return NotedDecision(
        note_id=row.note_id,
        decision_id=row.decision_id,
        decision=row.decision,
        rationale=row.rationale,
        decision_maker=row.decision_maker,
        confidence=row.confidence,
        decided_at=datetime.fromtimestamp(row.decided_at, UTC),
    )
