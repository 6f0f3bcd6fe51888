"""Batch approval: several approvals of one action on one page, each with its own digest."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from api.console.approval_view import AnswerOptions, answer_options, require_long_parts_read
from api.console.forms import Form, FormRequest
from api.console.rendering import render
from api.console.route import ConsoleRoute
from api.http.bodies import validated
from api.http.dependencies import Caller, TheExecutive, TheTasks
from api.http.problems import INVALID, Problem
from api.resources.approvals import answer_all
from api.schemas.common import Batch, BatchResult
from graph.executive import Executive
from state.dialog import ShownApproval
from state.noun import Name
from state.principal import Principal
from tools.platform.texts import t
from tools.platform.unicode_safety import neutralize_and_warn

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

MOST_TOGETHER = 50
"""As many as the API answers at once."""
_READ = 500
_CHOSEN = "on."
_TYPED = "typed."


@dataclass(frozen=True)
class BatchQuestion:
    """One question of several."""

    shown: ShownApproval
    answering: AnswerOptions


@dataclass(frozen=True)
class BatchOutcome:
    """What came of one answer."""

    title: str
    result: BatchResult


@router.get("/console/approvals/together")
async def batch_page(
    request: Request, caller: Caller, executive: TheExecutive, action: Annotated[Name, Query()]
) -> Response:
    """Show what waits for a yes to one action, each with all that changes."""
    return await _page(request, caller, executive, action)


@router.post("/console/approvals/together")
async def answer_batch(
    request: FormRequest, caller: Caller, executive: TheExecutive, work: TheTasks
) -> Response:
    """Pass the answers on one by one; each carries the digest of what was shown."""
    fields = await request.fields()
    batch = _batch(fields)
    titles = {}
    for item in batch.answers:
        shown = executive.approvals.show(
            await executive.approvals.get(item.action_id, executive.readers.of(caller))
        )
        titles[item.action_id] = neutralize_and_warn(shown.summary)
        if fields["decision"] == "approve":
            require_long_parts_read(shown, "")  # what is folded is read alone
    answered = await work.finish(answer_all(batch, request, caller, executive))
    came = [BatchOutcome(titles[one.action_id], one) for one in answered.results]
    return await _page(request, caller, executive, fields["action"], came)


def confirmation_phrase(chosen: int) -> str:
    """Say what is typed to approve so many at once."""
    return f"approve {chosen}"


def _batch(fields: Form) -> Batch:
    """Read which were chosen and what is answered to them.

    Raises:
        Problem: 422, none is chosen, or how many were approved is not what was typed.
    """
    chosen = {
        name.removeprefix(_CHOSEN): digest
        for name, digest in fields.items()
        if name.startswith(_CHOSEN)
    }
    if not chosen:
        raise Problem(INVALID, t("console.batch.none_chosen"))
    decision = fields["decision"]
    if decision not in ("approve", "reject"):
        raise Problem(INVALID, t("console.batch.only_two"))
    phrase = confirmation_phrase(len(chosen))
    if decision == "approve" and " ".join(fields["typed"].split()).casefold() != phrase:
        raise Problem(INVALID, t("console.batch.type_phrase", phrase=phrase))
    return validated(Batch, {"answers": [_item(*one, fields) for one in chosen.items()]})


def _item(action_id: str, digest: str, fields: Form) -> dict[str, Any]:  # as over the wire
    item = {"action_id": action_id, "decision": fields["decision"], "digest": digest}
    if typed := fields[f"{_TYPED}{action_id}"].strip():
        item["typed"] = typed
    if reason := fields["reason"].strip():
        item["reason"] = reason
    return item


async def _page(
    request: Request,
    caller: Principal,
    executive: Executive,
    action: str,
    came: list[BatchOutcome] | None = None,
) -> Response:
    found, _total = await executive.approvals.queue(
        executive.readers.of(caller), {"pending"}, limit=_READ
    )
    alike = [one for one in found if one.action == action]
    shown = list(map(executive.approvals.show, alike[:MOST_TOGETHER]))
    context = {
        "action": action,
        "total": len(alike),
        "alike": [BatchQuestion(one, answer_options(one, caller)) for one in shown],
        "came": came or [],
        "state": "pending",
        "phrase": confirmation_phrase(1),
    }
    return render(request, "together.html", context)
