"""Modulations: what moves attention by request or by habit, and taking it back."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query

from api.dependencies import Caller, TheExecutive, TheWork
from api.http.describing import answers, problems
from api.http.paging import SessionPageWish, page_of
from api.http.route import KeyedRoute
from api.payloads.modulations import MODULATION, WISHES, ModulationPage, ModulationWish
from api.payloads.sessions import InSession
from state.noun import LONGEST_NAME

router = APIRouter(route_class=KeyedRoute, tags=["quiet"])
_PAGE = answers("ModulationPage", {"modulations": [MODULATION]}, "What holds now")


@router.get(
    "/v1/modulations",
    operation_id="list_modulations",
    summary="What moves attention?",
    responses={200: _PAGE, **problems(401, 403, 422, 503)},
)
async def list_modulations(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> ModulationPage:
    """List rules that people asked for or agreed to, the threshold, and what it is used to."""
    found = await executive.attention.modulations(caller.tenant_id, wanted.session_id)
    page, following = page_of(found, wanted, lambda one: one.modulation_id)
    return ModulationPage(modulations=page, next_cursor=following)


@router.post(
    "/v1/modulations",
    operation_id="modulate",
    summary="Suppress, heighten, habituate, or adjust the threshold",
    responses={200: _PAGE, **problems(400, 401, 403, 413, 415, 422, 429, 503)},
)
async def modulate(
    wish: Annotated[ModulationWish, Body(openapi_examples=WISHES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> ModulationPage:
    """Change what gets attention in a session; a suppression is the same as that of /v1/quiet.

    Whoever may change nothing here cannot ask for it (403).
    """
    await work.finish(executive.attention.change(caller, wish.session_id, wish.request()))
    found = await executive.attention.modulations(caller.tenant_id, wish.session_id)
    return ModulationPage(modulations=found)


@router.delete(
    "/v1/modulations/{modulation_id}",
    operation_id="take_back_modulation",
    summary="Take a modulation back",
    responses={200: _PAGE, **problems(401, 403, 404, 422, 429, 503)},
)
async def take_back(
    modulation_id: Annotated[str, Path(max_length=3 * LONGEST_NAME)],
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> ModulationPage:
    """Undo one: the topic is judged as ever, the threshold is the usual one, the thing is fresh."""
    change = executive.attention.take_back(caller, wanted.session_id, modulation_id)
    return ModulationPage(modulations=await work.finish(change))
