"""Ten times as many requests a second as the service answers: how those fare that are let in."""

from collections.abc import Iterable, Iterator
from statistics import quantiles

from evals.benchmarks.crowd import Plan, Seen, gathered
from evals.benchmarks.loops import run
from evals.benchmarks.measurement import Measurement, summed_up
from evals.benchmarks.memory import watched
from evals.benchmarks.occasions import CLASS_A
from evals.benchmarks.service import Service
from graph.assembly.thresholds import read_tuning
from graph.settings import Settings

TIMES = 10
"""How many times what the service can do is sent to it."""
PHASES = 3
"""Floods in a row: memory that is held for what is over shows from one to the next."""


def measure_overload(
    service: Service, plan: Plan, seconds: float, seen: list[Seen]
) -> Iterator[Measurement]:
    """Fill the places of one tenant, and then send ten times what it was answered a second.

    Args:
        plan: the keys of one tenant.
        seen: gets every answer.
    """
    places = read_tuning(Settings().policy_file).service.tenant_at_once
    one_thing = {"said": (CLASS_A.template.text,), "seconds": seconds}
    full = plan.model_copy(update={**one_thing, "clients": places, "name": "full"})
    base = run(gathered(full))
    seen += base
    normal = _let_in(base)
    rate = len(normal) / seconds
    yield summed_up(f"1×, {places} clients for as many places", normal)
    yield Measurement(name="1×", n=len(normal), p50=round(rate, 1), unit="/s")
    floods = (
        full.model_copy(update={"a_second": TIMES * rate, "name": f"flood-{phase}"})
        for phase in range(PHASES)
    )
    flooded, curve = run(watched(service.pid, _one_by_one(floods)))
    seen += flooded
    let_in = _let_in(flooded)
    refused = [each.ms for each in flooded if each.status in (429, 503)]
    unsent = sum(each.what == "unsent" for each in flooded)
    yield summed_up(f"{TIMES}×: let in", let_in)
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
    yield summed_up(f"{TIMES}×: refused", refused, goal="< 50")
    yield Measurement(
        name="  p99 of it", n=len(refused), p50=round(_cut(refused, 99), 3), unit="ms", goal="< 50"
    )
    yield Measurement(name=f"{TIMES}×: not sent, no line free", n=unsent, p50=unsent, unit="")
    yield from curve.measurements(f"{TIMES}×")


async def _one_by_one(plans: Iterable[Plan]) -> list[Seen]:
    return [each for plan in plans for each in await gathered(plan)]


def _let_in(seen: list[Seen]) -> list[float]:
    return [each.ms for each in seen if each.what == "say" and each.status == 200]


def _cut(samples: list[float], share: int) -> float:
    return quantiles(samples, n=100, method="inclusive")[share - 1]
