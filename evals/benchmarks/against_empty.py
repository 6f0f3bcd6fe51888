"""The graph against as many nodes that do nothing, turn by turn in one process."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time_ns
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from evals.benchmarks.measurement import Measurement, Stopwatch, summed_up
from evals.benchmarks.occasions import OCCASIONS, Occasion
from graph.checkpoints import open_saver
from graph.compose import build_toolbox
from graph.flow import Flow, build_flow
from graph.settings import Settings
from state.channels import Input, State
from state.event import Event

WARM_UP = 10


async def measure(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
    """Time each occasion on our graph and on the empty one: same saver, same durability."""
    ours, theirs = folder / "ours", folder / "empty"
    for each in (ours, theirs):
        each.mkdir()
    box = build_toolbox(Settings(data_dir=ours, packs=("vessel",), database_url=None))
    try:
        async with open_saver(ours) as saver, open_saver(theirs) as empty_saver:
            flow = build_flow(box, saver)
            for occasion in OCCASIONS:
                nodes = await _nodes(flow, occasion)
                empty = build_empty_flow(nodes, empty_saver)
                async for measurement in _interleaved(flow, empty, occasion, nodes, runs):
                    yield measurement
    finally:
        await box.database.close()


def build_empty_flow(nodes: int, saver: BaseCheckpointSaver[Any], *, after_a_gate: int = 0) -> Flow:
    """Wire nodes in a line that take our state and add nothing to it.

    Args:
        after_a_gate: as many more, the first of them an interrupt.
    """

    async def nothing(state: State) -> State:
        return {}

    async def gate(state: State) -> State:
        interrupt({})
        return {}

    flow = StateGraph(State, input_schema=Input)
    names = [f"empty_{number}" for number in range(nodes + after_a_gate)]
    for number, name in enumerate(names):
        flow.add_node(name, gate if after_a_gate and number == nodes else nothing)
    for before, after in zip([START, *names], [*names, END], strict=True):
        flow.add_edge(before, after)
    return flow.compile(checkpointer=saver, name="empty")


@dataclass
class _Costs:
    """What runs took: on the clock, and of both cores together, which other work cannot blur."""

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)

    def ratio_to(self, other: "_Costs", kind: str) -> float:
        mine, theirs = getattr(self, kind), getattr(other, kind)
        return round(float(median(mine) / median(theirs)), 2)


async def _interleaved(
    flow: Flow, empty: Flow, occasion: Occasion, nodes: int, runs: int
) -> AsyncIterator[Measurement]:
    ours, theirs = _Costs(), _Costs()
    for number in range(WARM_UP + runs):
        event = occasion.event()
        kept = number >= WARM_UP
        # Whoever comes second finds warmer caches: they take turns at it.
        for is_ours in (True, False) if number % 2 else (False, True):
            costs = (ours if is_ours else theirs) if kept else _Costs()
            await _time(flow if is_ours else empty, event, costs, occasion if is_ours else None)
    yield summed_up(f"graph, {occasion.name} ({nodes} nodes)", ours.wall_ms)
    yield summed_up(f"  {nodes} empty nodes, same saver", theirs.wall_ms)
    for name, kind in (("time", "wall_ms"), ("CPU time", "cpu_ms")):
        yield Measurement(
            name=f"  ratio of median {name}",
            n=runs,
            p50=ours.ratio_to(theirs, kind),
            unit="×",
            goal="≤ 2" if kind == "wall_ms" else "",
        )


async def _time(flow: Flow, event: Event, costs: _Costs, occasion: Occasion | None) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": event.decision_id}}
    cpu, watch = process_time_ns(), Stopwatch()
    out = await flow.ainvoke({"event": event}, config, durability="exit")
    costs.wall_ms.append(watch.ms)
    costs.cpu_ms.append((process_time_ns() - cpu) / 1e6)
    if occasion:
        occasion.check(out.get("record"))


async def _nodes(flow: Flow, occasion: Occasion) -> int:
    """Count the nodes on the way of an occasion, by walking it once."""
    event = occasion.event()
    config: RunnableConfig = {"configurable": {"thread_id": event.decision_id}}
    return sum(
        [
            len(update)
            async for update in flow.astream({"event": event}, config, stream_mode="updates")
        ]
    )
