"""Skills: what shapes the words in a session, loading and unloading. Spec §14."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from api.dependencies import Caller, TheExecutive, TheWork
from api.examples.personality import SKILL
from api.http.describing import answers, problems
from api.http.paging import SessionPageWish, page_of
from api.http.route import KeyedRoute
from api.payloads.personality import LoadedSkills
from api.payloads.sessions import InSession
from graph.runner import Executive
from state.noun import Name
from state.principal import Principal
from state.talk import TalkRequest

router = APIRouter(route_class=KeyedRoute, tags=["personality"])

SkillNamed = Annotated[Name, Path(description="its name, or the one word of it that no other has")]


@router.get(
    "/v1/skills",
    operation_id="list_skills",
    summary="Which skills speak?",
    responses={
        200: answers("LoadedSkills", {"skills": [SKILL]}, "Every skill of the packs"),
        **problems(401, 403, 422, 503),
    },
)
async def list_skills(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> LoadedSkills:
    """List the skills of the packs: whether each is loaded in a session, and why or when."""
    found = (await _listed(executive, caller, wanted.session_id)).skills
    page, following = page_of(found, wanted, lambda one: one.name)
    return LoadedSkills(skills=page, next_cursor=following)


@router.put(
    "/v1/skills/{name}",
    operation_id="load_skill",
    summary="Load a skill",
    responses={
        200: answers("LoadedSkills", {"skills": [SKILL]}, "Every skill as it stands now"),
        **problems(401, 403, 404, 422, 429, 503),
    },
)
async def load_skill(
    name: SkillNamed,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> LoadedSkills:
    """Have a skill speak in this session, whatever its context or the traits are."""
    request = TalkRequest(kind="load_skill", topic=name)
    await work.finish(executive.characters.change(caller, wanted.session_id, request))
    return await _listed(executive, caller, wanted.session_id)


@router.delete(
    "/v1/skills/{name}",
    operation_id="unload_skill",
    summary="Unload a skill",
    responses={
        200: answers("LoadedSkills", {"skills": [SKILL]}, "Every skill as it stands now"),
        **problems(401, 403, 404, 422, 429, 503),
    },
)
async def unload_skill(
    name: SkillNamed,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> LoadedSkills:
    """Have a skill be silent in this session until it is loaded again."""
    request = TalkRequest(kind="unload_skill", topic=name)
    await work.finish(executive.characters.change(caller, wanted.session_id, request))
    return await _listed(executive, caller, wanted.session_id)


async def _listed(executive: Executive, caller: Principal, session_id: str) -> LoadedSkills:
    skills = await executive.characters.skills(caller.tenant_id, session_id, caller.user)
    return LoadedSkills(skills=skills)
