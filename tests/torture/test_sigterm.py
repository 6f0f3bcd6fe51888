"""Ended under load, the service is gone in ten seconds and the rest is picked up once."""

import signal
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import httpx

from state.principal import Principal
from tests.safety.benches import FILE, sql
from tests.safety.executives import opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.serving import own_process
from tests.torture.tally import Tally
from tools.storage.credentials import SqlKeys
from tools.storage.database import Database

CLIENTS = 4
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
) -> None:
    acknowledged: set[str] = set()
    allowed: set[str] = set()
    key = await _key(data_dir)
    for number in range(count):
        with (
            own_process(data_dir, pack, tmp_path) as (process, address),
            ThreadPoolExecutor(CLIENTS + 1) as pool,
        ):
            batches = FEW_BATCHES if count == 1 else BATCHES
            tried, ending = Event(), Event()
            approving = pool.submit(_approve, address, key, number, tried, ending)
            loads = [
                pool.submit(_load, address, key, f"{number}-{client}", batches)
                for client in range(CLIENTS)
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
