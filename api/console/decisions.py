"""One decision whole: what came, every stage with its numbers, and what would have changed it."""

from fastapi import APIRouter
from starlette.responses import Response

from api.console.forms import FormRequest
from api.console.pages import render
from api.console.route import ConsoleRoute
from api.console.trail import trail_of
from api.dependencies import Caller, Identifier, TheExecutive
from graph.words.explain import explain

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)


@router.get("/console/decisions/{decision_id}")
async def decision(
    decision_id: Identifier, request: FormRequest, caller: Caller, executive: TheExecutive
) -> Response:
    """Say what `prefrontal why` says, with the path drawn."""
    trace = await executive.decision(decision_id, executive.reader(caller))
    came, made, *stages, changed = explain(trace)
    context = {
        "trace": trace,
        "trail": trail_of(trace),
        "came": came,
        "made": made,
        "stages": stages,
        "changed": changed,
    }
    return render(request, "decision.html", context)
