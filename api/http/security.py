"""Who is calling, and what every answer tells a browser not to do."""

import re
from collections.abc import Mapping

from starlette.requests import Request
from starlette.types import Scope

from api.http import local_access
from api.http.problems import UNAUTHENTICATED, UNSUPPORTED_MEDIA_TYPE, Problem
from state.errors import Forbidden
from state.principal import Principal
from tools.access import KeyRing, basic_password, bearer_credentials
from tools.platform.texts import t

COOKIE = "prefrontal_console"
"""Holds the session of a signed-in browser."""
ANSWER_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

COOKIE = "prefrontal_console"
"""Names the session of who is signed in to the console."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_FORM_TYPES = frozenset({"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
_ANSWERS = re.compile(r".*/(v1|console)/(approvals|refusals|grants|tools)(/|$)")
"""Also behind the prefix of a proxy."""


async def authenticate(request: Request, keys: KeyRing, *, takes_basic: bool = False) -> Principal:
    """Find who is calling from `Authorization: Bearer`: a stored key, or one of local_access.

    Args:
        takes_basic: the key may be the password of `Basic` instead.

    Raises:
        Problem: 401, whether the key is missing, unreadable or unknown.
    """
    sent = request.headers.getlist("authorization")
    secret = bearer_credentials(sent) or (basic_password(sent) if takes_basic else None)
    if secret is None:
        raise _unauthenticated(t("problem.send_key"), 'Bearer realm="prefrontal"')
    principal = _local_caller(request, secret) or await keys.principal_of(secret)
    if principal is None:
        challenge = 'Bearer realm="prefrontal", error="invalid_token"'
        raise _unauthenticated(t("problem.wrong_key"), challenge)
    return principal


def _local_caller(request: Request, secret: str) -> Principal | None:
    state = request.app.state
    access: local_access.LocalAccess | None = getattr(state, "local_access", None)
    if access is None or not secret.startswith(local_access.PREFIX):
        return None
    closed = (role for rule in state.executive.readers.rules for role in rule.roles)
    return access.caller(secret, (*state.executive.catalogue.roles, *closed))


def path_in(scope: Scope) -> str:
    """Give a path as our routes have it; a server around us has its own before it."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def is_answer(scope: Scope) -> bool:
    """Tell whether a person says yes or no: a flood of events must not keep that from us."""
    return _ANSWERS.match(path_in(scope)) is not None


def demand_scope(principal: Principal, path: str) -> None:
    """Let a change pass for which the caller's key is good, whatever its roles allow.

    Raises:
        Forbidden: it is not.
    """
    needed = "approve" if _ANSWERS.match(path) else "ask"
    if needed not in principal.scopes:
        held = ", ".join(principal.scopes)
        raise Forbidden(t("problem.key_scope", held=held, needed=needed))


def refuse_a_form(request: Request) -> None:
    """Refuse what a page can send without being asked for leave: also where no body is read.

    Raises:
        Problem: 415, when the body is said to be a form's.
    """
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given in _FORM_TYPES and request.method not in SAFE_METHODS:
        accepted = {"Accept-Post": "application/json"}
        detail = t("problem.json_only")
        raise Problem(UNSUPPORTED_MEDIA_TYPE, detail, headers=accepted)


def _unauthenticated(sentence: str, challenge: str) -> Problem:
    return Problem(UNAUTHENTICATED, sentence, headers={"WWW-Authenticate": challenge})
