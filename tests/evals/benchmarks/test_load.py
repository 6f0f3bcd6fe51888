"""The crowd says what it saw, and a curve of memory is one of the process that was looked at."""

import asyncio
import os
from collections import Counter

import httpx

from evals.benchmarks.load_generator import LoadGenerator, Plan
from evals.benchmarks.measurement import watch_memory
from tests.api.conftest import address, app, executive  # noqa: F401 - fixtures
from tests.api.memory_executive import MemoryExecutive
from tests.stages import TUNING


def _plan(at: str, **more: object) -> Plan:
    port = httpx.URL(at).port
    return Plan.model_validate(
        {"port": port, "keys": ("captain-key", "engineer-key"), "seconds": 0.1} | more
    )


async def test_a_crowd_tells_each_answer_and_what_became_of_it(
    address: str,  # noqa: F811
    executive: MemoryExecutive,  # noqa: F811
) -> None:
    crowd = LoadGenerator(_plan(address, said=("close WO-7",), clients=3, answers=1.0, seconds=0.3))
    _nothing, curve = await watch_memory(os.getpid(), crowd.go())
    said = [each for each in crowd.seen if each.what == "say"]
    assert len(said) == len(executive.decided) > 2
    assert {(each.status, each.outcome) for each in said} == {(200, "awaiting_approval")}
    assert {each.key for each in said} == {0, 1}
    answers = {each.status for each in crowd.seen if each.what == "answer"}
    assert 200 in answers  # the captain's; the engineer may not
    assert curve.marks(4)[-1] > 1.0


async def test_a_steady_crowd_goes_on_where_it_is_refused(
    address: str,  # noqa: F811
    executive: MemoryExecutive,  # noqa: F811
) -> None:
    executive.service_tuning = TUNING.service.model_copy(update={"tenant_at_once": 1})
    executive.gate = asyncio.Event()
    crowd = LoadGenerator(_plan(address, said=("hot",), a_second=200.0))
    going = asyncio.create_task(crowd.go())
    while len(crowd.seen) < 3:  # noqa: ASYNC110 - refused beside the one that waits
        await asyncio.sleep(0)
    executive.gate.set()
    await going
    seen = Counter((each.status, each.kind) for each in crowd.seen)
    assert set(seen) == {(200, ""), (429, "too-many")}
    assert seen[200, ""] == len(executive.decided)
    assert len(crowd.seen) == 20
