"""A log that somebody else made runs no code of theirs, names no file of ours, spoils no folder."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import cli
from graph.replay.log_entries import (
    DecisionLog,
    LogHeader,
    digest_of,
    read_log,
    write_log,
)
from graph.replay.log_replayer import claim_folder, replay_settings
from graph.settings import Settings
from state.errors import BadInput
from tests.stages import NOW


def head(**given: Any) -> LogHeader:
    told: dict[str, Any] = {
        "packs": ("vessel",),
        "settings": {},
        "policy": "",
        "digest": digest_of([]),
    }
    return LogHeader(until=NOW, decisions=0, **(told | given))


def test_a_pack_that_a_log_brings_along_is_not_loaded(tmp_path: Path) -> None:
    pack, log = tmp_path / "theirs", tmp_path / "their.log.jsonl"
    pack.mkdir()
    log.write_text(head(packs=(str(pack),)).model_dump_json(), "utf-8")

    asked = ["log", "replay", str(log)]
    refused = CliRunner().invoke(cli, asked)
    trusted = CliRunner().invoke(cli, [*asked, "--pack", str(pack)])

    assert refused.exit_code == 2
    assert "if you trust it" in " ".join(refused.output.split())
    assert trusted.exit_code == 0  # of nothing that came in nothing is decided


def test_a_log_that_was_cut_or_changed_since_is_not_played(tmp_path: Path) -> None:
    log = tmp_path / "cut.log.jsonl"
    log.write_text(head(digest=digest_of([]).replace("e", "f")).model_dump_json(), "utf-8")

    refused = CliRunner().invoke(cli, ["log", "replay", str(log)])

    assert refused.exit_code == 2
    assert "cut or changed" in " ".join(refused.output.split())


def test_a_log_sets_what_decides_and_nothing_else(tmp_path: Path) -> None:
    wanted = {"timezone": "Asia/Tokyo", "oidc_file": "/etc/passwd", "data_dir": "/", "host": "::"}
    found = replay_settings(head(settings=wanted), tmp_path / "own", policy=None, cache=None)

    assert (found.timezone, found.data_dir) == ("Asia/Tokyo", tmp_path / "own")
    assert (found.oidc_file, found.host) == (None, Settings().host)
    with pytest.raises(BadInput, match="timezone"):
        replay_settings(head(settings={"timezone": "../x"}), tmp_path, policy=None, cache=None)


def test_a_replay_is_kept_in_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text("mine", "utf-8")
    with pytest.raises(BadInput, match="no replay"):
        claim_folder(tmp_path, "digest", "policy")

    own = claim_folder(tmp_path / "own", "digest", "policy")
    assert claim_folder(own, "digest", "policy") == own
    with pytest.raises(BadInput, match="another log or policy"):
        claim_folder(own, "digest", "other policy")
    assert (tmp_path / "policy.toml").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    "line",
    [
        [],
        {"given": {"at": "2026-01-01T00:00:00Z"}, "x": 1},
        {"given": {"at": "2026-01-01T00:00:00"}},
        {"given": {"at": "2026-01-01T00:00:00Z", "event": {"nonsense": 1}}},
        {"decided": {"at": "2026-01-01T00:00:00Z", "record": {}}},
    ],
)
def test_every_line_that_is_none_is_named(line: Any, tmp_path: Path) -> None:
    file = tmp_path / "odd.log.jsonl"
    file.write_text(f"{head().model_dump_json()}\n{json.dumps(line)}\n", "utf-8")
    with pytest.raises(BadInput, match=r"odd\.log\.jsonl:2"):
        read_log(file)


def test_an_empty_log_is_a_log_and_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "empty.log.jsonl"
    file.write_text("what anybody could read", "utf-8")
    file.chmod(0o644)
    write_log(DecisionLog(head()), file)
    assert read_log(file) == DecisionLog(head())
    assert file.stat().st_mode & 0o077 == 0
