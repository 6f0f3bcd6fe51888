"""Ratios of our graph to as many empty nodes, kept beside this file, and the check against them."""

import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time_ns

from langchain_core.runnables import RunnableConfig

from evals.benchmarks.graph_overhead import (
    WAYS,
    Compared,
    Cycle,
    build_empty_cycle,
    build_empty_flow,
    count_nodes,
    count_steps,
    open_both,
)
from evals.benchmarks.in_process import SCENARIOS, Scenario
from evals.benchmarks.measurement import Measurement
from graph.flow import Flow

KEPT = Path(__file__).with_name("ratios.json")
TOLERANCE = 1.2
"""A ratio may be this many times the kept one."""
PASSES = 3
"""Each pair is measured so many times over, the others in between: load comes and goes."""
WARM_UP = 4
TURNS = 2
"""Cycles a sample: one alone is within the noise."""


@dataclass(frozen=True)
class Pair:
    """A cycle of ours, and the same number of empty nodes."""

    name: str
    ours: Cycle
    empty: Cycle


async def measure_ratios(folder: Path, *, rounds: int) -> AsyncIterator[Measurement]:
    """Measure processor time of this process, by turns, so that other work slows both alike."""
    with _on_one_core():
        async with open_both(folder) as compared:
            pairs = await _pairs(compared)
            passes = [
                [await _ratios(pair, max(1, rounds // PASSES)) for pair in pairs]
                for _pass in range(PASSES)
            ]
    for pair, *found in zip(pairs, *passes, strict=True):
        ratios = [ratio for each in found for ratio in each]
        ratio = round(median(ratios), 2)
        yield Measurement(name=pair.name, n=len(ratios) * TURNS, p50=ratio, unit="×")


def compare(found: Sequence[Measurement], kept: Mapping[str, float]) -> list[str]:
    """Name each ratio that is beyond the tolerance; one that is not kept passes."""
    return [
        f"{one.name}: {one.p50:.2f}, kept {kept[one.name]:.2f}"
        for one in found
        if one.p50 > kept.get(one.name, one.p50) * TOLERANCE
    ]


def read_kept() -> dict[str, float]:
    """Read the kept ratios by name."""
    kept: dict[str, float] = json.loads(KEPT.read_text("utf-8"))
    return kept


def keep(found: Sequence[Measurement]) -> None:
    """Replace the kept ratios."""
    ratios = {one.name: one.p50 for one in found}
    KEPT.write_text(json.dumps(ratios, indent=2) + "\n", "utf-8")


@contextmanager
def _on_one_core() -> Iterator[None]:
    """Keep all threads to one core: what is moved between two loses its caches."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


async def _pairs(compared: Compared) -> list[Pair]:
    pairs = []
    for occasion in SCENARIOS:
        nodes = await count_nodes(compared.flow, occasion)
        empty = build_empty_flow(nodes, compared.empty_saver)
        ours = partial(_decide, compared.flow, occasion)
        pairs.append(Pair(f"graph, {occasion.name}", ours, build_empty_cycle(empty)))
    for way in WAYS:
        before, after = await count_steps(way, compared)
        empty = build_empty_flow(before, compared.empty_saver, after_a_gate=after)
        ours = partial(way.go, compared.executive)
        pairs.append(Pair(way.name, ours, build_empty_cycle(empty, has_gate=after > 0)))
    return pairs


async def _decide(flow: Flow, occasion: Scenario) -> None:
    event = occasion.event()
    config: RunnableConfig = {"configurable": {"thread_id": event.decision_id}}
    out = await flow.ainvoke({"event": event}, config, durability="exit")
    occasion.check(out.get("record"))


async def _ratios(pair: Pair, rounds: int) -> list[float]:
    for cycle in (pair.ours, pair.empty):
        await _cpu_time(cycle, WARM_UP)
    ratios = []
    for number in range(rounds):
        if number % 2:  # whoever comes second finds warmer caches
            theirs, ours = await _cpu_time(pair.empty), await _cpu_time(pair.ours)
        else:
            ours, theirs = await _cpu_time(pair.ours), await _cpu_time(pair.empty)
        ratios.append(ours / theirs)
    return ratios


async def _cpu_time(cycle: Cycle, turns: int = TURNS) -> int:
    started = process_time_ns()
    for _turn in range(turns):
        await cycle()
    return process_time_ns() - started
