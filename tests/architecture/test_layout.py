"""The drawn layout is the layout: which packages there are, how deep, how many files, how long."""

import re
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, SDK, Source, everything, product

pytestmark = pytest.mark.xdist_group("source")

# Who imports whom is import-linter's: tests/architecture/test_imports.py. `...`: free below.
LAYOUT = """
sdk/prefrontal
    adapters types
state
tools
    access adapters attention catalog dialogue gate ingest journal memory nlu notifications
    observability platform response storage
nodes
graph
    execution presenters replay services wiring
api
    cli console http mcp resources schemas
packs
    companion research vessel
evals
    ...
"""

FEWEST_LINES, MOST_LINES, MOST_TEST_LINES = 40, 480, 740
MOST_FILES = 754
"""The aim is 600: lower it with every file that goes, never raise it. A path of `state/` that
re-exports a file of `prefrontal.types` counts with that file."""
ADAPTERS = "sdk/prefrontal/adapters/"
"""A file an agent framework, counted apart: whoever uses one reads no other."""
SHORTER_OR_LONGER = {
    "sdk/prefrontal/types/": "a file for each of state/ that is shared with clients and packs",
    "state/": "each path is frozen: checkpoints name its types",
    "nodes/": "a stage a file, however little it does",
    "packs/": "a pack is anyone's, and its files are named by pack.yaml",
    "tools/storage/migrations/": "written by Alembic, a step a file",
    "tools/storage/tables/metadata.py": "every table imports it, it imports none",
    "api/cli/__main__.py": "Python asks for it",
    "evals/cli.py": "the group of commands that the command line looks up",
    "evals/options.py": "options that all commands of evals share",
    "graph/app.py": "langgraph.json names it",
    "graph/diagram.py": "run alone, by `make diagram`",
}


def _drawn() -> dict[str, set[str] | None]:
    """Read the drawing: the folders of each package, None where they are free."""
    found: dict[str, set[str] | None] = {}
    package = ""
    for line in LAYOUT.strip().splitlines():
        if not line.startswith(" "):
            package = line
            found[package] = set()
        elif line.strip() == "...":
            found[package] = None
        else:
            found[package] = (found[package] or set()) | set(line.split())
    return found


def _folders(of: Path) -> set[str]:
    return {folder.name for folder in of.iterdir() if any(folder.glob("*.py"))}


def test_the_packages_are_those_of_the_drawing():
    assert set(_drawn()) == {*PACKAGES, SDK}


@pytest.mark.parametrize(("package", "folders"), _drawn().items())
def test_a_package_has_the_folders_of_the_drawing(package: str, folders: set[str] | None):
    assert folders is None or _folders(ROOT / package) == folders


def test_no_folder_lies_deeper_than_two_below_a_package_of_tools():
    most = {"tools": 4}
    assert [
        source.name
        for source in product()
        for package, *inner in [source.name.split("/")[:-1]]
        if 1 + len(inner) > most.get(package, 3)
    ] == []


def _is_excepted(source: Source) -> bool:
    return source.name.startswith(tuple(SHORTER_OR_LONGER))


def test_a_file_is_as_long_as_an_idea():
    assert [
        f"{source.name}: {source.lines}"
        for source in product()
        if not source.name.endswith("__init__.py") and not _is_excepted(source)
        if not FEWEST_LINES <= source.lines <= MOST_LINES
    ] == []


def test_no_file_of_tests_is_longer_than_a_table_may_be():
    assert [
        f"{source.name}: {source.lines}"
        for source in everything()
        if source.name.startswith("tests/") and source.lines > MOST_TEST_LINES
    ] == []


@pytest.mark.parametrize("name", SHORTER_OR_LONGER)
def test_every_exception_is_needed(name: str):
    assert any(
        source.name.startswith(name) and not FEWEST_LINES <= source.lines <= MOST_LINES
        for source in product()
        if not source.name.endswith("__init__.py")
    )


def test_there_are_no_more_files_than_there_were():
    counted = [
        source
        for source in product()
        if "\nadopt(__name__)" not in source.text and not source.name.startswith(ADAPTERS)
    ]
    assert len(counted) <= MOST_FILES


def test_what_make_smoke_runs_is_there():
    named = re.findall(r"tests/\S+\.py", (ROOT / "Makefile").read_text("utf-8"))
    assert named
    assert [file for file in named if not (ROOT / file).is_file()] == []
