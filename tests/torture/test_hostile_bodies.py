"""Bodies made by hand to break something, at every route that takes one: refused, never a 500."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from api.app import create_app
from state.principal import Principal
from tests.api.test_hostile import MALFORMED
from tests.safety.executives import opened_executive
from tests.torture.counts import few_or_many
from tests.torture.routes import with_ids
from tests.torture.serving import clients
from tests.torture.tally import Tally

PERSON = Principal(user="ingrid", tenant_id="aurora", roles=("captain", "engineer", "admin"))
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    2**53,
    -1e308,
    "",
    " ",
    "٢١:٣٠",
    "2026-13-45T99:99:99Z",
    "\u202egnp.exe\u200b",
    "x" * 70_000,
    "'; drop table decision; --",
    "../../../../etc/passwd",
    "${EXECUTIVE_LEDGER_KEY}",
    [],
    [[[[[]]]]],
    ["x"] * 2_000,
    {},
    {"__class__": "os.system", "": {"": {}}},
)
"""In the place of each field; none of them is one that a route has to take."""


@few_or_many(90, 100_000)
async def test_a_hostile_body_is_refused_on_every_route(
    data_dir: Path, pack: Path, tally: Tally, count: int
) -> None:
    async with opened_executive(data_dir, pack) as opened:
        asked = await opened.asked()
        offered = await opened.ask("label valve V-9", "e-2")
        ids = {"action": asked.action_id, "offer": f"offer-{offered.decision_id}"}
        requests = list(_requests(ids))
        async with clients(opened.executive, PERSON) as [person]:
            for method, path, body in requests[:: max(1, len(requests) // count)]:
                answer = await person.request(
                    method, path, content=body, headers={"Content-Type": "application/json"}
                )
                where = f"{method} {path} {body[:200]!r}: {answer.status_code} {answer.text[:300]}"
                assert answer.status_code < 500, where
                if answer.status_code >= 400:
                    assert answer.headers["content-type"] == "application/problem+json", where
                    assert answer.json()["request_id"] == answer.headers["x-request-id"], where
                tally.add("hostile bodies")
            sessions = ("/v1/state", "/v1/quiet", "/v1/personality", "/v1/decisions")
            for path in sessions:  # nothing that was taken is in the way of anything
                assert (await person.get(path)).status_code == 200, path


def _requests(ids: Mapping[str, str]) -> Iterator[tuple[str, str, bytes]]:
    for path, methods in create_app().openapi()["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            for address in with_ids(method.upper(), path, ids) if content else ():
                for body in (*MALFORMED.values(), *_broken(_example(content))):
                    yield method.upper(), address, body


def _example(content: Mapping[str, Any]) -> Any:
    shown = next(iter(content.get("examples", {}).values()), None)
    return shown["value"] if shown else content["example"]


def _broken(example: Any) -> Iterator[bytes]:
    """Put what is odd in the place of the whole, and of each field in turn."""
    for odd in ODD:
        yield json.dumps(odd).encode()
    for name in example if isinstance(example, dict) else ():
        for odd in ODD:
            yield json.dumps(example | {name: odd}).encode()
