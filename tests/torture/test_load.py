"""Under load, for long, and to the end."""

import asyncio
import signal
import sqlite3
import subprocess
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from statistics import median
from threading import Event
from time import monotonic, perf_counter
from typing import Any

import httpx
import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from evals.benchmarks.load_generator import Plan, Sample, collect_samples
from evals.benchmarks.measurement import MemoryCurve
from graph.execution.maintenance import forget_threads
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.architecture.source import ROOT
from tests.safety.benches import CAPTAIN, FILE, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.serving import own_process
from tests.torture.soaking import Soak, add_checkpoints
from tests.torture.tally import Tally
from tools.access.api_keys import SqlKeys
from tools.gate.ledger.audit import audit
from tools.storage.database import Database

# Fifty clients at once, minutes of everything there is to ask: nothing is lost, nothing breaks.

CLIENTS = 50
PEOPLE = tuple(
    Principal(
        user=f"user-{number}", tenant_id=f"tenant-{number % 5}", roles=("captain", "engineer")
    )
    for number in range(CLIENTS)
)
SAID = ("read gauge G-1", "label valve V-9", "open valve V-101", "what is the weather like")
QUEUED = "conflict proposed"
"""A yes to what is not asked yet: one person causes 30 questions an hour, what is more waits."""
FLAT = 1.1
"""How much more memory the end may take than the first fifth, by when everything is loaded."""


@pytest.mark.torture
@pytest.mark.parametrize("count", [300], ids=["5 minutes"])
async def test_fifty_clients_lose_nothing_and_meet_no_fault(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
):
    keys = await _keys(data_dir)
    with own_process(data_dir, pack, tmp_path) as (process, address):
        plan = Plan(
            port=httpx.URL(address).port or 0,
            keys=tuple(keys),
            said=SAID,
            seconds=count,
            clients=CLIENTS,
            reads=0.5,
        )
        async with MemoryCurve.of(process.pid) as curve:
            seen = await collect_samples(plan)
        async with httpx.AsyncClient(base_url=address) as client:
            assert (await client.get("/readyz")).status_code == 200
    decided = Counter(
        PEOPLE[each.key].tenant_id for each in seen if each.what == "say" and each.status == 200
    )
    kept = dict(sql(data_dir, "select tenant_id, count(*) from decision group by tenant_id"))
    assert kept == decided  # what was answered is there, and nothing else
    assert sql(data_dir, "select count(*) from decision where standing = 'accepted'") == [(0,)]
    _tell(seen, tally)
    print(curve)
    assert {each.status for each in seen} <= {200, 409, 429, 503}
    assert {each.kind for each in seen if each.status != 200} <= {QUEUED, "too-many", "busy"}
    _start, first_fifth, *_between, end = curve.marks(5)
    assert end < FLAT * first_fifth


def _tell(seen: list[Sample], tally: Tally) -> None:
    groups = defaultdict[tuple[str, int, str], list[float]](list)
    for each in seen:
        groups[each.what, each.status, each.kind].append(each.ms)
    for (what, status, kind), took in sorted(groups.items()):
        tally.add(f"requests under load: {what} {status} {kind}".rstrip(), len(took))
        ordered = sorted(took)
        p50, p95, p99 = (ordered[int(len(ordered) * share)] for share in (0.5, 0.95, 0.99))
        print(
            f"{what} {status} {kind}: {len(took)}, p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms"
        )


async def _keys(data_dir: Path) -> list[str]:
    database = Database(f"sqlite:///{data_dir / FILE}")
    try:
        return [await SqlKeys(database).make(who) for who in PEOPLE]
    finally:
        await database.close()


# Ten times as many at once as are let in: each is served or told to wait, as others are served.
# How soon is measured by `make bench ONLY=load`.

LET_IN = 8
"""Requests of one tenant under way; set here, so that ten times as many are a load we can make."""
AT_ONCE = LET_IN * 10
POLITE = 12


