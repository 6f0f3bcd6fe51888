"""Approvals: the queue, one question with its answer, and standing refusals."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from api.console.approval_view import approval_view, require_long_parts_read
from api.console.forms import Form, FormRequest, edited
from api.console.rendering import is_htmx, page_url, render
from api.console.route import ConsoleRoute, PollRoute
from api.http.bodies import validated
from api.http.dependencies import Caller, Identifier, TheExecutive, TheTasks
from api.resources.approvals import answer_from_body
from api.schemas.common import Evidence
from graph.executive import Executive
from state.approval import ActionState
from state.dialog import ShownApproval
from state.errors import Conflict, DigestMismatch
from state.noun import LONGEST_NAME
from state.principal import Principal
from tools.gate.ledger.ledger import WAITING
from tools.platform.texts import t

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)
polled = APIRouter(route_class=PollRoute, include_in_schema=False)

MOST_LISTED = 100
_INLINE = re.compile(r"q-[A-Za-z0-9._:-]{1,200}")
"""Where a question stands in a conversation."""
_SETTLED = "settled"
FEWEST_ALIKE = 2
"""So many questions about one action may be answered together."""
State = Annotated[str, Query(pattern=r"^[a-z]{1,20}$")]


@router.get("/console/approvals")
async def approvals(
    request: FormRequest, caller: Caller, executive: TheExecutive, state: State = "pending"
) -> Response:
    """List what waits for a yes, or how it ended."""
    return await _page(request, caller, executive, state=state)


@polled.get("/console/approvals/queue")
async def queue(
    request: FormRequest, caller: Caller, executive: TheExecutive, state: State = "pending"
) -> Response:
    """Draw the list anew, as it stands now."""
    listed = await _listed(executive, caller, state)
    return render(request, "_queue.html", listed | {"open": ""})


@polled.get("/console/approvals/count")
async def count(
    request: FormRequest, caller: Caller, executive: TheExecutive, state: State = "pending"
) -> Response:
    """Count what waits, for the navigation and for the tabs."""
    _none, waiting = await executive.approvals.queue(
        executive.readers.of(caller), _states(state), limit=0
    )
    return render(request, "_count.html", {"count": waiting, "state": state})


@router.get("/console/approvals/{action_id}")
async def approval(
    action_id: Identifier, request: FormRequest, caller: Caller, executive: TheExecutive
) -> Response:
    """Show exactly what would run."""
    shown = executive.approvals.show(
        await executive.approvals.get(action_id, executive.readers.of(caller))
    )
    return await _panel(request, caller, executive, shown)


@polled.get("/console/approvals/{action_id}/standing")
async def standing(
    action_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    seen: Annotated[str, Query(pattern=r"^[a-z]{1,20}\.[0-9]{1,3}$")],
) -> Response:
    """Tell a page that shows a question when it stands otherwise than shown; else nothing."""
    now = await executive.approvals.get(action_id, executive.readers.of(caller))
    if seen == f"{now.state}.{now.approvals}":
        return Response(status_code=204)
    return await _panel(request, caller, executive, executive.approvals.show(now))


@router.post("/console/approvals/{action_id}")
async def answer(
    action_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """Pass a person's answer on, as the API does, and show what came of it.

    Whoever comes second is shown how it stands and told what has happened.
    """
    fields = await request.fields()
    sent = await _sent(action_id, fields, caller, executive)
    told, status = "", 200
    try:
        shown = await work.finish(answer_from_body(action_id, sent, caller, executive))
        if shown.action_id != action_id and shown.state in ("pending", "proposed"):
            told = t("console.approval.edit_pending")
        elif shown.state == "pending":
            told = shown.reason or ""  # why the answer does not count
    except (Conflict, DigestMismatch) as late:
        shown = executive.approvals.show(
            await executive.approvals.get(action_id, executive.readers.of(caller))
        )
        told, status = t("console.approval.answer_late", reason=late), 409
    page = await _panel(request, caller, executive, shown, told=told, status=status)
    page.headers["HX-Trigger"] = "approvals"
    return page


@router.post("/console/approvals/{action_id}/take-back")
async def take_back(
    action_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """Let who asked for it call it off, asked or still queued."""
    fields = await request.fields()
    told, status = "", 200
    try:
        taken = await work.finish(
            executive.approvals.take_back(action_id, fields["digest"], caller)
        )
    except (Conflict, DigestMismatch) as late:
        taken = await executive.approvals.get(action_id, executive.readers.of(caller))
        told, status = t("console.approval.withdraw_late", reason=late), 409
    page = await _panel(
        request, caller, executive, executive.approvals.show(taken), told=told, status=status
    )
    page.headers["HX-Trigger"] = "approvals"
    return page


@router.post("/console/approvals/{action_id}/settle")
async def settle(
    action_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """Keep what a person found out about an action whose end nobody could tell."""
    fields = await request.fields()
    happened = {"yes": True, "no": False}.get(fields["happened"])
    told = validated(Evidence, {"happened": happened, "evidence": fields["evidence"].strip()})
    await work.finish(executive.approvals.settle(action_id, caller, told.happened, told.evidence))
    shown = executive.approvals.show(
        await executive.approvals.get(action_id, executive.readers.of(caller))
    )
    page = await _panel(request, caller, executive, shown)
    page.headers["HX-Trigger"] = "approvals"
    return page


async def _sent(
    action_id: str, fields: Form, caller: Principal, executive: Executive
) -> Mapping[str, Any]:  # an answer as it goes over the wire
    sent: dict[str, Any] = {"decision": fields["decision"], "digest": fields["digest"]}
    sent |= {name: fields[name] for name in ("reason", "typed") if fields[name].strip()}
    shown = executive.approvals.show(
        await executive.approvals.get(action_id, executive.readers.of(caller))
    )
    if fields["decision"] in ("approve", "edit"):
        require_long_parts_read(shown, fields["seen"])
    if fields["decision"] == "edit":
        action = executive.governed.of_tenant(shown.tenant_id).action(shown.action)
        sent["arguments"] = edited(action, shown.arguments, fields)
    if fields["decision"] == "reject" and fields["same"]:
        sent["standing"] = {"same": fields["same"]}
    return sent


async def _panel(
    request: FormRequest,
    caller: Principal,
    executive: Executive,
    shown: ShownApproval,
    *,
    told: str = "",
    status: int = 200,
) -> Response:
    if not is_htmx(request):
        return await _page(request, caller, executive, shown=shown, told=told, status=status)
    place = request.headers.get("hx-target", "")
    context = approval_view(executive, caller, shown) | _said(told, status)
    if _INLINE.fullmatch(place):
        context["slot"] = place
    return render(request, "_approval.html", context, status=status)


async def _page(
    request: FormRequest,
    caller: Principal,
    executive: Executive,
    *,
    state: str = "pending",
    shown: ShownApproval | None = None,
    told: str = "",
    status: int = 200,
) -> Response:
    context = await _listed(executive, caller, state) | {"told": told, "shown": None}
    context |= {"open": shown.action_id if shown else ""}
    if shown is not None:
        context |= approval_view(executive, caller, shown) | _said(told, status)
    return render(request, "approvals.html", context, status=status)


async def _listed(executive: Executive, caller: Principal, state: str) -> dict[str, object]:
    """List what waits by what runs out first, and what has ended by what came last."""
    found, total = await executive.approvals.queue(
        executive.readers.of(caller), _states(state), limit=MOST_LISTED
    )
    many = Counter(one.action for one in found) if state == "pending" else {}
    return {
        "listed": list(map(executive.approvals.show, found)),
        "total": total,
        "state": state,
        "alike": {action: count for action, count in many.items() if count >= FEWEST_ALIKE},
    }


def _states(wanted: str) -> frozenset[ActionState]:
    """Read which states a list is of; a word that names none: all of them."""
    known: frozenset[ActionState] = frozenset(get_args(ActionState))
    if wanted == _SETTLED:
        return known - WAITING - {"unknown"}
    return frozenset(one for one in known if one == wanted) or known


def _said(told: str, status: int) -> dict[str, Any]:  # what _approval.html says of an answer
    return {"told": told, "is_late": status == 409}


MOST_REFUSALS = 50


@router.get("/console/refusals")
async def refusals(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    after: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
) -> Response:
    """List what stands, of the actions that this person may approve."""
    listed = await _listed_refusals(caller, executive, after)
    return render(request, "refusals.html", listed | {"state": "refusals", "after": after})


@router.post("/console/refusals/{refusal_id}/withdraw")
async def withdraw(
    refusal_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """Let people be asked again, as the API does."""
    await work.finish(executive.refusals.withdraw(refusal_id, caller))
    if not is_htmx(request):
        return RedirectResponse(page_url(request, "/refusals"), status_code=303)
    return render(request, "_refusals.html", await _listed_refusals(caller, executive))


async def _listed_refusals(
    caller: Principal, executive: Executive, after: str = ""
) -> dict[str, object]:
    """Read a page, newest first; `more` is the last one of it where others follow."""
    found = await executive.refusals.list(caller, limit=MOST_REFUSALS + 1, after=after or None)
    listed = found[:MOST_REFUSALS]
    return {
        "refusals": listed,
        "more": listed[-1].refusal_id if len(found) > MOST_REFUSALS else "",
    }
