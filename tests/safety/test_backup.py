"""Back up at work, wipe, restore: everything is as it was, and nothing is done again."""

import shutil
import sqlite3
import tarfile
from asyncio import to_thread
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from graph.wiring.data_folder import back_up, restore, verify
from state.errors import BadInput, Busy
from tests.safety.benches import CAPTAIN, ENGINEER, yes
from tests.safety.executives import opened_executive
from tests.safety.valves import effects
from tools.adapters.backup import extract_archive
from tools.storage.seal_key import KEY_FILE

VIRTUAL = ("journal_text", "memory_text")


def contents(file: Path) -> dict[str, list[Any]]:
    """Read every row of every table of a database that nobody has open."""
    with closing(sqlite3.connect(file)) as connection:
        names = connection.execute("select name from sqlite_master where type = 'table'").fetchall()
        return {
            name: connection.execute(f"select * from {name}").fetchall()
            for (name,) in names
            if not name.startswith(VIRTUAL)
        }


async def test_the_drill(data_dir: Path, pack: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=data_dir, packs=(str(pack),))
    armed, archives = set[str](), dict[str, Path]()

    def copy_at(step: str) -> None:
        if step in armed:
            armed.discard(step)
            archives[step] = tmp_path / f"{step}.tar.gz"
            back_up(settings, archives[step])

    async with opened_executive(data_dir, pack, step=copy_at) as opened:
        done = await opened.asked("open valve V-1", "e-1")
        await opened.executive.approvals.answer(done.action_id, yes(done), CAPTAIN)
        pending = await opened.asked("open valve V-2", "e-2")
        under_way = await opened.asked("open valve V-3", "e-3")
        armed |= {"before_claim", "after_claim"}  # approved in one archive, started in the other
        await opened.executive.approvals.answer(under_way.action_id, yes(under_way), CAPTAIN)
        with pytest.raises(Busy, match="never restored over a running service"):
            await to_thread(restore, archives["after_claim"], settings)
    assert len(effects(data_dir)) == 2
    with pytest.raises(BadInput, match="not empty"):
        await to_thread(restore, archives["after_claim"], settings)

    for step, becomes in (("before_claim", "stale"), ("after_claim", "unknown")):
        shutil.rmtree(data_dir)
        aside = await to_thread(restore, archives[step], settings)
        assert (aside.unknown, aside.stale, aside.pending) == (
            (0, 1, 1) if becomes == "stale" else (1, 0, 1)
        )
        copies = tmp_path / step
        extract_archive(archives[step], copies)
        _assert_alike(copies, data_dir, under_way.action_id)
        async with opened_executive(data_dir, pack) as opened:
            await opened.recover()
            found = await opened.executive.approvals.get(under_way.action_id, ENGINEER.tenant_id)
            assert found.state == becomes
            with pytest.raises(Busy, match="frozen: restored from the backup of"):
                await opened.executive.approvals.answer(pending.action_id, yes(pending), CAPTAIN)
            await opened.box.ledger.freezing.thaw("ingrid", "looked at every valve")
            await opened.recover()
            assert [one["arguments"]["valve"] for one in effects(data_dir)] == ["V-1"]
            await opened.executive.approvals.answer(pending.action_id, yes(pending), CAPTAIN)
            assert len(effects(data_dir)) == 2
            assert (await opened.executive.problems()) == []


def _assert_alike(copies: Path, data_dir: Path, under_way: str) -> None:
    """Hold every row against what was copied; one action alone stands otherwise, and says why."""
    for name in ("checkpoints.sqlite", "prefrontal.sqlite"):
        then, now = contents(copies / name), contents(data_dir / name)
        assert then.keys() == now.keys()
        unlike = {table for table in then if then[table] != now[table]}
        wanted = {"ledger_action", "ledger_entry", "ledger_freeze"}
        assert unlike == (wanted if name == "prefrontal.sqlite" else set())
        if unlike:
            moved = set(then["ledger_action"]) ^ set(now["ledger_action"])
            assert {row[0] for row in moved} == {under_way}
            assert now["ledger_entry"][:-1] == then["ledger_entry"]
            assert now["decision"]


async def test_an_archive_that_was_touched_or_lacks_its_key_is_not_restored(
    data_dir: Path, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(data_dir=data_dir, packs=(str(pack),))
    async with opened_executive(data_dir, pack) as opened:
        await opened.asked()
        key = shutil.copy(data_dir / KEY_FILE, tmp_path / "kept.key")
        back_up(settings, Path("a.tar.gz"), with_key=False)
    empty = settings.model_copy(update={"data_dir": tmp_path / "new"})

    with pytest.raises(BadInput, match=r"ledger\.key was left out"):
        await to_thread(restore, tmp_path / "a.tar.gz", empty)
    verified = await to_thread(verify, tmp_path / "a.tar.gz", settings, key_file=Path(key))
    assert verified.key == "left out"
    with monkeypatch.context() as patched:  # a volume: the folder itself stays, and is filled
        patched.setattr("os.path.ismount", lambda _path: True)
        (volume := tmp_path / "volume").mkdir()
        was, there = volume.stat().st_ino, settings.model_copy(update={"data_dir": volume})
        await to_thread(restore, tmp_path / "a.tar.gz", there, key_file=Path(key))
        assert {*verified.files, KEY_FILE} <= {one.name for one in volume.iterdir()}
        assert (volume.stat().st_ino, list(volume.glob(".prefrontal*"))) == (was, [])
    with pytest.raises(BadInput, match="never written over"):
        back_up(settings, tmp_path / "a.tar.gz")

    extract_archive(tmp_path / "a.tar.gz", tmp_path / "open")
    (tmp_path / "open" / "ledger.head").write_text("{}", "utf-8")
    with (
        tarfile.open(tmp_path / "a.tar.gz") as whole,
        tarfile.open(tmp_path / "touched.tar.gz", "w:gz") as touched,
    ):
        whole.extraction_filter = getattr(tarfile, "data_filter", None)  # none before 3.11.4
        whole.extract("manifest.json", tmp_path / "open")
        for name in whole.getnames():
            touched.add(tmp_path / "open" / name, arcname=name)
    with pytest.raises(BadInput, match=r"ledger\.head is not what the manifest says"):
        await to_thread(restore, tmp_path / "touched.tar.gz", empty, key_file=Path(key))
    assert not empty.data_dir.exists()
    (tmp_path / "open" / "ledger.head").write_bytes(bytes(1 << 20))  # of some bytes, zipped
    with tarfile.open(tmp_path / "bomb.tar.gz", "w:gz") as bomb:
        for name in ("manifest.json", *verified.files):
            bomb.add(tmp_path / "open" / name, arcname=name)
    with pytest.raises(BadInput, match=r"ledger\.head is not what the manifest says"):
        extract_archive(tmp_path / "bomb.tar.gz", tmp_path / "bombed")
    assert not (tmp_path / "bombed" / "ledger.head").exists()
    (tmp_path / "none.tar.gz").write_bytes(b"no archive")
    with pytest.raises(BadInput, match="cannot be read as a backup"):
        await to_thread(restore, tmp_path / "none.tar.gz", empty)