@few_or_many(160, 4_000)
async def test_a_flood_is_told_to_wait_and_another_tenant_is_served(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
):
    loud, polite = await _keys_overload(data_dir)
    with own_process(data_dir, pack, tmp_path, _policy(tmp_path)) as (_process, address):
        async with _client(address, loud) as flooding, _client(address, polite) as waiting:
            flood = asyncio.create_task(_flood(flooding, count))
            served = [await _say(waiting, f"polite-{number}") for number in range(POLITE)]
            flooded = await flood
            after = await _say(waiting, "after")
            health = await waiting.get("/livez")
    statuses = Counter(flooded)
    assert set(statuses) <= {200, 429, 503}, statuses
    assert statuses[200] > 0
    assert statuses[429] > 0
    assert set(served) == {200}
    assert (after, health.status_code) == (200, 200)
    decided = "select tenant_id, count(*) from decision group by tenant_id"
    assert dict(sql(data_dir, decided)) == {"loud": statuses[200], "polite": POLITE + 1}
    tally.add("requests of a flood", count)
    tally.add("requests of a flood told to wait", statuses[429] + statuses[503])


async def _flood(client: httpx.AsyncClient, count: int) -> list[int]:
    """Keep ten times as many under way as are let in."""
    numbers = iter(range(count))

    async def go_on() -> list[int]:
        return [await _say(client, f"loud-{number}") for number in numbers]

    each = await asyncio.gather(*(go_on() for _client in range(AT_ONCE)))
    return [status for one in each for status in one]


async def _say(client: httpx.AsyncClient, session: str) -> int:
    said = {"text": "read gauge G-1", "session_id": session}
    answer = await client.post("/v1/messages", json=said)
    if answer.status_code != 200:
        problem = {429: "too-many", 503: "busy"}[answer.status_code]
        assert_problem(answer, answer.status_code, problem)
        assert int(answer.headers["retry-after"]) >= 1
    return answer.status_code


def _client(address: str, key: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=address,
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
        limits=httpx.Limits(max_connections=AT_ONCE, keepalive_expiry=2.0),
    )


def _policy(folder: Path) -> Path:
    policy = (ROOT / "policy.toml").read_text("utf-8")
    assert "tenant_at_once = 32" in policy
    file = folder / "policy.toml"
    file.write_text(policy.replace("tenant_at_once = 32", f"tenant_at_once = {LET_IN}"), "utf-8")
    return file


async def _keys_overload(data_dir: Path) -> list[str]:
    database = Database(f"sqlite:///{data_dir / FILE}")
    try:
        keys = SqlKeys(database)
        return [
            await keys.make(Principal(user="ann", tenant_id=tenant))
            for tenant in ("loud", "polite")
        ]
    finally:
        await database.close()


# After years the same work takes about as long: a million entries, 100,000 questions waiting.

CYCLES = 9
SLOWER = 3.0
"""A soaked ledger may take so many times as long as a new one, at the median."""
SPARE_SECONDS = 0.05
"""For a machine that does something else in between."""
CHECKPOINTS = "checkpoints.sqlite"


