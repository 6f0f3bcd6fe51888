import json

import httpx
import pytest

from api.http.bodies import MAX_BODY_BYTES
from tests.api.conftest import assert_problem
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
        answer = await captain.post(path, json={"text": "x" * 1_000_000})
        assert_problem(answer, 413, "too-large")
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
async def test_another_content_type_is_not_taken(
    captain: httpx.AsyncClient, path: str, content_type: str | None
):
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
async def test_odd_but_valid_text_goes_through_as_data(
    captain: httpx.AsyncClient, text: str, kept: str
):
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
