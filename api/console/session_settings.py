"""Quiet and personality of a session: how it stands, what comes next, and changing it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import JsonValue
from starlette.responses import RedirectResponse, Response

from api.console.forms import Form, FormRequest
from api.console.rendering import is_htmx, render, session_url
from api.console.route import ConsoleRoute, PollRoute
from api.http.bodies import validated
from api.http.dependencies import Caller, TheExecutive, TheTasks
from api.http.problems import INVALID, Problem
from api.schemas.attention import ModulationWish, QuietEnd, QuietWish
from api.schemas.common import InSession
from api.schemas.session import TemplateWish, TraitWish
from graph.executive import Executive
from graph.presenters.status import quiet_reason
from state.initiative import Reminder
from state.personality import TRAITS, Personality, TraitName
from state.principal import Principal
from state.quietness import Quietness
from state.reader import Reader
from state.talk import TalkRequest
from tools.access.permissions import may_control
from tools.platform.texts import t

_LOOKED_AT = 200


async def recent_sessions(executive: Executive, reader: Reader) -> tuple[str, ...]:
    """Name the sessions of the newest decisions, the latest first."""
    newest = await executive.records.newest(reader, limit=_LOOKED_AT)
    return tuple(dict.fromkeys(record.session_id for record in newest))


MOST_TIMES = 12


@dataclass(frozen=True)
class NextTime:
    """Something that comes by itself at its time."""

    at: datetime
    what: str
    about: str = ""


def next_times(
    standing: Quietness, reminders: Sequence[Reminder], zone: tzinfo
) -> Sequence[NextTime]:
    """List what comes by itself, the next first; no more than fit into a card."""
    found = sorted(_times(standing, reminders, zone), key=lambda one: (one.at, one.what))
    return found[:MOST_TIMES]


def _times(standing: Quietness, reminders: Sequence[Reminder], zone: tzinfo) -> Iterator[NextTime]:
    if standing.is_quiet and standing.until:
        yield NextTime(standing.until, t("console.schedule.usual"))
    if standing.quiet_hours:
        yield NextTime(
            standing.quiet_hours.next_start(standing.at, zone), t("console.schedule.quiet_hours")
        )
    for topic in standing.topics:
        if topic.until:
            done = (
                t("console.schedule.muted")
                if topic.kind == "suppress"
                else t("console.schedule.watched")
            )
            yield NextTime(topic.until, done, topic.topic)
    for held in standing.waiting:
        yield NextTime(held.until, t("console.schedule.waiting"), held.text)
    for one in reminders:
        yield NextTime(one.due_at, t("console.schedule.reminder", user=one.user), one.text)


router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)
polled = APIRouter(route_class=PollRoute, include_in_schema=False)

_WHOLE_DAY_MINUTES = 1_440


@router.get("/console/quiet")
async def quiet(
    request: FormRequest,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> Response:
    """Say how a session stands on speaking, and offer what can be asked of it."""
    standing = await executive.controls.standing(caller.tenant_id, wanted.session_id)
    context = await _quiet_context(standing, caller, executive) | {
        "sessions": await recent_sessions(executive, executive.readers.of(caller)),
        "most_minutes": _WHOLE_DAY_MINUTES,
    }
    return render(request, "quiet.html", context)


@polled.get("/console/quiet/standing")
async def standing(
    request: FormRequest,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> Response:
    """Draw how it stands anew."""
    now = await executive.controls.standing(caller.tenant_id, wanted.session_id)
    return render(request, "_standing.html", await _quiet_context(now, caller, executive))


@router.post("/console/quiet")
async def change_quiet(
    request: FormRequest, caller: Caller, executive: TheExecutive, work: TheTasks
) -> Response:
    """Ask for quiet or end it, as the API does."""
    fields = await request.fields()
    session_id = fields["session_id"] or "default"
    changing = executive.controls.change(caller, session_id, _quiet_request(fields, session_id))
    now = await work.finish(changing)
    if not is_htmx(request):
        return RedirectResponse(session_url(request, "/quiet", now.session_id), 303)
    return render(request, "_standing.html", await _quiet_context(now, caller, executive))


def _quiet_request(fields: Form, session_id: str) -> TalkRequest:
    """Read which of the page's forms was sent.

    Raises:
        Problem: 422, it asks for nothing, or for what is none.
    """
    sent: dict[str, JsonValue] = {"session_id": session_id}
    if fields["do"] == "end":
        if fields["topic"]:
            sent["topic"] = fields["topic"]
        sent["quiet_hours"] = fields["hours"] == "yes"
        return validated(QuietEnd, sent).request()
    if fields["do"] == "watch":
        sent |= {"kind": "heighten", "topic": fields["topic"] or None}
        minutes = _number(fields["minutes"]) if fields["minutes"] else None
        sent["seconds"] = minutes * 60 if isinstance(minutes, float) else minutes
        return validated(ModulationWish, sent).request()
    if fields["minutes"]:
        sent["minutes"] = _number(fields["minutes"])
    if fields["topic"]:
        sent |= {"topic": fields["topic"], "threats": fields["threats"] == "yes"}
    if fields["starts"] or fields["ends"]:
        sent["quiet_hours"] = {"starts": fields["starts"], "ends": fields["ends"]}
    return validated(QuietWish, sent).request()


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text  # no number: the field's own check says so


async def _quiet_context(
    standing: Quietness, caller: Principal, executive: Executive
) -> dict[str, object]:
    can = may_control(TalkRequest(kind="quiet"), executive.catalogue, caller.roles)
    place = (caller.tenant_id, standing.session_id)
    reminders = await executive.reminders.waiting(*place)
    return {
        "standing": standing,
        "said": quiet_reason(standing),
        "why_not": "" if can else t("dialogue.refused.control"),
        "budget": await executive.controls.budget(*place),
        "times": next_times(standing, reminders, executive.settings.zone),
    }


@router.get("/console/personality")
async def personality(
    request: FormRequest,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> Response:
    """Show which traits hold now and what each is made of, and the skills."""
    standing = await executive.personality.standing(
        caller.tenant_id, wanted.session_id, caller.user
    )
    context = await _personality_context(executive, caller, standing)
    context["sessions"] = await recent_sessions(executive, executive.readers.of(caller))
    return render(request, "personality.html", context)


@router.post("/console/personality")
async def change_personality(
    request: FormRequest, caller: Caller, executive: TheExecutive, work: TheTasks
) -> Response:
    """Change how one is spoken to, or which skills speak, as the API does."""
    fields = await request.fields()
    wanted = validated(InSession, {"session_id": fields["session_id"] or "default"})
    changing = executive.personality.change(caller, wanted.session_id, _personality_request(fields))
    standing = await work.finish(changing)
    if not is_htmx(request):
        return RedirectResponse(session_url(request, "/personality", standing.session_id), 303)
    return render(
        request, "_character.html", await _personality_context(executive, caller, standing)
    )


def _personality_request(fields: Form) -> TalkRequest:
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
            raise Problem(INVALID, t("console.form.no_change"))


def _level(fields: Form) -> JsonValue:
    try:
        return float(fields["value"])
    except ValueError:
        return fields["value"]  # no number: the field's own check says so


async def _personality_context(
    executive: Executive, caller: Principal, standing: Personality
) -> dict[str, Any]:  # what the templates show
    can = may_control(TalkRequest(kind="as_usual"), executive.catalogue, caller.roles)
    skills = await executive.personality.skills(caller.tenant_id, standing.session_id, caller.user)
    return {
        "standing": standing,
        "traits": [_trait(standing, name) for name in TRAITS],
        "skills": skills,
        "why_not": "" if can else t("dialogue.refused.control"),
    }


def _trait(standing: Personality, name: TraitName) -> dict[str, Any]:  # one slider
    parts = (
        (t("console.personality.circumstances"), getattr(standing.context_modifiers, name)),
        (t("console.personality.mood_and_rapport"), getattr(standing.mood_modifiers, name)),
        (t("console.personality.your_setting"), getattr(standing.user_overrides, name)),
    )
    return {
        "name": name,
        "level": getattr(standing.effective_traits, name),
        "base": getattr(standing.base_traits, name),
        "parts": [(words, moved) for words, moved in parts if round(moved, 2)],
        "changes": t(f"console.personality.trait.{name}"),
    }