@pytest.mark.parametrize(
    ("entries", "pending", "checkpoints"),
    [
        pytest.param(2_000, 500, 200, id="a little"),
        pytest.param(1_000_000, 100_000, 10_000, id="the whole", marks=pytest.mark.torture),
    ],
)
async def test_a_ledger_that_is_years_old_works_as_on_its_first_day(
    data_dir: Path, pack: Path, tally: Tally, entries: int, pending: int, checkpoints: int
):
    async with opened_executive(data_dir, pack) as opened:
        open_one = await opened.asked("open valve V-1", "open")
        done_one = await _cycle(opened, "done")
        young = [await _timed(_cycle, opened, f"young-{number}") for number in range(CYCLES)]
        read_young = [await _timed(_read, opened, f"r-young-{number}") for number in range(CYCLES)]
    Soak.of(data_dir, open_one.action_id, done_one).write(pending, entries)
    add_checkpoints(data_dir / CHECKPOINTS, open_one.decision_id, checkpoints)
    assert sql(data_dir, "select count(*) from ledger_entry")[0][0] >= entries * 0.99
    started = perf_counter()
    async with opened_executive(data_dir, pack) as opened:
        told = {"start": perf_counter() - started}
        old = [await _timed(_cycle, opened, f"old-{number}") for number in range(CYCLES)]
        read_old = [await _timed(_read, opened, f"r-old-{number}") for number in range(CYCLES)]
        assert median(old) < SLOWER * median(young) + SPARE_SECONDS
        assert median(read_old) < SLOWER * median(read_young) + SPARE_SECONDS
        told |= {"cycle": median(old), "cycle, new": median(young)}
        told |= {"read": median(read_old), "read, new": median(read_young)}
        await _tick(opened, "")  # the first counts harm in the whole ledger
        told["second of the pulse"] = await _timed(_tick, opened, "")
        assert told["second of the pulse"] < SLOWER * median(read_old) + SPARE_SECONDS
        told["list"] = await _timed(_list, opened, "")
        settled = await opened.executive.approvals.answer(
            open_one.action_id, yes(open_one), CAPTAIN
        )
        assert settled.state == "succeeded"  # on the thread with all those checkpoints
        assert len(effects(data_dir)) == 2 + 4 * CYCLES
        started = perf_counter()
        audited = (await audit(opened.box.database, {})).report
        told["audit of everything"] = perf_counter() - started
        assert audited.faults == ()
        assert audited.entries >= entries * 0.99
        started = perf_counter()
        assert await _forget(opened, data_dir) > 0
        told["pruning of threads"] = perf_counter() - started
    assert _checkpoints(data_dir, open_one.decision_id) == 0
    tally.add("entries of a soaked ledger", audited.entries)
    tally.add("questions waiting in a soaked ledger", pending)
    print(", ".join(f"{name} {seconds * 1_000:,.1f} ms" for name, seconds in told.items()))


async def _cycle(opened: Opened, name: str) -> str:
    """Ask, say yes, have it done."""
    shown = await opened.asked("open valve V-7", name, user=f"user-{name}", session_id=name)
    settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    assert settled.state == "succeeded"
    return settled.action_id


async def _read(opened: Opened, name: str) -> None:
    record = await opened.ask("read gauge G-1", name, user=f"user-{name}", session_id=name)
    assert record.outcome == "executed"


async def _tick(opened: Opened, _name: str) -> None:
    await opened.tick()


async def _list(opened: Opened, _name: str) -> None:
    assert len(await opened.executive.approvals.list("aurora")) == 100


async def _timed(
    work: Callable[[Opened, str], Awaitable[object]], opened: Opened, name: str
) -> float:
    started = perf_counter()
    await work(opened, name)
    return perf_counter() - started


async def _forget(opened: Opened, data_dir: Path) -> int:
    """Let eight days pass, and the threads of ended decisions go."""
    sql(data_dir, "update decision set recorded_at = recorded_at - 8 * 86400")
    saver = opened.flow.checkpointer
    assert isinstance(saver, AsyncSqliteSaver)
    return await forget_threads(saver, opened.box.database, 7)


def _checkpoints(data_dir: Path, thread_id: str) -> int:
    with closing(sqlite3.connect(data_dir / CHECKPOINTS)) as connection:
        query = "select count(*) from checkpoints where thread_id = ?"
        return int(connection.execute(query, (thread_id,)).fetchone()[0])


# Ended under load, the service is gone in ten seconds and the rest is picked up once.

CLIENTS_SIGTERM = 4
BATCHES = 30
FEW_BATCHES = 4
BATCH = 10
DRAIN_SECONDS = 10.0
EXIT_SECONDS = 3.0
"""Beside the drain: the interpreter's own end, on a busy machine."""
LATER = {"Prefer": "respond-async"}


