"""The SDK alone: its wheel in an empty environment, beside nothing but what it asks for."""

import os
import re
import subprocess
import sys
import sysconfig
import textwrap
import venv
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from graph.settings import ROOT
from tests.threaded import Running

PAGE = (ROOT / "docs" / "how-to" / "install-the-client.md").read_text(encoding="utf-8")
[HANDLER] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as an installer does, by the backend that its pyproject.toml names."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-c", f"import uv_build; uv_build.build_wheel({str(folder)!r})"],
        cwd=ROOT / "sdk",
        env={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        check=True,
    )
    [built] = folder.glob("prefrontal-*.whl")
    return built


@pytest.fixture(scope="module")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a virtualenv that holds the wheel, what it requires, and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder, symlinks=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    [metadata] = site.glob("prefrontal-*.dist-info/METADATA")
    requires = re.findall(r"^Requires-Dist: (.+)$", metadata.read_text("utf-8"), re.MULTILINE)
    for name in _required(requires):
        ours = distribution(name)
        tops = {file.parts[0] for file in ours.files or () if file.parts[0] != ".."}
        for top in tops - {"__pycache__"}:
            (site / top).symlink_to(str(ours.locate_file(top)))
    return folder / "bin" / "python"


def _required(lines: list[str]) -> set[str]:
    found = set[str]()
    pending = [*lines]
    while pending:
        wanted = Requirement(pending.pop())
        name = canonicalize_name(wanted.name)
        if name in found or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        pending += distribution(name).requires or []
    return found


def _said_by(python: Path, script: str, *words: str, folder: Path) -> str:
    answer = subprocess.run(
        [python, "-P", "-W", "error", "-c", textwrap.dedent(script), *words],
        cwd=folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_a_wheel_holds_one_package_and_its_types(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"prefrontal"}
    assert "prefrontal/py.typed" in names
    there = {
        path.relative_to(ROOT / "sdk").as_posix()
        for path in (ROOT / "sdk").glob("prefrontal/**/*.py")
    }
    assert there <= set(names)


def test_every_module_is_imported_without_a_server(alone: Path, tmp_path: Path) -> None:
    script = """
        import importlib, importlib.util, pkgutil, prefrontal
        FRAMEWORKS = ("agents", "google", "langchain", "langchain_core", "pydantic_ai")
        for found in pkgutil.walk_packages(prefrontal.__path__, "prefrontal."):
            try:
                importlib.import_module(found.name)
            except ModuleNotFoundError as missing:  # of an extra
                assert found.name.startswith("prefrontal.adapters."), missing
                assert missing.name.split(".")[0] in FRAMEWORKS, missing
        for name in ("state", "tools", "graph", "tenacity", "yaml"):
            assert importlib.util.find_spec(name) is None, name
        import prefrontal.pack
        for name in prefrontal.pack.__all__:
            getattr(prefrontal.pack, name)
        for name in prefrontal.__all__:
            getattr(prefrontal, name)
        print(prefrontal.pack.ActionResult.__module__)
    """
    assert _said_by(alone, script, folder=tmp_path) == "prefrontal.types.action\n"


def test_its_client_calls_a_service(alone: Path, service: Running, tmp_path: Path) -> None:
    script = """
        import sys
        from prefrontal import Client, Refused
        url, captain, engineer = sys.argv[1:]
        with Client(url, engineer) as asks, Client(url, captain) as answers:
            asked = asks.say("open valve V-7", session_id="alone").approval
            print(answers.approve(asked).state)
            try:
                answers.reject(asked)
            except Refused as refused:
                print(refused.standing, refused.status)
    """
    said = _said_by(alone, script, service.url, *service.keys[:2], folder=tmp_path)
    assert said.split() == ["succeeded", "succeeded", "409"]


def test_a_packs_own_store_works_without_a_server(alone: Path, tmp_path: Path) -> None:
    script = """
        from datetime import UTC, datetime
        from prefrontal.pack import *

        def create(connection):
            connection.execute("CREATE TABLE pump (name, state)")
            connection.execute("CREATE TABLE effect (idempotency_key, action, result, at)")

        EFFECTS = Effects(PackStore("pumps.sqlite", "the pumps'", create), Work, KeptResults())

        @EFFECTS.changes
        def start(work, *, pump):
            work.connection.execute("INSERT INTO pump VALUES (?, 'on')", (pump,))
            work.change(pump, "state", "off", "on")
            return ActionResult(text=f"{pump} runs")

        context = HandlerContext(
            action_id="A", idempotency_key="A", tenant_id="t", user="u", roles=(),
            now=datetime.now(UTC), data_dir="data",
        )
        assert start(context, pump="bilge") == start(context, pump="bilge")
        with EFFECTS.store.reading("data") as connection:
            print(connection.execute("SELECT count(*) FROM pump").fetchone()[0])
        print(*start(context, pump="bilge").changed)
    """
    assert _said_by(alone, script, folder=tmp_path) == "1\nbilge: state off → on\n"


def test_a_handler_is_type_checked_and_tested_without_a_server(alone: Path, tmp_path: Path) -> None:
    handler = tmp_path / "test_handlers.py"
    handler.write_text(HANDLER, encoding="utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(HANDLER.replace("changed=(", "changed=len("), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(alone)]
    command += ["--config-file", os.devnull, "--cache-dir", str(tmp_path / "cache")]
    told = [
        subprocess.run([*command, file], cwd=tmp_path, capture_output=True, text=True, check=False)
        for file in (handler, wrong)
    ]
    assert told[0].returncode == 0, told[0].stdout
    assert 'Argument "changed" to "ActionResult" has incompatible type "int"' in told[1].stdout
    script = "import runpy; runpy.run_path('test_handlers.py')['test_it_says_what_changed']()"
    _said_by(alone, script, folder=tmp_path)
