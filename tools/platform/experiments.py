"""Assign sessions and people to canaries and variants on trial.

By a stable hash without a table.
"""

import hashlib
from collections.abc import Mapping
from typing import TypeVar

from state.execution import ChipOrdering

Trial = TypeVar("Trial", bound=str)

_CANARY, _ORDERING = "canary", "chip-ordering"


def hash_position(salt: str, *names: str) -> float:
    """Place names evenly between 0 (inclusive) and 1; the same names always at the same place.

    Args:
        salt: keeps the trials apart, so that it is not the same people each time.
    """
    digest = hashlib.sha256("\x1f".join((salt, *names)).encode("utf-8", "surrogatepass")).digest()
    return (int.from_bytes(digest[:8]) >> 11) / 2**53


def is_canary(tenant_id: str, session_id: str, share: float) -> bool:
    """Tell whether a session is among the first `share`; a greater share keeps them all."""
    return hash_position(_CANARY, tenant_id, session_id) < share


def assigned_ordering(
    tenant_id: str, user: str, shares: Mapping[ChipOrdering, float]
) -> ChipOrdering:
    """Assign a person to one of the orderings on trial, by their shares; all 0: the first."""
    return pick_by_share(hash_position(_ORDERING, tenant_id, user), shares)


def pick_by_share(place: float, shares: Mapping[Trial, float]) -> Trial:
    """Find whose share a place, 0 to 1, lies in; all 0: the first by name."""
    ordered = sorted(shares)
    left = place * sum(shares.values())
    for trial in ordered:
        left -= shares[trial]
        if left < 0:
            return trial
    return ordered[0]
