"""README's own action works as pasted: checked, asked for, approved, done."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli import cli
from graph.settings import ROOT
from tests.docs.conftest import FILE

README = (ROOT / "README.md").read_text("utf-8")
SECTION = README.partition("\n## Add an action\n")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"^```sh\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"approvals approve (\S+) (\S+) --as")


def test_the_action_of_the_readme_works_as_it_is_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learnt_once: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXECUTIVE_CACHE_DIR", str(learnt_once))
    (tmp_path / "pumps").mkdir()
    for name, content in FILE.findall(SECTION):
        (tmp_path / "pumps" / name).write_text(content, "utf-8")
    told: list[str] = []
    [block] = COMMANDS
    for line in block.splitlines():
        written = line.replace("/tmp/", f"{tmp_path}/kept-")
        [[action, digest]] = PRINTED.findall(told[-1]) if "ID DIGEST" in line else [["", ""]]
        words = [{"ID": action, "DIGEST": digest}.get(w, w) for w in shlex.split(written, True)]
        answer = CliRunner().invoke(cli, words[1:])
        assert answer.exit_code == 0, f"{line}\n{answer.output}"
        told.append(answer.output)
    checked, asked, approved = told
    assert "1 action, no faults" in checked
    assert "Approval required" in asked
    assert "The fire pump is running." in approved
    assert "succeeded" in approved
