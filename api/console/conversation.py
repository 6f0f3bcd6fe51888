"""The conversation page: turns, chips and questions, and the page of all open offers."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter
from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api.console.approval_view import approval_view
from api.console.forms import Field, FormRequest, edited, fields_of
from api.console.rendering import is_htmx, page_url, render
from api.console.route import ConsoleRoute, PollRoute
from api.http.dependencies import Caller, Identifier, TheAdmission, TheExecutive, TheTasks
from api.resources.events import details_of, say
from api.schemas.common import DecisionDetails
from graph.executive import Executive
from state.cursor import cursor_of
from state.noun import LONGEST_NAME
from state.offer import Offer
from state.principal import Principal
from state.record import DecisionRecord, DecisionTrace
from tools.journal import newest_decisions
from tools.platform.texts import t
from tools.platform.unicode_safety import neutralize_and_warn

_PAGE = re.compile(
    " " + t("dialogue.approve_at", where=r"\S+/console/approvals/(?P<id>[0-9a-f-]{36})")
)
"""How the words name the page of an approval, which is a link here."""
_CHIP_LINE = "  chip-"
"""How the words list what is drawn as buttons here."""


@dataclass(frozen=True)
class Turn:
    """What came, and what it was answered."""

    record: DecisionDetails
    is_own: bool
    speaker: str
    words: str
    kind: str
    answer: str
    slots: Mapping[str, tuple[Field, ...]]
    """Chip to the controls for what it still lacks."""
    barred: Mapping[str, str]
    """Action of a chip to why whoever looks may not choose it."""
    question: Mapping[str, Any] | None
    """What _approval.html is drawn of."""
    undo: str
    """The action that can be taken back now; empty: none."""
    approval: str = ""
    """The approval whose page the answer names, to whoever may give it; empty: none."""


async def turn_of(
    trace: DecisionTrace, details: DecisionDetails, caller: Principal, executive: Executive
) -> Turn:
    """Put a decision together as a turn, as it stands now."""
    event = trace.event
    offer = details.offer
    shown = details.approval
    return Turn(
        record=details,
        is_own=event.get("user") == caller.user and event.get("kind") in ("message", "choice"),
        speaker=str(event.get("user") or event.get("source") or ""),
        words=str(event.get("text", "")),
        kind=str(event.get("kind", "")),
        answer=_answer(details),
        slots={} if offer is None else slots_of(offer, executive),
        barred={} if offer is None else barred_of(offer, caller, executive),
        question=None if shown is None else _inline(approval_view(executive, caller, shown)),
        undo=await _undo(details, executive),
        approval=page["id"] if (page := _PAGE.search(details.text)) else "",
    )


def _answer(details: DecisionDetails) -> str:
    lines = _PAGE.sub("", details.text).splitlines()
    if details.offer is not None:
        found = details.offer.found.splitlines()
        lines = [line for line in lines if not line.startswith(_CHIP_LINE)]
        lines = [line for line in lines if line not in found]
    return "\n".join(lines).strip()


def slots_of(offer: Offer, executive: Executive) -> dict[str, tuple[Field, ...]]:
    """Make the controls of what each chip still lacks."""
    actions = executive.catalogue.of_tenant(offer.tenant_id).actions
    return {
        chip.chip_id: fields_of(actions[chip.action], {}, chip.missing_slots)
        if chip.action in actions
        else ()
        for chip in offer.chips
    }


def barred_of(offer: Offer, caller: Principal, executive: Executive) -> dict[str, str]:
    """Say of each action of an offer's chips that somebody may not choose why not."""
    may_ask = executive.catalogue.of_tenant(offer.tenant_id).may_ask
    whose = offer.shown_to
    if whose not in (None, caller.user):
        return {
            chip.action: t(
                "console.error.offered_to", who=neutralize_and_warn(whose or "", is_exact=True)
            )
            for chip in offer.chips
        }
    barred = (chip.action for chip in offer.chips if not may_ask(chip.action, caller.roles))
    return dict.fromkeys(barred, t("console.error.no_role"))


def _inline(question: dict[str, Any]) -> dict[str, Any]:  # what _approval.html is drawn of
    return question | {"slot": f"q-{question['shown'].action_id}"}


async def _undo(details: DecisionDetails, executive: Executive) -> str:
    if details.outcome != "executed" or details.action_id is None:
        return ""
    done = await executive.approvals.get(details.action_id, details.tenant_id)
    if done.state != "succeeded" or done.undo_by is not None or done.undo_until is None:
        return ""
    return done.action_id if done.undo_until > datetime.now(UTC) else ""


router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)
polled = APIRouter(route_class=PollRoute, include_in_schema=False)

MOST_TURNS = 30
_MOST_TRIED = 3
_SHORT = 60
"""A title that is longer fills the page when it is offered to be asked about."""


@router.get("/console/talk")
async def talk(request: FormRequest, caller: Caller, executive: TheExecutive) -> Response:
    """Show the conversation of this person here, newest last."""
    session_id = session_of(caller)
    newest = await executive.records.newest(
        executive.readers.of(caller), session_id=session_id, limit=MOST_TURNS
    )
    turns = await asyncio.gather(*(_turn(record, caller, executive) for record in reversed(newest)))
    context = {
        "turns": turns,
        "tries": _to_try(executive, caller),
        "questions": await _questions(executive, caller),
        "session_id": session_id,
        "after": cursor_of(newest[0]) if newest else "",
    }
    return render(request, "talk.html", context)


