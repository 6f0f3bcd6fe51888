"""The service in a process of its own on loopback: latency over HTTP, and the time to start."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import sleep

import orjson

from evals.benchmarks.in_process import CLASS_A, SPOKEN, Scenario
from evals.benchmarks.measurement import Measurement, Stopwatch, summarise
from graph.settings import Settings
from state.errors import BadInput
from state.principal import Principal
from tools.access import SqlKeys
from tools.storage import Database

COMMAND = (sys.executable, "-c", "from api.cli import main; main()")
START_SECONDS = 600.0
"""A first start learns the pack: half a minute where nothing else runs."""
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Service:
    """A running service."""

    port: int
    key: str
    ready_after_ms: float
    pid: int


@contextmanager
def serving(folder: Path) -> Iterator[Service]:
    """Start the service on a folder and stop it again.

    Raises:
        BadInput: it did not become ready; the end of its log is in the sentence.
    """
    settings = Settings(data_dir=folder, packs=("vessel",), database_url=None)
    key = asyncio.run(_key(settings))
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    log = folder / "service.log"
    watch = Stopwatch()
    with log.open("wb") as lines:
        process = subprocess.Popen(  # noqa: S603 - our own command line
            [*COMMAND, "serve", "--host", HOST, "--port", str(port)],
            stdout=lines,
            stderr=lines,
            env={**os.environ, "EXECUTIVE_DATA_DIR": str(folder), "EXECUTIVE_PACKS": "vessel"},
        )
        try:
            _wait_until_ready(process, port, watch, log)
            yield Service(port=port, key=key, ready_after_ms=watch.ms, pid=process.pid)
        finally:
            process.terminate()
            process.wait(timeout=30)


class Client:
    """One connection that is kept open, as a gateway would."""

    def __init__(self, service: Service) -> None:
        self._connection = HTTPConnection(HOST, service.port, timeout=60)
        self._headers = {
            "Authorization": f"Bearer {service.key}",
            "Content-Type": "application/json",
        }

    def post(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """Send an object and read the one that comes back.

        Raises:
            BadInput: the service refused it.
        """
        self._connection.request("POST", path, orjson.dumps(body), self._headers)
        answer = self._connection.getresponse()
        read = answer.read()
        if answer.status != 200:
            raise BadInput(f"{path} answered {answer.status}: {read[:200]!r}")
        found: Mapping[str, object] = orjson.loads(read)
        return found

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


async def _key(settings: Settings) -> str:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.database)
    try:
        return await SqlKeys(database).make(
            Principal(user="bench", tenant_id="default", roles=("engineer",))
        )
    finally:
        await database.close()


def _wait_until_ready(
    process: subprocess.Popen[bytes], port: int, watch: Stopwatch, log: Path
) -> None:
    while process.poll() is None and watch.ms < START_SECONDS * 1000:
        connection = HTTPConnection(HOST, port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            pass  # not listening yet
        finally:
            connection.close()
        sleep(0.01)
    end = log.read_text("utf-8", "replace")[-300:]
    raise BadInput(f"the service did not become ready within {START_SECONDS:g} s: {end}")


CLIENTS = 8
WARM_UP = 10


def measure(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time requests at a service that is warm, from one client and from several."""
    with serving(folder) as service:
        _requests(service, SPOKEN, WARM_UP)
        _requests(service, CLASS_A, WARM_UP)
        for occasion in (SPOKEN, CLASS_A):
            samples = _requests(service, occasion, runs)
            yield summarise(f"HTTP, 1 client: {occasion.name}", samples, goal="p95 < 40")
        watch = Stopwatch()
        with ThreadPoolExecutor(CLIENTS) as clients:
            parts = clients.map(
                lambda _client: _requests(service, SPOKEN, runs // CLIENTS), range(CLIENTS)
            )
            samples = [sample for part in parts for sample in part]
        seconds = watch.ms / 1000
        yield summarise(f"HTTP, {CLIENTS} clients: {SPOKEN.name}", samples)
        yield Measurement(
            name=f"HTTP, {CLIENTS} clients",
            n=len(samples),
            p50=round(len(samples) / seconds, 1),
            unit="/s",
        )


def measure_starts(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time `--help`, the very first start on an empty folder, and later ones."""
    yield summarise("prefrontal --help", [_help() for _run in range(runs)])
    with serving(folder) as first:
        yield summarise("service ready, empty folder", [first.ready_after_ms])
    later = []
    for _run in range(runs):
        with serving(folder) as service:
            later.append(service.ready_after_ms)
    yield summarise("service ready, later starts", later)


def _help() -> float:
    watch = Stopwatch()
    subprocess.run([*COMMAND, "--help"], check=True, capture_output=True)  # noqa: S603 - ours
    return watch.ms


def _requests(service: Service, occasion: Scenario, n: int) -> list[float]:
    client = Client(service)
    try:
        return [_request(client, occasion) for _number in range(n)]
    finally:
        client.close()


def _request(client: Client, occasion: Scenario) -> float:
    event = occasion.event()
    body = event.model_dump(mode="json", exclude_defaults=True, exclude={"user", "role", "kind"})
    path = "/v1/messages" if event.is_addressed else "/v1/events"
    watch = Stopwatch()
    answer = client.post(path, body)
    elapsed = watch.ms
    if answer.get("outcome") != occasion.outcome:
        raise BadInput(f"{occasion.name}: came out as {answer.get('outcome')}")
    return elapsed
