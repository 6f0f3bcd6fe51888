import httpx
import pytest

from tests.api.conftest import assert_problem


@pytest.fixture
async def offered(engineer: httpx.AsyncClient) -> str:
    answer = await engineer.post("/v1/messages", json={"text": "note that"})
    offer_id: str = answer.json()["offer_id"]
    return offer_id


async def test_an_open_offer_is_listed_until_it_is_chosen(
    engineer: httpx.AsyncClient, offered: str
):
    (found,) = (await engineer.get("/v1/offers")).json()["offers"]
    assert found["offer_id"] == offered
    chosen = await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-1"})
    assert chosen.status_code == 200
    assert chosen.json()["decision_id"]
    assert (await engineer.get("/v1/offers")).json()["offers"] == []
    (done,) = (await engineer.get("/v1/offers?open=false")).json()["offers"]
    assert done["chosen"] == "chip-1"


async def test_a_second_click_learns_that_it_was_chosen(engineer: httpx.AsyncClient, offered: str):
    await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-1"})
    late = await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-1"})
    assert assert_problem(late, 409, "conflict")["standing"] == "chosen"


async def test_a_chip_that_is_not_on_it_is_not_found(engineer: httpx.AsyncClient, offered: str):
    answer = await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-9"})
    assert_problem(answer, 404, "not-found")


@pytest.mark.parametrize(
    "sent",
    [{}, {"chip_id": ""}, {"chip_id": 1}, {"chip_id": "chip-1", "user": "ingrid"}, [], "chip-1"],
)
async def test_a_click_on_nothing_is_refused(
    engineer: httpx.AsyncClient, offered: str, sent: object
):
    assert_problem(await engineer.post(f"/v1/offers/{offered}", json=sent), 422, "invalid")


async def test_the_filter_is_a_yes_or_a_no(engineer: httpx.AsyncClient):
    assert_problem(await engineer.get("/v1/offers?open=perhaps"), 422, "invalid")
