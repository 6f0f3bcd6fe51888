import httpx
import pytest

from tests.api.conftest import TENANT, assert_problem
from tests.api.memory_executive import MemoryExecutive


async def test_a_sensor_stays_ambient_and_carries_its_own_user(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    await clients["sensor"].post("/v1/events", json={"text": "level 3 cm"})
    (event,) = executive.events.values()
    assert (event.kind, event.user, event.role) == ("ambient", "bilge-probe", None)
    assert event.tenant_id == TENANT


async def test_a_person_speaks_for_themselves(
    engineer: httpx.AsyncClient, executive: MemoryExecutive
):
    sent = {"text": "hello", "user": "amir", "role": "watchkeeper", "tenant_id": TENANT}
    await engineer.post("/v1/events", json=sent)
    (event,) = executive.events.values()
    assert (event.kind, event.user, event.role) == ("message", "amir", "watchkeeper")


@pytest.mark.parametrize(
    "claim",
    [{"user": "ingrid"}, {"role": "captain"}, {"tenant_id": "mv-borealis"}, {"tenant_id": "x"}],
)
async def test_nobody_speaks_as_somebody_else(
    engineer: httpx.AsyncClient, executive: MemoryExecutive, claim: dict[str, str]
):
    answer = await engineer.post("/v1/events", json={"text": "hello"} | claim)
    assert_problem(answer, 403, "forbidden")
    assert executive.events == {}


async def test_a_bridge_speaks_for_others_in_its_own_tenant_only(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    sent = {"text": "hello", "user": "ingrid", "role": "captain"}
    assert (await clients["bridge"].post("/v1/events", json=sent)).status_code == 200
    (event,) = executive.events.values()
    assert (event.user, event.role, event.tenant_id) == ("ingrid", "captain", TENANT)
    foreign = await clients["bridge"].post("/v1/events", json=sent | {"tenant_id": "mv-borealis"})
    assert_problem(foreign, 403, "forbidden")
