"""Personality, skills and the whole state of a session. Source: spec §14."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query

from api.http.dependencies import Caller, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.common import InSession, SessionPageWish, page_of
from api.schemas.session import (
    PERSONALITY,
    SKILL,
    STATE,
    TEMPLATES,
    TRAITS,
    LoadedSkills,
    TemplateWish,
    TraitWish,
)
from graph.executive import Executive
from state.executive_state import ExecutiveState
from state.noun import Name
from state.personality import Personality
from state.principal import Principal
from state.talk import TalkRequest
from tools.platform.texts import t

personality_router = APIRouter(route_class=KeyedRoute, tags=["personality"])


@personality_router.get(
    "/v1/personality",
    operation_id="read_personality",
    responses={
        200: describe_answer("Personality", PERSONALITY, t("api.answer.read_personality")),
        **describe_problems(401, 403, 422, 503),
    },
)
async def read_personality(
    wanted: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive
) -> Personality:
    """Say which traits hold now and why: the template's, circumstances, mood, own adjustments.

    They are those of who spoke last in the session. No trait moves a class, a gate or an alert.
    """
    return await executive.personality.standing(caller.tenant_id, wanted.session_id, caller.user)


@personality_router.put(
    "/v1/personality",
    operation_id="set_personality",
    responses={
        200: describe_answer("Personality", PERSONALITY, t("api.answer.set_personality")),
        **describe_problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def set_personality(
    wish: Annotated[TemplateWish, Body(openapi_examples=TEMPLATES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Personality:
    """Choose one of `templates` for yourself, in every session of yours."""
    change = executive.personality.change(caller, wish.session_id, wish.request())
    return await work.finish(change)


@personality_router.patch(
    "/v1/personality",
    operation_id="adjust_trait",
    responses={
        200: describe_answer("Personality", PERSONALITY, t("api.answer.adjust_trait")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def adjust_trait(
    wish: Annotated[TraitWish, Body(openapi_examples=TRAITS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Personality:
    """Have more or less of one trait for yourself, in every session of yours."""
    change = executive.personality.change(caller, wish.session_id, wish.request())
    return await work.finish(change)


@personality_router.delete(
    "/v1/personality",
    operation_id="reset_personality",
    responses={
        200: describe_answer("Personality", PERSONALITY, t("api.answer.reset_personality")),
        **describe_problems(401, 403, 422, 429, 503),
    },
)
async def reset_personality(
    end: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive, work: TheTasks
) -> Personality:
    """Forget what you had chosen and adjusted; rapport and mood stay."""
    request = TalkRequest(kind="as_usual")
    return await work.finish(executive.personality.change(caller, end.session_id, request))


SkillNamed = Annotated[Name, Path(description="its name, or the one word of it that no other has")]


@personality_router.get(
    "/v1/skills",
    operation_id="list_skills",
    responses={
        200: describe_answer("LoadedSkills", {"skills": [SKILL]}, t("api.answer.list_skills")),
        **describe_problems(401, 403, 422, 503),
    },
)
async def list_skills(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> LoadedSkills:
    """List the skills of the packs: whether each is loaded in a session, and why or when."""
    found = (await _listed(executive, caller, wanted.session_id)).skills
    page, following = page_of(found, wanted, lambda one: one.name)
    return LoadedSkills(skills=page, next_cursor=following)


@personality_router.put(
    "/v1/skills/{name}",
    operation_id="load_skill",
    responses={
        200: describe_answer("LoadedSkills", {"skills": [SKILL]}, t("api.answer.load_skill")),
        **describe_problems(401, 403, 404, 422, 429, 503),
    },
)
async def load_skill(
    name: SkillNamed,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> LoadedSkills:
    """Have a skill speak in this session, whatever its context or the traits are."""
    request = TalkRequest(kind="load_skill", topic=name)
    await work.finish(executive.personality.change(caller, wanted.session_id, request))
    return await _listed(executive, caller, wanted.session_id)


@personality_router.delete(
    "/v1/skills/{name}",
    operation_id="unload_skill",
    responses={
        200: describe_answer("LoadedSkills", {"skills": [SKILL]}, t("api.answer.unload_skill")),
        **describe_problems(401, 403, 404, 422, 429, 503),
    },
)
async def unload_skill(
    name: SkillNamed,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> LoadedSkills:
    """Have a skill be silent in this session until it is loaded again."""
    request = TalkRequest(kind="unload_skill", topic=name)
    await work.finish(executive.personality.change(caller, wanted.session_id, request))
    return await _listed(executive, caller, wanted.session_id)


async def _listed(executive: Executive, caller: Principal, session_id: str) -> LoadedSkills:
    skills = await executive.personality.skills(caller.tenant_id, session_id, caller.user)
    return LoadedSkills(skills=skills)


state_router = APIRouter(route_class=KeyedRoute, tags=["state"])


@state_router.get(
    "/v1/state",
    operation_id="read_state",
    responses={
        200: describe_answer("ExecutiveState", STATE, t("api.answer.read_state")),
        **describe_problems(401, 403, 422, 503),
    },
)
async def read_state(
    wanted: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive
) -> ExecutiveState:
    """Read a session's context, skills, personality, quiet, goals, and what was said last.

    What the person is doing (`user_state`) is told by signals: POST /v1/events of kind `signal`.
    """
    return await executive.states.of(caller.tenant_id, wanted.session_id)
