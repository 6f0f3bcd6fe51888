"""Who may import whom, and that the contracts really catch who does not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, SDK, product

pytestmark = pytest.mark.xdist_group("source")

STATE_MAY_IMPORT = {"pydantic", "pydantic_core", "prefrontal", "state", "typing_extensions"}
SDK_MAY_IMPORT = {"httpx", "httpx_sse", "prefrontal", "pydantic", "pydantic_core"}


def test_the_import_contracts_hold():
    answer = _lint(ROOT)
    assert answer.returncode == 0, answer.stdout


ADAPTERS = "sdk/prefrontal/adapters/"
HOOK = f"{ADAPTERS}claude_code.py"
"""A command that Claude Code starts; its environment is all that it is told."""
EXTRAS = {
    f"{ADAPTERS}langchain.py": {"langchain", "langgraph"},
    f"{ADAPTERS}langgraph.py": {"langchain_core", "langgraph"},
    f"{ADAPTERS}openai_agents.py": {"agents"},
    f"{ADAPTERS}pydantic_ai.py": {"pydantic_ai"},
    f"{ADAPTERS}google_adk.py": {"google"},
}
"""What an adapter imports beside: its framework, an extra of the distribution."""


def test_state_stands_on_pydantic_and_the_standard_library():
    allowed = STATE_MAY_IMPORT | sys.stdlib_module_names
    assert [
        f"{source.name} imports {module}"
        for source in product()
        if source.name.startswith("state/")
        for module in sorted(source.imports)
        if module.split(".")[0] not in allowed
    ] == []


def test_the_sdk_stands_on_what_it_is_installed_with():
    allowed = SDK_MAY_IMPORT | sys.stdlib_module_names
    assert [
        f"{source.name} imports {module}"
        for source in product()
        if source.name.startswith(SDK)
        for module in sorted(source.imports)
        if module.split(".")[0] not in allowed | EXTRAS.get(source.name, set())
    ] == []


def test_only_graph_and_the_command_line_look_at_the_environment():
    assert [
        source.name
        for source in product()
        if source.imports & {"os.environ", "os.getenv", "dotenv.load_dotenv"}
        or "os.environ" in source.text
        or "os.getenv" in source.text
        if not source.name.startswith(("graph/", "api/cli/", "evals/", HOOK))
    ] == []


def test_what_takes_long_to_import_is_imported_when_it_is_used():
    late = "{'openai', 'onnxruntime', 'onnx', 'tokenizers', 'chromadb', 'torch', 'sklearn'}"
    script = (
        "import sys, atexit, graph.wiring.composition, api.cli;"
        "sys.argv = ['prefrontal', '--help'];"
        f"atexit.register(lambda: print({late} & set(sys.modules))); api.cli.main()"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.stdout.splitlines()[-1] == "set()", answer.stderr


@pytest.mark.parametrize(
    ("importer", "imported", "contract"),
    [
        ("state/noun.py", "tools.platform.clock", "prefrontal <- state <- tools"),
        ("tools/platform/clock.py", "nodes.act", "prefrontal <- state <- tools"),
        ("tools/storage/database.py", "tools.gate", "The packages of tools"),
        ("tools/nlu/taint.py", "tools.dialogue", "The packages of tools"),
        ("nodes/act.py", "graph.flow", "prefrontal <- state <- tools"),
        ("graph/flow.py", "api.app", "prefrontal <- state <- tools"),
        ("api/app.py", "evals.replay", "prefrontal <- state <- tools"),
        ("evals/replay.py", "api.app", "Evals use the product"),
        ("packs/vessel/handlers.py", "graph.flow", "A pack imports prefrontal only"),
        ("prefrontal/client.py", "state.noun", "prefrontal <- state"),
        ("graph/flow.py", "packs.vessel.handlers", "Nothing imports a pack by name"),
        ("nodes/act.py", "nodes.deliver", "A node never imports a node"),
        ("api/app.py", "pydantic_settings", "graph alone reads settings"),
        ("graph/flow.py", "tools.access.api_keys", "access is entered by its root"),
        ("nodes/act.py", "tools.gate.handlers.dispatch", "gate is entered by its root"),
        ("api/http.py", "api.console", "No two rooms of a package need each other"),
    ],
)
def test_a_forbidden_import_is_caught(tmp_path: Path, importer: str, imported: str, contract: str):
    _small_tree(tmp_path)
    (tmp_path / importer).write_text(f"import {imported}\n", encoding="utf-8")
    answer = _lint(tmp_path)
    broken = [line for line in answer.stdout.splitlines() if line.endswith("BROKEN")]
    assert answer.returncode == 1
    assert any(line.startswith(contract) for line in broken), answer.stdout


def test_the_tree_of_the_test_above_is_clean_before(tmp_path: Path):
    _small_tree(tmp_path)
    answer = _lint(tmp_path)
    assert answer.returncode == 0, answer.stdout


def _small_tree(root: Path) -> None:
    contracts = (ROOT / "pyproject.toml").read_text("utf-8")
    # What is still open of the real packages is not in this tree.
    contracts = re.sub(r"(?ms)^ignore_imports = \[\n.*?^\]", "", contracts)
    (root / "pyproject.toml").write_text(contracts, encoding="utf-8")
    rooms = {path.parent.name for path in (ROOT / "tools").glob("*/__init__.py")}
    packages = (
        "prefrontal",
        *PACKAGES,
        "packs/vessel",
        *(f"tools/{room}" for room in sorted(rooms)),
    )
    for package in (*packages, "tools/gate/handlers"):
        (root / package).mkdir()
        (root / package / "__init__.py").touch()
    for module in (
        "prefrontal/client",
        "state/noun",
        "tools/platform/clock",
        "nodes/act",
        "nodes/deliver",
        "graph/flow",
        "tools/access/api_keys",
        "tools/gate/handlers/dispatch",
        "tools/nlu/taint",
        "tools/storage/database",
    ):
        (root / f"{module}.py").touch()
    resources = ("console", "http", "resources", "schemas")
    for module in (*(f"api/{room}" for room in resources), "api/app", "evals/replay"):
        (root / f"{module}.py").touch()
    (root / "api/console.py").write_text("import api.http\n", encoding="utf-8")
    for module in ("packs/vessel/handlers", "api/cli"):
        (root / f"{module}.py").touch()


def _lint(root: Path) -> subprocess.CompletedProcess[str]:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-P", "-c", command, "--no-cache", "--no-logo"],
        cwd=root,
        env={"PYTHONPATH": str(root), "PATH": "", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
