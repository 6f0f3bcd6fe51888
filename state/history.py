"""Everything the ledger knows about one action."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field

from state.approval import LedgerAction
from state.noun import Noun


class LedgerEntry(Noun):
    """One thing that happened to an action."""

    number: int | None = Field(description="in its tenant's chain; null: from before the chain")
    at: datetime
    actor: str
    event: str
    body: Mapping[str, Any]  # JSON, by event


class LedgerHistory(LedgerAction):
    """An action as it stands, and all that led there, oldest first."""

    entries: tuple[LedgerEntry, ...] = ()
