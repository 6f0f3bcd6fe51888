"""`prefrontal doctor` on a folder that was damaged: what is broken is called so."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from api.cli.doctor.report import run_checks
from api.cli.doctor.storage_checks import check_files, check_ledger
from graph.settings import Settings
from state.errors import BadInput
from tests.safety.benches import pack_once
from tests.safety.executives import opened_executive
from tools.storage.database import Database


async def test_each_damage_is_named_and_broken_though_the_ledger_is_frozen(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    async with opened_executive(whole, pack_once()) as opened:
        await opened.asked()
        await opened.box.ledger.freezing.freeze("a restore")
    assert (check_files(_at(whole)).state, check_ledger(_at(whole)).state) == ("ok", "degraded")

    for number, (damage, find, says) in enumerate(_DAMAGES):
        folder = tmp_path / str(number)
        shutil.copytree(whole, folder)
        damage(folder)
        found = find(_at(folder))
        assert (found.state, says in found.says) == ("broken", True), found
        assert (folder / "ledger.key").exists() is (says != "ledger.key is missing")


async def test_a_database_of_a_newer_version_is_broken_and_not_opened(tmp_path: Path) -> None:
    async with opened_executive(tmp_path, pack_once()):
        pass
    with closing(sqlite3.connect(tmp_path / "prefrontal.sqlite")) as at, at:
        at.execute("update alembic_version set version_num = '9999'")
    [found] = [one for one in await run_checks(_at(tmp_path), 0.1) if one.what == "database"]
    assert (found.state, "run the newer version" in found.says) == ("broken", True)
    with pytest.raises(BadInput, match="revision 9999"):
        await Database(_at(tmp_path).database).read(lambda at: at.closed)


def _at(folder: Path) -> Settings:
    return Settings(data_dir=folder, packs=(str(pack_once()),))


def _overwrite(name: str, at: float) -> Callable[[Path], None]:
    def work(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            file.seek(int((folder / name).stat().st_size * at))
            file.write(b"\xff" * 8192)

    return work


_DAMAGES = (
    (_overwrite("prefrontal.sqlite", 0.5), check_files, "prefrontal.sqlite"),
    (_overwrite("checkpoints.sqlite", 0.0), check_files, "checkpoints.sqlite: file is not"),
    (_overwrite("ledger.key", 0.0), check_ledger, "holds no key"),
    (lambda at: (at / "ledger.key").write_bytes(bytes(32)), check_ledger, "another key"),
    (lambda at: (at / "ledger.key").unlink(), check_ledger, "ledger.key is missing"),
    (lambda at: (at / "ledger.head").write_text("{"), check_ledger, "holds no heads"),
)
