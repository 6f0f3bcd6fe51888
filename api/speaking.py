"""Make an event of what a caller sent, in the name of whom the caller may speak for."""

from pydantic import JsonValue

from api.http.bodies import validated
from api.http.problems import INVALID, TOO_LARGE, Problem
from graph.runner import Executive
from state.event import MAX_TEXT_BYTES, Event
from state.principal import Principal
from tools.callers.attribution import attributed
from tools.policy.talk_rights import demand_teller


def event_of(sent: JsonValue, caller: Principal, executive: Executive, place: str = "") -> Event:
    """Make an event of what `caller` sent; `place` says where in the body it stood.

    Raises:
        Problem: 413 for a text that is too long, 422 for what is no event.
        Forbidden: it names another tenant, a session that is closed to the caller, or a user or
            role the caller is not, or is not the caller's to tell.
    """
    if not isinstance(sent, dict):
        raise Problem(INVALID, f"{place or 'body'}: an event is a JSON object with a text")
    refuse_long_text(sent)
    event = attributed(validated(Event, sent, place), caller)
    executive.readers.demand(caller, [event.session_id])
    demand_teller(event, caller, executive.catalogue)
    return event


def refuse_long_text(sent: JsonValue) -> None:
    """Refuse a text beyond the limit by size, before its content is looked at.

    Raises:
        Problem: 413.
    """
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and len(text.encode()) > MAX_TEXT_BYTES:
        raise Problem(TOO_LARGE, f"a text may hold {MAX_TEXT_BYTES} bytes; send it in parts")
