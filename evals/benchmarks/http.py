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
from statistics import median
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
    """A running service; the agent's key cannot choose or approve."""

    port: int
    key: str
    agent_key: str
    ready_after_ms: float
    pid: int


@contextmanager
def serving(folder: Path) -> Iterator[Service]:
    """Start the service on a folder and stop it again.

    Raises:
        BadInput: it did not become ready; the end of its log is in the sentence.
    """
    settings = Settings(data_dir=folder, packs=("vessel",), database_url=None)
    key, agent_key = asyncio.run(_keys(settings))
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
            yield Service(port, key, agent_key, watch.ms, process.pid)
        finally:
            process.terminate()
            process.wait(timeout=30)


class Client:
    """One connection that is kept open, as a gateway would."""

    def __init__(self, service: Service, key: str | None = None) -> None:
        self._connection = HTTPConnection(HOST, service.port, timeout=60)
        self._headers = {
            "Authorization": f"Bearer {key or service.key}",
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
        if answer.status not in (200, 202):
            raise BadInput(f"{path} answered {answer.status}: {read[:200]!r}")
        found: Mapping[str, object] = orjson.loads(read)
        return found

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


async def _keys(settings: Settings) -> tuple[str, str]:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.database)
    try:
        person = Principal(user="bench", tenant_id="default", roles=("engineer",))
        agent = person.model_copy(update={"user": "bench-agent", "kind": "service"})
        keys = SqlKeys(database)
        return await keys.make(person), await keys.make(agent)
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


READ: Mapping[str, object] = {
    "action": "show_work_order",
    "arguments": {"work_order": "WO-1042"},
    "session_id": "proposals",
}
POLLS = 1_000
POLL_SECONDS = 20


def measure_proposals(folder: Path, *, runs: int) -> Iterator[Measurement]:
    """Time a read by proposal against the same by a chosen chip, and what waiting costs."""
    with serving(folder) as service:
        _read_both_ways(service, WARM_UP)
        chosen, proposed = _read_both_ways(service, runs)
        yield summarise("a read by a chosen chip", chosen)
        yield summarise("a read by proposal", proposed, goal="p95 <= 20")
        ratio = Measurement(
            name="a read by proposal / by chip",
            n=runs,
            p50=round(median(proposed) / median(chosen), 2),
            unit="×",
            goal="<= 1.2",
        )
        yield ratio
        watch = Stopwatch()
        with ThreadPoolExecutor(CLIENTS) as clients:
            parts = [clients.submit(_proposals, service, runs // CLIENTS) for _ in range(CLIENTS)]
            done = sum(part.result() for part in parts)
        rate = done / (watch.ms / 1000)
        yield Measurement(
            name=f"proposals, {CLIENTS} clients",
            n=done,
            p50=round(rate, 1),
            unit="/s",
            goal=">= 100",
        )
        yield from asyncio.run(_waiting(service))


def _read_both_ways(service: Service, n: int) -> tuple[list[float], list[float]]:
    """Run the same read by chip and by proposal in turn; milliseconds of each."""
    agent, person = Client(service, service.agent_key), Client(service)
    chosen, proposed = [], []
    try:
        for _number in range(n):
            offered = agent.post("/v1/proposals", {**READ, "tainted": True, "again": True})
            chip = offered["choice"]
            if not isinstance(chip, dict):
                raise BadInput(f"no chip was offered: {offered}")
            watch = Stopwatch()
            person.post(f"/v1/offers/{chip['offer_id']}", {"chip_id": chip["chip_id"]})
            chosen.append(watch.ms)
            watch = Stopwatch()
            done = agent.post("/v1/proposals", READ)
            proposed.append(watch.ms)
            if done["status"] != "executed":
                raise BadInput(f"came out as {done['status']}")
    finally:
        agent.close()
        person.close()
    return chosen, proposed


def _proposals(service: Service, n: int) -> int:
    client = Client(service, service.agent_key)
    try:
        for _number in range(n):
            client.post("/v1/proposals", READ)
    finally:
        client.close()
    return n


async def _waiting(service: Service) -> list[Measurement]:
    """Let many requests wait for one approval; tell what that costs while nothing happens."""
    client = Client(service, service.agent_key)
    asked = client.post("/v1/proposals", {**READ, "tainted": True, "again": True})
    client.close()
    before, idle = _resident_mb(service.pid), await _share_of_a_core(service)
    lines = [await _poll(service, str(asked["proposal_id"])) for _number in range(POLLS)]
    await asyncio.sleep(1.0)
    share = await _share_of_a_core(service) - idle
    after = _resident_mb(service.pid)
    wait = POLLS - sum([await _is_answered(reader) for reader, _writer in lines])
    for _reader, writer in lines:
        writer.close()
    named = (
        ("of them wait", wait, f">= {POLLS}"),
        ("share of a core", share, "<= .05"),
        ("MB", after - before, "<= 50"),
    )
    return [
        Measurement(
            name=f"{POLLS} waiting: {name}", n=POLLS, p50=round(found, 3), unit="", goal=goal
        )
        for name, found, goal in named
    ]


async def _poll(
    service: Service, proposal_id: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(HOST, service.port)
    writer.write(
        f"GET /v1/proposals/{proposal_id}?wait={POLL_SECONDS} HTTP/1.1\r\n"
        f"Host: {HOST}:{service.port}\r\nAuthorization: Bearer {service.agent_key}\r\n\r\n".encode()
    )
    await writer.drain()
    return reader, writer


async def _is_answered(reader: asyncio.StreamReader) -> bool:
    try:
        await asyncio.wait_for(reader.read(1), 0.001)
    except TimeoutError:
        return False
    return True


async def _share_of_a_core(service: Service) -> float:
    used = _processor_seconds(service.pid)
    await asyncio.sleep(POLL_SECONDS / 3)
    return (_processor_seconds(service.pid) - used) / (POLL_SECONDS / 3)


def _resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
