"""Write a decision's record and nothing beside it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from state.record import DecisionRecord
from tools.storage.decisions import SqlDecisions
from tools.storage.holds import drop_hold
from tools.storage.standings import settle


async def record_alone(
    decisions: SqlDecisions, record: DecisionRecord, stages: Mapping[str, Any], *, thread_id: str
) -> bool:
    """Write the record of a decision that is given up; False as in SqlDecisions.finish.

    What breaks it may be the session, or something that is noted with every record.
    """
    covering = decisions.covering

    def work(connection: Connection) -> bool:
        kept = covering.decision(record, stages) if covering else (record, stages)
        drop_hold(connection, record.decision_id)
        return settle(connection, *kept, "recorded", thread_id)

    return await decisions.database.write(work, durable=True)
