"""Memory: what was said and how it was taken, and what is known of a thing."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.http.bodies import in_time
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.memory import (
    ENTITY,
    FORGOTTEN,
    SAID,
    ForgetQuery,
    MemoryPage,
    MemoryQuery,
)
from api.payloads.sessions import InSession
from state.errors import BadInput
from state.remembered import EntityMemory, Forgotten

router = APIRouter(route_class=KeyedRoute, tags=["memory"])


@router.get(
    "/v1/memory",
    operation_id="recall",
    summary="Recall what was said",
    responses={
        200: answers("MemoryPage", {"said": [SAID]}, "The nearest first, or the newest"),
        **problems(401, 403, 422, 503),
    },
)
async def recall(
    wanted: Annotated[MemoryQuery, Query()], caller: Caller, executive: TheExecutive
) -> MemoryPage:
    """List what was said about something, by words and by meaning; without `about`, the newest.

    What others said is found in a session that you name; without one, what you said yourself and
    what you were answered. Ours (`said_by=us`) come with what they were, the traits they were said
    with, and how they were taken.
    """
    where, recollection = wanted.where(caller, executive.reader(caller)), executive.recollection
    if wanted.about is None:
        said, following = await recollection.page(where, limit=wanted.limit, after=wanted.cursor)
        return MemoryPage(said=said, next_cursor=following)
    return MemoryPage(said=await recollection.about(wanted.about, where, limit=wanted.limit))


@router.delete(
    "/v1/memory",
    operation_id="forget_me",
    summary="Forget me",
    responses={
        200: answers("Forgotten", FORGOTTEN, "What was kept, and is no more"),
        **problems(401, 403, 422, 429, 503),
    },
)
async def forget_me(
    request: Request,
    wanted: Annotated[ForgetQuery, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Forgotten:
    """Remove what memory holds of the caller: words, answers, goals, reminders, manner, rapport.

    Records of decisions, the journal and the ledger stay: they say what was done, and go by the
    days of `retention`. Somebody else's is removed by `prefrontal memory forget` alone. It cannot
    be undone, so a name that is not the caller's (403), another parameter or a body (422) ends it.
    """
    wanted.demand(caller)
    async with in_time():
        async for part in request.stream():
            if part:
                raise BadInput("this takes no body: it forgets whose key is used, and nobody else")
    return await work.finish(executive.recollection.forget(caller.user, caller.tenant_id))


@router.get(
    "/v1/memory/entities/{entity}",
    operation_id="recall_entity",
    summary="What is known of a thing?",
    responses={
        200: answers("EntityMemory", ENTITY, "Words, decisions and facts"),
        **problems(401, 403, 404, 422, 503),
    },
)
async def recall_entity(
    entity: Identifier,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> EntityMemory:
    """Gather what was said of a thing in a session, what happened to it, and what packs keep."""
    return await executive.recollection.entity(entity, caller.tenant_id, wanted.session_id)
