"""A revision of git answers cases beside the code that stands here; two processes, 5 s each."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.runner.report import git, revision
from tests.evals.conftest import HEADER
from tests.graph.harbour import HARBOUR

pytestmark = pytest.mark.torture


@pytest.mark.skipif(revision() == "unknown", reason="no git repository")
def test_a_revision_answers_the_same_cases_as_a_strategy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")
    dataset = tmp_path / "harbour_asks.jsonl"
    asked = {
        "id": "ask",
        "inputs": {"text": "show lock LK-12", "user": "amir", "role": "keeper"},
        "outputs": {"action": "show_lock", "execution_class": "A", "acceptable": []},
        "metadata": {},
    }
    header = {**HEADER, "dataset": "harbour_asks"}
    dataset.write_text("\n".join(map(json.dumps, (header, asked))), "utf-8")
    call = ["evals", "compare", "HEAD", "heuristic_first", "--on", str(dataset), "--json"]

    ended = CliRunner().invoke(cli, [*call, "--pack", str(HARBOUR)])

    found = json.loads(ended.stdout)
    assert found["before"].startswith("HEAD")
    first = found["pairs"][0]
    assert (first["measure"], first["before"], first["after"]) == ("action_accuracy", 1.0, 1.0)
    assert (found["unpaired"], found["flips"]) == (0, [])
    assert "prefrontal-revision-" not in git("worktree", "list")
