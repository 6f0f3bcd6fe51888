"""The page about alerts: its calls work as written, and its mapping file is one."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from pydantic import JsonValue

from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.docs.test_clients_page import shell
from tests.threaded import Running, running
from tools.ingest import IngestKinds, Received

PAGE = (ROOT / "docs" / "how-to" / "receive-alerts.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(sh|yaml)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CALLS = [block for kind, block in BLOCKS if kind == "sh" and "curl " in block]
[OWN] = [block for kind, block in BLOCKS if kind == "yaml" and block.startswith("takes:")]
HOOK = Principal(user="hook", tenant_id="default", kind="service", scopes=("read", "ask"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), packs=("companion",))
    with running(open_executive(settings), HOOK) as one:
        yield one


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="no curl, no jq")
@pytest.mark.parametrize("block", CALLS, ids=range(len(CALLS)))
def test_a_call_works_as_it_is_written(service: Running, block: str) -> None:
    shell(block, {"URL": service.url, "KEY": service.keys[0]})


def test_the_mapping_file_reads_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "elevator.yaml").write_text(OWN, encoding="utf-8")
    kinds = IngestKinds.open(tmp_path)
    at = "2026-02-07T14:32:00Z"
    body: dict[str, JsonValue] = {"elevator": "B", "what": "doorOpen", "floor": 3, "at": at}
    (stuck,) = kinds.events("elevator", Received(body | {"what": "stuck"}))
    (ended,) = kinds.events("elevator", Received(body | {"active": False}))
    assert stuck["text"] == "Elevator B: Stuck on floor 3"
    assert cast("dict[str, JsonValue]", stuck["payload"])["severity"] == "critical"
    assert ended["text"] == "Resolved: Elevator B: Door open on floor 3"


def test_the_table_names_every_kind() -> None:
    named = re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE)
    assert set(named) == set(IngestKinds().known)
