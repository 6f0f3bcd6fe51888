"""The conversation that an action was asked in, and what it may see of the others."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from state.approval import LedgerAction
from state.session import Session
from tools.ports import Catalogue
from tools.storage.sessions import session_of, stages_of


class AskedIn(NamedTuple):
    """A session as it stands, and session → stage for an action that is told the stages."""

    session: Session
    stages: Mapping[str, str]


def asked_in(connection: Connection, action: LedgerAction, catalogue: Catalogue) -> AskedIn:
    """Read both inside the transaction that claims the action."""
    is_told = action.action in catalogue.pack(action.pack).policy.stages_seen_by
    stages = stages_of(connection, action.tenant_id, action.pack) if is_told else {}
    return AskedIn(session_of(connection, action), stages)
