"""Decisions in this process.

Latency by kind of event, the router alone, and the cost of tracing.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from threading import Thread
from time import process_time_ns

from evals.benchmarks.measurement import Measurement, Stopwatch, summarise
from evals.dataset import find_datasets
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import build_toolbox, open_executive
from state.event import Event
from state.record import DecisionRecord, Outcome
from state.salience import SalienceVector

_NUMBERS = count(1)


class WrongPath(Exception):
    """An event took another way than the one that was to be measured."""

    def __init__(self, occasion: str, record: DecisionRecord | None) -> None:
        found = f"{record.outcome} ({record.reason})" if record else "no record"
        super().__init__(f"{occasion}: expected another outcome than {found}")


@dataclass(frozen=True)
class Scenario:
    """A kind of event; each one is new, in a session of its own, so that none is said twice."""

    name: str
    outcome: Outcome
    template: Event

    def event(self) -> Event:
        """Make the next event of this kind."""
        number = next(_NUMBERS)
        return self.template.model_copy(
            update={"event_id": f"bench-{number}", "session_id": f"bench-{number}"}
        )

    def check(self, record: DecisionRecord | None) -> None:
        """Make sure that the way was the one that is measured.

        Raises:
            Astray: it was not.
        """
        if record is None or record.outcome != self.outcome:
            raise WrongPath(self.name, record)


SPOKEN = Scenario(
    "ambient spoken",
    "spoke",
    Event(
        source="generator_panel",
        text="Port generator coolant temperature high: 93 degrees",
        salience=SalienceVector(threat=0.6, goal_relevance=0.85, actionability=0.8, novelty=0.5),
    ),
)
PASSED = Scenario(
    "ambient passed",
    "passed",
    Event(
        source="weather",
        text="Wind backing south-west, 12 knots",
        salience=SalienceVector(novelty=0.3, goal_relevance=0.25, social=0.3),
    ),
)
CLASS_A = Scenario(
    "Class A message",
    "executed",
    Event(
        kind="message",
        source="crew_chat",
        text="check stock of oil filters",
        user="ben",
        role="engineer",
    ),
)
CLASS_C = Scenario(
    "Class C message",
    "awaiting_approval",
    Event(
        kind="message",
        source="crew_chat",
        text="order 2 oil filters",
        user="ben",
        role="engineer",
    ),
)
SCENARIOS = (SPOKEN, PASSED, CLASS_A)


AT_ONCE = 8


async def measure_in_process(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
    """Decide a mix of occasions, one after the other and several at a time."""
    settings = Settings(data_dir=folder, packs=("vessel",), database_url=None)
    async with open_executive(settings) as executive:
        mix = list(islice(cycle(SCENARIOS), runs))
        for occasion in mix[: len(SCENARIOS) * 3]:
            await _submit(executive, occasion)
        watch = Stopwatch()
        samples = [await _submit(executive, occasion) for occasion in mix]
        seconds = watch.ms / 1000
        yield summarise("embedded, event to record", samples, goal="p95 < 25")
        yield _rate("embedded, one at a time", runs, seconds)
        yield _rate(f"embedded, {AT_ONCE} at a time", runs, await _several(executive, mix))


def measure_router(folder: Path, *, rounds: int) -> Measurement:
    """Route the requests of the dataset, over and over; nothing is executed."""
    settings = Settings(data_dir=folder, packs=("vessel",), database_url=None)
    box = build_toolbox(settings)
    (dataset,) = find_datasets(["vessel_requests"])
    texts = [str(case.inputs["text"]) for case in dataset.cases]
    for text in texts:
        box.router.route(text, data_dir=box.pack_data_dir)
    samples = []
    for text in texts * rounds:
        watch = Stopwatch()
        box.router.route(text, data_dir=box.pack_data_dir)
        samples.append(watch.ms)
    return summarise("router alone", samples)


async def _submit(executive: Executive, occasion: Scenario) -> float:
    event = occasion.event()
    watch = Stopwatch()
    record = await executive.submit(event)
    elapsed = watch.ms
    occasion.check(record)
    return elapsed


async def _several(executive: Executive, mix: list[Scenario]) -> float:
    waiting = iter(mix)

    async def work() -> None:
        for occasion in waiting:
            await _submit(executive, occasion)

    watch = Stopwatch()
    await asyncio.gather(*(work() for _worker in range(AT_ONCE)))
    return watch.ms / 1000


def _rate(name: str, n: int, seconds: float) -> Measurement:
    return Measurement(name=name, n=n, p50=round(n / seconds, 1), unit="/s")


_WARM_UP = 10
_TURNS = 10
"""Turns a sample: one alone is within the noise."""


async def measure_tracing(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
    """Decide the same remarks by turns; processor time of the whole process, collector included."""
    with _collector() as endpoint:
        async with AsyncExitStack() as stack:
            both: list[Executive] = []
            for name, to in (("plain", None), ("traced", endpoint)):
                settings = Settings(
                    data_dir=folder / name, packs=("vessel",), database_url=None, otlp_endpoint=to
                )
                both.append(await stack.enter_async_context(open_executive(settings)))
            plain, traced = both
            for number in range(_WARM_UP):
                await _turn(plain, number)
                await _turn(traced, number)
            samples: list[list[float]] = [[], []]
            for number in range(max(4, runs // _TURNS)):
                for which in (0, 1) if number % 2 else (1, 0):
                    started = process_time_ns()
                    for turn in range(_TURNS):
                        await _turn(both[which], _WARM_UP + number * _TURNS + turn)
                    samples[which].append((process_time_ns() - started) / 1e6 / _TURNS)
    yield summarise("tracing: a remark, processor, off", samples[0])
    yield summarise("tracing: a remark, processor, on", samples[1])
    ratio = median(samples[1]) / median(samples[0])
    yield Measurement(name="tracing: on, of off", n=len(samples[1]), p50=round(ratio, 3), unit="×")


async def _turn(executive: Executive, number: int) -> None:
    event = Event(
        event_id=f"remark-{number}",
        source="generator_panel",
        text=f"Coolant of generator {number} is at {number % 90} degrees",
        session_id=f"s-{number}",
        salience=SalienceVector(goal_relevance=0.9, actionability=0.8, novelty=0.5),
    )
    accepted = await executive.accept(event)
    await executive.decide(accepted.decision_id)


@contextmanager
def _collector() -> Iterator[str]:
    """Take whatever spans come, and keep none."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/traces"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
