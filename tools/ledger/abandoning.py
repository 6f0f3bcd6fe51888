"""Close what a decision that is given up has left in the ledger; nothing that began is touched."""

from dataclasses import dataclass

from sqlalchemy import Connection, select, text

from state.approval import LedgerAction
from tools.ledger.claiming import Claiming
from tools.ledger.rows import read_action
from tools.storage.tables.ledger import ledger_action

ABANDONED = "its decision could not be finished; ask again"


@dataclass(frozen=True)
class Abandoning:
    """Takes the way on from what has not begun; what was done, or may have been, stays as it is."""

    claiming: Claiming

    def close(self, connection: Connection, decision_id: str) -> tuple[LedgerAction, ...] | None:
        """Close a decision's actions that have not begun and tell of all of them, newest first.

        It is done in the transaction that records the end of the decision: what is proposed before
        is closed by it, and what comes after finds the decision over.

        None, and nothing is changed: one has begun and not ended. What became of it is for the
        ledger to find out first.
        """
        query = (
            select(ledger_action.c.action_id)
            .where(ledger_action.c.decision_id == decision_id)
            .order_by(ledger_action.c.proposed_at.desc(), text("rowid DESC"))
        )
        found = [read_action(connection, one) for one in connection.scalars(query).all()]
        if any(one.state == "started" for one in found):
            return None
        return tuple(self._closed(connection, one) for one in found)

    def _closed(self, connection: Connection, standing: LedgerAction) -> LedgerAction:
        match standing.state:
            case "approved":
                return self.claiming.move(connection, standing, "stale", ABANDONED)
            case "proposed" | "pending":
                return self.claiming.move(connection, standing, "expired", ABANDONED)
            case _:
                return standing
