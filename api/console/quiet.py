"""Quiet: why it is silent now and until when, what waits, and asking for it or ending it."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import JsonValue
from starlette.responses import RedirectResponse, Response

from api.console.forms import Form, FormRequest
from api.console.pages import in_session, is_htmx, render
from api.console.route import ConsoleRoute, PollRoute
from api.console.sessions_seen import sessions_seen
from api.console.upcoming import next_times
from api.dependencies import Caller, TheExecutive, TheWork
from api.http.bodies import validated
from api.payloads.modulations import ModulationWish
from api.payloads.quiet import QuietEnd, QuietWish
from api.payloads.sessions import InSession
from graph.runner import Executive
from graph.words.quiet import standing_words
from state.principal import Principal
from state.quietness import Quietness
from state.talk import TalkRequest
from tools.policy.talk_rights import REFUSAL, may_ask_for

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)
polled = APIRouter(route_class=PollRoute, include_in_schema=False)

_WHOLE_DAY_MINUTES = 1_440


@router.get("/console/quiet")
async def quiet(
    request: FormRequest,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> Response:
    """Say how a session stands on speaking, and offer what can be asked of it."""
    standing = await executive.attention.standing(caller.tenant_id, wanted.session_id)
    context = await _context(standing, caller, executive) | {
        "sessions": await sessions_seen(executive, executive.reader(caller)),
        "most_minutes": _WHOLE_DAY_MINUTES,
    }
    return render(request, "quiet.html", context)


@polled.get("/console/quiet/standing")
async def standing(
    request: FormRequest,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> Response:
    """Draw how it stands anew."""
    now = await executive.attention.standing(caller.tenant_id, wanted.session_id)
    return render(request, "_standing.html", await _context(now, caller, executive))


@router.post("/console/quiet")
async def change(
    request: FormRequest, caller: Caller, executive: TheExecutive, work: TheWork
) -> Response:
    """Ask for quiet or end it, as the API does."""
    fields = await request.fields()
    session_id = fields["session_id"] or "default"
    changing = executive.attention.change(caller, session_id, _wish(fields, session_id))
    now = await work.finish(changing)
    if not is_htmx(request):
        return RedirectResponse(in_session(request, "/quiet", now.session_id), 303)
    return render(request, "_standing.html", await _context(now, caller, executive))


def _wish(fields: Form, session_id: str) -> TalkRequest:
    """Read which of the page's forms was sent.

    Raises:
        Problem: 422, it asks for nothing, or for what is none.
    """
    sent: dict[str, JsonValue] = {"session_id": session_id}
    if fields["do"] == "end":
        if fields["topic"]:
            sent["topic"] = fields["topic"]
        sent["quiet_hours"] = fields["hours"] == "yes"
        return validated(QuietEnd, sent).request()
    if fields["do"] == "watch":
        sent |= {"kind": "heighten", "topic": fields["topic"] or None}
        minutes = _number(fields["minutes"]) if fields["minutes"] else None
        sent["seconds"] = minutes * 60 if isinstance(minutes, float) else minutes
        return validated(ModulationWish, sent).request()
    if fields["minutes"]:
        sent["minutes"] = _number(fields["minutes"])
    if fields["topic"]:
        sent |= {"topic": fields["topic"], "threats": fields["threats"] == "yes"}
    if fields["starts"] or fields["ends"]:
        sent["quiet_hours"] = {"starts": fields["starts"], "ends": fields["ends"]}
    return validated(QuietWish, sent).request()


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text  # no number: the field's own check says so


async def _context(
    standing: Quietness, caller: Principal, executive: Executive
) -> dict[str, object]:
    can = may_ask_for(TalkRequest(kind="quiet"), executive.catalogue, caller.roles)
    place = (caller.tenant_id, standing.session_id)
    reminders = await executive.initiating.reminders.waiting(*place)
    return {
        "standing": standing,
        "said": next(standing_words(standing.model_copy(update={"until": None}))),
        "why_not": "" if can else REFUSAL,
        "budget": await executive.attention.budget(*place),
        "times": next_times(standing, reminders, executive.settings.zone),
    }
