"""Who gets what while something new is tried: stable, by hash, without a table."""

import hashlib
from collections.abc import Mapping

from state.execution import ChipOrdering

_CANARY, _ORDERING = "canary", "chip-ordering"


def place_of(salt: str, *names: str) -> float:
    """Place names evenly between 0 (inclusive) and 1; the same names always at the same place.

    Args:
        salt: keeps the trials apart, so that it is not the same people each time.
    """
    digest = hashlib.sha256("\x1f".join((salt, *names)).encode("utf-8", "surrogatepass")).digest()
    return (int.from_bytes(digest[:8]) >> 11) / 2**53


def is_canary(tenant_id: str, session_id: str, share: float) -> bool:
    """Tell whether a session is among the first `share`; a greater share keeps them all."""
    return place_of(_CANARY, tenant_id, session_id) < share


def ordering_for(tenant_id: str, user: str, shares: Mapping[ChipOrdering, float]) -> ChipOrdering:
    """Assign a person to one of the orderings on trial, by their shares; all 0: the first."""
    ordered = sorted(shares)
    total = sum(shares.values())
    place = place_of(_ORDERING, tenant_id, user) * total
    for ordering in ordered:
        place -= shares[ordering]
        if place < 0:
            return ordering
    return ordered[0]
