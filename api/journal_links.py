"""Which decision of the journal replaces which: said, listed, accepted and refused."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query

from api.dependencies import Caller, JournalWriter, TheExecutive
from api.examples.journal import LINK, LINKS, NEW_LINK, SETTLE
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.journal import DecisionLinks, LinksWanted, NewLink, SettleLink
from state.journal import DecisionLink

router = APIRouter(route_class=KeyedRoute, tags=["journal"])


@router.post(
    "/v1/journal/links",
    operation_id="link_superseding_decision",
    summary="Say that one decision replaces another",
    responses={
        200: answers("DecisionLink", LINK, "The link; both decisions stand accordingly"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
    },
)
async def link_superseding_decision(
    given: Annotated[NewLink, Body(openapi_examples={"replaced": {"value": NEW_LINK}})],
    caller: JournalWriter,
    executive: TheExecutive,
) -> DecisionLink:
    """Link two decisions of your tenant; the same again changes nothing.

    Persons only, who may change something here.
    """
    return await executive.journal.link(
        given.newer, given.older, caller, reason=given.reason, scope=given.scope
    )


@router.get(
    "/v1/journal/links",
    operation_id="list_decision_links",
    summary="List which decision replaces which",
    responses={
        200: answers("DecisionLinks", LINKS, "Newest first"),
        **problems(401, 422, 503),
    },
)
async def list_decision_links(
    wanted: Annotated[LinksWanted, Query()], caller: Caller, executive: TheExecutive
) -> DecisionLinks:
    """List links of your tenant; what rules found and nobody settled is `proposed`."""
    found = await executive.journal.succession.list(
        executive.reader(caller), standing=wanted.standing, limit=wanted.limit, before=wanted.cursor
    )
    is_full = len(found) == wanted.limit
    return DecisionLinks(links=tuple(found), next_cursor=found[-1].link_id if is_full else None)


@router.post(
    "/v1/journal/links/{link_id}",
    operation_id="settle_decision_link",
    summary="Accept or refuse a link",
    responses={
        200: answers("DecisionLink", LINK, "The link as it stands now"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
    },
)
async def settle_decision_link(
    link_id: Annotated[int, Path(ge=1, le=2**53)],
    given: Annotated[SettleLink, Body(openapi_examples={"yes": {"value": SETTLE}})],
    caller: JournalWriter,
    executive: TheExecutive,
) -> DecisionLink:
    """Settle a link of your tenant; refusing one that was accepted takes it back.

    Persons only, who may change something here.
    """
    return await executive.journal.settle(link_id, caller, accept=given.accept)
