"""Offers: suggestion chips, and the click on one."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.details import details_of
from api.examples.common import ASKED, CHOICE, OFFER
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.common import Choice, DecisionDetails, OfferFilter, OfferList

router = APIRouter(route_class=KeyedRoute, tags=["offers"])


@router.get(
    "/v1/offers",
    operation_id="list_offers",
    summary="List the chips that can be chosen",
    responses={
        200: answers("OfferList", {"offers": [OFFER]}, "The offers"),
        **problems(401, 422, 503),
    },
)
async def list_offers(
    wanted: Annotated[OfferFilter, Query()], caller: Caller, executive: TheExecutive
) -> OfferList:
    """List the offers of your tenant, newest first."""
    found = await executive.offers(
        executive.reader(caller), open_only=wanted.open, limit=wanted.limit, after=wanted.cursor
    )
    return OfferList(
        offers=tuple(found),
        next_cursor=found[-1].offer_id if len(found) == wanted.limit else None,
    )


@router.post(
    "/v1/offers/{offer_id}",
    operation_id="choose_chip",
    summary="Choose a chip",
    responses={
        200: answers("DecisionDetails", ASKED, "The decision on the choice"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def choose_chip(
    offer_id: Identifier,
    choice: Annotated[Choice, Body(openapi_examples={"choice": {"value": CHOICE}})],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> DecisionDetails:
    """Choose one chip, once; a choice is an event of its own and is judged again.

    A chip of a dangerous action leads to an approval like any other request for it.
    """
    record = await work.finish(
        executive.choose(offer_id, choice.chip_id, caller, dict(choice.arguments))
    )
    return await details_of(record, executive, caller)
