"""What tracing costs: the same events with spans sent to a collector on loopback, and without."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from time import process_time_ns

from evals.benchmarks.measurement import Measurement, summed_up
from graph.compose import open_executive
from graph.runner import Executive
from graph.settings import Settings
from state.event import Event
from state.salience import SalienceVector

_WARM_UP = 10
_TURNS = 10
"""Turns a sample: one alone is within the noise."""


async def measure(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
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
    yield summed_up("tracing: a remark, processor, off", samples[0])
    yield summed_up("tracing: a remark, processor, on", samples[1])
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
