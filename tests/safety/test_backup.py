"""Back up at work, wipe, restore: everything is as it was, and nothing is done again."""

import shutil
import sqlite3
import tarfile
from asyncio import to_thread
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from graph.services.backup_archive import extract_archive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from graph.wiring.data_folder import back_up, restore, verify
from state.errors import BadInput, Busy
from tests.safety.benches import CAPTAIN, ENGINEER, FILE, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.valves import effects
from tools.gate.ledger.audit import HEAD_FILE
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


async def test_the_drill(data_dir: Path, pack: Path, tmp_path: Path):
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
):
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


# A ledger that is older than what it has done stands still until a person has looked.


async def test_restored_from_before_its_effects_nothing_is_started(
    data_dir: Path, pack: Path, tmp_path: Path
):
    """Approve in the morning, restore the night's copy, approve again: it happens once."""
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
    night = shutil.copy(data_dir / FILE, tmp_path / "night")
    async with opened_executive(data_dir, pack) as opened:
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert len(effects(data_dir)) == 1
    _restore(data_dir, Path(night))
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        assert any("frozen" in told for told in opened.executive.degraded)
        [problem] = await opened.executive.problems()
        assert "cut short, or the database is an older copy" in problem
        with pytest.raises(Busy, match="the ledger is frozen"):
            await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        standing = await opened.executive.approvals.get(shown.action_id, "aurora")
    assert (standing.state, standing.approvals) == ("pending", 0)
    assert len(effects(data_dir)) == 1


async def test_while_frozen_reads_run_questions_are_asked_and_outcomes_are_told(
    data_dir: Path, pack: Path
):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        done = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        await opened.box.ledger.freezing.freeze("the crane is being serviced")
        read = await opened.ask("read gauge G-1", "e-2")
        asked = await opened.asked("open valve V-7", "e-3")
        again = await opened.box.ledger.execute(done.action_id)
    assert (read.outcome, asked.state, again.state) == ("executed", "pending", "succeeded")


async def test_thawed_by_a_person_what_was_asked_runs(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        freezing = opened.box.ledger.freezing
        await freezing.freeze("the crane is being serviced")
        await freezing.freeze("the crane is being serviced")
        assert len(await freezing.open()) == 1
        shown = await opened.asked()
        with pytest.raises(Busy):
            await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        await freezing.thaw("ingrid", "the crane is back")
        assert await freezing.open() == ()
        again = await opened.ask(event_id="e-2")  # the question of before is open still
        assert (again.reason, again.action_id) == ("already_asked", shown.action_id)
        answered = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert answered.state == "succeeded"
    assert len(effects(data_dir)) == 1


async def test_a_yes_from_before_the_freeze_is_spent_on_nothing(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        await opened.box.ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        await opened.box.ledger.freezing.freeze("somebody is at the valves")
        await opened.tick()
        await opened.box.ledger.freezing.thaw("ingrid", "they are done")
        await opened.tick()
        assert (await opened.executive.approvals.get(shown.action_id, "aurora")).state == "stale"
    assert effects(data_dir) == []


async def test_what_a_frozen_ledger_finds_left_started_waits_for_the_person(
    data_dir: Path, pack: Path
):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        await opened.box.ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        await opened.box.ledger.freezing.freeze("an older copy")
    sql(data_dir, "update ledger_action set state = 'started', owner = 'another', fence = 1")
    async with opened_executive(data_dir, pack) as opened:
        assert (await opened.executive.approvals.get(shown.action_id, "aurora")).state == "started"
        await opened.box.ledger.freezing.thaw("ingrid", "looked")
        sql(data_dir, "update ledger_action set lease_until = 1.0")
        await opened.tick()
        assert (await opened.executive.approvals.get(shown.action_id, "aurora")).state == "unknown"


@pytest.mark.parametrize("gone", [KEY_FILE, HEAD_FILE])
async def test_without_its_key_or_its_heads_it_stands_still(data_dir: Path, pack: Path, gone: str):
    async with opened_executive(data_dir, pack) as opened:
        await opened.asked()
    (data_dir / gone).unlink()
    async with opened_executive(data_dir, pack) as opened:
        [frozen] = await opened.box.ledger.freezing.open()
    assert gone in frozen.reason


async def test_a_lost_key_that_is_put_back_makes_the_old_questions_good_again(
    data_dir: Path, pack: Path
):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
    key = (data_dir / KEY_FILE).read_bytes()
    (data_dir / KEY_FILE).unlink()
    async with opened_executive(data_dir, pack) as opened:
        [frozen] = await opened.box.ledger.freezing.open()
        assert "put the old one back from a backup" in frozen.reason
        between = await opened.asked("open valve V-7", "e-2")
    assert (data_dir / KEY_FILE).read_bytes() != key
    (data_dir / KEY_FILE).write_bytes(key)
    async with opened_executive(data_dir, pack) as opened:
        for _look in range(2):  # what was entered with the other key is found, once
            await opened.executive.maintenance.keep()
            if await opened.box.ledger.freezing.open():
                await opened.box.ledger.freezing.thaw("ingrid", "the key is back")
        assert await opened.executive.problems() == []
        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert settled.state == "succeeded"
        other = await opened.executive.approvals.answer(between.action_id, yes(between), CAPTAIN)
        assert other.state == "stale"  # sealed with a key that is nobody's now
        await _answered(opened, "e-3", "succeeded")
    assert len(effects(data_dir)) == 2


async def test_what_a_person_has_looked_at_is_not_frozen_for_again(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        await opened.asked()
        await opened.executive.maintenance.keep()
    sql(data_dir, "drop trigger ledger_entry_stays_on_update")
    sql(data_dir, "update ledger_entry set actor = 'nobody'")
    for is_first in (True, False):
        async with opened_executive(data_dir, pack) as opened:
            await opened.executive.maintenance.keep()
            problems = await opened.executive.problems()
            assert len(problems) == len(await opened.box.ledger.freezing.open()) == is_first
            if is_first:
                await opened.box.ledger.freezing.thaw("ingrid", "it was I")
                assert await opened.executive.problems() == []


async def test_a_change_while_it_runs_is_found_with_the_next_entry(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        await opened.asked()
        await opened.executive.maintenance.keep()
        assert await opened.executive.problems() == []
        sql(data_dir, "drop trigger ledger_entry_stays_on_delete")
        sql(data_dir, "delete from ledger_entry")
        await opened.asked("open valve V-7", "e-2")
        await opened.executive.maintenance.keep()
        [problem] = await opened.executive.problems()
    assert "ledger verify" in problem


async def test_nobody_but_its_owner_reads_the_heads(data_dir: Path, pack: Path):
    async with open_executive(Settings(data_dir=data_dir, packs=(str(pack),))):
        pass
    assert (data_dir / HEAD_FILE).stat().st_mode & 0o777 == 0o600


async def _answered(opened: Opened, event_id: str, state: str) -> None:
    shown = await opened.asked(event_id=event_id)
    settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    assert settled.state == state


def _restore(data_dir: Path, copy: Path) -> None:
    for file in data_dir.glob(f"{FILE}*"):
        file.unlink()
    shutil.copy(copy, data_dir / FILE)
