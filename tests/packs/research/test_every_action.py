"""Every action of the pack does what it says, once for one key, and is taken back by its undo."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import packs.research
from packs.research import handlers, previews
from packs.research.store import FILE, reading
from state.action import ActionResult, HandlerContext
from state.errors import BadInput, Conflict, NotFound
from state.memory import Learnt, Listed, PackMemory
from tests.packs.research.calls import CALLS, NOTED, REMOVED, SHARED, TAGGED, Call, call
from tests.stages import NOW
from tests.written import entries_of

FOLDER = Path(packs.research.__file__).parent
CATALOGUE: Mapping[str, Mapping[str, Any]] = entries_of(FOLDER / "actions.yaml")
SEARCHES = {
    "search_papers",
    "batch_search_papers",
    "find_similar_papers",
    "find_citing_papers",
    "find_references",
    "next_results",
    "previous_results",
}
MEMORY = PackMemory(
    stage="finding_papers",
    facts={
        "research_question": Learnt(
            value="does attention replace recurrence?", source="said", at=0.0, decision_id="d"
        )
    },
    listed={"paper": Listed(values=("P-1", "P-2"), at=0.0)},
)


WRITES = [one for one in CALLS if CATALOGUE[one.action]["effect"] != "read"]
KEPT_BY_US = {"set_research_question", "set_research_topic"}
"""What the conversation's memory keeps and the pack's store does not."""


@pytest.fixture
def context(data_dir: Path) -> HandlerContext:
    return HandlerContext(
        action_id="a",
        idempotency_key="a",
        tenant_id="default",
        user="elif",
        roles=("owner",),
        now=NOW,
        data_dir=str(data_dir),
        session_id="reading",
        memory=MEMORY,
    )


def anew(context: HandlerContext) -> HandlerContext:
    return context.model_copy(update={"idempotency_key": uuid4().hex})


def do(context: HandlerContext, wanted: Call) -> ActionResult:
    for earlier in wanted.after:
        do(context, earlier)
    result: ActionResult = getattr(handlers, wanted.action)(anew(context), **wanted.arguments)
    return result


def contents(context: HandlerContext) -> dict[str, list[tuple[Any, ...]]]:
    """Read every table but the list of effects."""
    with reading(context.data_dir):  # made when it is not there yet
        pass
    with closing(sqlite3.connect(Path(context.data_dir) / FILE)) as store:
        tables = [
            row[0]
            for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if row[0] not in ("effect", "sqlite_sequence")
        ]
        return {name: sorted(store.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}


def named(one: Call) -> str:
    return one.action


def test_every_action_is_called_here_or_in_a_conversation():
    assert {one.action for one in CALLS} | SEARCHES == set(CATALOGUE)
    assert len(CATALOGUE) >= 30


@pytest.mark.parametrize("wanted", CALLS, ids=named)
def test_it_answers_and_only_a_write_changes_the_store(context: HandlerContext, wanted: Call):
    for earlier in wanted.after:
        do(context, earlier)
    before = contents(context)
    result = do(context, Call(wanted.action, wanted.arguments))
    changes = CATALOGUE[wanted.action]["effect"] != "read"
    assert result.text
    assert (contents(context) != before) == (changes and wanted.action not in KEPT_BY_US)
    assert bool(result.changed) == changes


@pytest.mark.parametrize("wanted", WRITES, ids=named)
def test_a_second_call_with_its_key_does_nothing_and_tells_the_same(
    context: HandlerContext, wanted: Call
):
    for earlier in wanted.after:
        do(context, earlier)
    key = anew(context)
    handler = getattr(handlers, wanted.action)
    first = handler(key, **wanted.arguments)
    then = contents(context)
    assert handler(key, **wanted.arguments) == first
    assert contents(context) == then
    assert handlers.was_done(key) == first
    assert handlers.was_done(anew(context)) is None


def test_a_key_stands_for_one_action(context: HandlerContext):
    key = anew(context)
    handlers.add_research_note(key, note="ask Elif")
    with pytest.raises(Conflict):
        handlers.delete_note(key, note="N-1")


@pytest.mark.parametrize("wanted", WRITES, ids=named)
def test_its_preview_shows_what_it_will_change_and_changes_nothing(context: HandlerContext, wanted):
    for earlier in wanted.after:
        do(context, earlier)
    before = contents(context)
    asked = context.model_copy(update={"action_id": "preview", "memory": PackMemory()})
    preview = getattr(previews, wanted.action)(asked, **wanted.arguments)
    assert contents(context) == before
    assert not list(Path(context.data_dir).glob("exports/*")) or wanted.after
    assert preview.changes
    done = do(context, Call(wanted.action, wanted.arguments))
    if wanted.action not in KEPT_BY_US:  # the preview knows no memory
        assert len(done.changed) == len(preview.changes)


@pytest.mark.parametrize(
    "wanted", [one for one in WRITES if "undo" in CATALOGUE[one.action]], ids=named
)
def test_its_undo_takes_it_back(context: HandlerContext, wanted: Call):
    for earlier in wanted.after:
        do(context, earlier)
    before = contents(context)
    result = do(context, Call(wanted.action, wanted.arguments))
    assert result.undo is not None
    do(context, Call(CATALOGUE[wanted.action]["undo"], result.undo))
    after = contents(context)
    if wanted.action in ("remove_from_library", "clear_library"):  # bare, but there again
        assert [row[0] for row in after["library"]] == [row[0] for row in before["library"]]
    elif wanted.action == "add_research_note":  # kept, so that it can be restored
        assert [row[-1] for row in after["note"]] == [1]
    elif wanted.action in ("share_library", "stop_sharing_library"):
        assert seen(after) == seen(before)
    elif wanted.action == "name_channel" and not before["channel"]:
        assert [row[:2] for row in after["channel"]] == [("reading", "reading")]
    else:
        assert after == before


def seen(store: dict[str, list[tuple[Any, ...]]]) -> set[str]:
    return {row[1] for row in store["share"] if not row[-1]}


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (call("show_paper", paper="P-99"), NotFound),
        (call("show_notes", paper="P-99"), NotFound),
        (call("add_to_library", papers=["P-1"]), Conflict),
        (call("add_to_library", papers=["P-99"]), NotFound),
        (call("remove_from_library", REMOVED, papers=["P-2"]), Conflict),
        (call("tag_paper", TAGGED, paper="P-1", tags=["baseline"]), Conflict),
        (call("tag_paper", paper="P-1", tags=["  "]), BadInput),
        (call("untag_paper", paper="P-1", tags=["no such"]), NotFound),
        (call("set_reading_status", paper="P-1", status="read"), Conflict),
        (call("rate_paper", REMOVED, paper="P-2", rating=3), Conflict),
        (call("add_research_note", note="   "), BadInput),
        (call("edit_note", NOTED, note="N-1", text="small sample"), BadInput),
        (call("delete_note", note="N-7"), NotFound),
        (call("restore_note", NOTED, note="N-1"), Conflict),
        (call("compare_papers", papers=["P-1"]), BadInput),
        (call("show_citation", paper="P-1", style="vancouver"), BadInput),
        (call("export_bibliography", form="bibtex", tag="no such"), BadInput),
        (call("share_library", SHARED, recipients=["Priya Raman"]), Conflict),
        (call("stop_sharing_library", recipients=["Nobody"]), NotFound),
        (call("clear_library", call("clear_library")), Conflict),
        (call("set_research_question", question="?"), BadInput),
        (call("name_channel", name="  "), BadInput),
    ],
    ids=lambda value: value.action if isinstance(value, Call) else value.__name__,
)
def test_a_refusal_changes_nothing(context: HandlerContext, wanted: Call, error: type[Exception]):
    for earlier in wanted.after:
        do(context, earlier)
    before = contents(context)
    with pytest.raises(error):
        do(context, Call(wanted.action, wanted.arguments))
    assert contents(context) == before
