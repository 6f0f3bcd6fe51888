"""Heuristics, feedback on responses and silences: routes, types and examples."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response, status
from pydantic import Field

from api.http.dependencies import Caller, Identifier, Teacher, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.common import PageWish, page_of
from api.schemas.examples import SHOWN, Json
from state.dialog import ShownApproval
from state.heuristic import Feedback, KnownHeuristic, RatedSilence, SilenceRating
from state.noun import Noun, Score
from state.strategy import Traced
from tools.platform.texts import t


class HeuristicPage(Noun):
    """The heuristics of a tenant."""

    heuristics: tuple[KnownHeuristic, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


class HeuristicChange(Noun):
    """What is to be changed; what is left out stays."""

    says: str = Field(default="", min_length=1, max_length=2_000)
    floor: Score = 0.05
    ceiling: Score = 0.95
    weight: float = Field(default=1.0, ge=0, le=10, description="of every signal")
    locked: bool = Field(default=False, description="feedback does not move it")
    disabled: str | None = Field(default=None, max_length=200, description="why; null: in use")


CHANGES: dict[str, Any] = {
    "words": {"value": {"says": "Look at the raw water strainer first."}},
    "out of use": {"value": {"disabled": "the pump was replaced"}},
}
RATINGS: dict[str, Any] = {
    "good": {"value": {"response_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001", "rating": "good"}},
    "bad": {
        "value": {
            "response_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
            "rating": "bad",
            "attribution": "bad_timing",
        }
    },
}
HEURISTIC: Json = {
    "heuristic": {
        "heuristic_id": "learned-5b0c6d2a-3a52-5d1e-8a10-0d2f6a7b9c11",
        "tenant_id": "default",
        "origin": "learned",
        "condition": "Watermaker strainer clogged",
        "source": "tank_sensor",
        "kind": "ambient",
        "says": "Clean the strainer before the next run.",
        "action": None,
        "declared": None,
        "locked": False,
        "floor": 0.05,
        "ceiling": 0.95,
        "weight": 1.0,
        "reworded": False,
        "disabled": None,
        "made_at": 1770474720.0,
        "made_from": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    },
    "confidence": {
        "usable": 0.409,
        "mean": 0.533,
        "lower": 0.409,
        "a": 1.6,
        "b": 1.4,
        "blocked": False,
        "doubted": False,
        "taught_by": ["ann"],
        "taught_in": ["engine-room"],
        "shared": False,
        "goods": 1,
        "bads": 0,
        "signals": 1,
    },
}
TRACED: Json = {
    "trace": {
        "response_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
        "timestamp": 1770474720.0,
        "event_id": "evt-18",
        "context_text": "Watermaker strainer clogged",
        "response": "Clean the strainer before the next run.",
        "matched_heuristic_id": None,
        "predicted_success": 0.7,
        "prediction_confidence": 0.8,
        "path": "llm",
        "strategy": "heuristic_first",
        "tenant_id": "default",
        "session_id": "engine-room",
        "decision_id": "7c1f0f0e-2a52-5d1e-8a10-0d2f6a7b9c11",
        "event_source": "tank_sensor",
        "event_kind": "ambient",
        "action": None,
        "user": None,
        "prompt_hash": "de7d1b721a1e0632",
        "model": "gpt-5-mini",
    },
    "explicit": {
        "sign": "good",
        "attribution": None,
        "session_id": "engine-room",
        "given_by": "ann",
        "strength": 1.0,
    },
    "implicit": None,
}


class SilenceWish(Noun):
    """What to say of a silence."""

    rating: SilenceRating


MISSED: Json = {
    "decision_id": "7c1f0f0e-2a52-5d1e-8a10-0d2f6a7b9c11",
    "rating": "should_have_told",
    "reason": "habituated",
    "woken": "tank_sensor|ambient|strainer",
    "watch": "strainer",
    "rule": None,
}

router = APIRouter(route_class=KeyedRoute, tags=["heuristics"])


@router.post(
    "/v1/feedback",
    operation_id="rate",
    responses={
        200: describe_answer("Traced", TRACED, t("api.answer.rate")),
        **describe_problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def rate(
    given: Annotated[Feedback, Body(openapi_examples=RATINGS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Traced:
    """Rate a response by its id, which stands in its record: good, meh or bad.

    Said again it counts once, and the last word counts. A good one of a model becomes a heuristic.
    """
    return await work.finish(executive.feedback.rate(caller, given))


@router.post(
    "/v1/decisions/{decision_id}/feedback",
    operation_id="rate_silence",
    responses={
        200: describe_answer("RatedSilence", MISSED, t("api.answer.rate_silence")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def rate_silence(
    decision_id: Identifier,
    wish: Annotated[
        SilenceWish,
        Body(openapi_examples={"missed": {"value": {"rating": "should_have_told"}}}),
    ],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> RatedSilence:
    """Say of an event that was kept from you that you should have been told, or take that back.

    It counts as a regretted silence, and habituation to such events is dropped. `watch` names a
    topic for POST /v1/modulations (`heighten`), `rule` one for DELETE /v1/quiet. 409: it spoke,
    still waits, or is none on an event.
    """
    return await work.finish(executive.feedback.rate_silence(caller, decision_id, wish.rating))


@router.get(
    "/v1/responses/{response_id}",
    operation_id="read_response",
    responses={
        200: describe_answer("Traced", TRACED, t("api.answer.read_response")),
        **describe_problems(401, 404, 503),
    },
)
async def read_response(response_id: Identifier, caller: Caller, executive: TheExecutive) -> Traced:
    """Read the reasoning trace of a response: the event, the path, the heuristic, the model."""
    return await executive.heuristics.response(response_id, executive.readers.of(caller))


@router.get(
    "/v1/heuristics",
    operation_id="list_heuristics",
    responses={
        200: describe_answer(
            "HeuristicPage", {"heuristics": [HEURISTIC]}, t("api.answer.list_heuristics")
        ),
        **describe_problems(401, 422, 503),
    },
)
async def list_heuristics(
    wanted: Annotated[PageWish, Query()], caller: Caller, executive: TheExecutive
) -> HeuristicPage:
    """List the heuristics, learned and shipped, each with every number behind its confidence."""
    found = await executive.heuristics.list(executive.readers.of(caller))
    page, following = page_of(found, wanted, lambda one: one.heuristic.heuristic_id)
    return HeuristicPage(heuristics=page, next_cursor=following)


@router.get(
    "/v1/heuristics/{heuristic_id}",
    operation_id="read_heuristic",
    responses={
        200: describe_answer("KnownHeuristic", HEURISTIC, t("api.answer.read_heuristic")),
        **describe_problems(401, 404, 503),
    },
)
async def read_heuristic(
    heuristic_id: Identifier, caller: Caller, executive: TheExecutive
) -> KnownHeuristic:
    """Read one heuristic."""
    return await executive.heuristics.get(heuristic_id, executive.readers.of(caller))


@router.patch(
    "/v1/heuristics/{heuristic_id}",
    operation_id="edit_heuristic",
    responses={
        200: describe_answer("KnownHeuristic", HEURISTIC, t("api.answer.edit_heuristic")),
        202: describe_answer("ShownApproval", SHOWN, t("api.answer.edit_heuristic_202")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def edit_heuristic(
    heuristic_id: Identifier,
    change: Annotated[HeuristicChange, Body(openapi_examples=CHANGES)],
    caller: Teacher,
    executive: TheExecutive,
    work: TheTasks,
    response: Response,
) -> KnownHeuristic | ShownApproval:
    """Change its words, its bounds, its weight, or put it out of use; it counts for the next event.

    A learned one is changed at once. One that a pack ships, or that is locked, is changed when
    `[changes] approvers` have said yes to it, and not by its asker alone. A shipped one's words may
    hold {text} and {source}, as in its pack. Persons only, who may change something here (403).
    """
    fields = change.model_dump(exclude_unset=True)
    changed = await work.finish(executive.heuristic_changes.change(heuristic_id, caller, fields))
    if isinstance(changed, KnownHeuristic):
        return changed
    response.status_code = status.HTTP_202_ACCEPTED
    return executive.approvals.show(changed)
