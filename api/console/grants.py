"""Grants: made from the page of an approval, listed and revoked."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from api.console.forms import Form, FormRequest
from api.console.rendering import is_htmx, page_url, render
from api.console.route import ConsoleRoute
from api.http.bodies import validated
from api.http.dependencies import Caller, Identifier, TheExecutive, TheTasks
from api.schemas.grants import pattern_words
from graph.executive import Executive
from state.dialog import ShownApproval
from state.grant import NewGrant
from state.noun import LONGEST_NAME
from state.principal import Principal

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)
MOST_LISTED = 50
PATTERN = "pattern-"
"""Begins the name of the field that says what an argument may be."""


@router.get("/console/grants")
async def grants(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    after: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
) -> Response:
    """List what can still be used, of the actions that this person may approve."""
    listed = await _listed(caller, executive, after)
    return render(request, "grants.html", listed | {"state": "grants", "after": after})


@router.post("/console/grants")
async def grant(
    request: FormRequest, caller: Caller, executive: TheExecutive, work: TheTasks
) -> Response:
    """Allow calls like one that was shown, as the API does, and show every grant."""
    fields = await request.fields()
    shown = executive.approvals.show(
        await executive.approvals.get(fields["action_id"], executive.readers.of(caller))
    )
    wanted = validated(NewGrant, _wanted(fields, shown))
    await work.finish(executive.grants.add(wanted, caller))
    return RedirectResponse(page_url(request, "/grants"), status_code=303)


@router.post("/console/grants/{grant_id}/revoke")
async def revoke(
    grant_id: Identifier,
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Response:
    """End a grant, as the API does."""
    await work.finish(executive.grants.revoke(grant_id, caller))
    if not is_htmx(request):
        return RedirectResponse(page_url(request, "/grants"), status_code=303)
    return render(request, "_grants.html", await _listed(caller, executive))


def grantable_arguments(
    executive: Executive, shown: ShownApproval
) -> tuple[tuple[str, bool], ...] | None:
    """Name each argument of a call, and whether a maximum fits it; None: it cannot be granted.

    The ledger asks again; this spares a person a form that is refused.
    """
    action = executive.governed.of_tenant(shown.tenant_id).actions.get(shown.action)
    is_plain = not shown.four_eyes and shown.quorum == 1 and shown.undo_of is None
    if action is None or shown.origin != "agent" or not (is_plain and action.grantable):
        return None
    if shown.dialog is None or shown.dialog.type_to_approve is not None:
        return None
    given = [name for name, value in shown.arguments.items() if value is not None]
    if any(action.is_secret(name) for name in given):
        return None
    return tuple((name, _is_number(shown.arguments[name])) for name in given)


def _is_number(value: Any) -> bool:  # by slot type
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _wanted(fields: Form, shown: ShownApproval) -> dict[str, Any]:  # a NewGrant as JSON
    patterns: dict[str, Any] = {}
    for name, value in shown.arguments.items():
        match fields[f"{PATTERN}{name}"]:
            case "any":
                patterns[name] = {"any": True}
            case "at_most":
                patterns[name] = {"at_most": value}
            case _ if value is not None:
                patterns[name] = {"equals": value}
    return {
        "action_id": shown.action_id,
        "digest": fields["digest"],
        "arguments": patterns,
        "minutes": fields["minutes"],
        "uses": fields["uses"],
        "amount": fields["amount"] or None,
    }


async def _listed(caller: Principal, executive: Executive, after: str = "") -> dict[str, object]:
    """Read a page, newest first; `more` is the last one of it where others follow."""
    found = await executive.grants.list(caller, limit=MOST_LISTED + 1, after=after or None)
    listed = found[:MOST_LISTED]
    return {
        "grants": [
            (one, {name: pattern_words(each) for name, each in one.arguments.items()})
            for one in listed
        ],
        "more": listed[-1].grant_id if len(found) > MOST_LISTED else "",
    }
