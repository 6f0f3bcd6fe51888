"""What one tenant may have under way and may send: beyond it 429, and the others notice nothing."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from fastapi import FastAPI

from api.http.admission import MOST_TENANTS, Admission
from api.http.problems import Problem
from state.event import Event
from state.principal import Principal
from state.record import DecisionRecord
from state.tuning import ServiceTuning
from tests.api.conftest import assert_problem
from tests.api.memory_executive import MemoryExecutive
from tests.stages import TUNING

FEW = ServiceTuning(
    tenant_events_per_second=2.0,
    tenant_burst=4,
    tenant_at_once=2,
    at_once=3,
    idempotency_hours=1.0,
    key_requests_per_minute=6,
)


ANN = Principal(user="ann", tenant_id="aurora")
SAID = {"text": "hot"}


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def admission(hand: Hand) -> Admission:
    return Admission(FEW, hand)


def refused(admission: Admission, events: int = 1) -> str | None:
    """Charge a tenant; tell after how many seconds it should come back."""
    try:
        admission.charge("aurora", events)
    except Problem as problem:
        return dict(problem.headers or {})["Retry-After"]
    return None


def test_a_burst_passes_and_then_as_much_as_a_second_brings(admission: Admission, hand: Hand):
    assert [refused(admission) for _event in range(5)] == [None] * 4 + ["1"]
    hand.now += 1.0
    assert [refused(admission) for _event in range(3)] == [None, None, "1"]
    hand.now += 3_600.0
    assert [refused(admission) for _event in range(5)] == [None] * 4 + ["1"]


async def test_a_key_that_runs_away_waits_for_the_next_minute_and_nobody_else_does(
    admission: Admission,
):
    for _request in range(FEW.key_requests_per_minute):
        await admission.count(ANN)
    with pytest.raises(Problem) as refused:
        await admission.count(ANN)
    assert 1 <= int(dict(refused.value.headers or {})["Retry-After"]) <= 60
    await admission.count(ANN.model_copy(update={"user": "ben"}))
    await admission.count(ANN.model_copy(update={"tenant_id": "borealis"}))


def test_a_list_beyond_the_burst_passes_once_and_leaves_a_debt(admission: Admission, hand: Hand):
    assert refused(admission, 10) is None
    assert refused(admission) == "4"
    hand.now += 4.0
    assert refused(admission) is None


def test_what_is_refused_costs_nothing(admission: Admission):
    assert refused(admission, 3) is None
    assert [refused(admission, 3) for _try in range(9)] == ["1"] * 9
    assert refused(admission) is None


def test_a_persons_answer_finds_a_place_where_others_have_taken_all(admission: Admission):
    events = [admission.take(tenant) for tenant in ("aurora", "aurora", "borealis")]
    with pytest.raises(Problem):
        admission.take("borealis")
    with admission.under_way("aurora", is_answer=True):  # the one place more than three
        for tenant in ("aurora", "borealis"):
            with pytest.raises(Problem):
                admission.take(tenant, is_answer=True)
    for event in events:
        event.release()
    assert not admission._under_way


def test_tenants_do_not_share_and_a_flood_of_them_is_forgotten(admission: Admission):
    for number in range(2 * MOST_TENANTS):
        admission.charge(f"t-{number}", 4)
    assert len(admission._buckets) <= MOST_TENANTS
    assert refused(admission, 4) is None


def test_a_flood_of_tenants_does_not_let_a_flooding_one_go(admission: Admission):
    admission.charge("aurora", 40)
    for number in range(MOST_TENANTS):
        admission.charge(f"t-{number}", 1)
    assert refused(admission) is not None


def test_places_are_the_tenants_first_and_everybodys_then(admission: Admission):
    with admission.under_way("aurora"), admission.under_way("aurora"):
        with pytest.raises(Problem) as full, admission.under_way("aurora"):
            pass
        assert full.value.status_code == 429
        with admission.under_way("borealis"):
            with pytest.raises(Problem) as none_left, admission.under_way("borealis"):
                pass
            assert none_left.value.status_code == 503
    with admission.under_way("aurora"):
        pass
    unknown, other = admission.take(None), admission.take(None)
    with pytest.raises(Problem) as crowded:  # half of three places, rounded up
        admission.take(None)
    assert crowded.value.status_code == 503
    with admission.under_way("aurora", unknown):
        assert admission._under_way == {None: 1, "aurora": 1}
    other.release()
    other.release()
    assert not admission._under_way


async def test_beyond_its_burst_a_tenant_is_told_when_to_come_back(
    app: FastAPI, executive: MemoryExecutive, clients: dict[str, httpx.AsyncClient]
):
    executive.service_tuning = FEW.model_copy(update={"tenant_events_per_second": 0.001})
    sent = [{"event_id": f"e-{n}", "text": "hot"} for n in range(4)]
    assert (await clients["engineer"].post("/v1/events", json=sent)).status_code == 200
    for path, body in (("/v1/messages", {"text": "hi"}), ("/v1/events", {"text": "hot"})):
        answer = await clients["captain"].post(path, json=body)
        assert_problem(answer, 429, "too-many")
        assert int(answer.headers["retry-after"]) == 1_000
    assert len(executive.events) == 4
    assert (await clients["engineer"].get("/v1/decisions")).status_code == 200
    assert (await clients["stranger"].post("/v1/messages", json={"text": "hi"})).status_code == 200


async def test_the_lines_of_a_stream_take_places_too(
    app: FastAPI, executive: MemoryExecutive, clients: dict[str, httpx.AsyncClient]
):
    executive.service_tuning = FEW
    held: list[int] = []
    submit = executive.submit

    async def watched(event: Event) -> DecisionRecord:
        held.append(app.state.admission._under_way.total())
        return await submit(event)

    executive.submit = watched  # type: ignore[method-assign]  # to look while a line is decided
    lines = b'{"text": "hot"}\n{"text": "hotter"}\n'
    headers = {"Content-Type": "application/x-ndjson"}
    answer = await clients["engineer"].post("/v1/events", content=lines, headers=headers)
    assert (answer.status_code, held) == (200, [1, 1])


async def test_what_has_no_place_is_refused_before_its_key_is_looked_up_or_its_body_read(
    app: FastAPI, executive: MemoryExecutive, clients: dict[str, httpx.AsyncClient]
):
    executive.service_tuning, executive.gate = FEW, asyncio.Event()
    engineer, captain, stranger = (clients[who] for who in ("engineer", "captain", "stranger"))
    for known in (engineer, stranger):  # whose tenant is remembered
        assert (await known.post("/v1/messages", json={"text": ""})).status_code == 422
    asked = executive.keys.asked
    two = [asyncio.create_task(engineer.post("/v1/messages", json=SAID)) for _one in range(2)]
    while len(executive.events) < 2:  # noqa: ASYNC110 - both are at work, and stay there
        await asyncio.sleep(0)
    before = len(asked)

    read = []

    async def body() -> AsyncIterator[bytes]:
        read.append("the body")
        yield b"{}"

    headers = {"Content-Type": "application/json", "X-Request-ID": "mine"}
    full = await engineer.post("/v1/messages", content=body(), headers=headers)
    assert assert_problem(full, 429, "too-many")["request_id"] == "mine"
    assert (full.headers["retry-after"], full.headers["cache-control"]) == ("1", "no-store")
    assert (len(asked), read) == (before, [])
    assert (await engineer.get("/v1/decisions")).status_code == 200  # to read takes no place
    third = asyncio.create_task(stranger.post("/v1/messages", json=SAID))
    while len(executive.events) < 3:  # noqa: ASYNC110 - as above
        await asyncio.sleep(0)
    assert_problem(await captain.post("/v1/messages", json=SAID), 503, "busy")  # never seen before
    executive.gate.set()
    assert [(await each).status_code for each in (*two, third)] == [200, 200, 200]
    assert (await captain.post("/v1/messages", json=SAID)).status_code == 200


def test_the_shipped_limits_leave_room_for_others():
    service = TUNING.service
    assert service.tenant_at_once * 2 <= service.at_once
    assert service.tenant_burst >= 1_000, "a list may hold that many"


@pytest.fixture(autouse=True)
def _closed(app: FastAPI) -> Iterator[None]:
    yield
    if app.state.admission is not None:
        assert not app.state.admission._under_way, "a place was kept"
