"""Pages of other sites, other names, and callers without a good key, before the real server."""

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.xdist_group("langgraph-server")

EVIL = "https://evil.example"
STUDIO = "https://smith.langchain.com"
RUN = {"assistant_id": "prefrontal", "input": {"event": {"text": "x"}}}
ROUTES: list[tuple[str, str, Any]] = [
    ("POST", "/threads/search", {"limit": 5}),
    ("POST", "/threads", {}),
    ("POST", "/runs/wait", RUN),
    ("POST", "/runs/stream", RUN),
    ("POST", "/assistants/search", {}),
    ("POST", "/store/items/search", {"namespace_prefix": []}),
    ("GET", "/threads/01a20752-0000-7000-8000-000000000000/state", None),
    ("GET", "/v1/decisions", None),
]
OPEN = ("/", "/info", "/ok", "/docs", "/openapi.json", "/metrics", "/console/sign-in")
"""What is answered without a key."""


def preflight(origin: str) -> dict[str, str]:
    return {"Origin": origin, "Access-Control-Request-Method": "POST"}


@pytest.mark.parametrize("origin", [EVIL, "null", "http://localhost:1", f"{STUDIO}.evil.example"])
def test_a_page_of_another_site_reads_and_starts_nothing(served: Any, origin: str) -> None:
    for key in (None, served.key):
        with httpx.Client(base_url=served.url, timeout=30) as page:
            if key:
                page.headers["Authorization"] = f"Bearer {key}"
            told = [
                page.request(
                    method, path, json=body, headers={"Origin": origin, "Content-Type": kind}
                )
                for method, path, body in ROUTES
                for kind in ("text/plain", "application/json")  # the first without a preflight
            ]
            told += [page.get(path, headers={"Origin": origin}) for path in OPEN]
            told += [page.options(path, headers=preflight(origin)) for _way, path, _body in ROUTES]
        for answer in told:
            assert answer.status_code == 403, (answer.request.url, answer.text)
            assert answer.json()["type"].endswith(":foreign-origin")
            assert "access-control-allow-origin" not in answer.headers


def test_studio_reads_with_a_key_alone_and_calls_no_route_of_ours(served: Any) -> None:
    with served.api() as studio:
        studio.headers["Origin"] = STUDIO
        allowed = studio.options("/threads/search", headers=preflight(STUDIO))
        assert allowed.status_code == 200
        found = studio.post("/threads/search", json={})
        assert found.status_code == 200
        assert found.headers["access-control-allow-origin"] in ("*", STUDIO)
        assert studio.post("/v1/messages", json={"text": "hello"}).status_code == 403
        del studio.headers["Authorization"]
        assert studio.post("/threads/search", json={}).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:2024", "192.0.2.1"])
def test_by_a_name_that_is_not_the_servers_nothing_is_read(served: Any, host: str) -> None:
    with served.api() as rebound:
        told = [
            rebound.request(method, path, json=body, headers={"Host": host})
            for method, path, body in ROUTES
        ]
        told += [rebound.get(path, headers={"Host": host}) for path in OPEN]
    for answer in told:
        assert answer.status_code == 421, (answer.request.url, answer.text)
        assert answer.json()["type"].endswith(":foreign-host")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"X-Api-Key": "lsv2_pt_x"},  # of LangSmith: none of ours
        {"X-Auth-Scheme": "langsmith"},  # lets Studio in by itself, unless that is turned off
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer pf_nobody"},
        {"Authorization": "Bearer pf_nobody", "X-Auth-Scheme": "langsmith"},
        {"Authorization": "Basic Ym9zczpib3Nz"},
        {"X-Api-Key": "pf_none"},
        {"X-Api-Key": "none"},
        {"X-Api-Key": ""},
    ],
    ids=str,
)
def test_who_shows_no_key_or_a_false_one_reads_and_starts_nothing(
    served: Any, sent: dict[str, str]
) -> None:
    with httpx.Client(base_url=served.url, headers=sent, timeout=30) as stranger:
        told = [stranger.request(method, path, json=body) for method, path, body in ROUTES]
    assert {answer.status_code for answer in told} == {401}


def test_two_keys_are_none(served: Any) -> None:
    twice = [("Authorization", f"Bearer {served.key}")] * 2
    answer = httpx.post(f"{served.url}/threads/search", json={}, headers=twice)
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "odd",
    [
        {"metadata": None},
        {"metadata": [1]},
        {"metadata": {"tenant_id": None}},
        {"config": None},
        {"config": {"configurable": None}},
        {"config": {"metadata": None}},
        {"command": None},
        {"command": {"resume": None}},
        {"input": None},
        {"input": {"event": None}},
    ],
    ids=str,
)
def test_null_is_no_fault_of_the_server(served: Any, odd: dict[str, Any]) -> None:
    with served.api() as api:
        thread = api.post("/threads", json={}).json()["thread_id"]
        ways = (("POST", "/threads"), ("POST", "/threads/search"), ("PATCH", f"/threads/{thread}"))
        told = [api.request(way, path, json=odd) for way, path in ways]
        for path in ("/runs", f"/threads/{thread}/runs"):
            run = {**RUN, "after_seconds": 3_600, **odd}
            told.append(api.post(path, json=run))
    assert max(answer.status_code for answer in told) < 500, [one.text for one in told]
