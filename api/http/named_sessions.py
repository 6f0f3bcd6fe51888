"""A session that is closed to a caller is named by them in vain, on whichever route."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from state.noun import Noun


def for_readers(endpoint: Callable[..., Any]) -> Callable[..., Any]:  # an endpoint, of any form
    """Refuse a caller who names a session in query or body that is closed to them.

    Also one that is named by leaving it out, and whether it exists or not. What names sessions in
    another way than a field `session_id` asks itself: events (api/speaking.py), an import.
    """

    @wraps(endpoint)
    async def guarded(**given: Any) -> Any:
        nouns = (one for one in given.values() if isinstance(one, Noun))
        sessions = (getattr(one, "session_id", None) for one in nouns)
        named = [one for one in sessions if one is not None]
        if named:
            given["executive"].readers.demand(given["caller"], named)
        return await endpoint(**given)

    return guarded
