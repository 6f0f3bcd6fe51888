"""Links lead to files, drawings equal their source, and our own decisions are in our journal."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
import yaml
from typer.testing import CliRunner

from api.cli import cli
from graph.settings import ROOT
from state.approval import ActionState
from state.event import EventKind
from state.record import Outcome

AT_THE_ROOT = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))


@pytest.mark.parametrize("name", AT_THE_ROOT)
def test_a_link_of_a_page_at_the_root_leads_to_a_file(name: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text("utf-8"))
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_drawing_of_the_architecture_page_is_the_generated_one() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawn = (ROOT / "graph" / "diagram.mmd").read_text("utf-8")
    assert f"```mermaid\n{drawn.rstrip()}\n```" in page


def test_old_pages_are_gone_and_new_ones_are_in_the_nav() -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    pages = [
        page.relative_to(ROOT / "docs").as_posix()
        for page in (ROOT / "docs").rglob("*.md")
        if "history" not in page.parts
    ]
    assert [page for page in pages if page not in nav] == []


def test_issue_forms_and_workflows_are_yaml() -> None:
    files = [*(ROOT / ".github").rglob("*.yml"), ROOT / "deploy" / "compose.yaml"]
    assert len(files) > 3
    for file in files:
        assert yaml.safe_load(file.read_text("utf-8")), file


def test_our_decisions_are_imported_by_our_journal(tmp_path: Path) -> None:
    arguments = ["journal", "import", str(ROOT / "docs" / "decisions"), "--data-dir", str(tmp_path)]
    answer = CliRunner().invoke(cli, arguments)
    assert answer.exit_code == 0, answer.output
    assert f"{len(DECISIONS)} decisions added" in answer.output
    search = ["journal", "search", "why is the gate the only door?", "--data-dir", str(tmp_path)]
    found = CliRunner().invoke(cli, search)
    assert found.exit_code == 0, found.output
    assert "The gate is the only door to a handler" in found.output


def test_the_site_loads_nothing_from_another_host(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    answer = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    loads = re.compile(
        r"<(?:script|img|source|iframe)\b[^>]*?src(?:set)?=\"https?:|<link\b[^>]*?href=\"https?:"
    )
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 40
    assert [page.name for page in pages if loads.search(page.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Outcome of a decision", get_args(Outcome)),
        ("State of an action", get_args(ActionState)),
        ("Kind of an event", get_args(EventKind)),
    ],
)
def test_outcomes_and_states_are_those_of_the_types(heading: str, names: tuple[str, ...]) -> None:
    page = (ROOT / "docs" / "reference" / "outcomes.md").read_text("utf-8")
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == list(names)
