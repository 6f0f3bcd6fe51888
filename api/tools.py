"""The tools of MCP servers: how each is pinned, and a person's yes to a change of one."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, TheExecutive, TheWork
from api.http.describing import answers, problems
from api.http.paging import PageWish, page_of
from api.http.route import KeyedRoute
from api.payloads.tools import ACCEPTANCES, ACCEPTED, CHANGED, ToolPage
from state.tool_pin import PinnedTool, ToolAcceptance

router = APIRouter(route_class=KeyedRoute, tags=["approvals"])


@router.get(
    "/v1/tools",
    operation_id="list_tools",
    summary="List the pinned tools of MCP servers",
    responses={
        200: answers("ToolPage", {"tools": [CHANGED]}, "Changed ones first"),
        **problems(401, 422, 503),
    },
)
async def list_tools(
    wanted: Annotated[PageWish, Query()], caller: Caller, executive: TheExecutive
) -> ToolPage:
    """List every tool that was seen, with what its server says of it by now.

    A tool that is `changed` is not used until somebody accepts `changes`.
    """
    del caller  # servers are the deployment's: every key sees them
    found = await executive.tools.list()
    page, following = page_of(found, wanted, lambda one: one.id)
    return ToolPage(tools=page, next_cursor=following)


@router.post(
    "/v1/tools/accept",
    operation_id="accept_tool",
    summary="Accept what a tool has become",
    responses={
        200: answers("PinnedTool", ACCEPTED, "It is pinned as it is described now"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def accept_tool(
    given: Annotated[ToolAcceptance, Body(openapi_examples=ACCEPTANCES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> PinnedTool:
    """Pin a changed tool anew, by the hash of the change that was read.

    It is used from the next start. Whoever may approve what the tool does may do this, and the
    acceptance is kept for good.
    """
    return await work.finish(executive.tools.accept(given, caller))
