"""Offers of everybody that are still open: who was asked, what, and the chips."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.console.editing import Field
from api.console.pages import render
from api.console.route import ConsoleRoute
from api.console.turns import barred_of, slots_of
from api.dependencies import Caller, TheExecutive
from graph.runner import Executive
from state.offer import Offer
from state.principal import Principal

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

MOST_LISTED = 50


@dataclass(frozen=True)
class OpenOffer:
    """One offer, with the words it answers."""

    offer: Offer
    words: str
    who: str
    slots: dict[str, tuple[Field, ...]]
    barred: Mapping[str, str]
    """Actions of its chips that the one who looks may not choose, and why."""


@router.get("/console/offers")
async def offers(request: Request, caller: Caller, executive: TheExecutive) -> Response:
    """List the chips of the tenant that can be chosen, newest first."""
    found = await executive.offers(executive.reader(caller))
    asked = await asyncio.gather(
        *(_asked(offer, caller, executive) for offer in found[:MOST_LISTED])
    )
    context = {"asked": asked, "total": len(found), "state": "offers"}
    return render(request, "offers.html", context)


async def _asked(offer: Offer, caller: Principal, executive: Executive) -> OpenOffer:
    trace = await executive.decision(offer.decision_id, executive.reader(caller))
    return OpenOffer(
        offer,
        words=str(trace.event.get("text", "")),
        who=str(trace.event.get("user") or trace.event.get("source") or ""),
        slots=slots_of(offer, executive),
        barred=barred_of(offer, caller, executive),
    )
