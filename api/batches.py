"""Several approvals answered at once: each on its own, each with its own digest."""

from typing import Annotated, Any

from fastapi import APIRouter, Body
from starlette.requests import Request

from api.answering import answer_in_any_form
from api.dependencies import Caller, TheExecutive, TheWork
from api.examples.common import BATCH, BATCH_ANSWERED
from api.http.describing import answers, problems
from api.http.problems import FORBIDDEN, Problem, problem_of
from api.http.route import KeyedRoute, instance_of, request_id_of
from api.payloads.common import Batch, BatchAnswered, BatchItem, BatchResult, ProblemDetails
from graph.runner import Executive
from state.principal import Principal

router = APIRouter(route_class=KeyedRoute, tags=["approvals"])


@router.post(
    "/v1/approvals/decide",
    operation_id="answer_approvals",
    summary="Answer several approvals",
    responses={
        200: answers("BatchAnswered", BATCH_ANSWERED, "What came of each, in order"),
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def answer_approvals(
    batch: Annotated[Batch, Body(openapi_examples={"batch": {"value": BATCH}})],
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> BatchAnswered:
    """Answer up to 50 approvals, in order; one that is refused does not stop the others."""
    if caller.kind != "person":
        raise Problem(FORBIDDEN, "only a person may answer an approval, never a service")
    return await work.finish(answer_all(batch, request, caller, executive))


async def answer_all(
    batch: Batch, request: Request, caller: Principal, executive: Executive
) -> BatchAnswered:
    """Answer each in turn, by whichever door they came; what is refused is told in its place."""
    results = [await _answer(item, request, caller, executive) for item in batch.answers]
    return BatchAnswered(results=tuple(results))


async def _answer(
    item: BatchItem, request: Request, caller: Principal, executive: Executive
) -> BatchResult:
    sent: dict[str, Any] = item.model_dump(exclude_unset=True, exclude={"action_id"})
    try:
        approval = await answer_in_any_form(item.action_id, sent, caller, executive)
    except Exception as error:  # noqa: BLE001 - told in its place; the others go on
        problem = problem_of(error)
        body = problem.body(instance=instance_of(request), request_id=request_id_of(request))
        return BatchResult(
            action_id=item.action_id,
            status=problem.kind.status,
            problem=ProblemDetails.model_validate(body),
        )
    return BatchResult(action_id=item.action_id, status=200, approval=approval)
