"""Note what a turn says about policy inside its decision's own transaction."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.sqlite import insert

from state.arrival import Standing
from state.record import DecisionRecord
from tools.quality.log import SqlQuality
from tools.quality.turns import turn_of
from tools.storage.companions import was_only_weighed
from tools.storage.tables.decisions import decision
from tools.storage.tables.quality import quality_turn

_DECISION = select(
    decision.c.kind, decision.c.event["text"].as_string().label("text"), decision.c.accepted_at
).where(decision.c.decision_id == bindparam("wanted"))
_NEW = insert(quality_turn)
_PUT = _NEW.on_conflict_do_update(
    index_elements=["decision_id"],
    set_={
        column.name: _NEW.excluded[column.name]
        for column in quality_turn.c
        if column.name != "decision_id"
    },
)


@dataclass(frozen=True)
class QualityNotes:
    """Judges each turn by what policy decided, and says whose figures have moved."""

    quality: SqlQuality

    def note(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        standing: Standing,
    ) -> Callable[[], None] | None:
        """Note a recorded message or choice; one that belongs to no pack leaves nothing."""
        if standing != "recorded" or was_only_weighed(stages):
            return None
        kept = connection.execute(_DECISION, {"wanted": record.decision_id}).one()
        turn = turn_of(kept.kind, kept.text or "", record, stages, self.quality.catalogue)
        if turn is None:
            return None
        connection.execute(_PUT, {**turn.model_dump(), "at": round(kept.accepted_at, 6)})
        moved = (record.tenant_id, turn.pack)
        return lambda: self.quality.changed.add(moved)
