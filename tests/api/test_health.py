import httpx
from fastapi import FastAPI

from api.app import create_app
from tests.api.conftest import assert_problem
from tests.api.memory_executive import MemoryExecutive


async def test_alive_and_ready_ask_for_no_key(clients: dict[str, httpx.AsyncClient]):
    for path in ("/livez", "/readyz"):
        assert (await clients["nobody"].get(path)).status_code == 200
        assert (await clients["nobody"].head(path)).status_code == 200


async def test_ready_says_what_is_degraded(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    executive.degraded.append("no model: words come from templates")
    answer = await clients["nobody"].get("/readyz")
    assert answer.json() == {
        "status": "ready",
        "degraded": ["no model: words come from templates"],
    }


async def test_not_ready_says_why(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    executive.reasons.append("the disk is full")
    answer = await clients["nobody"].get("/readyz")
    assert assert_problem(answer, 503, "not-ready")["reasons"] == ["the disk is full"]
    assert (await clients["nobody"].get("/livez")).status_code == 200


async def test_before_the_start_everything_but_life_is_503():
    app: FastAPI = create_app()
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://prefrontal.test"
    ) as client:
        assert (await client.get("/livez")).status_code == 200
        for path in ("/readyz", "/v1/decisions"):
            answer = await client.get(path, headers={"Authorization": "Bearer captain-key"})
            assert_problem(answer, 503, "not-ready")
            assert answer.headers["retry-after"]
