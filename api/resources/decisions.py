"""Decisions with their records, actions with their undo, and offers with the choice of a chip."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.http.dependencies import Caller, Identifier, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.resources.events import details_of
from api.schemas.common import (
    ActionFilter,
    ActionList,
    Choice,
    DecisionDetails,
    DecisionFilter,
    DecisionPage,
    OfferFilter,
    OfferList,
)
from api.schemas.examples import ASKED, CHOICE, OFFER, PAGE, SETTLED, TRACE
from state.cursor import cursor_of
from state.dialog import ShownApproval
from state.errors import NotFound
from state.record import DecisionTrace
from tools.platform.texts import t

decisions_router = APIRouter(route_class=KeyedRoute, tags=["decisions"])


@decisions_router.get(
    "/v1/decisions",
    operation_id="list_decisions",
    responses={
        200: describe_answer("DecisionPage", PAGE, t("api.answer.list_decisions")),
        **describe_problems(401, 403, 422, 503),
    },
)
async def list_decisions(
    wanted: Annotated[DecisionFilter, Query()], caller: Caller, executive: TheExecutive
) -> DecisionPage:
    """List the records of your tenant; follow `next_cursor` for older ones."""
    records = await executive.records.newest(
        executive.readers.of(caller),
        session_id=wanted.session_id,
        outcome=wanted.outcome,
        before=wanted.cursor,
        limit=wanted.limit,
    )
    full = len(records) == wanted.limit
    return DecisionPage(
        decisions=tuple(records), next_cursor=cursor_of(records[-1]) if full else None
    )


@decisions_router.get(
    "/v1/decisions/{decision_id}",
    operation_id="read_decision",
    responses={
        200: describe_answer("DecisionTrace", TRACE, t("api.answer.read_decision")),
        **describe_problems(401, 404, 503),
    },
)
async def read_decision(
    decision_id: Identifier, caller: Caller, executive: TheExecutive
) -> DecisionTrace:
    """Read the record, the event, and what each stage added; 404 until it is decided."""
    return await executive.records.trace(decision_id, executive.readers.of(caller))


offers_router = APIRouter(route_class=KeyedRoute, tags=["offers"])


@offers_router.get(
    "/v1/offers",
    operation_id="list_offers",
    responses={
        200: describe_answer("OfferList", {"offers": [OFFER]}, t("api.answer.list_offers")),
        **describe_problems(401, 422, 503),
    },
)
async def list_offers(
    wanted: Annotated[OfferFilter, Query()], caller: Caller, executive: TheExecutive
) -> OfferList:
    """List the offers of your tenant, newest first."""
    found = await executive.offers.list(
        executive.readers.of(caller), open_only=wanted.open, limit=wanted.limit, after=wanted.cursor
    )
    return OfferList(
        offers=tuple(found),
        next_cursor=found[-1].offer_id if len(found) == wanted.limit else None,
    )


@offers_router.post(
    "/v1/offers/{offer_id}",
    operation_id="choose_chip",
    responses={
        200: describe_answer("DecisionDetails", ASKED, t("api.answer.choose_chip")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def choose_chip(
    offer_id: Identifier,
    choice: Annotated[Choice, Body(openapi_examples={"choice": {"value": CHOICE}})],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> DecisionDetails:
    """Choose one chip, once; a choice is an event of its own and is judged again.

    A chip of a dangerous action leads to an approval like any other request for it.
    """
    record = await work.finish(
        executive.offers.choose(offer_id, choice.chip_id, caller, dict(choice.arguments))
    )
    return await details_of(record, executive, caller)


actions_router = APIRouter(route_class=KeyedRoute, tags=["actions"])


@actions_router.get(
    "/v1/actions",
    operation_id="list_actions",
    responses={
        200: describe_answer("ActionList", {"actions": [SETTLED]}, t("api.answer.list_actions")),
        **describe_problems(401, 422, 503),
    },
)
async def list_actions(
    wanted: Annotated[ActionFilter, Query()], caller: Caller, executive: TheExecutive
) -> ActionList:
    """List the changes of your tenant: chosen, approved, undone; reads are not among them."""
    found = await executive.actions.list(
        executive.readers.of(caller),
        undoable_only=wanted.undoable,
        limit=wanted.limit,
        after=wanted.cursor,
    )
    return ActionList(
        actions=tuple(executive.approvals.show(one) for one in found),
        next_cursor=found[-1].action_id if len(found) == wanted.limit else None,
    )


@actions_router.get(
    "/v1/actions/{action_id}",
    operation_id="read_action",
    responses={
        200: describe_answer("ShownApproval", SETTLED, t("api.answer.read_action")),
        **describe_problems(401, 404, 503),
    },
)
async def read_action(
    action_id: Identifier, caller: Caller, executive: TheExecutive
) -> ShownApproval:
    """Read how an action stands, until when it can be undone, and who undid it."""
    try:
        return executive.approvals.show(
            await executive.approvals.get(action_id, executive.readers.of(caller))
        )
    except NotFound:
        raise NotFound("action", action_id) from None


@actions_router.post(
    "/v1/actions/{action_id}/undo",
    operation_id="undo_action",
    responses={
        200: describe_answer("DecisionDetails", ASKED, t("api.answer.undo_action")),
        **describe_problems(401, 403, 404, 409, 415, 429, 503),
    },
)
async def undo_action(
    action_id: Identifier, caller: Caller, executive: TheExecutive, work: TheTasks
) -> DecisionDetails:
    """Undo what succeeded, once, while its time runs (`undo_until`); no body is needed.

    An undo is an action too: it runs at once, or leads to an approval when it is dangerous
    itself. One that was refused or failed leaves the action as it was, to be undone again.
    """
    record = await work.finish(executive.actions.undo(action_id, caller))
    return await details_of(record, executive, caller)
