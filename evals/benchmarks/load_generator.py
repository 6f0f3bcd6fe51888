"""Many HTTP clients in a process of their own, so that they do not starve the service they measure.

`python -m evals.benchmarks.load_generator` reads a Plan from its input and writes a sample for
every response.
"""

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from itertools import count
from time import monotonic, perf_counter
from typing import Any, Literal

import orjson

from evals.benchmarks.measurement import run_on_service_loop
from state.errors import BadInput
from state.noun import Noun

READS = ("/v1/decisions?limit=20", "/v1/approvals", "/v1/offers", "/v1/quiet", "/v1/queries")
MOST_CONNECTIONS = 512
"""Requests that an open crowd may have under way; one that finds none free is told as unsent."""
IDLE_SECONDS = 3.0
"""A connection that was used longer ago is opened anew: the service ends one after five."""

What = Literal["read", "say", "answer", "unsent"]


class Plan(Noun):
    """Who sends what for how long."""

    host: str = "127.0.0.1"
    port: int
    keys: tuple[str, ...]
    """Of a client each; they take turns where there are more clients than keys."""
    said: tuple[str, ...]
    """What people say, by chance one of them."""
    seconds: float
    clients: int = 1
    """How many ask one thing after the other, each as soon as it has its answer."""
    a_second: float = 0.0
    """Above 0: so many requests a second instead, whether or not the others are answered."""
    reads: float = 0.0
    """The share of requests that only read."""
    answers: float = 0.5
    """The share of approvals asked for that get their yes."""
    name: str = "c"
    """Begins every event's id, so that two crowds at one service do not repeat each other."""


class Sample(Noun):
    """One answer."""

    what: What
    status: int
    ms: float
    kind: str = ""
    """The type of a problem and how things stand; `!` after what is not told as it ought to be."""
    outcome: str = ""
    """What became of what was said."""
    key: int = 0
    """Whose it was, by place in the plan."""


class Connection:
    """One connection that is kept open; as little HTTP as our service speaks."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used_at = 0.0

    async def ask(
        self, key: str, method: str, path: str, body: dict[str, Any] | None = None
    ) -> tuple[int, dict[bytes, bytes], bytes]:
        """Send one request and read its answer."""
        sent = b"" if body is None else orjson.dumps(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._plan.host}\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(sent)}\r\n\r\n"
        )
        if monotonic() - self._used_at > IDLE_SECONDS:
            self.close()
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._plan.host, self._plan.port)
        reader, writer = self._streams
        try:
            writer.write(head.encode() + sent)
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
            headers = {name.lower(): value.strip() for name, _, value in map(_cut, lines)}
            content = await reader.readexactly(int(headers.get(b"content-length", b"0")))
        except BaseException:
            self.close()
            raise
        self._used_at = monotonic()
        if headers.get(b"connection") == b"close":
            self.close()
        return int(first.split()[1]), headers, content

    def close(self) -> None:
        """Hang up."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


class LoadGenerator:
    """Carries a plan out."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.seen: list[Sample] = []
        self._numbers = count()
        self._until = monotonic() + plan.seconds

    async def go(self) -> None:
        """Send until the time is over, and wait for what is under way."""
        if self.plan.a_second:
            await self._open()
        else:
            await asyncio.gather(*(self._closed(number) for number in range(self.plan.clients)))

    async def _closed(self, number: int) -> None:
        connection, dice = Connection(self.plan), random.Random(number)  # noqa: S311
        while monotonic() < self._until:
            waits = await self._turn(connection, number % len(self.plan.keys), dice)
            if waits:
                await asyncio.sleep(0.2)
        connection.close()

    async def _open(self) -> None:
        """Send at a steady pace, on whichever connection is free."""
        dice, under_way = random.Random(0), set[asyncio.Task[bool]]()  # noqa: S311
        free = [Connection(self.plan) for _one in range(MOST_CONNECTIONS)]
        async for number in self._beats():
            if not free:
                self.seen.append(Sample(what="unsent", status=0, ms=0.0))
                continue
            connection = free.pop()
            turn = self._turn(connection, number % len(self.plan.keys), dice)
            task = asyncio.create_task(turn)
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            task.add_done_callback(partial(_give_back, free, connection))
        await asyncio.gather(*under_way)
        for connection in free:
            connection.close()

    async def _beats(self) -> AsyncIterator[int]:
        started = monotonic()
        # However late the first one is, as many follow.
        for number in range(round(self.plan.seconds * self.plan.a_second)):
            due = started + number / self.plan.a_second
            if (early := due - monotonic()) > 0:
                await asyncio.sleep(early)
            yield number

    async def _turn(self, connection: Connection, key: int, dice: random.Random) -> bool:
        """Read or say something, and answer what that asks; tell whether we are to wait."""
        if dice.random() < self.plan.reads:
            status, _made = await self._ask(connection, key, "read", "GET", dice.choice(READS))
            return status in (429, 503)
        number = next(self._numbers)
        said = {
            "event_id": f"{self.plan.name}-{number}",
            "session_id": f"{self.plan.name}-{key}-{number % 9}",
            "text": dice.choice(self.plan.said),
        }
        status, made = await self._ask(connection, key, "say", "POST", "/v1/messages", said)
        approval = made.get("approval")
        if status == 200 and approval and dice.random() < self.plan.answers:
            yes = {"decision": "approve", "digest": approval["digest"]}
            path = f"/v1/approvals/{approval['action_id']}"
            status, _made = await self._ask(connection, key, "answer", "POST", path, yes)
        return status in (429, 503)

    async def _ask(
        self,
        connection: Connection,
        key: int,
        what: What,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
    ) -> tuple[int, dict[str, Any]]:
        started = perf_counter()
        status, headers, content = await connection.ask(self.plan.keys[key], method, path, body)
        ms = (perf_counter() - started) * 1_000
        made: dict[str, Any] = orjson.loads(content) if content else {}
        kind, outcome = "", ""
        if status >= 400:
            kind = made.get("type", "no problem").rpartition(":")[2]
            kind += f" {made['standing']}" if "standing" in made else ""
            is_whole = headers.get(b"content-type") == b"application/problem+json"
            told = status not in (429, 503) or int(headers.get(b"retry-after", b"0")) >= 1
            kind += "" if is_whole and told else "!"
        elif what == "say":
            outcome = made["outcome"]
        self.seen.append(
            Sample(what=what, status=status, ms=round(ms, 3), kind=kind, outcome=outcome, key=key)
        )
        return status, made


def _give_back(free: list[Connection], one: Connection, _done: asyncio.Task[bool]) -> None:
    free.append(one)


def _cut(line: bytes) -> tuple[bytes, bytes, bytes]:
    return line.partition(b":")


async def collect_samples(plan: Plan) -> list[Sample]:
    """Have a plan carried out in a process of its own, and read what it saw.

    Raises:
        BadInput: an answer was lost: the connection broke before it came.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        written, _nothing = await process.communicate(plan.model_dump_json().encode())
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    if process.returncode:
        raise BadInput(f"the crowd ended with {process.returncode}; what it met stands above")
    return [Sample.model_validate_json(line) for line in written.splitlines()]


async def _main() -> None:
    crowd = LoadGenerator(Plan.model_validate_json(sys.stdin.buffer.read()))
    await crowd.go()
    sys.stdout.buffer.writelines(each.model_dump_json().encode() + b"\n" for each in crowd.seen)


if __name__ == "__main__":
    run_on_service_loop(_main())
