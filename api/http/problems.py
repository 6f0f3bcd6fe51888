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

MEDIA_TYPE = "application/problem+json"
_LONGEST_DETAIL = 1_000
_MOST_FAULTS = 50


@dataclass(frozen=True)
class Kind:
    """One type of problem, as every answer of that type names it."""

    slug: str
    status: int
    title: str

    @property
    def uri(self) -> str:
        """The `type` member: a name, not an address."""
        return f"urn:problem-type:prefrontal:{self.slug}"


MALFORMED = Kind("malformed-json", 400, "The body is not acceptable JSON")
BAD_REQUEST = Kind("bad-request", 400, "The request cannot be read")
UNAUTHENTICATED = Kind("unauthenticated", 401, "An API key is needed")
FORBIDDEN = Kind("forbidden", 403, "Not with these roles")
FOREIGN_ORIGIN = Kind("foreign-origin", 403, "Not from a page of another site")
FOREIGN_HOST = Kind("foreign-host", 421, "Not by that name")
NOT_FOUND = Kind("not-found", 404, "Nothing here by that name")
METHOD_NOT_ALLOWED = Kind("method-not-allowed", 405, "Not with this method")
CONFLICT = Kind("conflict", 409, "Too late: it was settled already")
DIGEST_MISMATCH = Kind("digest-mismatch", 409, "The answer is to something else")
UNDER_WAY = Kind("under-way", 409, "The same request is being answered")
OUTCOME_UNKNOWN = Kind("outcome-unknown", 409, "Nobody can tell what came of it")
TOO_SLOW = Kind("too-slow", 408, "The body did not come in time")
TOO_LARGE = Kind("too-large", 413, "Too much at once")
UNSUPPORTED_MEDIA_TYPE = Kind("unsupported-media-type", 415, "Not in this format")
INVALID = Kind("invalid", 422, "Well-formed, but not valid")
INVALID_ARGUMENTS = Kind("invalid-arguments", 422, "The arguments do not fit the action")
KEY_REUSED = Kind("key-reused", 422, "The key belongs to another request")
TOO_MANY = Kind("too-many", 429, "More than one tenant may ask for")
INTERNAL = Kind("internal", 500, "Something went wrong here")
BUSY = Kind("busy", 503, "Busy; try again")
NOT_READY = Kind("not-ready", 503, "Not ready to decide")

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
        return Problem(BAD_REQUEST, "the connection broke before the body came to its end")
    for family, kind in _KIND_OF_ERROR:
        if isinstance(error, family):
            return _problem_of_ours(error, kind)
    return Problem(INTERNAL, "nothing you can mend; report it with the request_id")


def faults_of(errors: Sequence[ErrorDetails], place: str = "") -> list[Fault]:
    """Say of each validation error where it is and what is wrong; never what was sent."""
    return [
        Fault(_path(place, error["loc"]), error["msg"].removeprefix("Value error, "))
        for error in errors
    ]


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
        return Problem(NOT_FOUND, "no such id; list them to see what there is")
    faults = faults_of([{**found, "loc": found["loc"][1:]} for found in errors])
    return Problem(INVALID, _sentence(faults), faults=faults)


def invalid(errors: Sequence[ErrorDetails], place: str = "") -> Problem:
    """Refuse a value that a noun does not take; `place` says where in the body it stood."""
    faults = faults_of(errors, place)
    return Problem(INVALID, _sentence(faults), faults=faults)


def _sentence(faults: Sequence[Fault]) -> str:
    first = faults[0]
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"{first.field or 'body'}: {first.problem}{more}"


def _path(place: str, location: Sequence[int | str]) -> str:
    path = place
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step}" if path else step
    return path
