import json
import re

import httpx
import pytest
from fastapi import FastAPI

from state.errors import Busy, ModelUnavailable
from tests.api.conftest import assert_problem
from tests.api.keyed_routes import KEYED
from tests.api.memory_executive import MemoryExecutive

NO_KEYS = (
    None,
    "",
    "Bearer",
    "Bearer ",
    "Bearer wrong",
    "captain-key",
    "Basic Y2FwdGFpbjprZXk=",
    "Bearer captain-key, Bearer captain-key",
    "Bearer " + "x" * 10_000,
    "Bearer caf\xe9",
    "Bearer captain-key\x1f",
)


@pytest.mark.parametrize(("method", "path"), KEYED)
async def test_without_a_key_nothing_opens(
    clients: dict[str, httpx.AsyncClient], method: str, path: str
):
    content = b"{" if method == "POST" else None
    for authorization in NO_KEYS:  # here, not as parameters: an application a route is enough
        headers = (
            {} if authorization is None else {b"Authorization": authorization.encode("latin-1")}
        )
        answer = await clients["nobody"].request(method, path, headers=headers, content=content)
        assert answer.status_code == 401, authorization
        assert_problem(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"].startswith('Bearer realm="prefrontal"')


async def test_two_keys_are_none(clients: dict[str, httpx.AsyncClient]):
    twice = [("Authorization", "Bearer captain-key"), ("Authorization", "Bearer engineer-key")]
    answer = await clients["nobody"].get("/v1/decisions", headers=twice)
    assert_problem(answer, 401, "unauthenticated")


async def test_a_key_in_the_query_or_a_cookie_is_none(clients: dict[str, httpx.AsyncClient]):
    answer = await clients["nobody"].get(
        "/v1/decisions?access_token=captain-key&api_key=captain-key",
        headers={"Cookie": "key=captain-key", "X-Api-Key": "captain-key"},
    )
    assert_problem(answer, 401, "unauthenticated")


async def test_every_keyed_route_is_tried_above(app: FastAPI):
    described = {
        (method.upper(), re.sub(r"\{\w+\}", "x", path))
        for path, operations in app.openapi()["paths"].items()
        for method in operations
        if path.startswith(("/v1", "/metrics"))
    }
    assert described == set(KEYED)


async def test_what_belongs_to_another_tenant_does_not_exist(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    stranger, engineer = clients["stranger"], clients["engineer"]
    asked = (await engineer.post("/v1/messages", json={"text": "close WO-1042"})).json()
    offered = (await engineer.post("/v1/messages", json={"text": "note"})).json()
    answer = {"decision": "approve", "digest": "d" * 64}
    tries = [
        stranger.get(f"/v1/decisions/{asked['decision_id']}"),
        stranger.get(f"/v1/approvals/{asked['action_id']}"),
        stranger.post(f"/v1/approvals/{asked['action_id']}", json=answer),
        stranger.post(f"/v1/offers/{offered['offer_id']}", json={"chip_id": "chip-1"}),
    ]
    for attempt in tries:
        told = assert_problem(await attempt, 404, "not-found")
        assert "aurora" not in json.dumps(told)
    assert (await stranger.get("/v1/decisions")).json()["decisions"] == []
    assert (await stranger.get("/v1/approvals")).json()["approvals"] == []
    assert (await stranger.get("/v1/offers?open=false")).json()["offers"] == []
    assert executive.ledger[asked["action_id"]].state == "pending"


async def test_the_same_event_id_in_two_tenants_is_two_decisions(
    clients: dict[str, httpx.AsyncClient],
):
    sent = {"event_id": "e-1", "text": "hot"}
    ours = (await clients["engineer"].post("/v1/events", json=sent)).json()
    theirs = (await clients["stranger"].post("/v1/events", json=sent)).json()
    assert ours["decision_id"] != theirs["decision_id"]


@pytest.mark.parametrize("path", ["/", "/livez", "/readyz", "/openapi.json", "/v1/decisions", "/x"])
async def test_every_answer_carries_the_headers(captain: httpx.AsyncClient, path: str):
    answer = await captain.get(path)
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-request-id"]
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [
        ("abc-1.2:3_D", "abc-1.2:3_D"),
        ("a b\tc<script>", "abcscript"),
        ("x" * 150, "x" * 100),
        ("caf\xe9", "caf"),
    ],
)
async def test_a_request_id_is_taken_over_cleaned(
    captain: httpx.AsyncClient, sent: str, echoed: str
):
    headers = {b"X-Request-ID": sent.encode("latin-1")}
    assert (await captain.get("/livez", headers=headers)).headers["x-request-id"] == echoed


async def test_a_request_id_is_made_when_nothing_is_left_of_it(captain: httpx.AsyncClient):
    first = await captain.get("/livez", headers={"X-Request-ID": "<>"})
    second = await captain.get("/livez")
    assert len({first.headers["x-request-id"], second.headers["x-request-id"]}) == 2


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/events", "POST"),
        ("DELETE", "/v1/decisions", "GET"),
        ("PUT", "/v1/approvals/x", "GET, POST"),
        ("TRACE", "/v1/events", "POST"),
        ("POST", "/livez", None),
    ],
)
async def test_another_method_is_refused(
    captain: httpx.AsyncClient, method: str, path: str, allowed: str | None
):
    answer = await captain.request(method, path)
    assert_problem(answer, 405, "method-not-allowed")
    if allowed and method != "TRACE":
        assert answer.headers["allow"] == allowed


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1/threads", "/livez/", "/v2/events", "/docs", "/x%0d%0ay"]
)
async def test_an_unknown_path_is_a_problem_too(captain: httpx.AsyncClient, path: str):
    answer = await captain.get(path)
    assert_problem(answer, 404, "not-found")


@pytest.mark.parametrize("refusal", [Busy("the store is held"), ModelUnavailable("no model")])
async def test_busy_says_when_to_come_back(
    captain: httpx.AsyncClient, executive: MemoryExecutive, refusal: Exception
):
    executive.refusal = refusal
    answer = await captain.post("/v1/events", json={"text": "a"})
    assert_problem(answer, 503, "busy")
    assert answer.headers["retry-after"] == "1"
