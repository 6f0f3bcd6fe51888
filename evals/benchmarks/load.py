"""The service under load: fifty clients beside the bare graph, and ten times its capacity."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles

from langchain_core.runnables import RunnableConfig
from sqlalchemy import func, select

from evals.benchmarks.http import Service, serving
from evals.benchmarks.in_process import CLASS_A, CLASS_C, Scenario
from evals.benchmarks.load_generator import Plan, Sample, collect_samples
from evals.benchmarks.measurement import (
    Measurement,
    Stopwatch,
    run_on_service_loop,
    summarise,
    watch_memory,
)
from graph.execution.maintenance import open_saver
from graph.flow import Flow, build_flow
from graph.settings import Settings
from graph.wiring.composition import build_toolbox
from graph.wiring.thresholds import read_tuning
from state.principal import Principal
from tools.access import SqlKeys
from tools.storage import Database
from tools.storage.tables.decisions import decision

TIMES = 10
"""How many times what the service can do is sent to it."""
PHASES = 3
"""Floods in a row: memory that is held for what is over shows from one to the next."""


def measure_overload(
    service: Service, plan: Plan, seconds: float, seen: list[Sample]
) -> Iterator[Measurement]:
    """Fill the places of one tenant, and then send ten times what it was answered a second.

    Args:
        plan: the keys of one tenant.
        seen: gets every answer.
    """
    places = read_tuning(Settings().policy_file).service.tenant_at_once
    one_thing = {"said": (CLASS_A.template.text,), "seconds": seconds}
    full = plan.model_copy(update={**one_thing, "clients": places, "name": "full"})
    base = run_on_service_loop(collect_samples(full))
    seen += base
    normal = _let_in(base)
    rate = len(normal) / seconds
    yield summarise(f"1×, {places} clients for as many places", normal)
    yield Measurement(name="1×", n=len(normal), p50=round(rate, 1), unit="/s")
    floods = (
        full.model_copy(update={"a_second": TIMES * rate, "name": f"flood-{phase}"})
        for phase in range(PHASES)
    )
    flooded, curve = run_on_service_loop(watch_memory(service.pid, _one_by_one(floods)))
    seen += flooded
    let_in = _let_in(flooded)
    refused = [each.ms for each in flooded if each.status in (429, 503)]
    unsent = sum(each.what == "unsent" for each in flooded)
    yield summarise(f"{TIMES}×: let in", let_in)
    for name, share in (("p50", 50), ("p95", 95), ("p99", 99)):
        yield Measurement(
            name=f"  ratio of {name} to 1×",
            n=len(let_in),
            p50=round(_cut(let_in, share) / _cut(normal, share), 2),
            unit="×",
            goal="≤ 2" if name == "p99" else "",
        )
    each_second = len(let_in) / (PHASES * seconds)
    yield Measurement(
        name="  ratio of how many a second",
        n=len(let_in),
        p50=round(each_second / rate, 2),
        unit="×",
    )
    yield summarise(f"{TIMES}×: refused", refused, goal="< 50")
    yield Measurement(
        name="  p99 of it", n=len(refused), p50=round(_cut(refused, 99), 3), unit="ms", goal="< 50"
    )
    yield Measurement(name=f"{TIMES}×: not sent, no line free", n=unsent, p50=unsent, unit="")
    yield from curve.measurements(f"{TIMES}×")


async def _one_by_one(plans: Iterable[Plan]) -> list[Sample]:
    return [each for plan in plans for each in await collect_samples(plan)]


def _let_in(seen: list[Sample]) -> list[float]:
    return [each.ms for each in seen if each.what == "say" and each.status == 200]


def _cut(samples: list[float], share: int) -> float:
    return quantiles(samples, n=100, method="inclusive")[share - 1]


CLIENTS = 50
TENANTS = 5
WARM_UP_SECONDS = 5.0
SAID = (CLASS_A, CLASS_A, CLASS_A, CLASS_C)
READS = 0.5


def measure(folder: Path, *, seconds: float, flood_seconds: float) -> Iterator[Measurement]:
    """Measure the graph alone, mixed traffic for so many seconds, and then the overload."""
    alone, served = folder / "alone", folder / "served"
    alone.mkdir()
    bare = run_on_service_loop(_bare(alone, runs=400))
    yield summarise(f"graph alone, {CLIENTS} at once", bare)
    settings = Settings(data_dir=served, packs=("vessel",), database_url=None)
    keys = run_on_service_loop(_keys(settings))
    with serving(served) as service:
        plan = Plan(
            port=service.port,
            keys=keys,
            said=tuple(each.template.text for each in SAID),
            seconds=WARM_UP_SECONDS,
            clients=CLIENTS,
            reads=READS,
        )
        seen = run_on_service_loop(collect_samples(plan))
        plan = plan.model_copy(update={"seconds": seconds, "name": "mixed"})
        mixed, curve = run_on_service_loop(watch_memory(service.pid, collect_samples(plan)))
        seen += mixed
        yield from _told(mixed, bare, seconds)
        yield from curve.measurements("mixed")
        theirs = plan.model_copy(update={"keys": keys[::TENANTS], "reads": 0.0})
        yield from measure_overload(service, theirs, flood_seconds, seen)
    lost = _answered(seen) - run_on_service_loop(_recorded(settings))
    yield _count("answered with 200 and not on record", lost)
    faults = [each for each in seen if each.status >= 500 and each.kind != "busy"]
    yield _count("answers of 5xx, but for `busy`", len(faults))
    yield _count("problems not told as they ought to be", sum("!" in each.kind for each in seen))


def _told(mixed: Sequence[Sample], bare: Sequence[float], seconds: float) -> Iterator[Measurement]:
    """Tell what the clients saw, and the messages' times beside the bare graph's."""
    for what in ("read", "say", "answer"):
        took = [each.ms for each in mixed if each.what == what and each.status == 200]
        yield summarise(f"mixed, {CLIENTS} clients: {what}", took)
        if what == "say":
            ours, theirs = (summarise("", each) for each in (took, bare))
            for name, ratio in (("p50", ours.p50 / theirs.p50), ("p95", _p95(ours) / _p95(theirs))):
                yield Measurement(
                    name=f"  ratio of {name} to the graph alone",
                    n=len(took),
                    p50=round(ratio, 2),
                    unit="×",
                )
    rate = round(len(mixed) / seconds, 1)
    yield Measurement(name=f"mixed, {CLIENTS} clients", n=len(mixed), p50=rate, unit="/s")
    others = sorted({(each.status, each.kind) for each in mixed if each.status != 200})
    for status, kind in others:
        number = sum((each.status, each.kind) == (status, kind) for each in mixed)
        yield _count(f"  answered with {status} {kind}", number, goal="")


def _p95(one: Measurement) -> float:
    return one.p50 if one.p95 is None else one.p95


def _count(name: str, number: int, goal: str = "0") -> Measurement:
    return Measurement(name=name, n=number, p50=number, unit="", goal=goal)


async def _bare(folder: Path, *, runs: int) -> list[float]:
    """Time the graph on what the clients will say, with no service around it."""
    box = build_toolbox(Settings(data_dir=folder, packs=("vessel",), database_url=None))
    try:
        async with open_saver(folder) as saver:
            flow = build_flow(box, saver)
            alone = _Alone(flow)
            await alone.run(CLIENTS)
            alone.samples.clear()
            await alone.run(runs)
            return alone.samples
    finally:
        await box.database.close()


class _Alone:
    """Calls the graph as often as asked, so many at once."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self.samples: list[float] = []

    async def run(self, runs: int) -> None:
        waiting = islice(cycle(SAID), runs)

        async def work(number: int) -> None:
            for occasion in waiting:
                await self._one(occasion, f"ben-{number}")

        await asyncio.gather(*(work(number) for number in range(CLIENTS)))

    async def _one(self, occasion: Scenario, user: str) -> None:
        event = occasion.event().model_copy(update={"user": user})
        config: RunnableConfig = {"configurable": {"thread_id": event.decision_id}}
        watch = Stopwatch()
        await self._flow.ainvoke({"event": event}, config, durability="exit")
        self.samples.append(watch.ms)


def _answered(seen: Sequence[Sample]) -> int:
    return sum(each.what == "say" and each.status == 200 for each in seen)


async def _recorded(settings: Settings) -> int:
    database = Database(settings.database)
    query = select(func.count()).select_from(decision).where(decision.c.standing != "accepted")
    try:
        return await database.read(lambda one: one.execute(query).scalar_one())
    finally:
        await database.close()


async def _keys(settings: Settings) -> tuple[str, ...]:
    settings.data_dir.mkdir(parents=True, mode=0o700)
    database = Database(settings.database)
    people = [
        Principal(
            user=f"user-{number}",
            tenant_id=f"tenant-{number % TENANTS}",
            roles=("engineer", "captain", "chief_engineer"),
        )
        for number in range(CLIENTS)
    ]
    try:
        return tuple([await SqlKeys(database).make(who) for who in people])
    finally:
        await database.close()
