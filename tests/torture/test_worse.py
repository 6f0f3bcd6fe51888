"""Code and policy made worse, whole datasets: a gate names each. Minutes: all is learnt anew."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

pytestmark = pytest.mark.torture
ROOT = Path(__file__).parents[2]
CODE = ("api", "evals", "graph", "nodes", "packs", "state", "tools")


def lowered(tree: Path) -> None:
    policy = tree / "policy.toml"
    now = "gaming = 0.45, home = 0.50, work = 0.60, default = 0.50"
    lower = "gaming = 0.35, home = 0.40, work = 0.50, default = 0.40"
    changed(policy, now, lower)


def looked_at(tree: Path) -> None:
    changed(tree / "tools" / "routing" / "families.py", "\nupdate: ", "\nshow: ")


def harmless(tree: Path) -> None:
    changed(tree / "packs" / "vessel" / "actions.yaml", "effect: destructive", "effect: write")


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("dataset", "worse", "named"),
    [
        ("speak_or_not", lowered, "speak_or_not: false_alarms_per_100 is"),
        ("vessel_phrasings", looked_at, "vessel_phrasings: gate_recall is"),
        ("vessel_phrasings", harmless, "vessel_phrasings: gate_recall is"),
    ],
)
def test_a_gate_names_what_was_made_worse(
    dataset: str, worse: Callable[[Path], None], named: str, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    for folder in CODE:
        copytree(ROOT / folder, tree / folder, ignore=ignore_patterns("__pycache__"))
    (tree / "policy.toml").write_bytes((ROOT / "policy.toml").read_bytes())
    worse(tree)

    ran = subprocess.run(
        [sys.executable, "-m", "graph.cli", "evals", "run", dataset],
        cwd=tree,
        env={
            **os.environ,
            "PYTHONPATH": str(tree),
            "EXECUTIVE_CACHE_DIR": str(tmp_path / "learnt"),
            "EXECUTIVE_POLICY_FILE": str(tree / "policy.toml"),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1, ran.stderr[-2000:]
    assert named in ran.stderr
    print(ran.stderr)
