"""Middleware that checks Host and Origin before a key is looked up."""

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.problems import FOREIGN_HOST, FOREIGN_ORIGIN, Problem
from api.http.route import finish, refusal
from api.http.security import path_in
from tools.platform.egress_policy import is_loopback
from tools.platform.texts import t

_DEFAULT_PORTS = {"http": 80, "https": 443}
_OURS = ("/v1/", "/console", "/mcp", "/answer/")
"""No page but our own calls these; the routes of a LangGraph server are there for Studio's too."""
_POLICY_VIOLATION = 1008
"""Closes a WebSocket. Source: RFC 6455 §7.4.1."""


class TrustedOrigins:
    """Middleware that refuses requests for a host that is not ours, and from pages of other sites.

    A name that leads to us by somebody else's DNS makes their page one of "our own" to a browser
    (DNS rebinding), so only known names are answered to. Under `langgraph dev` it stands around
    the server's routes as well, which by themselves let every page of the web read.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or answer it with 421 or 403; a WebSocket is closed."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            self._demand_trusted(HTTPConnection(scope))
        except Problem as problem:
            if scope["type"] == "websocket":
                reason = {"code": _POLICY_VIOLATION, "reason": problem.kind.title}
                await send({"type": "websocket.close", **reason})
                return
            request = Request(scope)
            response = refusal(request, problem)
            finish(request, response)
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _demand_trusted(self, connection: HTTPConnection) -> None:
        executive = connection.app.state.executive
        settings = executive.settings if executive is not None else None
        hosts = (settings.host, *settings.trusted_hosts) if settings else ()
        refuse_foreign_host(connection, hosts)
        is_ours = path_in(connection.scope).startswith(_OURS)
        refuse_foreign_page(
            connection, settings.trusted_origins if settings and not is_ours else ()
        )


def refuse_foreign_host(connection: HTTPConnection, hosts: Collection[str]) -> None:
    """Refuse a request for a host other than loopback, the address it came to, or one of `hosts`.

    One without `Host`, as HTTP/1.0 allows, comes from no browser and is let through.

    Raises:
        Problem: 421.
    """
    reached = (connection.scope.get("server") or ("",))[0]
    known = {_plain(name) for name in (reached, *hosts) if name}
    for given in connection.headers.getlist("host"):
        name = _plain(_name_in(given))
        if not is_loopback(name) and name not in known:
            detail = t("problem.unknown_host")
            raise Problem(FOREIGN_HOST, detail)


def refuse_foreign_page(connection: HTTPConnection, origins: Collection[str]) -> None:
    """Refuse what a page of a site other than our own and `origins` asks for, reads included.

    Links to us are followed: a navigation that reads names no `Origin`.

    Raises:
        Problem: 403.
    """
    for origin in connection.headers.getlist("origin"):
        if origin not in origins and not _is_own(origin, connection.headers.get("host", "")):
            raise Problem(FOREIGN_ORIGIN, t("problem.cross_site"))
    if "origin" in connection.headers:
        return
    # What a page embeds or loads without asking for leave has no Origin; browsers say this of it.
    fetched = connection.headers.get("sec-fetch-site", "none")
    mode = connection.headers.get("sec-fetch-mode", "navigate")
    if fetched in ("cross-site", "same-site") and mode != "navigate":
        raise Problem(FOREIGN_ORIGIN, t("problem.embedded"))


def _is_own(origin: str, host: str) -> bool:
    try:
        theirs, ours = urlsplit(origin), urlsplit(f"//{host}")
        default = _DEFAULT_PORTS.get(theirs.scheme)
        return (
            default is not None
            and bool(theirs.hostname)
            and theirs.hostname == ours.hostname
            and (theirs.port or default) == (ours.port or default)
        )
    except ValueError:  # a port that is no number, a bracket that never closes
        return False


def _name_in(host: str) -> str:
    """Take the name out of `Host`; one that cannot be read is nobody's."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _plain(name: str) -> str:
    """Write a name in lower case, and an IPv4 address as such where a socket has it as IPv6."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.lower()
    return str(getattr(address, "ipv4_mapped", None) or address)
