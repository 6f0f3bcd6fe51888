"""Pages of other sites and names that are not ours: refused on every route, before a key counts."""

import json
import re

import httpx
import pytest
from fastapi import FastAPI

from api.http.bodies import MAX_BODY_BYTES
from graph.settings import Settings
from state.errors import Busy, ModelUnavailable
from tests.api.conftest import assert_problem
from tests.api.keyed_routes import KEYED
from tests.api.memory_executive import MemoryExecutive
from tools.platform.serialization import MAX_DEPTH, MAX_INTEGER

JSON = {"Content-Type": "application/json"}
POSTS = ["/v1/events", "/v1/messages", "/v1/approvals/act-0", "/v1/offers/offer-0"]

MALFORMED = {
    "nothing but a brace": b"{",
    "trailing comma": b'{"text": "a",}',
    "two documents": b'{"text": "a"} {"text": "b"}',
    "single quotes": b"{'text': 'a'}",
    "a comment": b'{"text": "a"} // x',
    "not a number": b'{"text": NaN}',
    "infinity": b'{"text": "a", "payload": {"x": Infinity}}',
    "minus infinity": b'{"text": "a", "payload": {"x": -Infinity}}',
    "a number beyond doubles": b'{"text": "a", "payload": {"x": 1e999}}',
    "an integer beyond doubles": b'{"text": "a", "payload": {"x": %d}}' % (MAX_INTEGER + 1),
    "an integer of 5,000 digits": b'{"text": "a", "payload": {"x": -%s}}' % (b"9" * 5_000),
    "NUL": b'{"text": "a\\u0000b"}',
    "NUL in a key": b'{"text": "a", "payload": {"\\u0000": 1}}',
    "a raw NUL": b'{"text": "a\x00b"}',
    "a raw newline in a text": b'{"text": "a\nb"}',
    "half a surrogate pair": b'{"text": "\\ud800"}',
    "half a surrogate pair in a key": b'{"text": "a", "payload": {"\\udfff": 1}}',
    "a surrogate as bytes": b'{"text": "\xed\xa0\x80"}',
    "a key twice": b'{"text": "a", "text": "b"}',
    "a surrogate key twice": b'{"\\ud800": 1, "\\ud800": 2}',
    "a key twice deep down": b'{"text": "a", "payload": {"x": [{"y": 1, "y": 1}]}}',
    "bad UTF-8": b'{"text": "\xff\xfe"}',
    "UTF-16": '{"text": "a"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"text": "a"}',
    "100,000 lists": b"[" * 100_000 + b"]" * 100_000,
    "100,000 open objects": b'{"a":' * 100_000,
    "one level too deep": b'{"text": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}",
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED.keys())
async def test_what_is_not_json_with_one_meaning_is_refused(
    captain: httpx.AsyncClient, executive: MemoryExecutive, path: str, body: bytes
):
    assert_problem(await captain.post(path, content=body, headers=JSON), 400, "malformed-json")
    assert executive.events == {}


@pytest.mark.parametrize("path", POSTS)
async def test_an_empty_body_is_refused(captain: httpx.AsyncClient, path: str):
    answer = await captain.post(path, content=b"", headers=JSON)
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", POSTS)
async def test_a_megabyte_of_text_is_too_large(captain: httpx.AsyncClient, path: str):
    body = json.dumps({"text": "x" * MAX_BODY_BYTES})
    assert_problem(await captain.post(path, content=body, headers=JSON), 413, "too-large")


async def test_a_text_of_a_million_bytes_is_too_large_inside_the_body_limit(
    captain: httpx.AsyncClient,
):
    for path in ("/v1/events", "/v1/messages"):
        assert_problem(await captain.post(path, json={"text": "x" * 1_000_000}), 413, "too-large")
    listed = await captain.post("/v1/events", json=[{"text": "a"}, {"text": "x" * 70_000}])
    assert_problem(listed, 413, "too-large")


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/json-patch+json",
        "application",
        "\xe9",
    ],
)
async def test_another_content_type_is_not_taken(captain: httpx.AsyncClient, path, content_type):
    headers = {} if content_type is None else {b"Content-Type": content_type.encode("latin-1")}
    answer = await captain.post(path, content=b'{"text": "a"}', headers=headers)
    assert_problem(answer, 415, "unsupported-media-type")
    assert "application/json" in answer.headers["accept-post"]


async def test_lines_are_taken_for_events_only(captain: httpx.AsyncClient):
    for path in POSTS[1:]:
        answer = await captain.post(
            path, content=b"{}", headers={"Content-Type": "application/x-ndjson"}
        )
        assert_problem(answer, 415, "unsupported-media-type")


async def test_utf_8_may_be_named(captain: httpx.AsyncClient):
    headers = {"Content-Type": 'Application/JSON; charset="UTF-8"'}
    answer = await captain.post("/v1/events", content='{"text": "ø"}', headers=headers)
    assert answer.status_code == 200


async def test_a_compressed_body_is_not_taken(captain: httpx.AsyncClient):
    answer = await captain.post(
        "/v1/events", content=b"\x1f\x8b", headers=JSON | {"Content-Encoding": "gzip"}
    )
    assert_problem(answer, 415, "unsupported-media-type")


