"""Idempotent requests: with one `Idempotency-Key` a change is done once and answered alike."""

import hashlib
import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from api.http.bodies import JSON, JsonRequest, media_type
from api.http.dependencies import TaskRunner, executive_of
from api.http.problems import (
    BAD_REQUEST,
    INTERNAL,
    KEY_REUSED,
    OUTCOME_UNKNOWN,
    UNDER_WAY,
    Problem,
    problem_of,
)
from state.principal import Principal
from tools.platform.texts import t
from tools.storage.idempotency import IdempotencyClaim, StoredResponse

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_FITTING = re.compile(r"[\x21-\x7e]{1,255}")
_KEPT_HEADERS = ("location", "preference-applied")

Handle = Callable[[Request], Awaitable[Response]]


async def run_idempotently(request: Request, handle: Handle) -> Response:
    """Do what a request with a key asks for, or answer as the first such request was.

    A request that was refused has changed nothing, so its key is free again. Where we fell over
    nobody can tell: then the key stays taken, and says so. What has a key is finished and its
    answer kept even when whoever sent it has gone: they may come back for it, with the same rights.
    An answer that is a secret (`request.state.is_secret`) is kept nowhere: its key is free again.

    Raises:
        Problem: 400, no fitting key; 409, it is under way, or what came of it is unknown; 422, the
            key was used for another request.
    """
    key = _key_of(request)
    if key is None:
        return await handle(request)
    body = await request.body() if media_type(request) in _accepted(request) else b""
    work: TaskRunner = request.app.state.work
    return await work.finish(_kept(request, handle, key, _fingerprint(request, body)))


async def _kept(request: Request, handle: Handle, key: str, fingerprint: str) -> Response:
    caller: Principal = request.state.principal
    executive = executive_of(request)
    answers, hours = executive.idempotency, executive.service_tuning.idempotency_hours
    claim = await answers.claim(caller, key, fingerprint, hours=hours)
    if claim.standing != "new":
        return _known(claim)
    try:
        try:
            response = await handle(request)
        except Exception as error:
            if problem_of(error).kind is not INTERNAL:
                await answers.release(caller, key)
            raise
        headers = {
            name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers
        }
        if getattr(request.state, "is_secret", False):
            await answers.release(caller, key)
            return response
        answer = StoredResponse(response.status_code, headers, bytes(response.body))
        await answers.keep(caller, key, answer)
        return response
    finally:
        answers.ended(caller, key)


def _key_of(request: Request) -> str | None:
    given = request.headers.getlist(HEADER)
    if not given:
        return None
    if len(given) > 1 or not _FITTING.fullmatch(given[0]):
        raise Problem(BAD_REQUEST, t("problem.key_format", header=HEADER))
    if media_type(request) not in (*_accepted(request), ""):
        raise Problem(BAD_REQUEST, t("problem.key_of_lines", header=HEADER))
    return given[0]


def _accepted(request: Request) -> tuple[str, ...]:
    return request.accepted if isinstance(request, JsonRequest) else (JSON,)


def _fingerprint(request: Request, body: bytes) -> str:
    prefer = ",".join(request.headers.getlist("prefer"))
    caller: Principal = request.state.principal
    rights = ",".join((caller.kind, *sorted(caller.roles), "", *sorted(caller.scopes)))
    parts = (request.method, request.scope["path"], request.url.query, prefer, rights)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace") + b"\0" + body).hexdigest()


def _known(claim: IdempotencyClaim) -> Response:
    if claim.answer is not None:
        kept = claim.answer
        response = Response(kept.body, kept.status, dict(kept.headers), JSON)
        response.headers[REPLAYED] = "true"
        return response
    if claim.standing == "other":
        raise Problem(
            KEY_REUSED,
            t("problem.key_reused"),
        )
    if claim.standing == "under way":
        wait = {"Retry-After": "1"}
        raise Problem(UNDER_WAY, t("problem.key_busy"), headers=wait)
    raise Problem(
        OUTCOME_UNKNOWN,
        t("problem.key_unknown"),
    )
