"""From an event to its record over HTTP, and how soon commands and the service are there."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evals.benchmarks.measurement import Measurement, Stopwatch, summed_up
from evals.benchmarks.occasions import CLASS_A, SPOKEN, Occasion
from evals.benchmarks.service import COMMAND, Client, Service, serving
from state.errors import BadInput

CLIENTS = 8
WARM_UP = 10


def measure(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time requests at a service that is warm, from one client and from several."""
    with serving(folder) as service:
        _requests(service, SPOKEN, WARM_UP)
        _requests(service, CLASS_A, WARM_UP)
        for occasion in (SPOKEN, CLASS_A):
            samples = _requests(service, occasion, runs)
            yield summed_up(f"HTTP, 1 client: {occasion.name}", samples, goal="p95 < 40")
        watch = Stopwatch()
        with ThreadPoolExecutor(CLIENTS) as clients:
            parts = clients.map(
                lambda _client: _requests(service, SPOKEN, runs // CLIENTS), range(CLIENTS)
            )
            samples = [sample for part in parts for sample in part]
        seconds = watch.ms / 1000
        yield summed_up(f"HTTP, {CLIENTS} clients: {SPOKEN.name}", samples)
        yield Measurement(
            name=f"HTTP, {CLIENTS} clients",
            n=len(samples),
            p50=round(len(samples) / seconds, 1),
            unit="/s",
        )


def measure_starts(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time `--help`, the very first start on an empty folder, and later ones."""
    yield summed_up("prefrontal --help", [_help() for _run in range(runs)])
    with serving(folder) as first:
        yield summed_up("service ready, empty folder", [first.ready_after_ms])
    later = []
    for _run in range(runs):
        with serving(folder) as service:
            later.append(service.ready_after_ms)
    yield summed_up("service ready, later starts", later)


def _help() -> float:
    watch = Stopwatch()
    subprocess.run([*COMMAND, "--help"], check=True, capture_output=True)  # noqa: S603 - ours
    return watch.ms


def _requests(service: Service, occasion: Occasion, n: int) -> list[float]:
    client = Client(service)
    try:
        return [_request(client, occasion) for _number in range(n)]
    finally:
        client.close()


def _request(client: Client, occasion: Occasion) -> float:
    event = occasion.event()
    body = event.model_dump(mode="json", exclude_defaults=True, exclude={"user", "role", "kind"})
    path = "/v1/messages" if event.is_addressed else "/v1/events"
    watch = Stopwatch()
    answer = client.post(path, body)
    elapsed = watch.ms
    if answer.get("outcome") != occasion.outcome:
        raise BadInput(f"{occasion.name}: came out as {answer.get('outcome')}")
    return elapsed
