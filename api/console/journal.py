"""Journal: decisions people took, found as one types, read whole with their chain."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from api.bodies import validated
from api.console.forms import FormRequest
from api.console.pages import render
from api.console.route import ConsoleRoute
from api.dependencies import Caller, Identifier, TheExecutive
from api.journal import exported
from api.journal_payloads import JournalQuestion
from graph.runner import Executive
from state.journal import Decision, DecisionChain, DecisionStatus, FoundDecision
from tools.journal.newest import newest_decisions

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

MOST_FOUND = 25
Given = Annotated[str, Query(max_length=1_000)]


@router.get("/console/journal")
async def journal(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    q: Given = "",
    status: Given = "",
    since: Given = "",
    until: Given = "",
) -> Response:
    """Answer a question to the journal; without one, show what was decided last."""
    asked = {"status": status, "since": since, "until": until}
    found = await _found(executive, caller.tenant_id, q, asked)
    is_part = request.headers.get("hx-target") == "found"
    context = {"found": found, "q": q, "asked": asked, "statuses": tuple(DecisionStatus)}
    return render(request, "_found.html" if is_part else "journal.html", context)


@router.get("/console/journal/export")
async def export(caller: Caller, executive: TheExecutive) -> Response:
    """Give every decision as lines of JSON, as the API does, as a file."""
    answer = await exported(executive, caller.tenant_id)
    answer.headers["Content-Disposition"] = 'attachment; filename="journal.ndjson"'
    return answer


@router.get("/console/journal/{decision_id}")
async def entry(
    decision_id: Identifier, request: FormRequest, caller: Caller, executive: TheExecutive
) -> Response:
    """Show one decision, where it was said, and its chain as a line of time."""
    decision = await executive.journal.store.get(decision_id, caller.tenant_id)
    chain = await executive.journal.chain(decision_id, caller.tenant_id)
    context = {"decision": decision, "chain": _in_order(chain)}
    return render(request, "journal_entry.html", context)


async def _found(
    executive: Executive, tenant_id: str, question: str, asked: dict[str, str]
) -> list[FoundDecision]:
    given = {name: value for name, value in asked.items() if value}
    if not question.strip() and not given:
        newest = await newest_decisions(executive.journal.store, tenant_id, limit=MOST_FOUND)
        return [FoundDecision(decision=one, score=0.0) for one in newest]
    wanted = validated(JournalQuestion, {"q": question.strip() or "*", **given})
    return await executive.journal.ask(
        wanted.q, tenant_id, filters=wanted.filters(), limit=MOST_FOUND
    )


def _in_order(chain: DecisionChain) -> list[Decision]:
    members = (chain.original, *chain.revisions, chain.current)
    return list({one.id: one for one in members}.values())
