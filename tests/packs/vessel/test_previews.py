"""What a person is shown before he approves: what would change, and in which state it was seen."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from packs.vessel import previews
from packs.vessel.store import FILE, writing
from state.action import HandlerContext
from state.errors import AgentError, Conflict, NotFound
from state.preview import Preview
from tests.packs.vessel.asking import (
    CHANGING,
    CLOSED,
    GIVEN,
    ORDERED,
    Call,
    anew,
    call,
    do,
    named,
    prepare,
)

Contents = Callable[[], dict[str, list[tuple[object, ...]]]]

pytestmark = pytest.mark.usefixtures("made_store")


def preview(context: HandlerContext, wanted: Call) -> Preview:
    shown: Preview = getattr(previews, wanted.action)(anew(context), **wanted.arguments)
    return shown


@pytest.mark.parametrize("wanted", CHANGING, ids=named)
def test_a_preview_changes_nothing_and_names_what_the_action_then_changes(
    context: HandlerContext, contents: Contents, data_dir: Path, wanted: Call
) -> None:
    prepare(context, wanted)
    before = contents()

    shown = preview(context, wanted)

    assert contents() == before
    assert shown.changes
    do(context, Call(wanted.action, wanted.arguments))
    with closing(sqlite3.connect(data_dir / FILE)) as connection:
        rows = connection.execute(
            "SELECT count(*) FROM effect_row WHERE table_name <> 'document_text' AND effect ="
            " (SELECT idempotency_key FROM effect ORDER BY rowid DESC LIMIT 1)"
        ).fetchone()[0]
    assert rows >= len({change.target for change in shown.changes})


@pytest.mark.parametrize("wanted", CHANGING, ids=named)
def test_a_target_that_changes_has_another_version(
    context: HandlerContext, data_dir: Path, wanted: Call
) -> None:
    prepare(context, wanted)
    shown = preview(context, wanted)
    assert preview(context, wanted).versions == shown.versions
    tables = {"work order": "title", "part": "location", "task": "title", "document": "kind"}

    for target in shown.versions:
        word, _, key = next(
            target.partition(f"{w} ") for w in (*tables, "") if target.startswith(w)
        )
        table = word.strip().replace(" ", "_")
        if not table or not key or table not in {w.replace(" ", "_") for w in tables}:
            continue
        column = tables[word.strip()]
        name = "number" if table == "part" else "id"
        with writing(data_dir) as connection:
            connection.execute(
                f"UPDATE {table} SET {column} = {column} || ' *' WHERE {name} = ?", (key,)
            )
        try:
            now = preview(context, wanted).versions
        except AgentError:
            continue  # it was named by what has changed
        assert now[target] != shown.versions[target]


def test_a_version_moves_when_somebody_else_changes_the_row(context: HandlerContext) -> None:
    shown = preview(context, CLOSED)

    do(context, GIVEN)

    now = preview(context, CLOSED)
    assert shown.versions.keys() == now.versions.keys()
    assert shown.versions["work order WO-1042"] != now.versions["work order WO-1042"]


def test_a_preview_tells_before_and_after(context: HandlerContext) -> None:
    shown = preview(context, CLOSED)

    lines = {
        (change.target, change.field): (change.before, change.after) for change in shown.changes
    }
    assert lines["work order WO-1042", "state"] == ("open", "closed")
    assert lines["new work order note", "text"] == (None, "filter changed")
    assert shown.facts[0].value.startswith("WO-1042, Replace oil filter on port generator")


def test_a_purchase_shows_its_amount_and_a_share_who_gets_it(context: HandlerContext) -> None:
    bought = preview(context, ORDERED)
    sent = preview(context, call("share_with_shipyard", work_orders=["WO-1038", "WO-1031"]))

    assert (bought.amount, bought.currency) == (98.0, "EUR")
    assert (sent.count, sent.recipients) == (2, ("projects@adriatic42.example",))


def test_a_price_that_moved_makes_the_version_another(
    context: HandlerContext, data_dir: Path
) -> None:
    shown = preview(context, ORDERED)
    with writing(data_dir) as connection:
        connection.execute("UPDATE part SET price_cents = 9900 WHERE number = 'FLT-2104'")

    now = preview(context, ORDERED)

    assert now.amount == 396.0
    assert now.versions["part FLT-2104"] != shown.versions["part FLT-2104"]


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        (call("close_work_order", work_order="WO-9999"), NotFound),
        (call("close_work_order", work_order="WO-1017"), Conflict),
        (call("approve_purchase_order", purchase_order="PO-2004"), Conflict),
        (
            call("add_part_to_work_order", work_order="WO-1042", part="oil filter", quantity=4),
            Conflict,
        ),
        (call("archive_document", document="fire plan"), Conflict),
    ],
)
def test_what_cannot_be_done_is_not_even_asked(
    context: HandlerContext, wanted: Call, refusal: type[AgentError]
) -> None:
    with pytest.raises(refusal):
        preview(context, wanted)


def test_an_assignment_tells_who_is_concerned_by_their_addresses(context: HandlerContext) -> None:
    given = preview(context, call("assign_task", task="TSK-104", assignee="Tom"))
    taken = preview(context, call("unassign_task", task="TSK-101", back_to="Ana"))

    assert given.recipients == ("tom@alcyone.example",)
    assert taken.recipients == ("tom@alcyone.example", "ana@alcyone.example")
