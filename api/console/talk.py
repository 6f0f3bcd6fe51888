"""Talk: what somebody says and is answered, with chips and questions where they come up."""

import asyncio

from fastapi import APIRouter
from pydantic import JsonValue
from starlette.responses import RedirectResponse, Response

from api.console.editing import edited
from api.console.forms import FormRequest
from api.console.pages import at, is_htmx, render
from api.console.route import ConsoleRoute, PollRoute
from api.console.turns import Turn, turn_of
from api.dependencies import Caller, Identifier, TheAdmission, TheExecutive, TheWork
from api.details import details_of
from api.messages import say
from graph.runner import Executive
from state.cursor import cursor_of
from state.noun import LONGEST_NAME
from state.principal import Principal
from state.record import DecisionRecord
from tools.journal.searching.newest import newest_decisions

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)
polled = APIRouter(route_class=PollRoute, include_in_schema=False)

MOST_TURNS = 30
_MOST_TRIED = 3
_SHORT = 60
"""A title that is longer fills the page when it is offered to be asked about."""


@router.get("/console/talk")
async def talk(request: FormRequest, caller: Caller, executive: TheExecutive) -> Response:
    """Show the conversation of this person here, newest last."""
    session_id = session_of(caller)
    newest = await executive.decisions(
        executive.reader(caller), session_id=session_id, limit=MOST_TURNS
    )
    turns = await asyncio.gather(*(_turn(record, caller, executive) for record in reversed(newest)))
    context = {
        "turns": turns,
        "tries": _to_try(executive, caller),
        "questions": await _questions(executive, caller),
        "session_id": session_id,
        "after": cursor_of(newest[0]) if newest else "",
    }
    return render(request, "talk.html", context)


@polled.get("/console/talk/turns/{decision_id}")
async def turn(
    decision_id: Identifier, request: FormRequest, caller: Caller, executive: TheExecutive
) -> Response:
    """Draw one turn that came by itself; one's own is drawn where it was said."""
    record = (await executive.decision(decision_id, executive.reader(caller))).record
    drawn = await _turn(record, caller, executive)
    if drawn.is_own:
        return Response(status_code=204)
    return render(request, "_turn.html", {"turn": drawn})


@router.post("/console/talk")
async def said(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
    admission: TheAdmission,
) -> Response:
    """Decide what somebody said, as a message of the API, and answer it."""
    fields = await request.fields()
    sent: JsonValue = {
        "text": fields["text"],
        "session_id": session_of(caller),
        "source": "console",
    }
    record = await say(sent, caller, executive, work, admission)
    return await _told(request, record, caller, executive)


@router.post("/console/talk/offers/{offer_id}")
async def chosen(
    offer_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Response:
    """Take a click on a chip, as the API does; what it chose from is drawn as it stands now."""
    fields = await request.fields()
    offer = await executive.offer(offer_id, executive.reader(caller))
    for chip in offer.chips:
        if chip.chip_id == fields["chip"]:
            action = executive.catalogue.action(chip.action)
            missing = {name: action.slots[name] for name in chip.missing_slots}
            given = edited(action.model_copy(update={"slots": missing}), {}, fields)
            choosing = executive.choose(offer_id, chip.chip_id, caller, given)
            record = await work.finish(choosing)
            return await _told(request, record, caller, executive, offer_id=offer_id)
    # The store says it in its own words.
    record = await work.finish(executive.choose(offer_id, fields["chip"], caller))
    return await _told(request, record, caller, executive, offer_id=offer_id)


@router.post("/console/talk/undo/{action_id}")
async def undone(
    action_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Response:
    """Take back what was done, as the API does."""
    record = await work.finish(executive.undo(action_id, caller))
    return await _told(request, record, caller, executive)


def session_of(caller: Principal) -> str:
    """Name the conversation that somebody has on these pages."""
    return f"console:{caller.user}"[:LONGEST_NAME]


async def _told(
    request: FormRequest,
    record: DecisionRecord,
    caller: Principal,
    executive: Executive,
    *,
    offer_id: str = "",
) -> Response:
    if not is_htmx(request):
        is_here = record.session_id == session_of(caller)
        way = "/talk" if is_here else f"/decisions/{record.decision_id}"
        return RedirectResponse(at(request, way), status_code=303)
    turn = await _turn(record, caller, executive)
    offer = await executive.offer(offer_id, executive.reader(caller)) if offer_id else None
    page = render(request, "_told.html", {"turn": turn, "was": offer})
    page.headers["HX-Trigger"] = "approvals"
    return page


async def _turn(record: DecisionRecord, caller: Principal, executive: Executive) -> Turn:
    trace = await executive.decision(record.decision_id, executive.reader(caller))
    details = await details_of(trace.record, executive, caller)
    return await turn_of(trace, details, caller, executive)


async def _questions(executive: Executive, caller: Principal) -> list[str]:
    """Find what to ask it about itself, and about what people decided last, if they did."""
    reader = executive.reader(caller)
    newest = await newest_decisions(executive.journal.store, reader, limit=1)
    asked = [f"why did we decide: {one.title}?" for one in newest if len(one.title) < _SHORT]
    return ["why were you silent?", *asked]


def _to_try(executive: Executive, caller: Principal) -> dict[str, str]:
    """Find something to say for each class: that reads, that is offered, that is asked."""
    tries: dict[str, str] = {}
    for action in executive.catalogue.actions.values():
        if action.examples and executive.catalogue.may_ask(action.name, caller.roles):
            tries.setdefault(action.floor, action.examples[0])
        if len(tries) == _MOST_TRIED:
            break
    return dict(sorted(tries.items()))
