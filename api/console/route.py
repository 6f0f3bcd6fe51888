"""Route classes of the console: session, CSRF token, security headers, problems as pages."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from api.console.forms import FormRequest
from api.console.rendering import compressed, is_htmx, page_url, render
from api.console.sessions import Session, Sessions
from api.http.dependencies import executive_of
from api.http.idempotency import Handle
from api.http.problems import Kind, Problem
from api.http.route import OpenRoute, guard_named_sessions, logged_problem, place_of, request_id_of
from api.http.security import ANSWER_HEADERS, COOKIE, SAFE_METHODS
from state.principal import Principal
from tools.platform.texts import t

SIGN_IN_COOKIE = "prefrontal_sign_in"
PAGE_OF = "x-prefrontal-page"
"""Which session a page was drawn for, as its parts ask for more."""
OLD_PAGE = Kind("old-page", 403)

PAGE_HEADERS: Mapping[str, str] = {
    **ANSWER_HEADERS,
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    # With `no-referrer` a browser sends its own forms as from nowhere (`Origin: null`).
    "Referrer-Policy": "same-origin",
}


class SignedOut(Exception):
    """Nobody is signed in at this browser, or no more."""


class SignInRoute(OpenRoute):
    """A page for whoever has not signed in."""

    headers = PAGE_HEADERS

    def read(self, plain: Request) -> Request:
        """Read what is sent as a small form."""
        return FormRequest(plain.scope, plain.receive)

    async def admit(self, request: Request) -> None:
        """Let anybody in; the page itself looks at its form's ticket."""

    async def answered(self, request: Request, handle: Handle) -> Response:
        """Answer, packed for whoever unpacks."""
        return compressed(request, await handle(request))

    def refuse(self, request: Request, error: Exception) -> Response:
        """Answer an exception in words, where the person is looking."""
        if isinstance(error, SignedOut):
            return redirect_to_sign_in(request)
        problem = logged_problem(request, error)
        told = {"problem": problem, "request_id": request_id_of(request)}
        page = render(request, "problem.html", told, status=problem.kind.status)
        page.headers.update(problem.headers or {})
        if is_htmx(request):
            page.headers["HX-Retarget"] = "#told"
            page.headers["HX-Reswap"] = "innerHTML"
        return page


class ConsoleRoute(SignInRoute):
    """A page for whoever is signed in; what it changes asks for the form's token too."""

    keeps_open = True
    """Whether a request shows that the person is there."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        super().__init__(path, guard_named_sessions(endpoint), **given)

    async def admit(self, request: Request) -> None:
        """Find whose session it is, and that its key is still good."""
        principal = await principal_of(request)
        if principal is None:
            sessions_of(request).end(request.cookies.get(COOKIE, ""))
            raise SignedOut
        session = sessions_of(request).find(request.cookies[COOKIE], touch=self.keeps_open)
        if session is None:  # it ended while its key was looked up
            raise SignedOut
        request.state.principal, request.state.session = principal, session
        _demand_own_page(request, session)
        if request.method not in SAFE_METHODS:
            await _demand_token(request, session)

    def place(self, request: Request) -> AbstractContextManager[None]:
        """Hold one of the tenant's places while a change is asked for, as the API does."""
        return place_of(request)


class SessionRoute(ConsoleRoute):
    """What concerns one's own session alone: every key is good for it, also one that only reads."""

    def place(self, request: Request) -> AbstractContextManager[None]:
        """Ask for no more than the session: whoever came in can go out."""
        return nullcontext()


class PollRoute(ConsoleRoute):
    """A part of a page that the page itself asks for: the person may have gone."""

    keeps_open = False


async def principal_of(request: Request) -> Principal | None:
    """Find who is signed in, by the same look at the key as the API's; None: nobody any more."""
    session = sessions_of(request).find(request.cookies.get(COOKIE, ""), touch=False)
    if session is None:
        return None
    key = session.key.get_secret_value()
    found: Principal | None = await executive_of(request).keys.principal_of(key)
    return found if found is not None and found.kind == "person" else None


def is_signed_in(request: Request) -> bool:
    """Tell whether the session goes on, without a look at its key."""
    return sessions_of(request).find(request.cookies.get(COOKIE, ""), touch=False) is not None


def sessions_of(request: Request) -> Sessions:
    """Find the sessions of this app."""
    sessions: Sessions = request.app.state.console_sessions
    return sessions


def redirect_to_sign_in(request: Request) -> Response:
    """Send a browser to sign in; htmx goes there as a page."""
    if is_htmx(request):
        wanted = urlsplit(request.headers.get("hx-current-url", "")).path
    else:
        wanted = request.url.path if request.method == "GET" else ""
    way = page_url(request, "/sign-in")
    own = request.scope.get("root_path", "")
    if wanted.startswith(f"{own}/console/"):
        way += f"?then={quote(wanted.removeprefix(f'{own}/console'))}"
    if is_htmx(request):
        return HTMLResponse(status_code=204, headers={"HX-Redirect": way})
    return RedirectResponse(way, status_code=303)


def _demand_own_page(request: Request, session: Session) -> None:
    """Draw nothing of one person's into the page of another, whose cookie this browser had."""
    drawn_for = request.headers.get(PAGE_OF) or request.query_params.get("of")
    if drawn_for not in (None, session.mark):
        raise Problem(OLD_PAGE, t("console.error.new_sign_in"))


async def _demand_token(request: Request, session: Session) -> None:
    if not isinstance(request, FormRequest):  # what `read` above makes of each
        raise TypeError(t("console.error.needs_form"))
    if not session.takes((await request.fields())["csrf"]):
        raise Problem(OLD_PAGE, t("console.error.old_page"))
