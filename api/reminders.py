"""Reminders: what a session will be told, and when."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.examples.reminders import REMINDER, WISHES
from api.http.describing import answers, problems
from api.http.paging import SessionPageWish
from api.http.route import KeyedRoute
from api.payloads.reminders import ReminderPage, ReminderWish
from api.payloads.sessions import InSession
from state.errors import Forbidden, NotFound
from state.initiative import Reminder
from state.talk import TalkRequest

router = APIRouter(route_class=KeyedRoute, tags=["reminders"])


@router.get(
    "/v1/reminders",
    operation_id="list_reminders",
    summary="List what waits to be told",
    responses={
        200: answers("ReminderPage", {"reminders": [REMINDER]}, "The next first"),
        **problems(401, 403, 422, 503),
    },
)
async def list_reminders(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> ReminderPage:
    """List the reminders of a session that have not been told."""
    found = await executive.initiating.reminders.page(
        caller.tenant_id, wanted.session_id, limit=wanted.limit, after=wanted.cursor
    )
    following = found[-1].reminder_id if len(found) == wanted.limit else None
    return ReminderPage(reminders=found, next_cursor=following)


@router.post(
    "/v1/reminders",
    operation_id="ask_reminder",
    summary="Ask to be reminded",
    responses={
        200: answers("Reminder", REMINDER, "It is put down"),
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def ask_reminder(
    wish: Annotated[ReminderWish, Body(openapi_examples=WISHES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Reminder:
    """Put a reminder down: told at its time, after the quiet if there is one, late if need be.

    Whoever may change nothing here cannot ask for it (403). 422: it lies too far ahead, or too
    many wait.
    """
    reminding = executive.attention.remind(caller, wish.session_id, wish.text, wish.due)
    return await work.finish(reminding)


@router.delete(
    "/v1/reminders/{reminder_id}",
    operation_id="cancel_reminder",
    summary="Call a reminder off",
    responses={
        200: answers("ReminderPage", {"reminders": []}, "What still waits"),
        **problems(401, 403, 404, 422, 429, 503),
    },
)
async def cancel_reminder(
    reminder_id: Identifier,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> ReminderPage:
    """Call one off that you asked for and that was not told yet; one of somebody else's: 403."""
    reminders = executive.initiating.reminders
    waiting = await reminders.waiting(caller.tenant_id, wanted.session_id)
    named = [one for one in waiting if one.reminder_id == reminder_id]
    if not named:
        raise NotFound("reminder", reminder_id)
    if not named[0].is_of(caller.user):
        raise Forbidden("it is somebody else's reminder; who asked for it calls it off")
    request = TalkRequest(kind="no_reminder", topic=reminder_id)
    await work.finish(executive.attention.change(caller, wanted.session_id, request))
    return ReminderPage(reminders=await reminders.waiting(caller.tenant_id, wanted.session_id))
