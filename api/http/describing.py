"""How the operations of this API describe themselves in OpenAPI."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from api.examples.common import problem_example
from api.http import problems as kinds
from api.http.bodies import JSON, NDJSON
from api.http.describing_headers import describe_headers
from api.payloads.common import Ack, DecisionDetails, Message, ProblemDetails
from state.approval import ApprovalAnswer
from state.event import Event
from state.record import DecisionRecord

Json = dict[str, Any]  # a piece of an OpenAPI document

_REF = "#/components/schemas/{model}"
_TAKEN: tuple[type[BaseModel], ...] = (ApprovalAnswer, Event, Message)
_GIVEN: tuple[type[BaseModel], ...] = (Ack, DecisionDetails, DecisionRecord, ProblemDetails)
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


def answers(model: str, example: Any, description: str, *, many: bool = False) -> Json:
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


def takes(model: str, examples: Mapping[str, Any], *, many: bool = False, lines: str = "") -> Json:
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


def problems(*statuses: int) -> dict[int | str, Json]:
    """Describe the refusals of an operation; a 500 can always happen, and 408 wherever 413 can."""
    described: dict[int | str, Json] = {500: _refusal((kinds.INTERNAL,))}
    slow = (408,) if 413 in statuses else ()
    for status in (*slow, *statuses):
        described[status] = _refusal(_PROBLEMS[status])
    return described


def describe(app: FastAPI) -> Json:
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
