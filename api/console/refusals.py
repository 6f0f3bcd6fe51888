"""Refused beforehand: what nobody is asked about, by whose word, and asking again."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from api.console.forms import FormRequest
from api.console.pages import at, is_htmx, render
from api.console.route import ConsoleRoute
from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from graph.runner import Executive
from state.noun import LONGEST_NAME
from state.principal import Principal

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

MOST_LISTED = 50


@router.get("/console/refusals")
async def refusals(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    after: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
) -> Response:
    """List what stands, of the actions that this person may approve."""
    listed = await _listed(caller, executive, after)
    return render(request, "refusals.html", listed | {"state": "refusals", "after": after})


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
    return render(request, "_refusals.html", await _listed(caller, executive))


async def _listed(caller: Principal, executive: Executive, after: str = "") -> dict[str, object]:
    """Read a page, newest first; `more` is the last one of it where others follow."""
    found = await executive.refusals(caller, limit=MOST_LISTED + 1, after=after or None)
    listed = found[:MOST_LISTED]
    return {
        "refusals": listed,
        "more": listed[-1].refusal_id if len(found) > MOST_LISTED else "",
    }
