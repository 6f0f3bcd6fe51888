"""Decisions in this process, from acceptance on disk to the record; and the router alone."""

import asyncio
from collections.abc import AsyncIterator
from itertools import cycle, islice
from pathlib import Path

from evals.benchmarks.measurement import Measurement, Stopwatch, summed_up
from evals.benchmarks.occasions import OCCASIONS, Occasion
from evals.dataset import SHIPPED, read_dataset
from graph.compose import build_toolbox, open_executive
from graph.runner import Executive
from graph.settings import Settings

AT_ONCE = 8


async def measure(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
    """Decide a mix of occasions, one after the other and several at a time."""
    settings = Settings(data_dir=folder, packs=("vessel",), database_url=None)
    async with open_executive(settings) as executive:
        mix = list(islice(cycle(OCCASIONS), runs))
        for occasion in mix[: len(OCCASIONS) * 3]:
            await _submit(executive, occasion)
        watch = Stopwatch()
        samples = [await _submit(executive, occasion) for occasion in mix]
        seconds = watch.ms / 1000
        yield summed_up("embedded, event to record", samples, goal="p95 < 25")
        yield _rate("embedded, one at a time", runs, seconds)
        yield _rate(f"embedded, {AT_ONCE} at a time", runs, await _several(executive, mix))


def measure_router(folder: Path, *, rounds: int) -> Measurement:
    """Route the requests of the dataset, over and over; nothing is executed."""
    settings = Settings(data_dir=folder, packs=("vessel",), database_url=None)
    box = build_toolbox(settings)
    cases = read_dataset(SHIPPED / "vessel_requests.jsonl").cases
    texts = [str(case.inputs["text"]) for case in cases]
    for text in texts:
        box.router.route(text, data_dir=box.pack_data_dir)
    samples = []
    for text in texts * rounds:
        watch = Stopwatch()
        box.router.route(text, data_dir=box.pack_data_dir)
        samples.append(watch.ms)
    return summed_up("router alone", samples)


async def _submit(executive: Executive, occasion: Occasion) -> float:
    event = occasion.event()
    watch = Stopwatch()
    record = await executive.submit(event)
    elapsed = watch.ms
    occasion.check(record)
    return elapsed


async def _several(executive: Executive, mix: list[Occasion]) -> float:
    waiting = iter(mix)

    async def work() -> None:
        for occasion in waiting:
            await _submit(executive, occasion)

    watch = Stopwatch()
    await asyncio.gather(*(work() for _worker in range(AT_ONCE)))
    return watch.ms / 1000


def _rate(name: str, n: int, seconds: float) -> Measurement:
    return Measurement(name=name, n=n, p50=round(n / seconds, 1), unit="/s")
