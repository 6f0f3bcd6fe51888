import httpx
import pytest

from tests.api.conftest import assert_problem


async def _decide(client: httpx.AsyncClient, text: str = "hot", session: str = "s") -> str:
    answer = await client.post("/v1/events", json={"text": text, "session_id": session})
    decision_id: str = answer.json()["decision_id"]
    return decision_id


async def test_decisions_come_newest_first(engineer: httpx.AsyncClient):
    ids = [await _decide(engineer) for _ in range(3)]
    page = (await engineer.get("/v1/decisions")).json()
    assert [each["decision_id"] for each in page["decisions"]] == ids[::-1]
    assert page["next_cursor"] is None


async def test_pages_follow_each_other_to_the_end(engineer: httpx.AsyncClient):
    ids = [await _decide(engineer) for _ in range(5)]
    seen: list[str] = []
    wanted: dict[str, str | int] = {"limit": 2}
    for _ in range(4):
        page = (await engineer.get("/v1/decisions", params=wanted)).json()
        seen += [each["decision_id"] for each in page["decisions"]]
        if page["next_cursor"] is None:
            break
        wanted["cursor"] = page["next_cursor"]
    assert seen == ids[::-1]


async def test_filters_narrow(engineer: httpx.AsyncClient):
    await _decide(engineer, session="a")
    wanted = await _decide(engineer, "close WO-1042", session="b")
    for params in ({"session_id": "b"}, {"outcome": "awaiting_approval"}):
        page = (await engineer.get("/v1/decisions", params=params)).json()
        assert [each["decision_id"] for each in page["decisions"]] == [wanted]


@pytest.mark.parametrize(
    "params",
    [
        {"limit": "0"},
        {"limit": "201"},
        {"limit": "many"},
        {"limit": "9" * 5_000},
        {"outcome": "exploded"},
        {"session_id": "a\x00b"},
        {"session_id": ""},
        {"cursor": "x" * 201},
        {"cursor": "not a cursor"},
        {"cursor": "2026-02-07T14:32:00+00:00/\x00"},
        {"cursor": "9999-99-99/0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001"},
        {"sesion_id": "b"},
    ],
)
async def test_a_filter_that_means_nothing_is_refused(
    engineer: httpx.AsyncClient, params: dict[str, str]
):
    assert_problem(await engineer.get("/v1/decisions", params=params), 422, "invalid")


async def test_a_trace_holds_record_and_event(engineer: httpx.AsyncClient):
    decision_id = await _decide(engineer)
    trace = (await engineer.get(f"/v1/decisions/{decision_id}")).json()
    assert trace["record"]["decision_id"] == decision_id
    assert trace["event"]["text"] == "hot"
    assert trace["thread_id"]


@pytest.mark.parametrize("name", ["nope", "%00", "..%2F..%2Fetc", "a" * 201, "%ED%A0%80", "'--"])
async def test_an_id_of_nothing_is_not_found(engineer: httpx.AsyncClient, name: str):
    for resource in ("decisions", "approvals"):
        assert_problem(await engineer.get(f"/v1/{resource}/{name}"), 404, "not-found")
