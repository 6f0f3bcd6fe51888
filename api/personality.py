"""Personality: how a session is spoken to, and changing that. Spec §14."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, TheExecutive, TheWork
from api.examples.personality import STANDING, TEMPLATES, TRAITS
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.personality import TemplateWish, TraitWish
from api.payloads.sessions import InSession
from state.personality import Personality
from state.talk import TalkRequest

router = APIRouter(route_class=KeyedRoute, tags=["personality"])


@router.get(
    "/v1/personality",
    operation_id="read_personality",
    summary="How is it spoken to?",
    responses={
        200: answers("Personality", STANDING, "The traits and what moves them"),
        **problems(401, 403, 422, 503),
    },
)
async def read_personality(
    wanted: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive
) -> Personality:
    """Say which traits hold now and why: the template's, circumstances, mood, own adjustments.

    They are those of who spoke last in the session. No trait moves a class, a gate or an alert.
    """
    return await executive.characters.standing(caller.tenant_id, wanted.session_id, caller.user)


@router.put(
    "/v1/personality",
    operation_id="set_personality",
    summary="Choose a personality",
    responses={
        200: answers("Personality", STANDING, "The traits now"),
        **problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def set_personality(
    wish: Annotated[TemplateWish, Body(openapi_examples=TEMPLATES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Personality:
    """Choose one of `templates` for yourself, in every session of yours."""
    change = executive.characters.change(caller, wish.session_id, wish.request())
    return await work.finish(change)


@router.patch(
    "/v1/personality",
    operation_id="adjust_trait",
    summary="Adjust a trait",
    responses={
        200: answers("Personality", STANDING, "The traits now"),
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def adjust_trait(
    wish: Annotated[TraitWish, Body(openapi_examples=TRAITS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Personality:
    """Have more or less of one trait for yourself, in every session of yours."""
    change = executive.characters.change(caller, wish.session_id, wish.request())
    return await work.finish(change)


@router.delete(
    "/v1/personality",
    operation_id="reset_personality",
    summary="Be as usual",
    responses={
        200: answers("Personality", STANDING, "The traits now"),
        **problems(401, 403, 422, 429, 503),
    },
)
async def reset_personality(
    end: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive, work: TheWork
) -> Personality:
    """Forget what you had chosen and adjusted; rapport and mood stay."""
    request = TalkRequest(kind="as_usual")
    return await work.finish(executive.characters.change(caller, end.session_id, request))
