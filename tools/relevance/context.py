"""Where a session is: gaming, home or work, whatever its packs usually are for."""

from collections.abc import Mapping

from state.session import Session
from state.tuning import Context

_NAMED: Mapping[str, Context] = {"gaming": "gaming", "home": "home", "work": "work"}


def context_in(session: Session, usual: Context) -> Context:
    """Tell the context whose thresholds and times count: `gaming` of `gaming.minecraft`."""
    return _NAMED.get((session.active_context or "").partition(".")[0], usual)
