"""Describe operations in OpenAPI: bodies read by hand, answers, problems, headers and tags."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from api.http import problems as kinds
from api.http.bodies import JSON, NDJSON
from api.http.idempotency import HEADER, REPLAYED
from api.http.problems import (
    BAD_REQUEST,
    KEY_REUSED,
    MEDIA_TYPE,
    OUTCOME_UNKNOWN,
    TOO_MANY,
    UNDER_WAY,
)
from api.schemas.common import Ack, DecisionDetails, Message, ProblemDetails
from api.schemas.examples import problem_example
from api.schemas.proposals import NewProposal, OneProposal
from state.approval import ApprovalAnswer
from state.event import Event
from state.proposal_view import ProposalView
from state.record import DecisionRecord

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


_REF = "#/components/schemas/{model}"
_TAKEN: tuple[type[BaseModel], ...] = (
    ApprovalAnswer,
    Event,
    Message,
    NewProposal,
    OneProposal,
)
_GIVEN: tuple[type[BaseModel], ...] = (
    Ack,
    DecisionDetails,
    DecisionRecord,
    ProblemDetails,
    ProposalView,
)
_PROBLEMS: Mapping[int, Sequence[kinds.Kind]] = {
    400: (kinds.MALFORMED, kinds.BAD_REQUEST),
    401: (kinds.UNAUTHENTICATED,),
    403: (kinds.FORBIDDEN, kinds.FOREIGN_ORIGIN),
    404: (kinds.NOT_FOUND,),
    408: (kinds.TOO_SLOW,),
    409: (kinds.CONFLICT, kinds.DIGEST_MISMATCH),
    413: (kinds.TOO_LARGE,),
    415: (kinds.UNSUPPORTED_MEDIA_TYPE,),
    422: (kinds.INVALID, kinds.INVALID_ARGUMENTS),
    429: (kinds.TOO_MANY,),
    503: (kinds.BUSY, kinds.NOT_READY),
}


def describe_answer(model: str, example: Any, description: str, *, many: bool = False) -> Json:
    """Describe a response of one model, or with `many` also of a list of it and of lines."""
    one = {"$ref": _REF.format(model=model)}
    if not many:
        return {
            "description": description,
            "content": {JSON: {"schema": one, "example": example}},
        }
    key = "accepted" if model == "Ack" else "decision"
    line = {
        "type": "object",
        "description": "one line; a problem for a line that could not be taken",
        "required": ["line"],
        "properties": {
            "line": {"type": "integer"},
            key: one,
            "problem": {"$ref": _REF.format(model="ProblemDetails")},
        },
    }
    return {
        "description": description,
        "content": {
            JSON: {
                "schema": {"anyOf": [one, {"type": "array", "items": one}]},
                "examples": {"one": {"value": example}, "list": {"value": [example]}},
            },
            NDJSON: {"schema": line, "example": {"line": 1, key: example}},
        },
    }


def describe_list(model: str, example: Any, description: str) -> Json:
    """Describe a response that is always a list of one model."""
    listed = {"type": "array", "items": {"$ref": _REF.format(model=model)}}
    return {
        "description": description,
        "content": {JSON: {"schema": listed, "example": [example]}},
    }


def describe_body(
    model: str, examples: Mapping[str, Any], *, many: bool = False, lines: str = ""
) -> Json:
    """Describe a request body that is read by hand."""
    one = {"$ref": _REF.format(model=model)}
    shown = {name: {"value": value} for name, value in examples.items()}
    content: Json = {JSON: {"schema": one, "examples": shown}}
    if many:
        shown["list"] = {"value": list(examples.values())}
        content[JSON]["schema"] = {"anyOf": [one, {"type": "array", "items": one}]}
        content[NDJSON] = {
            "schema": {"type": "string", "description": "one event a line"},
            "example": lines,
        }
    return {"required": True, "content": content}


def describe_problems(*statuses: int) -> dict[int | str, Json]:
    """Describe the refusals of an operation; a 500 can always happen, and 408 wherever 413 can."""
    described: dict[int | str, Json] = {500: _refusal((kinds.INTERNAL,))}
    slow = (408,) if 413 in statuses else ()
    for status in (*slow, *statuses):
        described[status] = _refusal(_PROBLEMS[status])
    return described


def describe_api(app: FastAPI) -> Json:
    """Generate the document, with the models of bodies that are read by hand."""
    document = FastAPI.openapi(app)
    components = document.setdefault("components", {}).setdefault("schemas", {})
    for models, mode in ((_TAKEN, "validation"), (_GIVEN, "serialization")):
        _, drawn = models_json_schema(
            [(model, mode) for model in models],  # type: ignore[misc]  # mode is a Literal
            ref_template=_REF,
        )
        for name, schema in drawn["$defs"].items():
            components.setdefault(name, schema)
    _leave_out_foreign_errors(document)
    for path in document["paths"].values():
        for method, operation in path.items():
            describe_headers(operation, method, _refusal)
    return document


def _leave_out_foreign_errors(document: Json) -> None:
    # FastAPI adds its own 422 to whatever has a path parameter; here those are a 404.
    for path in document["paths"].values():
        for operation in path.values():
            refusal = operation["responses"].get("422", {})
            if kinds.MEDIA_TYPE not in refusal.get("content", {kinds.MEDIA_TYPE: None}):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)


def _refusal(of: Sequence[kinds.Kind]) -> Json:
    return {
        "description": "; ".join(kind.title for kind in of),
        "content": {
            kinds.MEDIA_TYPE: {
                "schema": {"$ref": _REF.format(model="ProblemDetails")},
                "examples": {kind.slug: {"value": problem_example(kind)} for kind in of},
            }
        },
    }
