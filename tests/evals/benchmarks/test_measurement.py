"""Benchmarks: each measures what it says, on a small scale."""

import asyncio
import os
from collections import Counter
from pathlib import Path

import httpx
import pytest
from langchain_core.runnables import RunnableConfig

from evals.benchmarks import attention as speaking
from evals.benchmarks import graph_overhead as against_empty
from evals.benchmarks import graph_overhead as cycles
from evals.benchmarks import nlu as encoding
from evals.benchmarks.graph_overhead import WAYS, build_empty_flow
from evals.benchmarks.in_process import SCENARIOS, SPOKEN
from evals.benchmarks.load_generator import LoadGenerator, Plan
from evals.benchmarks.measurement import (
    Measurement,
    Stopwatch,
    describe_machine,
    file_name,
    summarise,
    watch_memory,
)
from evals.benchmarks.ratios import compare, read_kept
from graph.execution.maintenance import open_saver
from tests.api.memory_executive import MemoryExecutive
from tests.stages import TUNING
from tools.adapters.embedding.minilm import loaded_network
from tools.adapters.embedding.minilm_weights import find_folder


def test_the_middle_and_the_slow_end_are_told() -> None:
    measurement = summarise("anything", [float(number) for number in range(1, 101)])

    assert (measurement.n, measurement.p50) == (100, 50.5)
    assert measurement.p95 == pytest.approx(95.05)


@pytest.mark.parametrize("n", [1, 2, 19])
def test_few_samples_have_no_slow_end(n: int) -> None:
    measurement = summarise("anything", [3.0] * n)

    assert (measurement.n, measurement.p50, measurement.p95) == (n, 3.0, None)


def test_a_stopwatch_goes_forward() -> None:
    watch = Stopwatch()

    assert 0 <= watch.ms <= watch.ms


def test_a_result_says_where_it_was_measured() -> None:
    machine = describe_machine()

    assert machine.cores >= 1
    assert machine.processor
    assert machine.versions["langgraph"]
    assert file_name().endswith(".json")


async def test_empty_nodes_are_walked_one_by_one_and_kept_like_ours(data_dir: Path) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": "one"}}
    async with open_saver(data_dir) as saver:
        flow = build_empty_flow(7, saver)

        walked = [
            name
            async for update in flow.astream(
                {"event": SPOKEN.event()}, config, stream_mode="updates", durability="exit"
            )
            for name in update
        ]
        kept = [checkpoint async for checkpoint in saver.alist(config)]

    assert walked == [f"empty_{number}" for number in range(7)]
    assert len(kept) == 1


async def test_every_occasion_takes_its_way_and_is_set_against_as_many_nodes(data_dir: Path):
    measured = [one async for one in against_empty.measure_against_empty(data_dir, runs=1)]

    assert [one.unit for one in measured] == ["ms", "ms", "×", "×"] * len(SCENARIOS)
    assert [one.n for one in measured] == [1] * len(measured)
    for ours, theirs in zip(measured[::4], measured[1::4], strict=True):
        nodes = ours.name.partition("(")[2].partition(" ")[0]
        assert theirs.name.strip().startswith(f"{nodes} empty nodes")


async def test_a_read_and_a_whole_approval_are_set_against_as_many_nodes(data_dir: Path) -> None:
    measured = [one async for one in cycles.measure_cycles(data_dir, runs=2)]

    assert [one.unit for one in measured] == ["/s", "/s", "×"] * 4
    assert [one.goal for one in measured[::3]] == ["≥ 60"] * 2 + ["≥ 12"] * 2
    nodes = [int(one.name.split()[0]) for one in measured[1::3]]
    assert nodes[0] == nodes[1] < nodes[2] == nodes[3]


def test_the_encoder_is_set_against_its_bare_products(tmp_path: Path) -> None:
    measured = list(encoding.measure_encoder(tmp_path, runs=1))

    assert [one.unit for one in measured] == ["ms", "ms", "×", "/s", "ms", "ms"]
    assert all(one.p50 > 0 for one in measured)


def test_the_message_has_ten_tokens() -> None:
    assert len(loaded_network(find_folder(), None).tokens(encoding.MESSAGE)) == 10 + 2


def test_only_a_ratio_a_fifth_above_the_kept_one_is_named() -> None:
    found = [Measurement(name=name, n=1, p50=2.5, unit="×") for name in ("slow", "same", "new")]

    assert compare(found, {"slow": 2.0, "same": 2.1}) == ["slow: 2.50, kept 2.00"]


def test_every_pair_has_a_kept_ratio() -> None:
    names = [f"graph, {one.name}" for one in SCENARIOS] + [way.name for way in WAYS]

    assert [*read_kept()] == names


async def test_stages_tick_stream_and_flood_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speaking, "HOLDS", 20)
    measured = [one async for one in speaking.measure(tmp_path, runs=3)]

    assert [one.goal for one in measured] == ["p95 ≤ 3", "≤ 1", "≥ 100", "≥ 150"]
    assert all(one.p50 > 0 for one in measured)


def test_a_day_is_the_same_each_time_and_lasts_a_day() -> None:
    events = list(speaking.day())
    assert events[:500] == list(speaking.day(500))
    assert events[0].occurred_at is not None
    assert events[-1].occurred_at is not None
    assert 0.9 < (events[-1].occurred_at - events[0].occurred_at).total_seconds() / 86_400 < 1.1


# The crowd says what it saw, and a curve of memory is one of the process that was looked at.


def _plan(at: str, **more: object) -> Plan:
    port = httpx.URL(at).port
    return Plan.model_validate(
        {"port": port, "keys": ("captain-key", "engineer-key"), "seconds": 0.1} | more
    )


async def test_a_crowd_tells_each_answer_and_what_became_of_it(
    address: str,
    executive: MemoryExecutive,
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


async def test_a_steady_crowd_goes_on_where_it_is_refused(address: str, executive: MemoryExecutive):
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
