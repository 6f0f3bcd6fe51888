import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from api.app import create_app
from api.resources import heuristics as heuristic_payloads
from api.resources.ag_ui import RunInput
from api.schemas import attention as modulation_payloads
from api.schemas import common as output_payloads
from api.schemas import common as payloads
from api.schemas import common as tool_payloads
from api.schemas import grants as grant_payloads
from api.schemas import journal as journal_payloads
from api.schemas import proposals as proposal_payloads
from api.schemas import queries as query_payloads
from api.schemas import session as goal_payloads
from api.schemas import session as memory_payloads
from api.schemas import session as personality_payloads
from api.schemas import session as reminder_payloads
from api.schemas.attention import QuietWish
from api.schemas.examples import EVENT_LINES
from state.approval import ApprovalAnswer, LedgerAction
from state.declared_tool import Permit, PermitOutcome
from state.event import Event
from state.executive_state import ExecutiveState
from state.grant import NewGrant
from state.heuristic import Feedback, RatedSilence
from state.journal import Decision, DecisionChain, DecisionLink
from state.output import OutputState
from state.personality import Personality
from state.proposal_view import ProposalView
from state.quality import QualityHistory, QualityMetrics, Regrets
from state.query import Gaps, Metrics, Observation, Query
from state.quietness import Quietness
from state.record import DecisionRecord, DecisionTrace
from state.refusal import NewRefusal
from state.remembered import EntityMemory, Forgotten
from state.strategy import Traced
from state.tool_pin import ToolAcceptance
from tools.journal.store.store import Drift

PROBLEM = "application/problem+json"
SAID_BY_THE_PATH = {
    "POST /v1/actions/{action_id}/undo",
    "POST /v1/journal/reindex",
    "POST /v1/metrics/{pack}/reset",
    "PUT /v1/skills/{name}",
}
"""Calls that need no body: a bearer key and an id say all."""
MODELS: dict[str, type[BaseModel]] = {
    model.__name__: model
    for model in (
        *(each for each in vars(payloads).values() if isinstance(each, type)),
        *(each for each in vars(query_payloads).values() if isinstance(each, type)),
        *(each for each in vars(heuristic_payloads).values() if isinstance(each, type)),
        *(each for each in vars(goal_payloads).values() if isinstance(each, type)),
        *(each for each in vars(modulation_payloads).values() if isinstance(each, type)),
        *(each for each in vars(output_payloads).values() if isinstance(each, type)),
        *(each for each in vars(memory_payloads).values() if isinstance(each, type)),
        *(each for each in vars(reminder_payloads).values() if isinstance(each, type)),
        *(each for each in vars(personality_payloads).values() if isinstance(each, type)),
        *(each for each in vars(tool_payloads).values() if isinstance(each, type)),
        *(each for each in vars(journal_payloads).values() if isinstance(each, type)),
        *(each for each in vars(proposal_payloads).values() if isinstance(each, type)),
        *(each for each in vars(grant_payloads).values() if isinstance(each, type)),
        NewGrant,
        RunInput,
        ProposalView,
        Permit,
        PermitOutcome,
        Decision,
        EntityMemory,
        Forgotten,
        ExecutiveState,
        OutputState,
        DecisionChain,
        DecisionLink,
        Drift,
        Feedback,
        RatedSilence,
        Regrets,
        Gaps,
        Metrics,
        Observation,
        QualityHistory,
        QualityMetrics,
        Quietness,
        QuietWish,
        Traced,
        Query,
        Personality,
        ApprovalAnswer,
        DecisionRecord,
        DecisionTrace,
        Event,
        LedgerAction,
        NewRefusal,
        ToolAcceptance,
    )
    if issubclass(model, BaseModel)
}


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    return create_app().openapi()


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield f"{method.upper()} {path}", operation


def _examples(content: dict[str, Any]) -> list[Any]:
    found = [each["value"] for each in content.get("examples", {}).values()]
    return found + ([content["example"]] if "example" in content else [])


def _model(schema: dict[str, Any]) -> type[BaseModel]:
    schema = schema.get("anyOf", [schema])[0]
    schema = schema.get("items", schema)
    return MODELS[schema["$ref"].rpartition("/")[2]]


def _check(schema: dict[str, Any], example: Any) -> None:
    if {"type": "object"} in schema.get("anyOf", ()):  # any JSON: bodies of other tools
        assert isinstance(example, (dict, list))
        return
    for each in example if isinstance(example, list) else [example]:
        _model(schema).model_validate_json(json.dumps(each))


def test_every_operation_shows_what_it_answers(document: dict[str, Any]):
    for name, operation in _operations(document):
        assert operation["summary"], name
        assert operation["description"], name
        content = next(r for s, r in operation["responses"].items() if s == "200")["content"]
        assert all(_examples(each) for each in content.values()), name


def test_every_operation_shows_what_it_takes(document: dict[str, Any]):
    for name, operation in _operations(document):
        takes = name.startswith(("POST", "PUT", "PATCH")) and name not in SAID_BY_THE_PATH
        assert ("requestBody" in operation) == takes, name
        for content in operation.get("requestBody", {}).get("content", {}).values():
            assert _examples(content), name


def test_every_example_of_json_is_what_the_schema_says(document: dict[str, Any]):
    checked = 0
    for _name, operation in _operations(document):
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for body in bodies:
            content = body.get("content", {})
            for media_type in ("application/json", PROBLEM):
                for example in _examples(content.get(media_type, {})):
                    _check(content[media_type]["schema"], example)
                    checked += 1
    assert checked > 100


def test_the_lines_shown_are_events():
    for line in EVENT_LINES.splitlines():
        Event.model_validate_json(line)


def test_every_refusal_is_described_as_a_problem(document: dict[str, Any]):
    for name, operation in _operations(document):
        refusals = {s: r for s, r in operation["responses"].items() if s > "304"}
        assert "500" in refusals, name
        assert all(list(each["content"]) == [PROBLEM] for each in refusals.values()), name


def test_a_key_is_asked_for_under_v1_and_by_the_metrics(document: dict[str, Any]):
    for name, operation in _operations(document):
        is_keyed = "/v1/" in name or name == "GET /metrics"
        assert (operation.get("security") == [{"key": []}]) == is_keyed, name


def test_every_reference_leads_somewhere(document: dict[str, Any]):
    schemas = document["components"]["schemas"]
    named = {
        part.split('"')[0] for part in json.dumps(document).split('"#/components/schemas/')[1:]
    }
    assert named <= set(schemas)
    assert "HTTPValidationError" not in schemas


def test_operations_are_named_once(document: dict[str, Any]):
    names = [operation["operationId"] for _name, operation in _operations(document)]
    assert len(names) == len(set(names))


def test_what_anybody_may_ask_for_is_drawn_once():
    app = create_app()
    assert app.openapi() is app.openapi()
