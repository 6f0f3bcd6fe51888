"""State: what it goes by in a session now, and what it did last."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.dependencies import Caller, TheExecutive
from api.examples.state import STATE
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.sessions import InSession
from state.executive_state import ExecutiveState

router = APIRouter(route_class=KeyedRoute, tags=["state"])


@router.get(
    "/v1/state",
    operation_id="read_state",
    summary="What does it go by now?",
    responses={
        200: answers("ExecutiveState", STATE, "The whole state"),
        **problems(401, 403, 422, 503),
    },
)
async def read_state(
    wanted: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive
) -> ExecutiveState:
    """Read a session's context, skills, personality, quiet, goals, and what was said last.

    What the person is doing (`user_state`) is told by signals: POST /v1/events of kind `signal`.
    """
    return await executive.states.of(caller.tenant_id, wanted.session_id)
