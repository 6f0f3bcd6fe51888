"""Live: decisions as they happen, each with its path through the stages."""

from typing import Annotated, get_args

from fastapi import APIRouter, Query
from starlette.responses import Response

from api.console.forms import FormRequest
from api.console.pages import render
from api.console.route import ConsoleRoute
from api.console.rows import Watched, newest
from api.dependencies import Caller, TheExecutive
from api.http.bodies import validated
from state.record import Outcome

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

Chosen = Annotated[str, Query(max_length=200)]


@router.get("/console/live")
async def live(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    outcome: Chosen = "",
    session: Chosen = "",
    before: Chosen = "",
) -> Response:
    """Show the newest decisions; the page's script puts what happens next above them.

    Of what was before a row nothing is new: such a page stands still.
    """
    watched = validated(Watched, {"outcome": outcome or None, "session": session or None})
    rows, has_older = await newest(executive, executive.reader(caller), watched, before)
    context = {
        "rows": rows,
        "has_older": has_older,
        "is_past": bool(before),
        "watched": watched,
        "outcomes": get_args(Outcome),
    }
    return render(request, "live.html", context)
