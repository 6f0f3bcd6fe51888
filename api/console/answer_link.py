"""The page behind a link to an approval: outside the sign-in, for one person, for one answer."""

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.console.approval_view import approval_view, require_long_parts_read
from api.console.forms import FormRequest
from api.console.rendering import render
from api.console.route import SignInRoute
from api.http.dependencies import TheExecutive, TheTasks, admission_of
from api.http.problems import FOREIGN_ORIGIN, INVALID, Problem
from api.http.security import SAFE_METHODS
from graph.executive import Executive
from graph.services.channels import LinkDecision, OpenLink
from tools.platform.texts import t

_COSTS = 10
"""What a request takes of the budget of events of its address: tokens are not to be guessed."""
_DECISIONS: Final[dict[str, LinkDecision]] = {
    "approve": "approve",
    "reject": "reject",
    "respond": "respond",
}


class AnswerLinkRoute(SignInRoute):
    """A page for whoever has the link; what is sent has to come from that very page."""

    async def admit(self, request: Request) -> None:
        """Charge the address, and take a form from a page of ours only: a browser says so.

        That an `Origin` is ours is looked at for every request (api/http/trusted_origins.py).
        """
        address = request.client.host if request.client else ""
        admission_of(request).charge(f"answer from {address}", _COSTS, is_stranger=True)
        if request.method not in SAFE_METHODS and "origin" not in request.headers:
            raise Problem(FOREIGN_ORIGIN, t("problem.cross_site"))


router = APIRouter(route_class=AnswerLinkRoute, include_in_schema=False)


@router.get("/answer/{token}")
async def question(token: str, request: Request, executive: TheExecutive) -> Response:
    """Show what would run; whoever fetches the link, a mail scanner too, changes nothing."""
    return _drawn(request, executive, await executive.channels.open(token))


@router.post("/answer/{token}")
async def answer(
    token: str, request: FormRequest, executive: TheExecutive, work: TheTasks
) -> Response:
    """Pass the answer of the link's person on, and show what came of it."""
    fields = await request.fields()
    decision = _DECISIONS.get(fields["decision"])
    if decision is None:
        raise Problem(INVALID, t("problem.approval.unreadable"))
    opened = await executive.channels.open(token)
    if decision == "approve":
        require_long_parts_read(opened.shown, fields["seen"])
    settled = await work.finish(
        executive.channels.answer(
            opened, decision, reason=fields["reason"].strip(), typed=fields["typed"]
        )
    )
    return render(request, "answered.html", {"shown": settled})


def _drawn(request: Request, executive: Executive, opened: OpenLink) -> Response:
    context = approval_view(executive, opened.principal, opened.shown)
    told = {"by_link": True, "person": opened.link.person, "sign_in": opened.sign_in}
    return render(request, "answer.html", context | told)
