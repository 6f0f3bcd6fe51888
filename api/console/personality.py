"""Personality and skills: how a session is spoken to, what moves that, and changing it."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import JsonValue
from starlette.responses import RedirectResponse, Response

from api.console.forms import Form, FormRequest
from api.console.pages import in_session, is_htmx, render
from api.console.route import ConsoleRoute
from api.console.sessions_seen import sessions_seen
from api.dependencies import Caller, TheExecutive, TheWork
from api.http.bodies import validated
from api.http.problems import INVALID, Problem
from api.payloads.personality import TemplateWish, TraitWish
from api.payloads.sessions import InSession
from graph.runner import Executive
from state.personality import TRAITS, Personality, TraitName
from state.principal import Principal
from state.talk import TalkRequest
from tools.policy.talk_rights import REFUSAL, may_ask_for

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

CHANGES: Mapping[TraitName, str] = {
    "humor": "how readily it jokes",
    "sarcasm": "from .50 on a style of that kind shows, as often as this is high",
    "formality": "from .70 “do not” for “don’t”; below .30 the other way round",
    "proactive": "moves what speaking costs, by up to .20, and how often it checks in",
    "enthusiasm": "from .60 very relevant things do not wait",
    "helpfulness": "more suggestions, and more questions where things are unsure",
    "verbosity": "below .30 the first sentence alone, if nothing is lost by that",
}
"""What each trait changes, as docs/personality.md has it; none a class, a gate or an alert."""


@router.get("/console/personality")
async def personality(
    request: FormRequest,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> Response:
    """Show which traits hold now and what each is made of, and the skills."""
    standing = await executive.characters.standing(caller.tenant_id, wanted.session_id, caller.user)
    context = await _context(executive, caller, standing)
    context["sessions"] = await sessions_seen(executive, executive.reader(caller))
    return render(request, "personality.html", context)


@router.post("/console/personality")
async def change(
    request: FormRequest, caller: Caller, executive: TheExecutive, work: TheWork
) -> Response:
    """Change how one is spoken to, or which skills speak, as the API does."""
    fields = await request.fields()
    wanted = validated(InSession, {"session_id": fields["session_id"] or "default"})
    changing = executive.characters.change(caller, wanted.session_id, _wish(fields))
    standing = await work.finish(changing)
    if not is_htmx(request):
        return RedirectResponse(in_session(request, "/personality", standing.session_id), 303)
    return render(request, "_character.html", await _context(executive, caller, standing))


def _wish(fields: Form) -> TalkRequest:
    """Read which of the page's forms was sent.

    Raises:
        Problem: 422, it is none of them, or its value is none.
    """
    match fields["do"]:
        case "trait":
            sent: dict[str, JsonValue] = {"trait": fields["trait"], "value": _level(fields)}
            return validated(TraitWish, sent).request()
        case "template":
            return validated(TemplateWish, {"template": fields["template"]}).request()
        case "reset":
            return TalkRequest(kind="as_usual")
        case "load":
            return TalkRequest(kind="load_skill", topic=fields["skill"])
        case "unload":
            return TalkRequest(kind="unload_skill", topic=fields["skill"])
        case _:
            raise Problem(INVALID, "the form asks for nothing that can be changed here")


def _level(fields: Form) -> JsonValue:
    try:
        return float(fields["value"])
    except ValueError:
        return fields["value"]  # no number: the field's own check says so


async def _context(
    executive: Executive, caller: Principal, standing: Personality
) -> dict[str, Any]:  # what the templates show
    can = may_ask_for(TalkRequest(kind="as_usual"), executive.catalogue, caller.roles)
    skills = await executive.characters.skills(caller.tenant_id, standing.session_id, caller.user)
    return {
        "standing": standing,
        "traits": [_trait(standing, name) for name in TRAITS],
        "skills": skills,
        "why_not": "" if can else REFUSAL,
    }


def _trait(standing: Personality, name: TraitName) -> dict[str, Any]:  # one slider
    parts = (
        ("circumstances", getattr(standing.context_modifiers, name)),
        ("mood and rapport", getattr(standing.mood_modifiers, name)),
        ("your wish", getattr(standing.user_overrides, name)),
    )
    return {
        "name": name,
        "level": getattr(standing.effective_traits, name),
        "base": getattr(standing.base_traits, name),
        "parts": [(words, moved) for words, moved in parts if round(moved, 2)],
        "changes": CHANGES[name],
    }
