"""Sign in with an API key, renew, sign out; static files and the page for unknown addresses."""

import re
from datetime import UTC, datetime, timedelta

import structlog
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from api.console.forms import FormRequest
from api.console.rendering import asset, is_htmx, page_url, render
from api.console.route import (
    SIGN_IN_COOKIE,
    ConsoleRoute,
    PollRoute,
    SessionRoute,
    SignInRoute,
    sessions_of,
)
from api.console.sessions import LONGEST_SECONDS, Ending, Session
from api.http.admission import Admission
from api.http.dependencies import TheAdmission, TheExecutive
from api.http.problems import NOT_FOUND, Kind, Problem
from api.http.route import request_id_of
from api.http.security import COOKIE
from state.principal import Principal
from tools.platform.texts import t

_TICKET_SECONDS = 3_600
_OWN_WAY = re.compile(r"/[A-Za-z0-9/_-]{0,200}")
_OTHER_KEY = Kind("other-key", 403)
_DOOR_OF = "sign-in from "
_COSTS = 50
"""What an attempt takes of the API's own budget of events, counted by address here."""

_log = structlog.get_logger("api.console")
router = APIRouter(route_class=SignInRoute, include_in_schema=False)
inside = APIRouter(route_class=SessionRoute, include_in_schema=False)
polled = APIRouter(route_class=PollRoute, include_in_schema=False)


@router.get("/console/static/{name}")
async def files(name: str) -> Response:
    """Give a style, a script or a picture to anybody: nothing in them is anybody's."""
    return asset(name)


@router.get("/console/sign-in")
async def ask_for_key(request: Request, then: str = "") -> Response:
    """Ask for a key."""
    return _asking(request, then)


@router.post("/console/sign-in")
async def sign_in(
    request: FormRequest, executive: TheExecutive, admission: TheAdmission
) -> Response:
    """Open a session for the holder of a person's key; its cookie is the session's name alone."""
    fields = await request.fields()
    sessions, then = sessions_of(request), fields["then"]
    if not sessions.is_ticket(fields["ticket"], request.cookies.get(SIGN_IN_COOKIE, "")):
        return _asking(request, then, t("console.sign_in.old_form"), status=403)
    _charge(request, admission)
    key = fields["key"].strip()
    principal = await executive.keys.principal_of(key)
    if principal is None or principal.kind != "person":
        _log.warning("sign_in_refused", **_who(request, principal))
        why = t("console.sign_in.no_person" if principal else "console.sign_in.no_key")
        return _asking(request, then, why, status=403)
    sessions.end(request.cookies.get(COOKIE, ""))
    _log.info("signed_in", **_who(request, principal))
    answer = RedirectResponse(_safe(request, then), status_code=303)
    _keep(request, answer, COOKIE, sessions.begin(key), LONGEST_SECONDS)
    _keep(request, answer, SIGN_IN_COOKIE)
    return answer


@inside.post("/console/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session, here and for whoever has copied its cookie."""
    sessions_of(request).end(request.cookies.get(COOKIE, ""))
    _log.info("signed_out", **_who(request, request.state.principal))
    answer = RedirectResponse(page_url(request, "/sign-in"), status_code=303)
    _keep(request, answer, COOKIE)
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'
    return answer


@polled.get("/console/session")
async def session_ends(request: Request, shown: Ending = "not yet") -> Response:
    """Warn of a session's end while there is time to go on; nothing where that is told already."""
    session: Session = request.state.session
    if session.ends(sessions_of(request).seconds()).ending == shown:
        return Response(status_code=204)
    return _staying(request)


@inside.post("/console/session")
async def stay(request: FormRequest, admission: TheAdmission) -> Response:
    """Go on: that somebody asks is enough, until it has lasted so long that the key is due."""
    key = (await request.fields())["key"].strip()
    sessions, session = sessions_of(request), request.state.session
    if key:
        _charge(request, admission)
        if not sessions.renew(session, key):
            raise Problem(_OTHER_KEY, t("console.sign_in.nothing_changed"))
    answer = _staying(request) if is_htmx(request) else RedirectResponse(page_url(request, ""), 303)
    if key:
        _keep(request, answer, COOKIE, request.cookies[COOKIE], LONGEST_SECONDS)
    return answer


@inside.get("/console")
async def home(request: Request) -> Response:
    """Begin where people are waited for."""
    return RedirectResponse(page_url(request, "/approvals"), status_code=303)


nowhere = APIRouter(route_class=ConsoleRoute, include_in_schema=False)


@nowhere.api_route("/console/{rest:path}", methods=["GET", "POST"])
async def unknown(rest: str) -> Response:
    """Say that there is no such page, in our manner."""
    raise Problem(NOT_FOUND, t("console.error.no_page"))


def _asking(request: Request, then: str, wrong: str = "", *, status: int = 200) -> Response:
    ticket = request.cookies.get(
        SIGN_IN_COOKIE, ""
    )  # of another page of this browser, that waits too
    if not sessions_of(request).is_ticket(ticket, ticket):
        ticket = sessions_of(request).ticket()
    hours = round(LONGEST_SECONDS / 3_600)
    told = {"ticket": ticket, "then": then, "wrong": wrong, "hours": hours}
    page = render(request, "sign_in.html", told, status=status)
    _keep(request, page, SIGN_IN_COOKIE, ticket, _TICKET_SECONDS)
    return page


def _staying(request: Request) -> Response:
    left = request.state.session.ends(sessions_of(request).seconds())
    over = datetime.now(UTC) + timedelta(seconds=left.seconds)
    return render(request, "_staying.html", {"ending": left.ending, "over": over})


def _who(request: Request, principal: Principal | None) -> dict[str, str | None]:
    """Name somebody for the log, with the id of the request whose line tells the rest."""
    return {
        "tenant": principal.tenant_id if principal else None,
        "user": principal.user if principal else None,
        "request_id": request_id_of(request),
    }


def _safe(request: Request, then: str) -> str:
    """Go on to a page of ours, or home: never to an address that somebody put into the form."""
    return page_url(request, then if _OWN_WAY.fullmatch(then) and "//" not in then else "")


def _keep(
    request: Request, response: Response, name: str, value: str = "", seconds: float = 0
) -> None:
    """Set a cookie that no script reads and no other site sends; without a value, take it away."""
    response.set_cookie(
        name,
        value,
        max_age=int(seconds),
        path=page_url(request, ""),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def _charge(request: FormRequest, admission: Admission) -> None:
    address = request.client.host if request.client else ""
    admission.charge(f"{_DOOR_OF}{address}", _COSTS, is_stranger=True)
