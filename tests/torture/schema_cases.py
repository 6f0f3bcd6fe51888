"""Requests that Schemathesis makes of an OpenAPI document, and what is wrong with an answer."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import product

import requests
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode, Response, openapi
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.torture.drawing import draw_as_before
from tests.torture.routes import ENDLESS

PROBLEM = "application/problem+json"
AS_DESCRIBED = [content_type_conformance, response_schema_conformance, status_code_conformance]
GENERATED = settings(
    deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def try_all(
    session: requests.Session, address: str, ids: Sequence[str], count: int
) -> Iterator[str | None]:
    """Make up to `count` fitting and as many unfitting requests of every operation.

    Of each it gives None, or what was wrong; half of the paths carry one of `ids`.
    """
    draw_as_before()
    call = partial(Case.call, base_url=address, session=session, timeout=60)
    document = openapi.from_url(f"{address}/openapi.json")
    operations = [found.ok() for found in document.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 60
    for operation, mode in product(operations, GenerationMode):
        if operation.path not in ENDLESS:
            yield from _tried(operation.as_strategy(generation_mode=mode), ids, count, call)


def _tried(
    cases: st.SearchStrategy[Case], ids: Sequence[str], count: int, call: Callable[[Case], Response]
) -> list[str | None]:
    told: list[str | None] = []

    @seed(1)
    @settings(GENERATED, max_examples=count)
    @given(cases, st.sampled_from(ids), st.booleans())
    def try_it(case: Case, known: str, is_known: bool) -> None:
        if is_known and case.path_parameters:
            case.path_parameters = dict.fromkeys(case.path_parameters, known)
        told.append(_fault(case, call(case)))

    with suppress(Unsatisfiable):  # nothing wrong can be sent where nothing is taken
        try_it()
    return told


def _fault(case: Case, answer: Response) -> str | None:
    where = f"{case.as_curl_command()[:500]}\n  {answer.status_code} {answer.text[:500]}\n  "
    if answer.status_code >= 400:
        told = json.loads(answer.text)
        if answer.headers["content-type"] != [PROBLEM]:
            return f"{where}no problem"
        if answer.headers["x-request-id"] != [told["request_id"]]:
            return f"{where}another request's id"
    if answer.status_code >= 500:
        return f"{where}a fault of ours"
    try:
        case.validate_response(answer, checks=AS_DESCRIBED)
    except (Failure, FailureGroup) as failed:
        return f"{where}{failed}"[:2_000]
    return None
