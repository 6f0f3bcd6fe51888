"""The decision journal: import, search, read, export, reindex, and supersession links."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query
from starlette.responses import Response

from api.http.bodies import NDJSON
from api.http.dependencies import Caller, Identifier, JournalWriter, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.journal import (
    CHAIN,
    DECISION,
    DRIFT,
    EXPORTED,
    FOUND,
    IMPORT,
    IMPORTED,
    LINK,
    LINKS,
    NEW_LINK,
    SETTLE,
    DecisionLinks,
    FoundDecisions,
    JournalImport,
    JournalImported,
    JournalQuestion,
    LinksWanted,
    NewLink,
    ReadMessage,
    SettleLink,
)
from graph.executive import Executive
from state.journal import Decision, DecisionChain, DecisionLink
from state.principal import Principal
from tools.journal import RecordText
from tools.journal.records.reader import RECORDS
from tools.journal.store.store import Drift
from tools.platform.texts import t
from tools.platform.unicode_safety import escape_json_controls

router = APIRouter(route_class=KeyedRoute, tags=["journal"])


@router.post(
    "/v1/journal/import",
    operation_id="import_into_journal",
    responses={
        200: describe_answer("JournalImported", IMPORTED, t("api.answer.import_into_journal")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def import_into_journal(
    given: Annotated[JournalImport, Body(openapi_examples={"talk": {"value": IMPORT}})],
    caller: JournalWriter,
    executive: TheExecutive,
) -> JournalImported:
    """Find what people decided and keep it in your tenant; the same again changes nothing.

    A message is read with those before it in the same call: send a conversation in one. Whoever
    may change nothing here cannot (403).
    """
    named = {one.session_id for one in given.messages} | ({RECORDS} if given.records else set())
    executive.readers.demand(caller, sorted(named))
    taken = await executive.journal.take(
        given.messages,
        [RecordText(path=one.path, text=one.text) for one in given.records],
        caller.tenant_id,
        by=caller.user,
    )
    return JournalImported(
        messages=tuple(
            ReadMessage(**one.model_dump(exclude={"decision"})) for one in taken.messages
        ),
        records=tuple(one.id for one in taken.records),
        links=taken.links,
        **taken.stored.model_dump(),
    )


@router.get(
    "/v1/journal/search",
    operation_id="search_journal",
    responses={
        200: describe_answer("FoundDecisions", FOUND, t("api.answer.search_journal")),
        **describe_problems(401, 422, 503),
    },
)
async def search_journal(
    wanted: Annotated[JournalQuestion, Query()], caller: Caller, executive: TheExecutive
) -> FoundDecisions:
    """Ask "why did we choose X?"; only decisions are looked at that you may read."""
    answer = await executive.journal.answer(
        wanted.q, executive.readers.of(caller), filters=wanted.filters(), limit=wanted.limit
    )
    return FoundDecisions(decisions=tuple(answer.found), not_understood=answer.not_understood)


@router.get(
    "/v1/journal/export",
    operation_id="export_journal",
    response_class=Response,
    responses={
        200: {
            "description": t("api.answer.export_journal"),
            "content": {NDJSON: {"example": EXPORTED}},
        },
        **describe_problems(401, 503),
    },
)
async def export_journal(caller: Caller, executive: TheExecutive) -> Response:
    """List your tenant's decisions, oldest first, as `prefrontal journal import` takes them."""
    return await exported(executive, caller)


async def exported(executive: Executive, caller: Principal) -> Response:
    """Write the decisions one may read as lines, whichever door they leave by."""
    found = await executive.journal.store.all(executive.readers.of(caller))
    lines = "".join(f"{escape_json_controls(one.model_dump_json())}\n" for one in found)
    return Response(lines, media_type=NDJSON)


@router.get(
    "/v1/journal/decisions/{decision_id}",
    operation_id="read_journal_decision",
    responses={
        200: describe_answer("Decision", DECISION, t("api.answer.read_journal_decision")),
        **describe_problems(401, 404, 503),
    },
)
async def read_journal_decision(
    decision_id: Identifier, caller: Caller, executive: TheExecutive
) -> Decision:
    """Read one decision of your tenant whole."""
    return await executive.journal.store.get(decision_id, executive.readers.of(caller))


@router.get(
    "/v1/journal/decisions/{decision_id}/chain",
    operation_id="read_journal_chain",
    responses={
        200: describe_answer("DecisionChain", CHAIN, t("api.answer.read_journal_chain")),
        **describe_problems(401, 404, 503),
    },
)
async def read_journal_chain(
    decision_id: Identifier, caller: Caller, executive: TheExecutive
) -> DecisionChain:
    """Walk the chain of one decision of your tenant, from any of its members."""
    return await executive.journal.chain(decision_id, executive.readers.of(caller))


@router.post(
    "/v1/journal/reindex",
    operation_id="reindex_journal",
    responses={
        200: describe_answer("Drift", DRIFT, t("api.answer.reindex_journal")),
        **describe_problems(401, 403, 429, 503),
    },
)
async def reindex_journal(caller: Caller, executive: TheExecutive, work: TheTasks) -> Drift:
    """Rebuild the full-text index, embed what has no vector, mend dates, whatever the tenant.

    Needs the role `admin`.
    """
    return await work.finish(executive.journal.reindex(caller))


@router.post(
    "/v1/journal/links",
    operation_id="link_superseding_decision",
    responses={
        200: describe_answer("DecisionLink", LINK, t("api.answer.link_superseding_decision")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
    },
)
async def link_superseding_decision(
    given: Annotated[NewLink, Body(openapi_examples={"replaced": {"value": NEW_LINK}})],
    caller: JournalWriter,
    executive: TheExecutive,
) -> DecisionLink:
    """Link two decisions of your tenant; the same again changes nothing.

    Persons only, who may change something here.
    """
    return await executive.journal.link(
        given.newer, given.older, caller, reason=given.reason, scope=given.scope
    )


@router.get(
    "/v1/journal/links",
    operation_id="list_decision_links",
    responses={
        200: describe_answer("DecisionLinks", LINKS, t("api.answer.list_decision_links")),
        **describe_problems(401, 422, 503),
    },
)
async def list_decision_links(
    wanted: Annotated[LinksWanted, Query()], caller: Caller, executive: TheExecutive
) -> DecisionLinks:
    """List links of your tenant; what rules found and nobody settled is `proposed`."""
    found = await executive.journal.succession.list(
        executive.readers.of(caller),
        standing=wanted.standing,
        limit=wanted.limit,
        before=wanted.cursor,
    )
    is_full = len(found) == wanted.limit
    return DecisionLinks(links=tuple(found), next_cursor=found[-1].link_id if is_full else None)


@router.post(
    "/v1/journal/links/{link_id}",
    operation_id="settle_decision_link",
    responses={
        200: describe_answer("DecisionLink", LINK, t("api.answer.settle_decision_link")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
    },
)
async def settle_decision_link(
    link_id: Annotated[int, Path(ge=1, le=2**53)],
    given: Annotated[SettleLink, Body(openapi_examples={"yes": {"value": SETTLE}})],
    caller: JournalWriter,
    executive: TheExecutive,
) -> DecisionLink:
    """Settle a link of your tenant; refusing one that was accepted takes it back.

    Persons only, who may change something here.
    """
    return await executive.journal.settle(link_id, caller, accept=given.accept)
