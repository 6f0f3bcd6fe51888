"""Who said or chose anything else between two moments of one session?"""

from typing import Literal, get_args

from sqlalchemy import Connection, bindparam, select

from state.arrival import Standing
from state.event import Event
from tools.storage.tables.decisions import decision

_STANDINGS = [one for one in get_args(Standing) if one != "duplicate"]
_ACCEPTED = select(decision.c.accepted_at).where(decision.c.decision_id == bindparam("wanted"))
# By standing as well: there is an index over standing and time, and none over sessions.
_BETWEEN = select(decision.c.event).where(
    decision.c.standing.in_(_STANDINGS),
    decision.c.accepted_at.between(bindparam("first"), bindparam("last")),
    decision.c.tenant_id == bindparam("tenant"),
    decision.c.session_id == bindparam("session"),
    decision.c.kind.in_(("message", "choice")),
    decision.c.decision_id.not_in(bindparam("apart", expanding=True)),
)


def words_between(
    connection: Connection, event: Event, decision_id: str, request_id: str
) -> Literal["own", "others"] | None:
    """Tell who said or chose something between an earlier decision's event and this one.

    Own: its speaker did, whoever else. What was accepted at the same instant counts: then nobody
    can tell which came first. Only the request that all of this answers is known to be earlier.
    """
    first, last = (
        connection.execute(_ACCEPTED, {"wanted": one}).scalar()
        for one in (decision_id, event.decision_id)
    )
    if first is None or last is None or first > last:
        return "own"
    found = connection.scalars(
        _BETWEEN,
        {
            "first": first,
            "last": last,
            "tenant": event.tenant_id,
            "session": event.session_id,
            "apart": [decision_id, request_id, event.decision_id],
        },
    )
    speakers = {body.get("user") for body in found}
    if event.user in speakers:
        return "own"
    return "others" if speakers else None
