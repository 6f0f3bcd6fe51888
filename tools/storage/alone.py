"""Write a decision's record and nothing beside it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from state.record import DecisionRecord
from tools.storage.decisions import SqlDecisions
from tools.storage.holds import drop_hold
from tools.storage.settling import settle_covered


async def record_alone(
    decisions: SqlDecisions, record: DecisionRecord, stages: Mapping[str, Any], *, thread_id: str
) -> bool:
    """Write the record of a decision that is given up; False as in SqlDecisions.finish.

    What breaks it may be the session, or something that is noted with every record.
    """

    def work(connection: Connection) -> bool:
        drop_hold(connection, record.decision_id)
        settled = settle_covered(
            connection,
            record,
            stages,
            "recorded",
            thread_id=thread_id,
            covering=decisions.covering,
        )
        return settled is not None

    return await decisions.database.write(work, durable=True)
