"""docs/tutorials/gate-an-mcp-server.md runs as it is written, before a server of our own."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.settings import ROOT
from tests.mcp.gates import GateProcess, environment

PAGE = (ROOT / "docs" / "tutorials" / "gate-an-mcp-server.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CHANGING = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|\d{4}-\d\d-\d\d [\d:]+"
)
PORT = re.compile(r"127\.0\.0\.1:\d+")


def lasting(text: str) -> str:
    """Return a text without what differs from run to run, on one line."""
    return " ".join(PORT.sub("ADDRESS", CHANGING.sub("X", text)).split())


@pytest.fixture
def gate(tmp_path: Path, learnt_once: Path) -> Iterator[GateProcess]:
    """Start the gate of the page."""
    setting_up = next(block for _kind, block in BLOCKS if block.startswith("mkdir"))
    subprocess.run(["sh", "-eu", "-c", setting_up], cwd=tmp_path, check=True)
    written = next(block for _kind, block in BLOCKS if block.startswith("prefrontal gate"))
    folder = shlex.split(written)[-1]
    server = (sys.executable, str(ROOT / "tests" / "mcp" / "files.py"), folder)
    process = GateProcess(tmp_path, learnt_once, "--name", "filesystem", "--", *server)
    process.start()
    yield process
    process.kill()


def test_the_page_runs_as_it_is_written(gate: GateProcess, tmp_path: Path, learnt_once: Path):
    agent = tmp_path / "agent.py"
    agent.write_text(next(block for kind, block in BLOCKS if kind == "python"), "utf-8")
    address, key = gate.told(r"MCP: (\S+)"), gate.told(r"never approves\): (pf_\S+)")
    output = tmp_path / "agent.log"
    with output.open("w") as log:
        acting = subprocess.Popen([sys.executable, agent, address, key], stdout=log, text=True)
    until = time.monotonic() + 120
    while "write:" not in output.read_text("utf-8"):
        assert acting.poll() is None
        assert time.monotonic() < until
        time.sleep(0.1)
    assert not (tmp_path / "notes" / "plan.txt").exists()

    answering = next(block for _kind, block in BLOCKS if block.startswith("prefrontal approvals"))
    said = ""
    for line in answering.splitlines():
        found = {
            name.upper(): value for name, value in re.findall(r"(approval|digest): (\S+)", said)
        }
        listed = re.findall(r"^(\S+)  pending", said, re.MULTILINE)
        found.setdefault("APPROVAL", listed[0] if listed else "")
        words = [found.get(word, word) for word in shlex.split(line)]
        done = subprocess.run(
            [sys.executable, "-m", "api.cli", *words[1:]],
            cwd=tmp_path,
            env=environment(learnt_once),
            capture_output=True,
            text=True,
            check=True,
        )
        said += done.stdout
    assert acting.wait(60) == 0
    assert (tmp_path / "notes" / "plan.txt").read_text("utf-8") == "rope, then sails"

    printed = lasting(output.read_text("utf-8") + said)
    transcripts = [block for kind, block in BLOCKS if kind == "text"]
    for transcript in transcripts[1:]:
        for line in transcript.splitlines() if "approval:" in transcript else [transcript]:
            assert lasting(line) in printed
