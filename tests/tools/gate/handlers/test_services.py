"""A handler is given the services it takes behind its context, and no others."""

from pathlib import Path

import pytest

from state.action import Action, ActionResult, HandlerContext
from state.errors import NeverCalled, PackFaults
from tests.tools.gate.handlers.service import CONTEXT
from tools.adapters.papers.paper_search import PaperSearch
from tools.catalog.pack import load_pack
from tools.gate.handlers.dispatch import call_handler
from tools.gate.handlers.python_handlers import MAX_OWN_TEXT, as_result
from tools.gate.handlers.remote_handlers import ExternalServices

ENTRY = """
actions:
  seek:
    summary: "Seek {topic}"
    verb: query
    object: paper
    slots: {topic: {type: text, required: true}}
    effect: read
    handler: "handlers:seek"
"""


def _pack(folder: Path, handler: str, entry: str = ENTRY) -> Path:
    pack = folder / "library"
    pack.mkdir()
    (pack / "actions.yaml").write_text(entry, encoding="utf-8")
    (pack / "handlers.py").write_text(handler, encoding="utf-8")
    return pack


async def test_papers_are_given_to_a_handler_that_takes_them(tmp_path: Path):
    pack = load_pack(
        _pack(
            tmp_path,
            "async def seek(context, papers, *, topic):\n"
            "    return f'{topic} {type(papers).__name__} {papers.same_title}'\n",
        )
    )
    elsewhere = ExternalServices(papers=PaperSearch(same_title=0.5))
    result = await call_handler(pack, pack.actions["seek"], CONTEXT, {"topic": "ice"}, elsewhere)
    assert result.text == "ice PaperSearch 0.5"


async def test_what_is_no_service_is_refused_before_the_handler_begins(tmp_path: Path):
    pack = load_pack(_pack(tmp_path, "def seek(context, *, topic):\n    return topic\n"))
    (pack.folder / "handlers.py").write_text("def seek(context, ledger, *, topic):\n    return 1\n")
    with pytest.raises(NeverCalled, match="given no ledger"):
        await call_handler(
            pack, pack.actions["seek"], CONTEXT, {"topic": "ice"}, ExternalServices()
        )


@pytest.mark.parametrize(
    ("handler", "problem"),
    [
        ("def seek(context, papers, *, topic): ...", "only an async handler"),
        ("async def seek(context, ledger, *, topic): ...", "the context alone before the"),
        ("async def seek(papers, context, *, topic): ...", "move context behind it"),
    ],
)
def test_the_check_of_a_pack_names_what_a_handler_cannot_take(tmp_path: Path, handler, problem):
    with pytest.raises(PackFaults, match=problem):
        load_pack(_pack(tmp_path, f"{handler}\n"))


def test_a_preview_is_given_no_service(tmp_path: Path):
    entry = ENTRY + '    preview: "handlers:look"\n'
    handler = (
        "async def seek(context, papers, *, topic): ...\n"
        "async def look(context, papers, *, topic): ...\n"
    )
    with pytest.raises(PackFaults, match=r"preview.*papers"):
        load_pack(_pack(tmp_path, handler, entry))


def test_the_context_itself_is_no_door_to_a_service():
    assert set(HandlerContext.model_fields) & {"papers", "elsewhere", "egress"} == set()
    assert "papers" not in Action.model_fields


@pytest.mark.parametrize(
    "handlers",
    [
        "def seek(context: Kontext, *, topic):\n    return topic\n",
        "import nothere\ndef seek(context, *, topic):\n    return topic\n",
        "raise SystemExit(1)\n",
        "def other(context, *, topic):\n    return topic\n",
        "def seek(context, *, subject):\n    return subject\n",
        "def seek(:\n",
    ],
)
async def test_what_could_not_be_called_did_nothing(tmp_path: Path, handlers: str):
    pack = load_pack(_pack(tmp_path, "def seek(context, *, topic):\n    return topic\n"))
    (pack.folder / "handlers.py").write_text(handlers, encoding="utf-8")
    with pytest.raises(NeverCalled, match="so nothing was done"):
        await call_handler(
            pack, pack.actions["seek"], CONTEXT, {"topic": "ice"}, ExternalServices()
        )


# What a pack's function says has an end, and says that it was cut.

LINES = "\n".join(f"{number}. a paper on bees" for number in range(1, 5_001))
RUN_ON = "bees " * 20_000
ONE_LINE_FIRST = "A heading\n" + RUN_ON


@pytest.mark.parametrize("text", [LINES, RUN_ON, ONE_LINE_FIRST])
@pytest.mark.parametrize("is_bare", [True, False])
def test_a_long_text_is_cut_and_says_so(text: str, *, is_bare: bool):
    result = as_result("handlers:do", text if is_bare else ActionResult(text=text, changed=("x",)))

    *kept, told = result.text.split("\n")
    assert MAX_OWN_TEXT // 2 < len(result.text) <= MAX_OWN_TEXT
    assert told == f"… (truncated: {len(text):,} characters in all; ask for less)"
    assert text.startswith("\n".join(kept))
    assert result.changed == (() if is_bare else ("x",))


def test_a_list_is_cut_between_two_lines():
    *kept, _told = as_result("handlers:do", LINES).text.split("\n")
    assert kept == LINES.split("\n")[: len(kept)]


@pytest.mark.parametrize("text", ["Done.", "b" * MAX_OWN_TEXT])
def test_a_text_that_fits_stays_as_it_is(text: str):
    assert as_result("handlers:do", ActionResult(text=text)).text == text
