"""Render pages: templates with escaping, their filters, static assets and compression."""

import gzip
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from api.http.problems import NOT_FOUND, Problem
from graph.presenters.reasons import decision_reason, outcome_label
from state.offer import Offer
from state.principal import Principal
from tools.gate.approvals.dialog import is_long
from tools.gate.ledger.maintenance import ENDED
from tools.platform.texts import section, t
from tools.platform.unicode_safety import neutralize_and_warn, neutralize_value, show_controls

_MARKS: Mapping[str, str] = {
    "pending": "asking",
    "proposed": "asking",
    "approved": "asking",
    "started": "asking",
    "awaiting_approval": "asking",
    "permitted": "asking",
    "offered": "asking",
    "succeeded": "done",
    "executed": "done",
    "active": "done",
    "spoke": "said",
    "failed": "bad",
    "unknown": "bad",
    "refused": "no",
    "rejected": "no",
}


def clock(instant: datetime) -> str:
    """Write the time of day, UTC."""
    return f"{instant.astimezone(UTC):%H:%M:%S}"


def day(instant: datetime) -> str:
    """Write date and time, UTC."""
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def date(instant: datetime) -> str:
    """Write the day, UTC."""
    return f"{instant.astimezone(UTC):%Y-%m-%d}"


def iso(instant: datetime) -> str:
    """Write an instant for scripts and the `time` element."""
    return instant.astimezone(UTC).isoformat(timespec="seconds")


def duration(milliseconds: float) -> str:
    """Write how long something took, in the unit people would say."""
    if milliseconds < 1_000:
        return f"{milliseconds:.0f} ms"
    fitting = ((size, unit) for size, unit in _UNITS if milliseconds < _MOST_OF_A_UNIT * size)
    size, unit = next(fitting, _UNITS[-1])
    return f"{float(f'{milliseconds / size:.2g}'):g} {unit}"


_MOST_OF_A_UNIT = 48
_UNITS = ((1_000, "s"), (60_000, "min"), (3_600_000, "h"), (86_400_000, "days"))
"""Milliseconds of each unit."""


def spaced(name: str) -> str:
    """Write an identifier as words."""
    return name.replace("_", " ")


def state_words(state: str) -> str:
    """Say where an action stands."""
    return section("approval.state").get(state) or spaced(state)


def standing(status: str) -> str:
    """Say where a decision stands."""
    return t("console.journal.unknown_status") if status == "unknown" else status


def mark(outcome: str) -> str:
    """Name the colour of a state or an outcome: asking, done, said, no, bad or quiet."""
    return _MARKS.get(outcome, "quiet")


def is_over(offer: Offer) -> bool:
    """Tell whether a chip of an offer can be chosen no more."""
    ended = offer.expires_at is not None and offer.expires_at <= datetime.now(UTC)
    return offer.chosen is not None or ended


def may_change(state: str) -> bool:
    """Tell whether an action in this state can still come to stand otherwise."""
    return state not in ENDED


def exact(name: str) -> str:
    """Write a name or an id with every character that is not ASCII named behind it."""
    return neutralize_and_warn(name, is_exact=True)


TESTS: Mapping[str, Callable[..., bool]] = {  # as Jinja takes them
    "changeable": may_change,
    "over": is_over,
}
FILTERS: Mapping[str, Callable[..., Any]] = {  # as Jinja takes them
    "clock": clock,
    "date": date,
    "exact": exact,
    "flagged": neutralize_and_warn,
    "inert": neutralize_value,
    "is_long": is_long,
    "duration": duration,
    "day": day,
    "iso": iso,
    "standing": standing,
    "spaced": spaced,
    "state_words": state_words,
    "mark": mark,
    "outcome": outcome_label,
    "reason": decision_reason,
}


_TYPES = {
    "console.css": "text/css; charset=utf-8",
    "console.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_FOR_EVER = "public, max-age=31536000, immutable"
"""Each address carries the version of what it names."""


def asset(name: str) -> Response:
    """Answer with one of the files there are.

    Raises:
        Problem: 404, it is none of them.
    """
    if name not in _TYPES:
        raise Problem(NOT_FOUND, t("console.error.no_file"))
    return Response(_read(name), media_type=_TYPES[name], headers={"Cache-Control": _FOR_EVER})


def asset_version(name: str) -> str:
    """Name the content of a file, so that a new one is fetched at once."""
    return sha256(_read(name)).hexdigest()[:12]


@cache
def _read(name: str) -> bytes:
    return (files("api.console") / "static" / name).read_bytes()


PAGES = ("live", "approvals", "talk", "journal", "quiet", "personality", "measures")
"""What the navigation names, in order."""


def render_text(request: Request, template: str, told: Mapping[str, Any] | None = None) -> str:
    """Draw a template as text. See render."""
    session = getattr(request.state, "session", None)
    principal: Principal | None = getattr(request.state, "principal", None)
    context = {
        "at": lambda way: page_url(request, way),
        "asset": lambda name: f"{page_url(request, '/static/')}{name}?v={asset_version(name)}",
        "csrf": session.token() if session else "",
        "page_of": session.mark if session else "",
        "frame": "bare.html" if is_htmx(request) else "layout.html",
        "here": request.url.path.removeprefix(page_url(request, "")),
        "pages": [(f"/{name}", t(f"console.page.{name}")) for name in PAGES],
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
    return HTMLResponse(render_text(request, template, told), status_code=status)


def page_url(request: Request, way: str) -> str:
    """Write the address of a page of the console, wherever the app is mounted."""
    return f"{request.scope.get('root_path', '')}/console{way}"


def session_url(request: Request, way: str, session_id: str) -> str:
    """Write the address of a page about a session, whatever that is called."""
    return f"{page_url(request, way)}?{urlencode({'session_id': session_id})}"


def is_htmx(request: Request) -> bool:
    """Tell whether a part of a page is asked for, by a script of ours."""
    return request.headers.get("hx-request") == "true"


def _shown(value: Any) -> Any:  # whatever a template writes
    """Let no text turn around what stands beside it: somebody wrote it, somewhere.

    What a form sends back has to come back as it was: templates escape it themselves (`| e`).
    """
    if isinstance(value, str) and not isinstance(value, Markup):
        return show_controls(value)
    return value


def _text(key: str, /, **fields: object) -> Markup:
    """Give a text of the console: it is HTML, and what it is filled in with is not."""
    return Markup(t(key, **{name: _escaped(value) for name, value in fields.items()}))  # noqa: S704


def _escaped(value: object) -> object:
    return escape(_shown(value)) if isinstance(value, str) else value


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
    made.globals["t"] = _text
    return made


FEWEST_BYTES = 1_200
"""What fits into one packet is sent as it is."""
_LEVEL = 5
_PACKED = frozenset({"text/html", "text/css", "text/javascript", "image/svg+xml"})


def compressed(request: Request, response: Response) -> Response:
    """Pack what a browser shows, if it says that it unpacks.

    What a page repeats of its reader's and what it keeps secret are packed together, and lengths
    could tell of the secret: so the token of a page's forms is another each time it is drawn.
    """
    whole = getattr(response, "body", None)  # a stream has none
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind not in _PACKED or not isinstance(whole, bytes) or len(whole) < FEWEST_BYTES:
        return response
    response.headers["Vary"] = "Accept-Encoding"
    if _unpacks(request):
        response.body = gzip.compress(whole, _LEVEL, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def _unpacks(request: Request) -> bool:
    for one in request.headers.get("accept-encoding", "").split(","):
        name, _semicolon, weight = one.partition(";")
        if name.strip().lower() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
