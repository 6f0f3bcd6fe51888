"""Whose words an event is: the tenant from the key, the user and role as the key allows."""

from pydantic import JsonValue

from api.bodies import validated
from api.problems import INVALID, TOO_LARGE, Problem
from state.errors import Forbidden
from state.event import MAX_TEXT_BYTES, Event
from state.principal import Principal

SPEAKS_FOR_OTHERS = ("admin", "integrator")
"""Roles of bridges, held by a service's key: their events name the user who spoke.

Never by a person's: who may answer approvals must not also choose in whose name they are asked.
"""


def event_of(sent: JsonValue, caller: Principal, place: str = "") -> Event:
    """Make an event of what `caller` sent; `place` says where in the body it stood.

    Raises:
        Problem: 413 for a text that is too long, 422 for what is no event.
        Forbidden: it names another tenant, or a user or role the caller is not.
    """
    if not isinstance(sent, dict):
        raise Problem(INVALID, f"{place or 'body'}: an event is a JSON object with a text")
    refuse_long_text(sent)
    return attributed(validated(Event, sent, place), caller)


def refuse_long_text(sent: JsonValue) -> None:
    """Refuse a text beyond the limit by size, before its content is looked at.

    Raises:
        Problem: 413.
    """
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and len(text.encode()) > MAX_TEXT_BYTES:
        raise Problem(TOO_LARGE, f"a text may hold {MAX_TEXT_BYTES} bytes; send it in parts")


def attributed(event: Event, caller: Principal) -> Event:
    """Put the caller's tenant on an event, and a user and role that it may name.

    Raises:
        Forbidden: as `event_of`.
    """
    if "tenant_id" in event.model_fields_set and event.tenant_id != caller.tenant_id:
        raise Forbidden("your key is for another tenant; leave tenant_id out")
    speaker = {"user": event.user, "role": event.role}
    own = {"user": caller.user, "role": event.role or ",".join(caller.roles) or None}
    if caller.kind == "service" and caller.has_any(SPEAKS_FOR_OTHERS):
        if event.user is None and event.kind == "message":
            speaker = own
    elif event.user not in (None, caller.user):
        raise Forbidden("your key speaks for you alone; leave user out, or use an integrator's")
    elif not set(event.roles) <= set(caller.roles):
        raise Forbidden("you do not hold that role; leave role out, or name one of yours")
    else:
        speaker = own
    return event.model_copy(update={"tenant_id": caller.tenant_id, **speaker})