async def test_a_wide_object_with_one_key_twice_is_refused_in_linear_time(
    captain: httpx.AsyncClient,
):
    keys = ",".join(f'"{n}":1' for n in range(80_000))
    body = f'{{{keys},"79999":2}}'
    answer = await captain.post("/v1/events", content=body, headers=JSON)
    assert_problem(answer, 400, "malformed-json")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\u202eevil\u200b", "\u202eevil\u200b"),
        ("\x1b[2J\x9b2J\x7f\u2028°", "\x1b[2J\x9b2J\x7f\u2028°"),
        ("e\u0301", "é"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("'; DROP TABLE decision; --", "'; DROP TABLE decision; --"),
        ("line\r\nX-Injected: 1", "line\r\nX-Injected: 1"),
        ("\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "😀"),
    ],
)
async def test_odd_but_valid_text_goes_through_as_data(captain: httpx.AsyncClient, text, kept):
    answer = await captain.post("/v1/events", json={"text": text})
    assert answer.json()["text"] == kept
    # Escaped: who calls by curl has it on a terminal.
    assert not set("\x1b\x7f\x9b\u2028\u202e") & set(answer.text)
    assert "x-injected" not in answer.headers


async def test_a_refusal_never_echoes_what_it_refused(captain: httpx.AsyncClient):
    for sent in ({"text": 5, "canary-7261": "x"}, {"text": "a", "role": "canary-7261"}):
        answer = await captain.post("/v1/messages", json=sent)
        told = json.dumps([fault["problem"] for fault in answer.json().get("errors", [])])
        assert "canary-7261" not in told
    answer = await captain.post("/v1/messages", json={"text": "a", "occurred_at": "canary-7261"})
    assert "canary-7261" not in answer.text


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
async def test_without_a_key_nothing_opens(clients: dict[str, httpx.AsyncClient], method, path):
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
        assert "aurora" not in json.dumps(assert_problem(await attempt, 404, "not-found"))
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
async def test_a_request_id_is_taken_over_cleaned(captain: httpx.AsyncClient, sent, echoed):
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
async def test_another_method_is_refused(captain: httpx.AsyncClient, method, path, allowed):
    answer = await captain.request(method, path)
    assert_problem(answer, 405, "method-not-allowed")
    if allowed and method != "TRACE":
        assert answer.headers["allow"] == allowed


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1/threads", "/livez/", "/v2/events", "/docs", "/x%0d%0ay"]
)
async def test_an_unknown_path_is_a_problem_too(captain: httpx.AsyncClient, path: str):
    assert_problem(await captain.get(path), 404, "not-found")


@pytest.mark.parametrize("refusal", [Busy("the store is held"), ModelUnavailable("no model")])
async def test_busy_says_when_to_come_back(
    captain: httpx.AsyncClient, executive: MemoryExecutive, refusal: Exception
):
    executive.refusal = refusal
    answer = await captain.post("/v1/events", json={"text": "a"})
    assert_problem(answer, 503, "busy")
    assert answer.headers["retry-after"] == "1"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        "http://prefrontal.test.evil.example",
        "http://prefrontal.test:8080",
        "http://evil@prefrontal.test:x",
        "file://",
        "chrome-extension://abc",
        "http://[::1",
    ],
)
async def test_a_page_of_another_site_reads_and_changes_nothing(
    captain: httpx.AsyncClient, executive: MemoryExecutive, origin: str
):
    for method, path in (*KEYED, ("GET", "/console/approvals"), ("GET", "/"), ("GET", "/x")):
        answer = await captain.request(method, path, json={"text": "a"}, headers={"Origin": origin})
        assert_problem(answer, 403, "foreign-origin")
    assert executive.events == {}


@pytest.mark.parametrize(
    "origin", ["http://prefrontal.test", "http://prefrontal.test:80", "https://PREFRONTAL.test"]
)
async def test_a_page_of_our_own_may_behind_a_proxy_too(captain: httpx.AsyncClient, origin: str):
    answer = await captain.post("/v1/events", json={"text": "a"}, headers={"Origin": origin})
    assert answer.status_code == 200


async def test_a_preflight_is_refused_and_no_origin_is_allowed(captain: httpx.AsyncClient):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = await captain.options("/v1/events", headers=headers)
    assert_problem(answer, 403, "foreign-origin")
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),  # a script, an image
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403),  # another port of us
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),  # a link in a letter
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Origin": "https://smith.langchain.com"}, 403),  # Studio's: of a LangGraph server alone
    ],
)
async def test_what_a_page_embeds_is_no_link(captain: httpx.AsyncClient, sent, status):
    assert (await captain.get("/v1/decisions", headers=sent)).status_code == status


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost.",
        "prefrontal.test.evil.example",
        "user@evil.example",
        "10.0.0.8",
        "[2001:db8::1]:80",
        "2130706433",
        "0x7f.1",
        "[::1",
        "127.0.0.1@evil.example",
        "evil.example/127.0.0.1",
        "evil.example#localhost",
    ],
)
async def test_by_a_name_that_is_not_ours_nothing_is_read_or_changed(
    captain: httpx.AsyncClient, executive: MemoryExecutive, host: str
):
    for method, path in (*KEYED[::12], ("GET", "/console/approvals"), ("GET", "/readyz")):
        answer = await captain.request(method, path, json={"text": "a"}, headers={"Host": host})
        assert_problem(answer, 421, "foreign-host")
    assert executive.events == {}


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:9",
        "localhost",
        "LOCALHOST:8765",
        "[::1]:8765",
        "127.0.0.2",
        "prefrontal.test:80",
        "PREFRONTAL.test",
        "0.0.0.0:8765",
        "ship.local",
        "[2001:db8::7]:8765",
    ],
)
async def test_loopback_the_address_listened_on_and_named_hosts_are_ours(
    captain: httpx.AsyncClient, executive: MemoryExecutive, host: str
):
    names = Settings(host="0.0.0.0", trusted_hosts=("Ship.local", "[2001:db8::7]"))
    executive.settings = names
    sent = {"Host": host, "Origin": f"http://{host}"}
    answer = await captain.post("/v1/events", json={"text": "a"}, headers=sent)
    assert answer.status_code == 200, answer.text
