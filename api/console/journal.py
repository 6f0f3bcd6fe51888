"""Journal: decisions people took, found as one types, read whole with their chain."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field, JsonValue
from starlette.responses import Response

from api.console.citing import cited
from api.console.forms import FormRequest
from api.console.pages import render
from api.console.route import ConsoleRoute
from api.console.succession import proposed, with_ends
from api.dependencies import Caller, Identifier, TheExecutive
from api.http.bodies import validated
from api.journal import exported
from api.payloads.journal import JournalQuestion
from graph.runner import Executive
from state.journal import Decision, DecisionChain, DecisionStatus, FoundDecision
from state.noun import Noun
from state.reader import Reader
from tools.journal.searching.newest import newest_decisions
from tools.policy.talk_rights import may_change

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

MOST_FOUND = 25
_SEVERAL = {"person", "technology"}
"""Fields in which several are written with commas between them."""
Given = Annotated[str, Field(max_length=1_000)]


class Asked(Noun):
    """What is asked on the page; an empty field asks nothing."""

    q: Given = ""
    status: Given = ""
    since: Given = ""
    until: Given = ""
    person: Given = ""
    technology: Given = ""
    skipped: Annotated[int, Field(ge=0, le=1_000_000)] = 0

    def narrowing(self) -> dict[str, JsonValue]:
        """Give the fields that are filled in, apart from the words."""
        filled: dict[str, JsonValue] = {}
        for name, value in self.model_dump(exclude={"q", "skipped"}).items():
            if value.strip():
                several = [one.strip() for one in value.split(",") if one.strip()]
                filled[name] = list(several) if name in _SEVERAL else value
        return filled


@router.get("/console/journal")
async def journal(
    request: FormRequest, caller: Caller, executive: TheExecutive, asked: Annotated[Asked, Query()]
) -> Response:
    """Answer a question to the journal; without one, show what was decided last."""
    found = await _found(executive, executive.reader(caller), asked)
    context = {
        "found": found[:MOST_FOUND],
        "has_more": len(found) > MOST_FOUND,
        "most": MOST_FOUND,
        "q": asked.q,
        "asked": asked,
        "statuses": tuple(DecisionStatus),
    }
    if request.headers.get("hx-target") == "found":
        return render(request, "_found.html", context)
    return render(request, "journal.html", context | await proposed(executive, caller))


@router.get("/console/journal/export")
async def export(caller: Caller, executive: TheExecutive) -> Response:
    """Give every decision as lines of JSON, as the API does, as a file."""
    answer = await exported(executive, caller)
    answer.headers["Content-Disposition"] = 'attachment; filename="journal.ndjson"'
    return answer


@router.get("/console/journal/{decision_id}")
async def entry(
    decision_id: Identifier, request: FormRequest, caller: Caller, executive: TheExecutive
) -> Response:
    """Show one decision, where it was said, and its chain as a line of time."""
    reader = executive.reader(caller)
    decision = await executive.journal.store.get(decision_id, reader)
    chain = await executive.journal.chain(decision_id, reader)
    links = [one for one in chain.links if one.standing == "accepted"]
    waiting = await executive.journal.links(decision_id, reader)
    said = await cited(executive, decision)
    context = {
        "decision": decision,
        "chain": _in_order(chain),
        "came_by": {one.newer: one for one in links},
        "cited": said,
        "places": {one.message_id: number for number, one in enumerate(said, 1)},
        "may_settle": may_change(executive.catalogue, caller.roles),
        "proposed": await with_ends(
            executive, reader, [one for one in waiting if one.standing == "proposed"]
        ),
    }
    return render(request, "journal_entry.html", context)


async def _found(executive: Executive, reader: Reader, asked: Asked) -> list[FoundDecision]:
    """Find one more than are shown: that there are others is said."""
    given = asked.narrowing()
    if not asked.q.strip() and not given:
        newest = await newest_decisions(
            executive.journal.store, reader, limit=MOST_FOUND + 1, skipped=asked.skipped
        )
        return [FoundDecision(decision=one, score=0.0) for one in newest]
    wanted = validated(JournalQuestion, {"q": asked.q.strip() or "*", **given})
    return await executive.journal.ask(
        wanted.q, reader, filters=wanted.filters(), limit=MOST_FOUND + 1
    )


def _in_order(chain: DecisionChain) -> list[Decision]:
    members = (chain.original, *chain.revisions, chain.current)
    return list({one.id: one for one in members}.values())