@polled.get("/console/talk/turns/{decision_id}")
async def turn(
    decision_id: Identifier, request: FormRequest, caller: Caller, executive: TheExecutive
) -> Response:
    """Draw one turn that came by itself; one's own is drawn where it was said."""
    record = (await executive.records.trace(decision_id, executive.readers.of(caller))).record
    drawn = await _turn(record, caller, executive)
    if drawn.is_own:
        return Response(status_code=204)
    return render(request, "_turn.html", {"turn": drawn})


@router.post("/console/talk")
async def send(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
    admission: TheAdmission,
) -> Response:
    """Decide what somebody said, as a message of the API, and answer it."""
    fields = await request.fields()
    sent: JsonValue = {
        "text": fields["text"],
        "session_id": session_of(caller),
        "source": "console",
    }
    record = await say(sent, caller, executive, work, admission)
    return await _told(request, record, caller, executive)


@router.post("/console/talk/offers/{offer_id}")
async def choose(
    offer_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """Take a click on a chip, as the API does; what it chose from is drawn as it stands now."""
    fields = await request.fields()
    offer = await executive.offers.get(offer_id, executive.readers.of(caller))
    for chip in offer.chips:
        if chip.chip_id == fields["chip"]:
            action = executive.catalogue.of_tenant(offer.tenant_id).action(chip.action)
            missing = {name: action.slots[name] for name in chip.missing_slots}
            given = edited(action.model_copy(update={"slots": missing}), {}, fields)
            choosing = executive.offers.choose(offer_id, chip.chip_id, caller, given)
            record = await work.finish(choosing)
            return await _told(request, record, caller, executive, offer_id=offer_id)
    # The store says it in its own words.
    record = await work.finish(executive.offers.choose(offer_id, fields["chip"], caller))
    return await _told(request, record, caller, executive, offer_id=offer_id)


@router.post("/console/talk/undo/{action_id}")
async def undo(
    action_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """Take back what was done, as the API does."""
    record = await work.finish(executive.actions.undo(action_id, caller))
    return await _told(request, record, caller, executive)


def session_of(caller: Principal) -> str:
    """Name the conversation that somebody has on these pages."""
    return f"console:{caller.user}"[:LONGEST_NAME]


async def _told(
    request: FormRequest,
    record: DecisionRecord,
    caller: Principal,
    executive: Executive,
    *,
    offer_id: str = "",
) -> Response:
    if not is_htmx(request):
        is_here = record.session_id == session_of(caller)
        way = "/talk" if is_here else f"/decisions/{record.decision_id}"
        return RedirectResponse(page_url(request, way), status_code=303)
    turn = await _turn(record, caller, executive)
    offer = await executive.offers.get(offer_id, executive.readers.of(caller)) if offer_id else None
    page = render(request, "_told.html", {"turn": turn, "was": offer})
    page.headers["HX-Trigger"] = "approvals"
    return page


async def _turn(record: DecisionRecord, caller: Principal, executive: Executive) -> Turn:
    trace = await executive.records.trace(record.decision_id, executive.readers.of(caller))
    details = await details_of(trace.record, executive, caller)
    return await turn_of(trace, details, caller, executive)


async def _questions(executive: Executive, caller: Principal) -> list[str]:
    """Find what to ask it about itself, and about what people decided last, if they did."""
    reader = executive.readers.of(caller)
    newest = await newest_decisions(executive.journal.store, reader, limit=1)
    asked = [
        t("console.ask.why_decided", title=one.title) for one in newest if len(one.title) < _SHORT
    ]
    return [t("console.ask.why_silent"), *asked]


def _to_try(executive: Executive, caller: Principal) -> dict[str, str]:
    """Find something to say for each class: that reads, that is offered, that is asked."""
    tries: dict[str, str] = {}
    for action in executive.catalogue.actions.values():
        if action.examples and executive.catalogue.may_ask(action.name, caller.roles):
            tries.setdefault(action.floor, action.examples[0])
        if len(tries) == _MOST_TRIED:
            break
    return dict(sorted(tries.items()))


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
    found = await executive.offers.list(executive.readers.of(caller))
    asked = await asyncio.gather(
        *(_asked(offer, caller, executive) for offer in found[:MOST_LISTED])
    )
    context = {"asked": asked, "total": len(found), "state": "offers"}
    return render(request, "offers.html", context)


@polled.get("/console/offers/count")
async def count(request: Request, caller: Caller, executive: TheExecutive) -> Response:
    """Count the suggestions that can be chosen, for the tabs."""
    waiting = await executive.offers.count(executive.readers.of(caller))
    return render(request, "_count.html", {"count": waiting, "state": "offers"})


async def _asked(offer: Offer, caller: Principal, executive: Executive) -> OpenOffer:
    trace = await executive.records.trace(offer.decision_id, executive.readers.of(caller))
    return OpenOffer(
        offer,
        words=str(trace.event.get("text", "")),
        who=str(trace.event.get("user") or trace.event.get("source") or ""),
        slots=slots_of(offer, executive),
        barred=barred_of(offer, caller, executive),
    )
