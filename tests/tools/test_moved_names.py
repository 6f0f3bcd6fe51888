"""Import paths of earlier versions: each works and warns of the new one."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tools.catalog import load_pack
from tools.catalog.pack_code import import_faults
from tools.moved_names import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_is_the_new_one_and_warns_of_it(old: str) -> None:
    module, _, name = old.rpartition(".")
    home, _, new_name = MOVED[old].rpartition(".")
    namespace: dict[str, object] = {}
    with pytest.warns(DeprecationWarning, match=f"import {MOVED[old]}$") as warned:
        exec(f"from {module} import {name} as found", namespace)
    assert len(warned) == 1
    assert namespace["found"] is getattr(import_module(home), new_name)


def test_no_old_name_leads_to_a_pack_or_past_the_gate() -> None:
    open_to_packs = ("prefrontal.", "tools.nlu.")
    assert [new for new in MOVED.values() if not new.startswith(open_to_packs)] == []


def test_no_old_module_is_still_there_as_a_file() -> None:
    """A file would be found first, and the table would be of no use."""
    modules = {old.rpartition(".")[0] for old in MOVED}
    files = [Path(*module.split(".")) for module in modules]
    assert [str(file) for file in files if file.with_suffix(".py").exists()] == []


def test_what_never_was_there_is_not_found() -> None:
    with pytest.raises(ImportError, match="nothing_like_it"):
        exec("from tools.pack_store.store import nothing_like_it")
    with pytest.raises(ModuleNotFoundError):
        import_module("tools.pack_store.nothing_like_it")


HANDLERS = """
from state.action import ActionResult, HandlerContext
from tools.pack_store import effects
from tools.pack_store.store import PackStore, run_script
from tools.pack_store.work import Work
from tools.search.paper_search import PaperSearch

STORE = PackStore("old.sqlite", "the old one's", lambda connection: None)
EFFECTS: effects.Effects[Work] = effects.Effects(STORE, Work, effects.KeptResults())


@EFFECTS.reads
def look(work: Work) -> ActionResult:
    return ActionResult(text=work.context.user)


async def find(context: HandlerContext, papers: PaperSearch) -> ActionResult:
    return ActionResult(text="none")
"""
ACTIONS = """
actions:
  look: {summary: Look at it, verb: show, object: user, effect: read, handler: "handlers:look"}
  find: {summary: Find papers, verb: find, object: paper, effect: read, handler: "handlers:find"}
"""


@pytest.mark.filterwarnings("ignore:tools:DeprecationWarning")
def test_a_pack_written_by_the_pages_of_0_1_0_has_no_fault(tmp_path: Path) -> None:
    pack = tmp_path / "old"
    pack.mkdir()
    (pack / "actions.yaml").write_text(ACTIONS, encoding="utf-8")
    (pack / "handlers.py").write_text(HANDLERS, encoding="utf-8")
    assert [str(fault) for fault in import_faults(load_pack(pack))] == []


def test_the_warning_stands_at_the_line_that_imports(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("\n\nfrom tools.client.client import Client\n", encoding="utf-8")
    answer = subprocess.run(
        [sys.executable, "-W", "default", str(script)],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{script}:3: DeprecationWarning: tools.client.client.Client has moved" in answer.stderr
