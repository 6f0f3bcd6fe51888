"""An offer's row: read, and taken once, by a click or by an answer in the conversation."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select, update

from state.errors import NotFound
from state.offer import Chip, Offer
from tools.storage.database import Database
from tools.storage.tables.decisions import offer as table
from tools.storage.undos import mark_undo


def read_offer(connection: Connection, offer_id: str, tenant_id: str) -> Offer:
    """Read one offer.

    Raises:
        NotFound: none in this tenant.
    """
    query = select(table).where(table.c.offer_id == offer_id, table.c.tenant_id == tenant_id)
    row = connection.execute(query).first()
    if row is None:
        raise NotFound("offer", offer_id)
    return to_offer(row)


def to_offer(row: Row[Any]) -> Offer:
    """Turn a row into the noun."""
    return Offer.model_validate(row.body).model_copy(
        update={
            "expires_at": datetime.fromtimestamp(row.expires_at, UTC),
            "chosen": row.chosen,
            "chosen_by": row.chosen_by,
        }
    )


def is_open(database: Database, offer_id: str) -> tuple[ColumnElement[bool], ...]:
    """Build the conditions that an offer is neither chosen nor over."""
    return (
        table.c.offer_id == offer_id,
        table.c.chosen.is_(None),
        table.c.expires_at > database.now(),
    )


def claim_chip(
    connection: Connection,
    database: Database,
    shown: Offer,
    chip: Chip,
    arguments: Mapping[str, Any],  # by slot type
    *,
    by: str,
    decision_id: str,
) -> bool:
    """Write down whose choice a chip is and which decision follows; False: it is open no more.

    Raises:
        NotFound, Conflict: it takes back what cannot be taken back, see mark_undo.
    """
    taken = connection.execute(
        update(table)
        .where(*is_open(database, shown.offer_id))
        .values(
            chosen=chip.chip_id,
            chosen_by=by,
            chosen_at=database.now(),
            chosen_arguments=dict(arguments),
            chosen_decision_id=decision_id,
        )
    )
    if taken.rowcount == 0:
        return False
    if chip.undo_of is not None:
        mark_undo(
            connection,
            database,
            action_id=chip.undo_of,
            tenant_id=shown.tenant_id,
            user=by,
            decision_id=decision_id,
            action=chip.action,
            arguments=chip.arguments,
        )
    return True


def end_offer(connection: Connection, database: Database, shown: Offer) -> bool:
    """Let an offer run out now; False: it was over, or chosen."""
    ended = connection.execute(
        update(table).where(*is_open(database, shown.offer_id)).values(expires_at=database.now())
    )
    return ended.rowcount == 1


def stands(connection: Connection, database: Database, shown: Offer) -> bool:
    """Tell whether a chip of it can be chosen now."""
    query = select(table.c.offer_id).where(*is_open(database, shown.offer_id))
    return connection.execute(query).first() is not None
