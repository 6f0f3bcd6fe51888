"""The way back from an action that was done."""

from collections.abc import Mapping
from typing import Any

from state.approval import LedgerAction
from state.noun import Noun


class Undo(Noun):
    """What takes an action back: the action to run, and with what."""

    of: LedgerAction
    action: str
    arguments: Mapping[str, Any]
    summary: str
