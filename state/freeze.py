"""The ledger standing still."""

from datetime import datetime

from state.noun import Noun


class Freeze(Noun):
    """Why nothing that changes anything is started, and since when."""

    reason: str
    since: datetime
