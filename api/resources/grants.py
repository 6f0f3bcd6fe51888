"""Grants: calls that a person allows in advance; make, list and revoke them."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.http.dependencies import Caller, Identifier, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.common import PageWish
from api.schemas.grants import GRANT, NEW_GRANT, REVOKED, GrantList
from state.grant import Grant, NewGrant
from tools.platform.texts import t

router = APIRouter(route_class=KeyedRoute, tags=["approvals"])


@router.get(
    "/v1/grants",
    operation_id="list_grants",
    responses={
        200: describe_answer("GrantList", {"grants": [GRANT]}, t("api.answer.list_grants")),
        **describe_problems(401, 422, 503),
    },
)
async def list_grants(
    wanted: Annotated[PageWish, Query()], caller: Caller, executive: TheExecutive
) -> GrantList:
    """List the grants that can still be used, of the actions that your roles may approve."""
    found = await executive.grants.list(caller, limit=wanted.limit, after=wanted.cursor)
    following = found[-1].grant_id if len(found) == wanted.limit else None
    return GrantList(grants=tuple(found), next_cursor=following)


@router.post(
    "/v1/grants",
    operation_id="add_grant",
    responses={
        200: describe_answer("Grant", GRANT, t("api.answer.add_grant")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def add_grant(
    wanted: Annotated[NewGrant, Body(openapi_examples={"grant": {"value": NEW_GRANT}})],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Grant:
    """Allow calls like one that you were shown: within a pattern, for a while, up to a limit.

    Whoever may approve that one may do this. It covers calls of the same agent for the same
    requester. Four eyes, quorums, typed phrases, untrusted content and undo need people as ever.
    """
    return await work.finish(executive.grants.add(wanted, caller))


@router.delete(
    "/v1/grants/{grant_id}",
    operation_id="revoke_grant",
    responses={
        200: describe_answer("Grant", REVOKED, t("api.answer.revoke_grant")),
        **describe_problems(401, 403, 404, 409, 429, 503),
    },
)
async def revoke_grant(
    grant_id: Identifier, caller: Caller, executive: TheExecutive, work: TheTasks
) -> Grant:
    """Revoke a grant; what it allowed and has not begun does not run."""
    return await work.finish(executive.grants.revoke(grant_id, caller))