@few_or_many(1, 50)
async def test_what_was_acknowledged_before_the_end_is_decided_once_after_it(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
):
    acknowledged: set[str] = set()
    allowed: set[str] = set()
    key = await _key(data_dir)
    for number in range(count):
        with (
            own_process(data_dir, pack, tmp_path) as (process, address),
            ThreadPoolExecutor(CLIENTS_SIGTERM + 1) as pool,
        ):
            batches = FEW_BATCHES if count == 1 else BATCHES
            tried, ending = Event(), Event()
            approving = pool.submit(_approve, address, key, number, tried, ending)
            loads = [
                pool.submit(_load, address, key, f"{number}-{client}", batches)
                for client in range(CLIENTS_SIGTERM)
            ]
            _await_some(data_dir, process)
            assert tried.wait(60), "nothing was allowed, and nothing refused"
            ending.set()
            process.send_signal(signal.SIGTERM)
            started = monotonic()
            process.wait(timeout=60)
            took = monotonic() - started
            for load in loads:
                acknowledged |= load.result()
            allowed |= approving.result()
        assert took < DRAIN_SECONDS + EXIT_SECONDS
        tally.add("ends under load")
    assert acknowledged
    assert allowed
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
    standing: Mapping[str, Any] = dict(sql(data_dir, "select decision_id, standing from decision"))
    assert acknowledged <= standing.keys()
    assert set(standing.values()) <= {"recorded", "waiting"}
    ran = [each["action_id"] for each in effects(data_dir)]
    assert len(ran) == len(set(ran))
    assert allowed <= set(ran)
    states = dict(sql(data_dir, "select action_id, state from ledger_action"))
    assert {states[each] for each in allowed} == {"succeeded"}
    assert set(states.values()) <= {"succeeded", "pending", "unknown"}
    tally.add("yeses taken before an end", len(allowed))
    tally.add("events acknowledged before an end", len(acknowledged))


def _load(address: str, key: str, name: str, batches: int) -> set[str]:
    """Send events until the service is gone; give back what it took."""
    taken: set[str] = set()
    with (
        httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}) as client,
        suppress(httpx.HTTPError),
    ):
        for batch in range(batches):
            events = [
                {
                    "event_id": f"{name}-{batch}-{each}",
                    "kind": "message",
                    "user": "owner",
                    "text": f"read gauge G-{each}",
                    "session_id": f"{name}-{each}",
                }
                for each in range(BATCH)
            ]
            answer = client.post("/v1/events", json=events, headers=LATER, timeout=30)
            if answer.status_code == httpx.codes.ACCEPTED:
                taken |= {each["decision_id"] for each in answer.json()}
    return taken


def _approve(address: str, key: str, number: int, tried: Event, ending: Event) -> set[str]:
    """Ask for dangerous actions and allow them until the service is gone; give back what it did.

    `tried` is set once the first is done, or cannot be asked for. When it is `ending`, uvicorn
    cuts off what is under way after its grace, and answers 500 for it in a word.
    """
    done: set[str] = set()
    with (
        httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}) as client,
        suppress(httpx.HTTPError),
    ):
        for turn in range(20):
            said = {"text": f"open valve V-{turn}", "session_id": f"v-{number}-{turn}"}
            asked = client.post("/v1/messages", json=said, timeout=30)
            if asked.is_server_error and ending.is_set():
                break
            shown = asked.json().get("approval") or {}
            if shown.get("state") != "pending":
                tried.set()
                break  # it may cause no more questions this hour, or it is ending
            body = {"decision": "approve", "digest": shown["digest"]}
            path = f"/v1/approvals/{shown['action_id']}"
            answer = client.post(path, json=body, timeout=30)
            if answer.status_code == httpx.codes.OK:
                done.add(shown["action_id"])
            tried.set()
    return done


def _await_some(data_dir: Path, process: subprocess.Popen[str]) -> None:
    """Wait until something is under way and something is done."""
    deadline = monotonic() + 60
    query = "select count(*) from decision where standing = 'recorded'"
    while monotonic() < deadline and process.poll() is None:
        if sql(data_dir, query)[0][0] > BATCH:
            return
    raise AssertionError("nothing was decided")


async def _key(data_dir: Path) -> str:
    database = Database(f"sqlite:///{data_dir / FILE}")
    try:
        return await SqlKeys(database).make(
            Principal(user="owner", tenant_id="aurora", roles=("captain", "engineer"))
        )
    finally:
        await database.close()
