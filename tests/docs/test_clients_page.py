"""Run each block of the how-to pages about the API and agents' calls as it is written."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr
from typer.testing import CliRunner

from api.cli import cli
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.openai_server import OpenAIServer, Rule
from tests.threaded import Running, running

PAGE = (ROOT / "docs" / "how-to" / "call-the-api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(sh|python)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
[*SHELL, CONSOLE] = [block for kind, block in BLOCKS if kind == "sh"]
SNIPPET, AGENT = [block for kind, block in BLOCKS if kind == "python"]
CALLING = [
    block
    for page in ("propose-calls.md", "permit-mode.md", "allow-repeated-calls.md")
    for block in re.findall(
        r"^```sh\n(.*?)^```$",
        (ROOT / "docs" / "how-to" / page).read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
]
[KEYS, *CALLING] = CALLING
[GRANTS] = [block for block in CALLING if "prefrontal grants" in block]
CALLING.remove(GRANTS)
BEN = Principal(user="ben", tenant_id="default", roles=("engineer",))
MARTA = Principal(user="marta", tenant_id="default", roles=("chief_engineer",))
BOT = Principal(user="bot", tenant_id="default", roles=("engineer",), kind="service")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def service(data: Path) -> Iterator[Running]:
    settings = Settings(data_dir=data, packs=("vessel",))
    with running(open_executive(settings), BEN, MARTA, BOT) as one:
        yield one


@pytest.fixture
def given(service: Running) -> dict[str, Any]:
    return {"URL": service.url, **dict(zip(("KEY", "CHIEF", "AGENT"), service.keys, strict=True))}


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="no curl, no jq")
@pytest.mark.parametrize("block", [*SHELL, *CALLING], ids=lambda block: block.split("\n")[0][:40])
def test_a_recipe_works_as_it_is_written(given: dict[str, Any], block: str) -> None:
    shell(block, given)


def shell(block: str, given: dict[str, str]) -> None:
    answer = subprocess.run(
        ["bash", "-eu", "-c", block],
        env=os.environ | given,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, f"{block}\n{answer.stdout}\n{answer.stderr}"
    assert answer.stdout.strip()


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="no curl, no jq")
def test_the_keys_of_the_page_list_grant_and_revoke(service: Running, data: Path) -> None:
    made = KEYS.replace("http://127.0.0.1:8765", service.url)
    body = '{"action": "close_work_order", "arguments": {"work_order": "WO-1060"}}'
    asking = f"""
ASKED=$(curl -sf "$URL/v1/proposals" -H "Authorization: Bearer $AGENT" \\
  -H "Content-Type: application/json" -d '{body}')
APPROVAL=$(echo "$ASKED" | jq -r .approval.id) DIGEST=$(echo "$ASKED" | jq -r .approval.digest)
"""
    named = GRANTS.replace(
        "prefrontal grants revoke",
        "GRANT=$(prefrontal grants list | cut -c1-36)\nprefrontal grants revoke",
    )
    shell(made + CALLING[0] + asking + named, {"EXECUTIVE_DATA_DIR": str(data)})


def test_the_command_line_works_as_it_is_written(given: dict[str, Any]) -> None:
    [exported, *lines] = [Template(line).substitute(given) for line in CONSOLE.splitlines()]
    key = {"PREFRONTAL_KEY": shlex.split(exported)[1].partition("=")[2]}
    for line in lines:  # in this process: to start one takes seconds
        told = CliRunner().invoke(cli, shlex.split(line)[1:], env=key)
        assert told.exit_code == 0, told.output
    assert len(lines) == 2


def test_the_python_works_as_it_is_written(given: dict[str, Any]) -> None:
    exec(SNIPPET, given)
    assert given["done"].state == "succeeded"


def test_the_agent_has_the_gate_in_front_of_it(given: dict[str, Any]) -> None:
    def once(asked: Any) -> list[dict[str, Any]]:
        done = any(message["role"] == "tool" for message in asked.body["messages"])
        wanted = json.dumps({"request": "close WO-1029, it is done"})
        function = {"name": "on_board", "arguments": wanted}
        return [] if done else [{"id": "call-1", "type": "function", "function": function}]

    with OpenAIServer(Rule(calls=once, says="It waits for the chief engineer.")) as server:
        model = ChatOpenAI(
            base_url=server.base_url, api_key=SecretStr("none"), model="any", max_retries=0
        )
        here: dict[str, Any] = given | {"MODEL": model}
        exec(AGENT, here)
        told = here["agent"].invoke({"messages": [("user", "Close WO-1029 at once!")]})
    answers = [message.content for message in told["messages"] if message.type == "tool"]
    assert len(answers) == 1
    waiting = [one for one in here["service"].approvals() if one.requester == "ben"]
    assert [one.arguments["work_order"] for one in waiting] == ["WO-1029"]
    here["service"].close()
