"""Draw a page: templates in which every value is escaped, and what all of them know."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from api.console.assets import asset_version
from api.console.words import FILTERS, TESTS
from state.principal import Principal
from tools.visible import with_controls_shown

PAGES: tuple[tuple[str, str], ...] = (
    ("/live", "Live"),
    ("/approvals", "Approvals"),
    ("/talk", "Talk"),
    ("/journal", "Journal"),
    ("/quiet", "Quiet"),
    ("/personality", "Personality"),
    ("/measures", "Measures"),
)
"""What the navigation names, in order."""


def drawn(request: Request, template: str, told: Mapping[str, Any] | None = None) -> str:
    """Draw a template as text. See render."""
    session = getattr(request.state, "session", None)
    principal: Principal | None = getattr(request.state, "principal", None)
    context = {
        "at": lambda way: at(request, way),
        "asset": lambda name: f"{at(request, '/static/')}{name}?v={asset_version(name)}",
        "csrf": session.token() if session else "",
        "page_of": session.mark if session else "",
        "frame": "bare.html" if is_htmx(request) else "layout.html",
        "here": request.url.path.removeprefix(at(request, "")),
        "pages": PAGES,
        "principal": principal,
    }
    return _templates().get_template(template).render(context | dict(told or {}))


def render(
    request: Request,
    template: str,
    told: Mapping[str, Any] | None = None,  # whatever the template shows
    *,
    status: int = 200,
) -> HTMLResponse:
    """Draw a template; for htmx alone without the frame around it."""
    return HTMLResponse(drawn(request, template, told), status_code=status)


def at(request: Request, way: str) -> str:
    """Write the address of a page of the console, wherever the app is mounted."""
    return f"{request.scope.get('root_path', '')}/console{way}"


def in_session(request: Request, way: str, session_id: str) -> str:
    """Write the address of a page about a session, whatever that is called."""
    return f"{at(request, way)}?{urlencode({'session_id': session_id})}"


def is_htmx(request: Request) -> bool:
    """Tell whether a part of a page is asked for, by a script of ours."""
    return request.headers.get("hx-request") == "true"


def _shown(value: Any) -> Any:  # whatever a template writes
    """Let no text turn around what stands beside it: somebody wrote it, somewhere.

    What a form sends back has to come back as it was: templates escape it themselves (`| e`).
    """
    if isinstance(value, str) and not isinstance(value, Markup):
        return with_controls_shown(value)
    return value


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("api.console"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS)
    made.tests.update(TESTS)
    return made
