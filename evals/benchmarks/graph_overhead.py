"""The graph beside as many empty nodes, by turn and by whole cycle."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from time import process_time_ns
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from evals.benchmarks.in_process import CLASS_A, CLASS_C, SCENARIOS, Scenario, WrongPath
from evals.benchmarks.measurement import Measurement, Stopwatch, summarise
from graph.execution.maintenance import open_saver
from graph.execution.threads import Threads
from graph.executive import Executive
from graph.flow import Flow, build_flow
from graph.settings import Settings
from graph.wiring.composition import Served, build_toolbox, open_executive
from state.approval import ApprovalAnswer
from state.channels import Input, State
from state.event import Event
from state.principal import Principal
from state.record import DecisionRecord

TURN_WARM_UP = 10


@dataclass(frozen=True)
class Compared:
    """Our graph, the executive that runs it, and the saver of the empty one."""

    executive: Executive
    flow: Flow
    empty_saver: BaseCheckpointSaver[Any]


@asynccontextmanager
async def open_both(folder: Path) -> AsyncIterator[Compared]:
    """Open both on savers of one kind, in folders of their own below `folder`."""
    ours, theirs = folder / "ours", folder / "empty"
    for each in (ours, theirs):
        each.mkdir()
    settings = Settings(data_dir=ours, packs=("vessel",), database_url=None)
    async with open_saver(theirs) as empty_saver, open_saver(ours) as saver:
        box = build_toolbox(settings)
        flow = build_flow(box, saver)
        served = Served(box, Threads(flow))
        async with open_executive(settings, served=served) as executive:
            yield Compared(executive, flow, empty_saver)


async def measure_against_empty(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
    """Time each occasion on our graph and on the empty one: same saver, same durability."""
    async with open_both(folder) as compared:
        for occasion in SCENARIOS:
            nodes = await count_nodes(compared.flow, occasion)
            empty = build_empty_flow(nodes, compared.empty_saver)
            async for measurement in _interleaved(compared.flow, empty, occasion, nodes, runs):
                yield measurement


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
    flow: Flow, empty: Flow, occasion: Scenario, nodes: int, runs: int
) -> AsyncIterator[Measurement]:
    ours, theirs = _Costs(), _Costs()
    for number in range(TURN_WARM_UP + runs):
        event = occasion.event()
        kept = number >= TURN_WARM_UP
        # Whoever comes second finds warmer caches: they take turns at it.
        for is_ours in (True, False) if number % 2 else (False, True):
            costs = (ours if is_ours else theirs) if kept else _Costs()
            await _time(flow if is_ours else empty, event, costs, occasion if is_ours else None)
    yield summarise(f"graph, {occasion.name} ({nodes} nodes)", ours.wall_ms)
    yield summarise(f"  {nodes} empty nodes, same saver", theirs.wall_ms)
    for name, kind in (("time", "wall_ms"), ("CPU time", "cpu_ms")):
        yield Measurement(
            name=f"  ratio of median {name}",
            n=runs,
            p50=ours.ratio_to(theirs, kind),
            unit="×",
            goal="≤ 2" if kind == "wall_ms" else "",
        )


async def _time(flow: Flow, event: Event, costs: _Costs, occasion: Scenario | None) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": event.decision_id}}
    cpu, watch = process_time_ns(), Stopwatch()
    out = await flow.ainvoke({"event": event}, config, durability="exit")
    costs.wall_ms.append(watch.ms)
    costs.cpu_ms.append((process_time_ns() - cpu) / 1e6)
    if occasion:
        occasion.check(out.get("record"))


async def count_nodes(flow: Flow, occasion: Scenario) -> int:
    """Count the nodes on the way of an occasion, by walking it once."""
    event = occasion.event()
    config: RunnableConfig = {"configurable": {"thread_id": event.decision_id}}
    return sum(
        [
            len(update)
            async for update in flow.astream({"event": event}, config, stream_mode="updates")
        ]
    )


AT_ONCE = 16
CYCLE_WARM_UP = 8

CAPTAIN = Principal(user="ingrid", tenant_id="default", roles=("captain", "chief_engineer"))

Cycle = Callable[[], Awaitable[object]]

_NUMBERS = count(1)


async def measure_cycles(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
    """Measure Class A decisions and whole Class C cycles, one at a time and several at once."""
    async with open_both(folder) as compared:
        for way in WAYS:
            before, after = await count_steps(way, compared)
            bare = build_empty_flow(before, compared.empty_saver, after_a_gate=after)
            empty = build_empty_cycle(bare, has_gate=after > 0)
            cycle = partial(way.go, compared.executive)
            await _rate(cycle, CYCLE_WARM_UP, 1)
            await _rate(empty, CYCLE_WARM_UP, 1)
            for at_once in (1, AT_ONCE):
                rates = (await _rate(cycle, runs, at_once), await _rate(empty, runs, at_once))
                for one in _told(way, before + after, at_once, runs, rates):
                    yield one


def _told(
    way: "Way", nodes: int, at_once: int, runs: int, rates: tuple[float, float]
) -> Iterator[Measurement]:
    mine, bare = rates
    how = "one at a time" if at_once == 1 else f"{at_once} at once"
    yield Measurement(name=f"{way.name}, {how}", n=runs, p50=mine, unit="/s", goal=way.goal)
    yield Measurement(name=f"  {nodes} empty nodes, same saver", n=runs, p50=bare, unit="/s")
    yield Measurement(name="  ratio of time", n=runs, p50=round(bare / mine, 2), unit="×")


async def decide(executive: Executive) -> DecisionRecord:
    """Have a read decided and done."""
    record = await executive.submit(CLASS_A.event())
    CLASS_A.check(record)
    return record


async def ask(executive: Executive) -> DecisionRecord:
    """Have a Class C action asked for, up to the gate."""
    # People take turns at asking: one alone may cause only so many questions an hour.
    # Each asks for another quantity: of several who ask for the same one is served.
    number = next(_NUMBERS)
    told = {"user": f"ben-{number}", "text": f"order {2 + number % (2 * AT_ONCE)} oil filters"}
    event = CLASS_C.event().model_copy(update=told)
    record = await executive.submit(event)
    CLASS_C.check(record)
    return record


async def approve(executive: Executive, asked: DecisionRecord) -> None:
    """Say yes to it as another person, and see it done."""
    shown = await executive.approvals.get(asked.action_id or "", asked.tenant_id)
    answer = ApprovalAnswer(decision="approve", digest=shown.digest)
    settled = await executive.approvals.answer(shown.action_id, answer, CAPTAIN)
    if settled.state != "succeeded":
        raise WrongPath(f"{CLASS_C.name}, approved", asked)


@dataclass(frozen=True)
class Way:
    """A way through the graph, to its end or to the gate and then to its end."""

    name: str
    goal: str
    start: Callable[[Executive], Awaitable[DecisionRecord]]
    finish: Callable[[Executive, DecisionRecord], Awaitable[None]] | None = None

    async def go(self, executive: Executive) -> None:
        """Go the whole way."""
        record = await self.start(executive)
        if self.finish:
            await self.finish(executive, record)


WAYS = (
    Way("Class A decision", "≥ 60", decide),
    Way("Class C cycle", "≥ 12", ask, approve),
)


async def count_steps(way: Way, compared: Compared) -> tuple[int, int]:
    """Go a way once and count its nodes: until the gate, and from there on."""
    record = await way.start(compared.executive)
    before = await _step_of(compared.flow, record.decision_id)
    if way.finish is None:
        return before, 0
    await way.finish(compared.executive, record)
    return before, await _step_of(compared.flow, record.decision_id) - before


async def _step_of(flow: Flow, thread_id: str) -> int:
    snapshot = await flow.aget_state({"configurable": {"thread_id": thread_id}})
    return int((snapshot.metadata or {}).get("step", 0))


def build_empty_cycle(flow: Flow, *, has_gate: bool = False) -> Cycle:
    """Build a run of an empty graph, answered at its gate where it has one."""

    async def run() -> None:
        event = CLASS_A.event()
        config: RunnableConfig = {"configurable": {"thread_id": event.decision_id}}
        await flow.ainvoke({"event": event}, config, durability="exit")
        if has_gate:
            snapshot = await flow.aget_state(config)
            yes: dict[str, Any] = {waiting.id: True for waiting in snapshot.interrupts}
            await flow.ainvoke(Command(resume=yes), config, durability="sync")

    return run


async def _rate(cycle: Cycle, runs: int, at_once: int) -> float:
    waiting = iter(range(runs))

    async def work() -> None:
        for _number in waiting:
            await cycle()

    watch = Stopwatch()
    await asyncio.gather(*(work() for _worker in range(at_once)))
    return round(runs / (watch.ms / 1000), 1)
