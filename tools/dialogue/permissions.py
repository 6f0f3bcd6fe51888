"""Decide by role who may control how a session is talked to, report events and change records."""

from collections.abc import Sequence

from state.errors import Forbidden
from state.event import Event
from state.principal import Principal
from state.talk import TalkRequest
from tools.access.permissions import SPEAKS_FOR_OTHERS
from tools.ports import Catalogue

CONTROL_REFUSAL = (
    "That I change only for somebody who may change something here: what is told in this session "
    "is told to everybody in it."
)
DECISION_REFUSAL = "I put decisions on record only for somebody who may change something here."

EVENT_REFUSAL = (
    "what happened is told by a sensor (a service's key without roles) or by somebody who may "
    "change something here: an alarm is heard by everybody; to say something yourself, send "
    "kind: message"
)
HEURISTIC_REFUSAL = (
    "A heuristic I change only for a person who may change something here: what it says is said "
    "to everybody, an alarm's words among it."
)


def require_reporter(event: Event, caller: Principal, catalogue: Catalogue) -> None:
    """Let pass what a caller may tell of; a message is the caller's own, and anybody may speak.

    Any other event may sound an alarm or hush a session for all in it. Sensors have no roles, and
    bridges theirs; a service that has others has been given those for something else.

    Raises:
        Forbidden: it is not the caller's to tell.
    """
    if event.is_addressed or may_change(catalogue, caller.roles):
        return
    if caller.kind == "person" or (caller.roles and not caller.has_any(SPEAKS_FOR_OTHERS)):
        raise Forbidden(EVENT_REFUSAL)


def may_control(request: TalkRequest, catalogue: Catalogue, roles: Sequence[str]) -> bool:
    """Tell whether these roles may ask for that; what was missed anybody may hear.

    A session has no owner and no list of listeners: who may change nothing at all hushes it for
    nobody.
    """
    if request.kind in ("prompt", "unclear", "reminders", "goals"):
        return True
    return may_change(catalogue, roles)


def may_move(event: Event, catalogue: Catalogue) -> bool:
    """Tell whether a signal or a reaction counts; a signal in nobody's name is the place's."""
    is_place = event.kind == "signal" and event.user is None
    return is_place or may_change(catalogue, event.roles)


def may_change(catalogue: Catalogue, roles: Sequence[str]) -> bool:
    """Tell whether these roles may change anything at all in the packs that are loaded.

    Those that only read, or are known nowhere, may not; where packs change nothing, anybody may.
    """
    changing = [name for name, action in catalogue.actions.items() if action.floor != "A"]
    return not changing or any(catalogue.may_ask(name, tuple(roles)) for name in changing)
