"""A policy that is deliberately worse fails a gate, by the gate's name."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.dataset import SHIPPED
from graph.cli.commands import cli
from graph.settings import Settings

THRESHOLDS = "threshold = {{ gaming = {:.2f}, home = {:.2f}, work = {:.2f}, default = {:.2f} }}"
NOW = (0.45, 0.50, 0.60, 0.50)
STREAMS = ("engine-watch", "by-the-numbers", "again-and-again")


@pytest.fixture
def watches(tmp_path: Path) -> Path:
    """Return three streams of speak_or_not, under its name: its gates hold them."""
    lines = (SHIPPED / "speak_or_not.jsonl").read_text("utf-8").splitlines()
    kept = [one for one in lines[1:] if json.loads(one)["inputs"]["stream"] in STREAMS]
    path = tmp_path / "speak_or_not.jsonl"
    path.write_text("\n".join([lines[0], *kept]), "utf-8")
    return path


@pytest.mark.parametrize(
    ("off_by", "failed"),
    [
        (0.0, None),
        (0.1, "speaking_balanced_accuracy is"),
        (-0.1, "reason_agreement is"),
    ],
)
def test_a_threshold_off_by_a_tenth_is_named(
    off_by: float,
    failed: str | None,
    watches: Path,
    broken_pack: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    policy = Settings().policy_file.read_text("utf-8")
    assert THRESHOLDS.format(*NOW) in policy
    moved = THRESHOLDS.format(*(one + off_by for one in NOW))
    other = tmp_path / "policy.toml"
    other.write_text(policy.replace(THRESHOLDS.format(*NOW), moved), "utf-8")
    monkeypatch.setenv("EXECUTIVE_POLICY_FILE", str(other))
    call = ["evals", "run", str(watches), "--pack", str(broken_pack("financial"))]

    ended = CliRunner().invoke(cli, call)

    assert ended.exit_code == (1 if failed else 0), ended.stderr
    assert (failed or "") in ended.stderr
