"""docs/reference/threats.md names tests that exist, and one for every row."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from graph.settings import ROOT

PAGE = (ROOT / "docs" / "reference" / "threats.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
ROWS = [line for line in PAGE.splitlines() if re.match(r"\| (?!---|threat |fault )", line)]


@cache
def named_in(file: Path) -> set[str]:
    """List the tests of a module: functions, classes, and what is given a test's name."""
    found = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in found if name.lower().startswith("test")}


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_named_test_is_there(file: str, name: str) -> None:
    assert name in named_in(ROOT / file)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row).split("|")[1].strip()[:40])
def test_every_row_says_what_holds_and_names_a_test_and_a_count(row: str) -> None:
    _left, threat, holds, tests, count, _right = row.split("|")
    assert all(each.strip() for each in (threat, holds, count))
    assert re.search(r"`tests/[\w/]+\.py::\w+`", tests)


def test_no_row_of_the_tables_is_missing() -> None:
    assert len(ROWS) == 47 + 19


def test_a_test_that_is_not_there_would_be_found() -> None:
    assert "test_that_is_not_there" not in named_in(Path(__file__))
    assert "test_a_test_that_is_not_there_would_be_found" in named_in(Path(__file__))


def test_the_page_of_the_gate_links_to_it() -> None:
    gate = (ROOT / "docs" / "explanation" / "gate.md").read_text("utf-8")
    assert "(../reference/threats.md)" in gate
