"""Whose words an event is: the tenant from the key, the user and role as the key allows."""

from state.errors import Forbidden
from state.event import Event
from state.noun import LONGEST_NAME
from state.principal import Principal
from tools.callers.likeness import looks_like_any

SPEAKS_FOR_OTHERS = ("admin", "integrator")
"""Roles of bridges, held by a service's key: their events name the user who spoke.

Never by a person's: who may answer approvals must not also choose in whose name they are asked.
"""

_VISITORS = "visitors:"
VISITORS_TENANT = "default"
"""Where somebody without a key is, at the one door that lets them in."""


def attributed(event: Event, caller: Principal) -> Event:
    """Put the caller and its tenant on an event, with a user, role and source that it may name.

    Raises:
        Forbidden: it names another tenant, a user or role the caller is not, or a source that is
            not its own or that other keys declare.
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
    relayed = caller.kind == "service"
    update = {"tenant_id": caller.tenant_id, "relayed": relayed, **speaker}
    update |= {"source": _source(event, caller), "sender": caller.user, "variant": None}
    return event.model_copy(update=update)


def _source(event: Event, caller: Principal) -> str:
    """Name where an event comes from: the one source of its key, where it names none itself."""
    source = event.source
    if "source" not in event.model_fields_set and len(caller.sources) == 1:
        source = caller.sources[0]
    is_imitation = not caller.sources and looks_like_any(source, caller.kept_sources)
    if not set(source) & set("*?") and caller.may_send_as(source) and not is_imitation:
        return source
    if caller.sources:
        raise Forbidden(f"your key sends as the source {' or '.join(caller.sources)} alone")
    raise Forbidden(f"the source {source!r} is kept for the keys that declare it; name another")


def of_nobody(event: Event) -> Event:
    """Take every name off an event that somebody without a key sends: they may be anybody.

    What they tell is told among visitors alone: nobody else's session hears their alarms.
    """
    session_id = f"{_VISITORS}{event.session_id}"[:LONGEST_NAME]
    nobody = {"tenant_id": VISITORS_TENANT, "user": None, "role": None, "session_id": session_id}
    return event.model_copy(update=nobody | {"sender": _VISITORS, "variant": None})
