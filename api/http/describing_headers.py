"""What every operation of a kind takes and gives beside its body: keys of requests, tags."""

from typing import Any

from api.http.problems import (
    BAD_REQUEST,
    KEY_REUSED,
    MEDIA_TYPE,
    OUTCOME_UNKNOWN,
    TOO_MANY,
    UNDER_WAY,
)
from api.http.repeating import HEADER, REPLAYED

Json = dict[str, Any]  # a piece of an OpenAPI document

_KEY: Json = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    "description": "A name of your own for this request, such as a random UUID. Sent again with "
    "it, the request is not done again: it is answered as it was, for a day, with "
    f"`{REPLAYED}: true`. One that was refused may be sent again. Not for NDJSON.",
    "example": "0b8f5a3e-6a1f-4d51-9f0c-2f9a2f1b7c55",
}
_KNOWN: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "The `ETag` of the answer you have; 304 when it would be the same.",
    "example": '"5f70bf18a086007016e948b04aed3b82"',
}
_TAG: Json = {
    "ETag": {
        "description": "Of this very answer; send it back in `If-None-Match`.",
        "schema": {"type": "string"},
    }
}


def describe_headers(operation: Json, method: str, refuse: Any) -> None:
    """Add to an operation that asks for a key what holds for all of its method.

    Args:
        refuse: draws the refusals of some kinds of problem, as every operation has them.
    """
    if not operation.get("security"):
        return
    operation["responses"].setdefault("429", refuse((TOO_MANY,)))  # a key's minute is over
    if method == "post":
        operation["responses"].setdefault("400", refuse((BAD_REQUEST,)))
        operation.setdefault("parameters", []).append(_KEY)
        _add(operation["responses"], "409", refuse((UNDER_WAY, OUTCOME_UNKNOWN)))
        _add(operation["responses"], "422", refuse((KEY_REUSED,)))
    answer = operation["responses"]["200"]
    if method == "get" and "text/event-stream" not in answer["content"]:
        operation.setdefault("parameters", []).append(_KNOWN)
        answer["headers"] = _TAG
        operation["responses"]["304"] = {"description": "As you have it", "headers": _TAG}


def _add(responses: Json, status: str, more: Json) -> None:
    known = responses.setdefault(status, more)
    if known is more:
        return
    known["description"] += f"; {more['description']}"
    examples = known["content"][MEDIA_TYPE]["examples"]
    examples.update(more["content"][MEDIA_TYPE]["examples"])
