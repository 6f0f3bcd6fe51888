"""What replaces what in the journal: the chain of an entry, and links that wait for a person."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import RedirectResponse, Response

from api.console.forms import FormRequest
from api.console.pages import at, is_htmx, render
from api.console.route import ConsoleRoute
from api.dependencies import JournalWriter, TheExecutive
from api.http.problems import INVALID, Problem
from graph.runner import Executive
from state.errors import NotFound
from state.journal import Decision, DecisionLink
from state.principal import Principal
from state.reader import Reader
from tools.policy.talk_rights import may_change

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

MOST_PROPOSED = 20


@dataclass(frozen=True)
class Linked:
    """A link with the two decisions it joins."""

    link: DecisionLink
    newer: Decision
    older: Decision


@router.post("/console/journal/links/{link_id}")
async def settle(
    link_id: Annotated[int, Path(ge=1, le=2**53)],
    request: FormRequest,
    caller: JournalWriter,
    executive: TheExecutive,
) -> Response:
    """Accept or refuse a link, as the API does."""
    fields = await request.fields()
    accept = {"yes": True, "no": False}.get(fields["accept"])
    if accept is None:
        raise Problem(INVALID, "a link is accepted or refused")
    link = await executive.journal.settle(link_id, caller, accept=accept)
    if not is_htmx(request):
        return RedirectResponse(at(request, f"/journal/{link.newer}"), status_code=303)
    context = await proposed(executive, caller)
    return render(request, "_proposed.html", context)


async def proposed(executive: Executive, caller: Principal) -> dict[str, object]:
    """Read which links wait for a person, and whether this one may settle them."""
    found = await executive.journal.succession.list(
        executive.reader(caller), standing="proposed", limit=MOST_PROPOSED
    )
    return {
        "proposed": await with_ends(executive, executive.reader(caller), found),
        "are_more": len(found) == MOST_PROPOSED,
        "may_settle": may_change(executive.catalogue, caller.roles),
    }


async def with_ends(
    executive: Executive, reader: Reader, links: Sequence[DecisionLink]
) -> list[Linked]:
    """Put both decisions beside each link; one whose decision is gone is left out."""
    joined = []
    for link in links:
        with suppress(NotFound):
            newer = await executive.journal.store.get(link.newer, reader)
            older = await executive.journal.store.get(link.older, reader)
            joined.append(Linked(link, newer, older))
    return joined
