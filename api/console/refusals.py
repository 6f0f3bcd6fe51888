"""Refused beforehand: what nobody is asked about, by whose word, and asking again."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from api.console.forms import FormRequest
from api.console.pages import at, is_htmx, render
from api.console.route import ConsoleRoute
from api.dependencies import Caller, Identifier, TheExecutive, TheWork

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)


@router.get("/console/refusals")
async def refusals(request: Request, caller: Caller, executive: TheExecutive) -> Response:
    """List what stands, of the actions that this person may approve."""
    context = {"refusals": await executive.refusals(caller), "state": "refusals"}
    return render(request, "refusals.html", context)


@router.post("/console/refusals/{refusal_id}/withdraw")
async def withdraw(
    refusal_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Response:
    """Let people be asked again, as the API does."""
    await work.finish(executive.withdraw_refusal(refusal_id, caller))
    if not is_htmx(request):
        return RedirectResponse(at(request, "/refusals"), status_code=303)
    return render(request, "_refusals.html", {"refusals": await executive.refusals(caller)})
