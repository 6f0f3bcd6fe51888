"""A policy that is deliberately worse fails a gate, by the gate's name."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.dataset import SHIPPED
from graph.settings import Settings
from tests.graph.harbour import HARBOUR

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
        (0.1, "speaking_balanced_accuracy"),
        (-0.1, "reason_agreement"),
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

    named = set(re.findall(r"speak_or_not: (\w+) is", ended.stderr))
    assert named >= {"cases", *([failed] if failed else [])}, ended.stderr  # three streams of many
    assert len(named) == 1 or failed


REQUESTS: tuple[tuple[str, str, str, dict[str, str] | None], ...] = (
    ("show lock LK-12", "show_lock", "A", {"lock": "LK-12"}),
    ("count the swans", "count_swans", "A", {}),
    ("close lock LK-12", "close_lock", "C", None),
    ("please shut lock LK-40", "close_lock", "C", None),
    ("drain the basin", "drain_basin", "C", None),
)
OF_UPDATES = re.compile(r"    verb: update\n    words: .*\n")


@pytest.mark.parametrize(
    ("worse", "failed"),
    [
        (lambda actions: actions, ()),
        (
            lambda actions: actions.replace("destructive", "write"),
            ("gate_recall", "class_accuracy"),
        ),
        (
            lambda actions: OF_UPDATES.sub("    verb: show\n    words: [view]\n", actions),
            ("gate_recall", "action_accuracy"),
        ),
    ],
    ids=["as it is", "a gated action made B", "a verb family broken"],
)
def test_a_lost_gate_and_a_lost_family_of_verbs_are_named(
    worse: Callable[[str], str],
    failed: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")
    pack = copytree(HARBOUR, tmp_path / "harbour", ignore=ignore_patterns("__pycache__"))
    actions = (pack / "actions.yaml").read_text("utf-8")
    # Without what people say, as if the pack were new: only its words tell the actions apart.
    bare = re.sub(r"    examples:\n(?:      - .*\n)+", "", actions)
    (pack / "actions.yaml").write_text(worse(bare), "utf-8")
    head: dict[str, Any] = {
        "dataset": "vessel_requests",
        "pack": "harbour",
        "target": "requests",
        "made": "here",
    }
    head |= {"starts_at": "2026-06-14T18:00:00Z", "read_only": ["show_lock", "count_swans"]}
    rows = [
        {
            "id": text.replace(" ", "-"),
            "inputs": {"text": text, "user": "amir", "role": "keeper"},
            "outputs": {"action": action, "execution_class": cls, "slots": slots, "acceptable": []},
            "metadata": {"split": "dev"},
        }
        for text, action, cls, slots in REQUESTS
    ]
    path = tmp_path / "vessel_requests.jsonl"
    path.write_text("\n".join(map(json.dumps, [head, *rows])), "utf-8")

    ended = CliRunner().invoke(cli, ["evals", "run", str(path), "--pack", str(pack)])

    named = set(re.findall(r"vessel_requests: (\w+) is", ended.stderr))
    assert named >= {"cases", *failed}, ended.output  # five of sixty
    assert len(named) == 1 or failed
