"""What an answer says when something is wrong: RFC 9457, one type for every kind of trouble."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi.exceptions import HTTPException, RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from state.errors import (
    BadInput,
    Busy,
    Conflict,
    DigestMismatch,
    Forbidden,
    InvalidArguments,
    ModelUnavailable,
    NotFound,
)
from tools.platform.serialization import plain_fault
from tools.platform.texts import t

MEDIA_TYPE = "application/problem+json"
_LONGEST_DETAIL = 1_000
_MOST_FAULTS = 50


@dataclass(frozen=True)
class Kind:
    """One type of problem, as every answer of that type names it."""

    slug: str
    status: int

    @property
    def title(self) -> str:
        """The `title` member: the type in words."""
        return t(f"problem.title.{self.slug}")

    @property
    def uri(self) -> str:
        """The `type` member: a name, not an address."""
        return f"urn:problem-type:prefrontal:{self.slug}"


MALFORMED = Kind("malformed-json", 400)
BAD_REQUEST = Kind("bad-request", 400)
UNAUTHENTICATED = Kind("unauthenticated", 401)
FORBIDDEN = Kind("forbidden", 403)
FOREIGN_ORIGIN = Kind("foreign-origin", 403)
FOREIGN_HOST = Kind("foreign-host", 421)
NOT_FOUND = Kind("not-found", 404)
METHOD_NOT_ALLOWED = Kind("method-not-allowed", 405)
CONFLICT = Kind("conflict", 409)
DIGEST_MISMATCH = Kind("digest-mismatch", 409)
UNDER_WAY = Kind("under-way", 409)
OUTCOME_UNKNOWN = Kind("outcome-unknown", 409)
TOO_SLOW = Kind("too-slow", 408)
TOO_LARGE = Kind("too-large", 413)
UNSUPPORTED_MEDIA_TYPE = Kind("unsupported-media-type", 415)
INVALID = Kind("invalid", 422)
INVALID_ARGUMENTS = Kind("invalid-arguments", 422)
KEY_REUSED = Kind("key-reused", 422)
TOO_MANY = Kind("too-many", 429)
INTERNAL = Kind("internal", 500)
BUSY = Kind("busy", 503)
NOT_READY = Kind("not-ready", 503)

_KIND_OF_STATUS = {
    kind.status: kind for kind in (BAD_REQUEST, NOT_FOUND, METHOD_NOT_ALLOWED, TOO_LARGE)
}
_KIND_OF_ERROR: tuple[tuple[type[Exception], Kind], ...] = (
    (InvalidArguments, INVALID_ARGUMENTS),
    (DigestMismatch, DIGEST_MISMATCH),
    (BadInput, INVALID),
    (NotFound, NOT_FOUND),
    (Forbidden, FORBIDDEN),
    (Conflict, CONFLICT),
    (Busy, BUSY),
    (ModelUnavailable, BUSY),
)


@dataclass(frozen=True)
class Fault:
    """One field that is wrong, and how."""

    field: str
    problem: str


class Problem(HTTPException):
    """A refusal ready to be told; an HTTPException, which FastAPI hands on untouched."""

    def __init__(
        self,
        kind: Kind,
        detail: str,
        *,
        faults: Sequence[Fault] = (),
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,  # extension members: any JSON
    ) -> None:
        self.kind = kind
        self.faults = tuple(faults)
        self.members = dict(members or {})
        super().__init__(kind.status, detail, headers=dict(headers or {}))

    def body(self, *, instance: str, request_id: str) -> dict[str, Any]:
        """Draw the members of RFC 9457, ours after them."""
        drawn: dict[str, Any] = {
            "type": self.kind.uri,
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": str(self.detail)[:_LONGEST_DETAIL],
            "instance": instance,
            "request_id": request_id,
        }
        if self.faults:
            drawn["errors"] = [
                {"field": fault.field[:200], "problem": fault.problem[:_LONGEST_DETAIL]}
                for fault in self.faults[:_MOST_FAULTS]
            ]
        return drawn | self.members


def problem_of(error: Exception) -> Problem:
    """Find the problem an exception stands for; what nobody foresaw tells nothing of itself."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        return _problem_of_request(error)
    if isinstance(error, StarletteHTTPException):
        kind = _KIND_OF_STATUS.get(error.status_code)
        if kind is not None:
            return Problem(kind, str(error.detail), headers=error.headers)
    if isinstance(error, ClientDisconnect):
        return Problem(BAD_REQUEST, t("problem.disconnected"))
    for family, kind in _KIND_OF_ERROR:
        if isinstance(error, family):
            return _problem_of_ours(error, kind)
    return Problem(INTERNAL, t("problem.internal"))


def faults_of(errors: Sequence[ErrorDetails], place: str = "") -> list[Fault]:
    """Say of each validation error where it is and what is wrong; never what was sent."""
    return [Fault(_path(place, error["loc"]), plain_fault(error["msg"])) for error in errors]


def encode(body: Mapping[str, Any]) -> bytes:
    """Write JSON that every reader takes: what is not valid Unicode becomes a question mark."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace")


def problem_response(problem: Problem, *, instance: str, request_id: str) -> Response:
    """Answer with a problem."""
    return Response(
        encode(problem.body(instance=instance, request_id=request_id)),
        status_code=problem.kind.status,
        headers=problem.headers,
        media_type=MEDIA_TYPE,
    )


def _problem_of_ours(error: Exception, kind: Kind) -> Problem:
    members = {"standing": error.standing} if isinstance(error, Conflict) else {}
    headers = {"Retry-After": "1"} if kind is BUSY else {}
    faults = [Fault("arguments", fault) for fault in getattr(error, "faults", ())]
    return Problem(kind, str(error), faults=faults, headers=headers, members=members)


def _problem_of_request(error: RequestValidationError) -> Problem:
    errors: Sequence[ErrorDetails] = error.errors()
    if any(found["loc"][:1] == ("path",) for found in errors):
        return Problem(NOT_FOUND, t("problem.no_such_id"))
    faults = faults_of([{**found, "loc": found["loc"][1:]} for found in errors])
    return Problem(INVALID, _sentence(faults), faults=faults)


def invalid(errors: Sequence[ErrorDetails], place: str = "") -> Problem:
    """Refuse a value that a noun does not take; `place` says where in the body it stood."""
    faults = faults_of(errors, place)
    return Problem(INVALID, _sentence(faults), faults=faults)


def _sentence(faults: Sequence[Fault]) -> str:
    first = faults[0]
    return t(
        "problem.more_faults",
        field=first.field or t("problem.body"),
        problem=first.problem,
        more=len(faults) - 1 or "",
    )


def _path(place: str, location: Sequence[int | str]) -> str:
    path = place
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step}" if path else step
    return path
