"""Code and policy made worse, whole datasets: a gate names each. Minutes: packs are learnt anew."""

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
Worse = Callable[[Path], None]

POLICY: tuple[tuple[str, str, str, str], ...] = (
    ("gaming = 0.45, home = 0.50, work = 0.60, default = 0.50",
     "gaming = 0.35, home = 0.40, work = 0.50, default = 0.40",
     "speak_or_not", "false_alarms_per_100"),
    ("\ndull_below = 0.12", "\ndull_below = 0.25", "speak_or_not", "reason_agreement"),
    ("\nquiet_rise = 0.35", "\nquiet_rise = 0.05", "speak_or_not", "false_alarms_per_100"),
    ("\nbatch_members = 8", "\nbatch_members = 80", "timing", "told_in_time"),
    ("\nbatch_windows = 3.0", "\nbatch_windows = 30.0", "timing", "told_in_time"),
    ("\nhourly = 2.0", "\nhourly = 20.0", "promises", "promise_kept"),
    ("\nmoved_at_most = 0.5", "\nmoved_at_most = 1.0", "promises", "promise_kept"),
    ("\nmemory_days = 400", "\nmemory_days = 1", "promises", "promise_kept"),
    ("\ndecisions_days = 400", "\ndecisions_days = 1", "promises", "promise_kept"),
    ("\npeople_days = 400", "\npeople_days = 1", "promises", "promise_kept"),
    ("\nfuture_days = 1.0", "\nfuture_days = 3650.0", "promises", "promise_kept"),
    ("\npeople = 2", "\npeople = 1", "rated_strategies", "path_accuracy"),
    ("bad = 1.5, undone = 1.0", "bad = 0.1, undone = 0.0", "rated_strategies", "path_accuracy"),
    ("detection_threshold = 0.70", "detection_threshold = 0.55", "journal", "precision"),
)  # fmt: skip
"""What stands in policy.toml, what is put there, and which gate of which dataset names it."""


def looked_at(tree: Path) -> None:
    changed(tree / "tools" / "routing" / "families.py", "\nupdate: ", "\nshow: ")


def harmless(tree: Path) -> None:
    changed(tree / "packs" / "vessel" / "actions.yaml", "effect: destructive", "effect: write")


def always_new(tree: Path) -> None:
    """Take whatever is delivered again for another event."""
    new = "timed = [event.model_copy(update={'event_id': uuid4().hex}).at("
    changed(tree / "graph" / "runner.py", "timed = [event.at(", new)
    changed(
        tree / "graph" / "runner.py",
        "\nimport asyncio\n",
        "\nimport asyncio\nfrom uuid import uuid4\n",
    )


def never_late(tree: Path) -> None:
    """Let a yes after the deadline count."""
    over = "return bool(connection.execute(query).scalar())"
    changed(tree / "tools" / "ledger" / "deciding.py", over, "return False")
    claimed = "ledger_action.c.expires_at > self.database.now(),"
    changed(tree / "tools" / "ledger" / "claiming.py", claimed, "ledger_action.c.expires_at > 0,")


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep what packs teach, for all that leave packs and routing alone."""
    return tmp_path_factory.mktemp("learnt")


@pytest.mark.parametrize(("old", "new", "dataset", "named"), POLICY)
def test_a_gate_names_a_worse_policy(old, new, dataset, named, learnt: Path, tmp_path: Path):
    policy = tmp_path / "policy.toml"
    policy.write_bytes((ROOT / "policy.toml").read_bytes())
    changed(policy, old, new)

    assert f"{dataset}: {named} is" in complaints(ROOT, dataset, policy, learnt)


@pytest.mark.parametrize(
    ("dataset", "worse", "named"),
    [
        ("vessel_phrasings", looked_at, "gate_recall"),
        ("vessel_phrasings", harmless, "gate_recall"),
        ("speak_or_not", always_new, "told_twice"),
        ("vessel_gate", never_late, "ran_without_yes"),
    ],
)
def test_a_gate_names_worse_code(dataset: str, worse: Worse, named: str, tmp_path: Path):
    tree = tmp_path / "tree"
    for folder in CODE:
        copytree(ROOT / folder, tree / folder, ignore=ignore_patterns("__pycache__"))
    worse(tree)

    said = complaints(tree, dataset, ROOT / "policy.toml", tmp_path / "learnt")

    assert f"{dataset}: {named} is" in said


def complaints(tree: Path, dataset: str, policy: Path, learnt: Path) -> str:
    """Run a dataset by a tree's code, which has to fail; return what it complains of."""
    what = ["journal"] if dataset == "journal" else ["run", dataset]
    ran = subprocess.run(
        [sys.executable, "-m", "api.cli", "evals", *what],
        cwd=tree,
        env={
            **os.environ,
            "PYTHONPATH": str(tree),
            "EXECUTIVE_CACHE_DIR": str(learnt),
            "EXECUTIVE_POLICY_FILE": str(policy),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    print(ran.stderr)
    assert ran.returncode == 1, ran.stderr[-2000:]
    return ran.stderr
