"""The tutorials run as they are written, and their transcripts are what is printed."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli import cli
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.threaded import Running, running

TUTORIALS = ROOT / "docs" / "tutorials"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROLES = "admin bosun captain chef chief_engineer deckhand engineer first_officer steward".split()  # noqa: SIM905
OWNER = Principal(user="owner", tenant_id="default", roles=tuple(ROLES))
CHANGING = [
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "DIGEST"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "DAY"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "TIME"),
]


def lasting(text: str) -> set[str]:
    """Return the lines of an output without what differs from run to run."""
    for pattern, name in CHANGING:
        text = pattern.sub(name, text)
    return {line.strip() for line in text.splitlines() if line.strip()}


def printed(line: str, **filled: str) -> str:
    """Run one line of a page, with what the reader has to fill in, and return its output."""
    words = [filled.get(word, word) for word in shlex.split(line, comments=True)]
    answer = CliRunner().invoke(cli, words[1:])
    assert answer.exit_code == 0, f"{line}\n{answer.output}"
    return answer.output


def found(pattern: str, text: str) -> str:
    matches: list[str] = re.findall(pattern, text)
    return matches[0] if matches else ""


@pytest.fixture(scope="module")
def vessel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), packs=("vessel",))
    with running(open_executive(settings), OWNER) as one:
        yield one


def test_the_first_approval_is_as_written(
    vessel: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PREFRONTAL_URL", vessel.url)
    monkeypatch.setenv("PREFRONTAL_KEY", vessel.keys[0])
    page = (TUTORIALS / "first-approval.md").read_text("utf-8")
    (tmp_path / "events.jsonl").write_text("\n".join(re.findall(r"'(\{.*?\})'", page)), "utf-8")
    output, shown = "", page + (ROOT / "README.md").read_text("utf-8").partition("```sh")[0]
    for kind, block in BLOCK.findall(page):
        for line in block.splitlines() if kind == "sh" else ():
            if line.startswith("prefrontal "):
                output += printed(
                    line,
                    OFFER=found(r"offers choose (\S+)", output),
                    APPROVAL=found(r"approval: (\S+)", output),
                    DIGEST=found(r"digest: (\S+)", output),
                )
    there = lasting(output)
    written = [b for kind, b in BLOCK.findall(shown) if kind in {"text", "console"}]
    lines = [re.sub(r" +\(….*", "", line) for block in written for line in block.splitlines()]
    said = lasting("\n".join(line for line in lines if not line.startswith("$")))
    assert said - there == set()


def test_the_first_pack_is_as_written(
    toolshed: Path, monkeypatch: pytest.MonkeyPatch, learnt_once: Path
) -> None:
    monkeypatch.chdir(toolshed.parent)
    monkeypatch.setenv("EXECUTIVE_CACHE_DIR", str(learnt_once))
    page = (TUTORIALS / "your-first-pack.md").read_text("utf-8")
    output = ""
    for kind, block in BLOCK.findall(page):
        for line in block.splitlines() if kind == "sh" else ():
            if line.startswith("prefrontal "):
                output += printed(
                    line.replace("/tmp/", f"{toolshed.parent}/kept-"),
                    ID=found(r"approval: (\S+)", output),
                    DIGEST=found(r"digest: (\S+)", output),
                )
    assert "T-102, tile cutter: North, fit." in output
    assert "succeeded: T-102 is scrapped." in output
    assert "Restore tool T-102" in output.partition("is scrapped.")[2]


def test_the_quiet_evening_is_as_written() -> None:
    page = (TUTORIALS / "a-quiet-evening.md").read_text("utf-8")
    [command] = [block for kind, block in BLOCK.findall(page) if "prefrontal run" in block]
    written = max((block for kind, block in BLOCK.findall(page) if not kind), key=len)
    told = printed(command.strip().replace("packs/", f"{ROOT}/packs/", 1))
    assert [line.rstrip() for line in told.splitlines()] == [
        line.rstrip() for line in written.splitlines()
    ]
