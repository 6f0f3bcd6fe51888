"""Messages: what a person says, answered with everything the answer asks of them."""

from fastapi import APIRouter
from pydantic import JsonValue
from starlette.requests import Request

from api.dependencies import Caller, TheAdmission, TheExecutive, TheWork
from api.details import details_of
from api.examples.common import ASKED, MESSAGE
from api.http.admission import Admission
from api.http.bodies import validated
from api.http.describing import answers, problems, takes
from api.http.route import KeyedRoute
from api.payloads.common import DecisionDetails, Message
from api.speaking import event_of, refuse_long_text
from api.work import Work
from graph.runner import Executive
from state.principal import Principal

router = APIRouter(route_class=KeyedRoute, tags=["events"])


@router.post(
    "/v1/messages",
    operation_id="send_message",
    summary="Say something and get the answer",
    response_model=DecisionDetails,
    responses={
        200: answers("DecisionDetails", ASKED, "The decision, with its offer or approval inside"),
        **problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={"requestBody": takes("Message", {"message": MESSAGE})},
)
async def send_message(
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
    admission: TheAdmission,
) -> DecisionDetails:
    """Take a person's message, decide, and answer with chips or the approval it waits for."""
    return await say(await request.json(), caller, executive, work, admission)


async def say(
    sent: JsonValue, caller: Principal, executive: Executive, work: Work, admission: Admission
) -> DecisionDetails:
    """Decide a message of `caller`, whichever door it came through.

    Raises:
        Problem: 413 or 422, it is no message; 429, too many came.
        Forbidden: it names another tenant, or a user or role the caller is not.
    """
    refuse_long_text(sent)
    message = validated(Message, sent)
    spoken = message.model_dump(exclude_unset=True, exclude_none=True) | {"kind": "message"}
    event = event_of(spoken, caller, executive)
    admission.charge(caller.tenant_id)
    record = await work.finish(executive.submit(event))
    return await details_of(record, executive, caller)
