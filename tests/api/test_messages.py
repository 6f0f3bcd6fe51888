import httpx
import pytest

from state.event import MAX_TEXT_BYTES
from tests.api.conftest import assert_problem
from tests.api.memory_executive import MemoryExecutive


async def test_a_message_is_from_the_key_s_owner(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    answer = await engineer.post("/v1/messages", json={"text": "how are the filters?"})
    assert answer.status_code == 200
    (event,) = executive.events.values()
    assert (event.kind, event.user, event.role) == ("message", "amir", "engineer,watchkeeper")


async def test_a_dangerous_request_comes_back_with_its_approval(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/messages", json={"text": "close WO-1042"})
    assert answer.json()["outcome"] == "awaiting_approval"
    assert answer.json()["approval"]["digest"] == "d" * 64
    assert answer.json()["approval"]["action_id"] == answer.json()["action_id"]
    assert answer.json()["offer"] is None


async def test_an_unclear_request_comes_back_with_chips(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/messages", json={"text": "note that"})
    assert answer.json()["offer"]["chips"][0]["chip_id"] == "chip-1"
    assert answer.json()["approval"] is None


async def test_the_same_message_id_is_one_decision(engineer: httpx.AsyncClient):
    sent = {"text": "close WO-1042", "event_id": "m-1"}
    first = await engineer.post("/v1/messages", json=sent)
    again = await engineer.post("/v1/messages", json=sent)
    assert again.json() == first.json() | {"duplicate": True}


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_an_empty_message_is_not_a_message(
    engineer: httpx.AsyncClient, executive: MemoryExecutive, text: str
):
    answer = await engineer.post("/v1/messages", json={"text": text})
    assert_problem(answer, 422, "invalid")
    assert not executive.events


async def test_a_bridge_may_name_who_speaks(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    sent = {"text": "hello", "user": "amir", "role": "engineer", "session_id": "bridge"}
    assert (await clients["bridge"].post("/v1/messages", json=sent)).status_code == 200
    (event,) = executive.events.values()
    assert (event.user, event.role, event.session_id) == ("amir", "engineer", "bridge")


async def test_a_bridge_that_names_nobody_speaks_itself(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    await clients["bridge"].post("/v1/messages", json={"text": "hello"})
    (event,) = executive.events.values()
    assert (event.user, event.role) == ("slack", "integrator,captain")


@pytest.mark.parametrize("claim", [{"user": "ingrid"}, {"role": "captain"}, {"tenant_id": "t"}])
async def test_nobody_else_may(engineer: httpx.AsyncClient, claim: dict[str, str]):
    answer = await engineer.post("/v1/messages", json={"text": "hello"} | claim)
    assert_problem(answer, 403, "forbidden")


@pytest.mark.parametrize("field", ["kind", "salience", "approved", "action_id"])
async def test_a_message_carries_nothing_but_a_message(engineer: httpx.AsyncClient, field: str):
    answer = await engineer.post("/v1/messages", json={"text": "hello", field: "choice"})
    body = assert_problem(answer, 422, "invalid")
    assert body["errors"][0]["field"] == field


async def test_a_text_at_the_limit_passes_and_one_byte_more_does_not(engineer: httpx.AsyncClient):
    fits = await engineer.post("/v1/messages", json={"text": "x" * MAX_TEXT_BYTES})
    assert fits.status_code == 200
    over = await engineer.post("/v1/messages", json={"text": "x" * (MAX_TEXT_BYTES - 1) + "é"})
    assert_problem(over, 413, "too-large")


async def test_what_breaks_inside_tells_nothing_of_itself(engineer: httpx.AsyncClient):
    answer = await engineer.post("/v1/messages", json={"text": "boom"})
    body = assert_problem(answer, 500, "internal")
    assert "secret words" not in answer.text
    assert "RuntimeError" not in answer.text
    assert body["request_id"]
