"""`prefrontal pack check` calls each lookup once, and says what to do about one that fails."""

from pathlib import Path

import pytest

from tests.cli.conftest import Prefrontal, records
from tests.graph.looking import break_lookup, mend_lookup, write_boatyard


def test_a_lookup_that_fails_is_a_problem_with_what_to_do(prefrontal: Prefrontal, tmp_path: Path):
    pack = write_boatyard(tmp_path)
    sound = prefrontal("pack", "check", str(pack), "--json")
    assert (sound.exit_code, records(sound)[0]["problems"]) == (0, [])
    handlers = pack / "handlers.py"
    broken = handlers.read_text("utf-8").replace(
        "    file = Path", "    raise OSError('no')\n    file = Path", 1
    )
    handlers.write_text(broken, "utf-8")

    told = prefrontal("pack", "check", str(pack))
    (body,) = records(prefrontal("pack", "check", str(pack), "--json"))

    assert told.exit_code == 1
    assert "boatyard: lookup handlers:boats of boat failed: OSError: no; fix it" in told.stdout
    (problem,) = body["problems"]
    assert (problem["pack"], problem["lookup"], problem["error"]) == (
        "boatyard",
        "handlers:boats",
        "OSError: no",
    )
    assert "no change that names a boat is offered or run" in problem["todo"]
    assert body["faults"] == []


def test_a_lookup_is_tried_on_the_store_that_the_pack_has_kept(
    prefrontal: Prefrontal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, data_dir = write_boatyard(tmp_path), tmp_path / "kept"
    monkeypatch.setenv("EXECUTIVE_DATA_DIR", str(data_dir))
    assert prefrontal("pack", "check", str(pack)).exit_code == 0
    assert not data_dir.exists()
    file = break_lookup(data_dir)

    (body,) = records(prefrontal("pack", "check", str(pack), "--json"))

    assert body["problems"][0]["error"].startswith("IndexError")
    mend_lookup(file)
    assert prefrontal("pack", "check", str(pack)).exit_code == 0


def test_another_packs_store_is_not_its_own(
    prefrontal: Prefrontal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, data_dir = write_boatyard(tmp_path), tmp_path / "kept"
    monkeypatch.setenv("EXECUTIVE_DATA_DIR", str(data_dir))
    file = break_lookup(data_dir)
    other = file.rename(file.with_name("boatyard_extra.db"))
    assert prefrontal("pack", "check", str(pack)).exit_code == 0
    assert list(file.parent.iterdir()) == [other]


def test_another_tenants_store_is_tried_where_it_is_named(
    prefrontal: Prefrontal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, data_dir = write_boatyard(tmp_path), tmp_path / "kept"
    monkeypatch.setenv("EXECUTIVE_DATA_DIR", str(data_dir))
    file = break_lookup(data_dir)
    file.parent.rename(file.parent.with_name("aurora"))
    assert prefrontal("pack", "check", str(pack)).exit_code == 0
    told = prefrontal("pack", "check", str(pack), "--tenant", "aurora")
    assert (told.exit_code, "IndexError" in told.stdout) == (1, True)
