"""What a page of another site, a form or a prefetch can send to a real service changes nothing."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx

from tests.safety.benches import CAPTAIN, sql
from tests.safety.executives import opened_executive
from tests.safety.valves import effects
from tests.torture.routes import operations
from tests.torture.serving import clients
from tests.torture.tally import Tally

EVIL = "https://evil.example"
FORM_TYPES = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
"""What a form can send without a preflight."""
CHANGING = ("POST", "PUT", "PATCH", "DELETE")

Sent = tuple[str, str, Mapping[str, str], bytes, tuple[int, ...]]


async def test_no_request_that_a_page_can_make_changes_anything(
    data_dir: Path, pack: Path, tally: Tally
):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        offered = await opened.ask("label valve V-9", "e-2")
        yes = f'{{"decision": "approve", "digest": "{shown.digest}"}}'.encode()
        ids = {"action_id": shown.action_id, "offer_id": str(offered.offer_id)}
        async with clients(opened.executive, CAPTAIN) as [captain]:
            before = _tables(data_dir)
            paths = [(method, _named(path, ids)) for method, path in operations()]
            assert sum(method in CHANGING for method, _path in paths) >= 9
            for method, path, headers, body, statuses in _requests(paths, yes):
                answer = await captain.request(method, path, headers=headers, content=body)
                tally.add("requests of a foreign page")
                where = f"{method} {path} {headers}: {answer.status_code} {answer.text[:200]}"
                assert answer.status_code in statuses, where
                _assert_closed(answer)
            assert _tables(data_dir) == before
            assert effects(data_dir) == []
            done = await captain.post(
                f"/v1/approvals/{shown.action_id}",
                content=yes,
                headers={"Content-Type": "application/json"},
            )
    assert done.json()["state"] == "succeeded", "not even the real thing works"


def _requests(paths: list[tuple[str, str]], yes: bytes) -> Iterator[Sent]:
    json = {"Content-Type": "application/json"}
    for method, path in paths:
        if method not in CHANGING:
            continue
        for origin in (EVIL, "null", "http://127.0.0.1:1", "http://localhost"):
            yield method, path, {**json, "Origin": origin}, yes, (403,)
        if method != "DELETE":  # it takes no body, and no form can send it
            for form in FORM_TYPES:
                yield method, path, {"Content-Type": form}, yes, (415,)
        preflight = {"Origin": EVIL, "Access-Control-Request-Method": method}
        yield "OPTIONS", path, preflight, b"", (403, 405)
        yield "HEAD", path, {"Sec-Purpose": "prefetch"}, b"", (200, 404, 405)
        if ("GET", path) not in paths:
            yield "GET", path, {"Sec-Purpose": "prefetch"}, b"", (404, 405)
        query = f"{path}?decision=approve&digest=x&_method=POST"
        yield "GET", query, {"X-HTTP-Method-Override": method}, b"", (200, 404, 405, 422)
        # A browser sends no key by itself: a cookie is none, and there is none to steal.
        yield method, path, {**json, "Authorization": "", "Cookie": "key=x"}, yes, (401,)


def _assert_closed(answer: httpx.Response) -> None:
    assert "set-cookie" not in answer.headers
    assert not [name for name in answer.headers if name.startswith("access-control")]
    if answer.status_code not in (200, 405) or answer.request.method != "HEAD":
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-frame-options"] == "DENY"


def _named(path: str, ids: Mapping[str, str]) -> str:
    for name, value in ids.items():
        path = path.replace(f"{{{name}}}", value)
    return path.replace("{decision_id}", "x").replace("{refusal_id}", "x")


def _tables(data_dir: Path) -> dict[str, list[tuple[object, ...]]]:
    tables = sql(data_dir, "select name from sqlite_master where type = 'table'")
    return {str(name): sql(data_dir, f"select * from {name}") for (name,) in tables}
