"""Which sessions there are to choose from."""

from graph.runner import Executive
from state.reader import Reader

_LOOKED_AT = 200


async def sessions_seen(executive: Executive, reader: Reader) -> tuple[str, ...]:
    """Name the sessions of the newest decisions, the latest first."""
    newest = await executive.decisions(reader, limit=_LOOKED_AT)
    return tuple(dict.fromkeys(record.session_id for record in newest))
