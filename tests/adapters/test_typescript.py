"""The TypeScript client and its AI SDK tools, by their own tests on a real service."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.adapters.conftest import ROOT, started

PACKAGE = ROOT / "sdk" / "typescript"


@pytest.fixture
def npm() -> str:
    """Return npm, where a node that can run the package and the package's tools are there."""
    node, found = shutil.which("node"), shutil.which("npm")
    if not node or not found:
        pytest.skip("node is not there: install Node.js 20 or newer")
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.findall(r"\d+", said)[0]) < 20:
        pytest.skip(f"node is {said.strip()}: the package needs 20 or newer")
    if not (PACKAGE / "node_modules" / "typescript").is_dir():
        pytest.skip("its packages are not there: run `make test-typescript`")
    return found


@pytest.mark.parametrize(
    ("script", "packs", "at_least"),
    [("test", (), 21), ("test:page", ("vessel",), 3)],
    ids=["package", "page"],
)
def test_the_package_passes_its_own_tests(
    npm: str, tmp_path: Path, script: str, packs: tuple[str, ...], at_least: int
):
    with started(tmp_path, *packs) as service:
        keys = {f"PREFRONTAL_{name.upper()}": key for name, key in service.keys.items()}
        of_agent = {"PREFRONTAL_URL": service.url, "PREFRONTAL_KEY": service.keys["agent"]}
        done = subprocess.run(
            [npm, "run", script, "--silent"],
            cwd=PACKAGE,
            check=False,
            env={**os.environ, **keys, **of_agent},
            capture_output=True,
            text=True,
            timeout=600,
        )
    told = f"{done.stdout[-20_000:]}{done.stderr[-4_000:]}"
    assert done.returncode == 0, told
    assert int(re.findall(r"# pass (\d+)", done.stdout)[0]) >= at_least, told
