"""The journal: search, one entry with its citations and supersession chain, proposed links.

Export.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field, JsonValue
from starlette.responses import RedirectResponse, Response

from api.console.forms import FormRequest
from api.console.rendering import is_htmx, page_url, render
from api.console.route import ConsoleRoute
from api.http.bodies import validated
from api.http.dependencies import Caller, Identifier, JournalWriter, TheExecutive
from api.http.problems import INVALID, Problem
from api.resources.journal import exported
from api.schemas.journal import JournalQuestion
from graph.executive import Executive
from state.errors import NotFound
from state.journal import (
    Decision,
    DecisionChain,
    DecisionLink,
    DecisionStatus,
    FoundDecision,
    JournalMessage,
    Span,
)
from state.noun import Noun
from state.principal import Principal
from state.reader import Reader
from tools.access.permissions import may_change
from tools.journal import newest_decisions
from tools.journal.search.search import JournalAnswer
from tools.platform.texts import t


@dataclass(frozen=True)
class Part:
    """A stretch of a message, and which fields cite it; none: nothing does."""

    text: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class CitedMessage:
    """A message that an entry cites."""

    message_id: str
    speaker: str
    at: datetime | None
    parts: tuple[Part, ...]


async def cited_messages(executive: Executive, decision: Decision) -> tuple[CitedMessage, ...]:
    """Read what an entry cites, in its order; of what is not kept any more nothing."""
    if decision.heard_in is None:
        said = await executive.journal.said(decision)
    else:
        said = await _heard(executive, decision.heard_in, decision)
    return tuple(
        CitedMessage(
            one.message_id,
            one.speaker,
            one.timestamp,
            parts_of(one.content, decision.evidence, one.message_id),
        )
        for one in said
    )


async def _heard(executive: Executive, heard_in: str, decision: Decision) -> list[JournalMessage]:
    try:
        trace = await executive.records.trace(heard_in, decision.tenant_id)
    except NotFound:  # it is older than decisions are kept
        return []
    event = trace.event
    message = JournalMessage.model_construct(  # an event may be longer than an import takes
        message_id=str(event.get("event_id", "")),
        session_id=decision.session_id,
        speaker=str(event.get("user") or event.get("source") or ""),
        content=str(event.get("text", "")),
        timestamp=None,
    )
    return [message]


def parts_of(
    text: str, evidence: Mapping[str, tuple[Span, ...]], message_id: str
) -> tuple[Part, ...]:
    """Cut a message where a citation begins or ends; citations may lie in each other."""
    spans = [
        (field, max(0, span.start), min(len(text), span.end))
        for field, found in evidence.items()
        for span in found
        if span.message_id == message_id
    ]
    cuts = sorted({0, len(text), *(cut for _field, *ends in spans for cut in ends)})
    return tuple(
        Part(
            text[start:end],
            tuple(field for field, first, last in spans if first <= start and end <= last),
        )
        for start, end in pairwise(cuts)
    )


router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

MOST_PROPOSED = 20


@dataclass(frozen=True)
class JoinedLink:
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
        raise Problem(INVALID, t("console.error.accept_or_refuse"))
    link = await executive.journal.settle(link_id, caller, accept=accept)
    if not is_htmx(request):
        return RedirectResponse(page_url(request, f"/journal/{link.newer}"), status_code=303)
    context = await proposed(executive, caller)
    return render(request, "_proposed.html", context)


async def proposed(executive: Executive, caller: Principal) -> dict[str, object]:
    """Read which links wait for a person, and whether this one may settle them."""
    found = await executive.journal.succession.list(
        executive.readers.of(caller), standing="proposed", limit=MOST_PROPOSED
    )
    return {
        "proposed": await with_ends(executive, executive.readers.of(caller), found),
        "are_more": len(found) == MOST_PROPOSED,
        "may_settle": may_change(executive.catalogue, caller.roles),
    }


async def with_ends(
    executive: Executive, reader: Reader, links: Sequence[DecisionLink]
) -> list[JoinedLink]:
    """Put both decisions beside each link; one whose decision is gone is left out."""
    joined = []
    for link in links:
        with suppress(NotFound):
            newer = await executive.journal.store.get(link.newer, reader)
            older = await executive.journal.store.get(link.older, reader)
            joined.append(JoinedLink(link, newer, older))
    return joined


MOST_FOUND = 25
_SEVERAL = {"person", "technology"}
"""Fields in which several are written with commas between them."""
Given = Annotated[str, Field(max_length=1_000)]


class JournalSearch(Noun):
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
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    asked: Annotated[JournalSearch, Query()],
) -> Response:
    """Answer a question to the journal; without one, show what was decided last."""
    answer = await _found(executive, executive.readers.of(caller), asked)
    found = answer.found
    context = {
        "found": found[:MOST_FOUND],
        "not_understood": answer.not_understood,
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
    reader = executive.readers.of(caller)
    decision = await executive.journal.store.get(decision_id, reader)
    chain = await executive.journal.chain(decision_id, reader)
    links = [one for one in chain.links if one.standing == "accepted"]
    waiting = await executive.journal.links(decision_id, reader)
    said = await cited_messages(executive, decision)
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


async def _found(executive: Executive, reader: Reader, asked: JournalSearch) -> JournalAnswer:
    """Find one more than are shown: that there are others is said."""
    given = asked.narrowing()
    if not asked.q.strip() and not given:
        newest = await newest_decisions(
            executive.journal.store, reader, limit=MOST_FOUND + 1, skipped=asked.skipped
        )
        return JournalAnswer([FoundDecision(decision=one, score=0.0) for one in newest])
    wanted = validated(JournalQuestion, {"q": asked.q.strip() or "*", **given})
    return await executive.journal.answer(
        wanted.q, reader, filters=wanted.filters(), limit=MOST_FOUND + 1
    )


def _in_order(chain: DecisionChain) -> list[Decision]:
    members = (chain.original, *chain.revisions, chain.current)
    return list({one.id: one for one in members}.values())
