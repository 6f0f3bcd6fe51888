"""Ten thousand events replay to one digest: twice, and through kills."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from evals.decision_log.entries import DecisionLog, Given, Head, digest_of, write_log
from graph.settings import Settings
from state.event import Event
from tests.graph.harbour import HARBOUR
from tests.stages import NOW

pytestmark = pytest.mark.torture
EVENTS = 10_000
SPOKEN = ("show lock LK-12", "log: fog since six", "close lock LK-40", "be quiet for ten minutes")


def a_long_log() -> DecisionLog:
    """Make 50 days of buoys that drift and keepers who talk, in 40 sessions."""
    chance, at, given = random.Random(7), NOW, []
    for n in range(EVENTS):
        at += timedelta(seconds=chance.randint(1, 860))
        named: dict[str, Any] = {
            "event_id": f"e-{n}",
            "source": "buoy",
            "session_id": f"s-{chance.randrange(40)}",
        }
        if n % 20 == 0:
            text, kind = chance.choice(SPOKEN), "message"
            fields: dict[str, Any] = {"user": "amir", "role": "keeper"}
        else:
            text, kind, fields = f"buoy {chance.randrange(9)} drifts", "ambient", {}
            levels = {"goal_relevance": chance.random(), "threat": chance.random() ** 6}
            fields["salience"] = {**levels, "actionability": chance.random()}
        event = Event.model_validate(
            {**named, **fields, "text": text, "kind": kind, "occurred_at": at}
        )
        given.append(Given(at=at, event=event.model_dump(mode="json")))
    head = Head(
        packs=(str(HARBOUR),),
        settings={"embedder": "none"},
        policy=Settings().policy_file.read_text("utf-8"),
        until=at,
        decisions=0,
        digest=digest_of([]),
    )
    return DecisionLog(head, given)


def replaying(log: Path, folder: Path) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "graph.cli",
        "log",
        "replay",
        str(log),
        "--folder",
        str(folder),
        "--pack",
        str(HARBOUR),
    ]
    return subprocess.Popen(
        [*command, "--json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "500"},
    )


def digest_told(process: subprocess.Popen[str]) -> tuple[int, str]:
    _out, told = process.communicate(timeout=1200)
    found = re.search(r"(\d+) decisions, digest ([0-9a-f]{64})", told)
    assert found, told[-2000:]
    return int(found[1]), found[2]


def test_ten_thousand_events_have_one_digest_twice_and_through_kills(tmp_path: Path) -> None:
    log, chance = tmp_path / "long.log.jsonl", random.Random(11)
    write_log(a_long_log(), log)
    once, twice = (digest_told(replaying(log, tmp_path / name)) for name in ("once", "twice"))

    kills = 0
    for _attempt in range(12):
        process = replaying(log, tmp_path / "cut")
        deadline = time.monotonic() + chance.uniform(4, 14)
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
    else:
        process = replaying(log, tmp_path / "cut")
    cut = digest_told(process)

    assert once[0] >= EVENTS
    assert kills >= 2
    assert once == twice == cut
