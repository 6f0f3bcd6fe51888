"""Ten thousand events replay to one digest, twice and through kills; another threshold crosses."""

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

from graph.replay.log_entries import (
    DecisionLog,
    LoggedInput,
    LogHeader,
    digest_of,
    find_divergences,
    write_log,
)
from graph.replay.log_export import export_log
from graph.replay.log_replayer import replay_log, replay_settings
from graph.settings import Settings
from state.event import Event
from tests.graph.harbour import HARBOUR
from tests.stages import NOW
from tests.torture.tally import Tally

pytestmark = pytest.mark.torture
EVENTS = 10_000
BUOYS = frozenset(f"e-{n}" for n in range(EVENTS) if n % 20)
BAR, RAISED, RAISED_BY = "default = 0.50 }", "default = 0.62 }", 0.12
ALWAYS_TOLD = 0.80
SPOKEN = ("show lock LK-12", "log: fog since six", "close lock LK-40", "be quiet for ten minutes")


def a_long_log(sessions: int = 40) -> DecisionLog:
    """Make 50 days of buoys that drift and keepers who talk; in as many sessions as events each
    stands alone."""
    chance, at, given = random.Random(7), NOW, []
    for n in range(EVENTS):
        at += timedelta(seconds=chance.randint(1, 860))
        named: dict[str, Any] = {
            "event_id": f"e-{n}",
            "source": "buoy",
            "session_id": f"s-{n if sessions == EVENTS else chance.randrange(sessions)}",
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
        given.append(LoggedInput(at=at, event=event.model_dump(mode="json")))
    head = LogHeader(
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
        "api.cli",
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


def test_ten_thousand_events_have_one_digest_twice_and_through_kills(tmp_path: Path, tally: Tally):
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
    tally.add("decisions, one digest twice and through kills", once[0])
    tally.add("kills of a replay", kills)


async def test_ten_thousand_alone_differ_exactly_where_they_cross_another_threshold(
    tmp_path: Path, tally: Tally
):
    made, kept = a_long_log(sessions=EVENTS), tmp_path / "as-it-is"
    higher = made.head.policy.replace(BAR, RAISED)
    assert higher != made.head.policy
    await replay_log(made, kept)
    log = await export_log(replay_settings(made.head, kept, policy=None, cache=None))

    again = await replay_log(log, tmp_path / "higher", policy=higher)

    # Which must differ is told by the numbers of the first run and what the bar was raised by.
    must = {
        str(one.record["event_id"])
        for one in log.decided
        if (relevance := one.record.get("relevance")) is not None
        and one.record["threshold"] <= relevance < one.record["threshold"] + RAISED_BY
        and (one.record.get("threat") or 0) < ALWAYS_TOLD
        and one.record["event_id"] in BUOYS
    }
    unlike = list(find_divergences(log.decided, again.decided))
    assert {one.event_id for one in unlike} == must
    assert {one.how for one in unlike} == {"crossed"}
    assert len(must) > EVENTS / 100
    tally.add("decisions compared under another threshold", len(again.decided))
    tally.add("that crossed it, each foreseen", len(must))
