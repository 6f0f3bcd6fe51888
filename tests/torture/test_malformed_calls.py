"""Malformed proposals, permits, outcomes and declarations: nothing runs, no answer of 5xx."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import httpx
import pytest

from tests.api.door import Json
from tests.api.test_permits import TEXT, Dock, dock, tool  # noqa: F401 - a fixture
from tests.torture.counts import few_or_many

pytestmark = pytest.mark.asyncio(loop_scope="module")

AT_ONCE = 8
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**53, 2**70, -(2**64), 1e308, "", " ", "\x00", "x" * 9_000, "\u202eevil"),
    *([], {}, [[]], [None], {"": ""}, {"$ref": "#"}, {"__class__": "x"}, "{lock}", "'; drop table"),
    *("../../etc/passwd", "\ud800", {"a": {"b": {"c": [1, {"d": 2}]}}}, ["x"] * 300),
)
RAW = (b"", b"{", b"[", b"null", b"NaN", b'{"a":1e999}', b'"\\ud800"', b"\xff\xfe", b"[" * 5_000)
RAN = "select count(*) from ledger_action where state not in ('proposed', 'pending', 'approved')"


def mutated(chance: random.Random, body: Any) -> Any:
    """Put something odd somewhere into a body: in place of a value, or beside it."""
    body = deepcopy(body)
    places = list(_places(body))
    for _ in range(chance.randint(1, 3)):
        holder, key = chance.choice(places)
        if key not in holder:
            continue
        match chance.randrange(4):
            case 0:
                del holder[key]
            case 1:
                holder[chance.choice(("approved", "class", "permit", key + "_", ""))] = True
            case _:
                holder[key] = deepcopy(chance.choice(ODD))
    return body


def _places(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    if isinstance(value, dict):
        for key, inside in value.items():
            yield value, key
            yield from _places(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _places(inside)


def requests(
    chance: random.Random, known: list[str], count: int
) -> Iterator[tuple[str, str, bytes]]:
    """Make method, path and body of requests that no well-behaved agent sends."""
    proposal = {"action": "close_lock", "arguments": {"lock": "LK-12", "minutes": 5}, "again": True}
    own = {"action": "sink_barge", "arguments": {"barge": "B1"}, "sources": ["a"], "reason": "r"}
    outcome = {"permit": "y" * 43, "outcome": "succeeded", "text": "done", "data": {"a": 1}}
    declared = {"tools": [tool("fuzzed", "write", a=TEXT, b={"type": "integer", "maximum": 3})]}
    strange = ("0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001", "%00", "..", "x" * 300, "offer-1")
    for _ in range(count):
        place = chance.choice((*known, *known, *strange))
        method, path, body = chance.choice(
            (
                ("POST", "/v1/proposals", proposal),
                ("POST", "/v1/proposals", own),
                ("POST", "/v1/proposals", [proposal, own]),
                ("POST", f"/v1/proposals/{place}/permit", {"digest": "0" * 64}),
                ("POST", f"/v1/proposals/{place}/outcome", outcome),
                ("PUT", "/v1/catalog/tools", declared),
                ("DELETE", f"/v1/catalog/tools/{place}", {}),
            )
        )
        if chance.random() < 0.1:
            yield method, path, chance.choice(RAW)
        else:
            sent: Any = mutated(chance, body) if body else body
            yield method, path, json.dumps(sent).encode()


@few_or_many(400, 10_000)
async def test_malformed_calls_run_nothing_and_break_nothing(dock: Dock, count: int):  # noqa: F811
    known = [
        (await dock.propose("close_lock", arguments={"lock": "LK-12"}))["proposal_id"],
        (await dock.propose("paint_buoy", arguments={"buoy": "N1"}))["proposal_id"],
        (await dock.approved("sink_barge", barge="fuzzed"))["proposal_id"],
    ]
    effects, ran = dock.harbour.effects(), dock.sql(RAN)
    chance, codes = random.Random(count), Counter[int]()
    todo = requests(chance, known, count)

    async def client(http: httpx.AsyncClient) -> None:
        for method, path, body in todo:
            kind = {"Content-Type": "application/json"}
            answer = await http.request(method, path, content=body, headers=kind)
            codes[answer.status_code] += 1
            assert answer.status_code < 500, (method, path, body, answer.text)
            if answer.status_code >= 400:
                problem: Json = answer.json()
                assert problem["status"] == answer.status_code

    await asyncio.gather(*(client(dock.clients["agent"]) for _ in range(AT_ONCE)))
    assert sum(codes.values()) == count
    assert codes[422] > count / 4
    assert dock.harbour.effects() == effects
    assert dock.sql(RAN) == ran
    assert (await dock.read({"proposal_id": known[2]}))["status"] == "permitted"
