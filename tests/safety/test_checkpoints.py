"""What stands in a checkpoint has no authority and cannot run; without one nothing is lost."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import ormsgpack
import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from state.approval import LedgerAction
from state.event import Event
from tests.architecture.source import ROOT
from tests.safety.attacks import ATTACKS
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.valves import effects
from tests.torture.failing import Failing

FILE = "checkpoints.sqlite"


def extension(code: int, *payload: Any) -> bytes:
    return ormsgpack.packb({"event": ormsgpack.Ext(code, ormsgpack.packb(payload))})


def payloads(command: str) -> dict[str, tuple[str, bytes]]:
    """Make rows that run `command` in a reader that trusts them; by kind."""
    python = f"__import__('os').system({command!r})"
    words = {"args": command.split()}
    constructor = {"lc": 2, "type": "constructor", "id": ["os", "system"], "args": [command]}
    return {
        "one argument": ("msgpack", extension(0, "os", "system", command)),
        "arguments": ("msgpack", extension(1, "os", "system", (command,))),
        "named arguments": ("msgpack", extension(2, "subprocess", "Popen", words)),
        "a method": ("msgpack", extension(3, "builtins", "eval", python, "__call__")),
        "a model of old": ("msgpack", extension(4, "subprocess", "Popen", words)),
        "a model": ("msgpack", extension(5, "subprocess", "Popen", words, "x")),
        "json": ("json", json.dumps({"event": constructor}).encode()),
        "pickle": ("pickle", b"cos\nsystem\n(S'" + command.encode() + b"'\ntR."),
    }


KINDS = tuple(payloads("true"))


@pytest.mark.parametrize("kind", ["one argument", "arguments"])
async def test_a_reader_that_trusts_would_run_it(data_dir: Path, pack: Path, tmp_path: Path, kind):
    marker = tmp_path / "ran"
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        _tamper(data_dir, *payloads(f"touch {marker}")[kind])
        saver = opened.flow.checkpointer
        assert isinstance(saver, AsyncSqliteSaver)
        saver = AsyncSqliteSaver(saver.conn, serde=JsonPlusSerializer(allowed_msgpack_modules=True))
        await saver.aget_tuple(opened.config(shown.decision_id))
    assert marker.exists()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_tampered_row_runs_nothing_and_takes_no_yes_away(
    data_dir: Path, pack: Path, tmp_path: Path, kind: str
):
    marker = tmp_path / "ran"
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        _tamper(data_dir, *payloads(f"touch {marker}")[kind])
        config = opened.config(shown.decision_id)
        with suppress(Exception):
            await opened.flow.aget_state(config)
        with suppress(Exception):
            assert [each async for each in opened.flow.aget_state_history(config)]
        with suppress(Exception):
            await opened.flow.ainvoke(None, config)
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        await _assert_done_once(opened, shown, data_dir)
    assert not marker.exists()


def test_the_checkpoints_are_strict_whatever_the_environment_says(data_dir: Path, tmp_path: Path):
    marker = tmp_path / "ran"
    kind, row = payloads(f"touch {marker}")["one argument"]
    code = (
        "import asyncio; from pathlib import Path\n"
        "from graph.execution.maintenance import open_saver\n"
        "async def read():\n"
        f"    async with open_saver(Path({str(data_dir)!r})) as saver:\n"
        f"        print(saver.serde.loads_typed(({kind!r}, {row!r})))\n"
        "asyncio.run(read())"
    )
    environment = {k: v for k, v in os.environ.items() if k != "LANGGRAPH_STRICT_MSGPACK"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
    assert not marker.exists()


async def test_every_stage_comes_back_as_what_it_was(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        for number, text in enumerate(("open valve V-1", "label valve V-7", "read gauge G-1")):
            record = await opened.ask(text, f"e-{number}")
            values = (await opened.flow.aget_state(opened.config(record.decision_id))).values
            assert isinstance(values["event"], Event)
            plain = [name for name, value in values.items() if isinstance(value, dict)]
            assert plain == []


async def test_checkpoints_that_are_gone_cost_nothing(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
    _lose_checkpoints(data_dir)
    async with opened_executive(data_dir, pack) as opened:
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        await _assert_done_once(opened, shown, data_dir)


@pytest.mark.parametrize("attack", [None, "replay_everything", "goto act", "resume twice"])
async def test_yesterdays_checkpoints_do_nothing_again(
    data_dir: Path, pack: Path, tmp_path: Path, attack: str | None
):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
    backup = shutil.copy(data_dir / FILE, tmp_path / "yesterday")
    async with opened_executive(data_dir, pack) as opened:
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    before = sql(data_dir, "select * from decision")
    _lose_checkpoints(data_dir)
    shutil.copy(backup, data_dir / FILE)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        if attack is not None:
            await ATTACKS[attack](opened, shown)
        await opened.recover()
        await _assert_done_once(opened, shown, data_dir)
    assert sql(data_dir, "select * from decision") == before


@pytest.mark.parametrize("nth", range(1, 7))
@pytest.mark.parametrize("place", ["put", "writes"])
async def test_checkpoints_that_cannot_be_written_keep_nothing_from_its_end(
    data_dir: Path, pack: Path, place: str, nth: int
):
    failing = Failing(nth, place, is_armed=False)
    async with opened_executive(data_dir, pack, saving=failing.around) as opened:
        shown = await opened.asked()
        failing.is_armed = True
        with suppress(sqlite3.OperationalError):
            await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert failing.was_reached
        await opened.recover()
        await _assert_done_once(opened, shown, data_dir)


async def _assert_done_once(opened: Opened, shown: LedgerAction, data_dir: Path) -> None:
    assert [each["action_id"] for each in effects(data_dir)] == [shown.action_id]
    trace = await opened.executive.records.trace(message().decision_id, "aurora")
    assert trace.record.outcome == "executed"
    assert sql(data_dir, "select standing from decision") == [("recorded",)]


def _lose_checkpoints(data_dir: Path) -> None:
    for file in data_dir.glob(f"{FILE}*"):
        file.unlink()


def _tamper(data_dir: Path, kind: str, row: bytes) -> None:
    with closing(sqlite3.connect(data_dir / FILE)) as connection, connection:
        found = connection.execute("select rowid, type, checkpoint from checkpoints").fetchall()
        for rowid, _type, checkpoint in found:
            body = row
            if kind == "msgpack":
                body = _with_channels(checkpoint, row)
            connection.execute(
                "update checkpoints set type = ?, checkpoint = ? where rowid = ?",
                (kind, body, rowid),
            )
        connection.execute("update writes set type = ?, value = ?", (kind, row))


def _with_channels(checkpoint: bytes, row: bytes) -> bytes:
    """Put the payload where the event stands, and leave the rest as it is."""
    keep: Callable[[int, bytes], Any] = ormsgpack.Ext
    options = ormsgpack.OPT_NON_STR_KEYS
    whole = ormsgpack.unpackb(checkpoint, ext_hook=keep, option=options)
    whole["channel_values"] |= ormsgpack.unpackb(row, ext_hook=keep)
    return ormsgpack.packb(whole, option=options)
