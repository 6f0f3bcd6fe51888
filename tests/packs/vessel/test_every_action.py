"""What holds for every action: previews, numbers, refusals."""

import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from packs.vessel import handlers, previews
from packs.vessel.store import FILE, writing
from state.action import HandlerContext
from state.errors import AgentError, BadInput, Conflict, NotFound
from state.preview import Preview
from tests.packs.vessel.asking import (
    CALLS,
    CATALOGUE,
    CHANGING,
    CLOSED,
    CLOSED_TO_READING,
    EXPORTED,
    FORWARD,
    GIVEN,
    ITEM,
    LINE,
    NOTED,
    NOTED_ON_ORDER,
    NUMBERED,
    ORDERED,
    PHOTO,
    RESTED,
    SUMMED,
    UPLOADED,
    USED,
    Call,
    anew,
    call,
    do,
    named,
    prepare,
)

pytestmark = pytest.mark.usefixtures("made_store")

# What holds for every action alike: it runs, once for a key, is previewed truly, is taken back.

Contents = Callable[[], dict[str, list[tuple[object, ...]]]]
BOOKS = ("effect", "document_text_")
"""How tables begin that keep what was done, or are the index's own."""


def test_every_action_is_called_here():
    assert {one.action for one in CALLS} == set(CATALOGUE)


@pytest.mark.parametrize("wanted", CALLS, ids=named)
def test_an_action_does_what_its_effect_says(context: HandlerContext, contents: Contents, wanted):
    prepare(context, wanted)
    before = contents()

    result = do(context, Call(wanted.action, wanted.arguments))

    after = contents()
    changed = {
        table
        for table, rows in after.items()
        if rows != before[table] and not table.startswith(BOOKS)
    }
    assert bool(changed) == (CATALOGUE[wanted.action]["effect"] != "read")
    assert bool(result.changed) == bool(changed)


@pytest.mark.parametrize("wanted", CHANGING, ids=named)
def test_a_key_makes_an_effect_happen_once(context: HandlerContext, contents: Contents, wanted):
    prepare(context, wanted)
    key = anew(context)
    handler = getattr(handlers, wanted.action)
    assert handlers.was_done(key) is None

    first = handler(key, **wanted.arguments)
    standing = contents()
    assert handler(key, **wanted.arguments) == first == handlers.was_done(key)
    assert contents() == standing


@pytest.mark.parametrize("wanted", FORWARD, ids=named)
def test_undo_restores_the_rows_that_were_changed(
    context: HandlerContext, contents: Contents, wanted: Call
):
    before = contents()
    done = do(context, wanted)
    undo = str(CATALOGUE[wanted.action]["undo"])
    assert done.undo is not None
    slots = CATALOGUE[undo]["slots"]
    assert isinstance(slots, dict)
    assert set(done.undo) <= set(slots)

    do(context, Call(undo, dict(done.undo)))

    after = {table: rows for table, rows in contents().items() if not table.startswith(BOOKS)}
    left = {table: [r for r in rows if r not in before[table]] for table, rows in after.items()}
    gone = {table: [r for r in before[table] if r not in rows] for table, rows in after.items()}
    assert {table for table, rows in gone.items() if rows} == set()
    added = [row for rows in left.values() for row in rows]
    if wanted.action in NUMBERED:
        assert [set(row) & {"cancelled"} for row in added] == [{"cancelled"}]
    elif wanted.action in CLOSED_TO_READING:
        assert all("withdrawn" in row for row in added)
    else:
        assert added == []


def test_a_key_used_for_something_else_is_refused(context: HandlerContext):
    key = anew(context)
    handlers.order_part(key, part="coolant", quantity=1)

    with pytest.raises(Conflict, match="stands for another"):
        handlers.order_part(key, part="coolant", quantity=2)
    with pytest.raises(Conflict, match="stands for another"):
        handlers.create_purchase_order(key, part="coolant", quantity=1)


def test_two_threads_with_one_key_order_once(context: HandlerContext, contents: Contents):
    before, key, at_once = contents(), anew(context), Barrier(2)

    def order(_number: int) -> object:
        at_once.wait(timeout=30)
        return handlers.order_part(key, part="coolant", quantity=1)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(order, range(2))

    assert first == second
    assert len(contents()["purchase_order"]) == len(before["purchase_order"]) + 1


def test_a_refusal_uses_no_key_up(context: HandlerContext):
    key = anew(context)
    with pytest.raises(Conflict):
        handlers.reopen_work_order(key, work_order="WO-1042")
    do(context, CLOSED)

    assert handlers.was_done(key) is None
    assert handlers.reopen_work_order(key, work_order="WO-1042").text.endswith("open again.")


def test_what_moved_on_since_is_not_taken_back(context: HandlerContext):
    do(context, call("count_stock", part="oil filter", quantity=9))
    do(context, call("add_part_to_work_order", work_order="WO-1042", part="oil filter"))

    with pytest.raises(Conflict, match="changed since"):
        do(context, call("revert_stock_count", part="oil filter"))


# What a person is shown before he approves: what would change, and in which state it was seen.


def preview(context: HandlerContext, wanted: Call) -> Preview:
    shown: Preview = getattr(previews, wanted.action)(anew(context), **wanted.arguments)
    return shown


@pytest.mark.parametrize("wanted", CHANGING, ids=named)
def test_a_preview_changes_nothing_and_names_what_the_action_then_changes(
    context: HandlerContext, contents: Contents, data_dir: Path, wanted: Call
):
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
def test_a_target_that_changes_has_another_version(context: HandlerContext, data_dir: Path, wanted):
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


def test_a_version_moves_when_somebody_else_changes_the_row(context: HandlerContext):
    shown = preview(context, CLOSED)

    do(context, GIVEN)

    now = preview(context, CLOSED)
    assert shown.versions.keys() == now.versions.keys()
    assert shown.versions["work order WO-1042"] != now.versions["work order WO-1042"]


def test_a_preview_tells_before_and_after(context: HandlerContext):
    shown = preview(context, CLOSED)

    lines = {
        (change.target, change.field): (change.before, change.after) for change in shown.changes
    }
    assert lines["work order WO-1042", "state"] == ("open", "closed")
    assert lines["new work order note", "text"] == (None, "filter changed")
    assert shown.facts[0].value.startswith("WO-1042, Replace oil filter on port generator")


def test_a_purchase_shows_its_amount_and_a_share_who_gets_it(context: HandlerContext):
    bought = preview(context, ORDERED)
    sent = preview(context, call("share_with_shipyard", work_orders=["WO-1038", "WO-1031"]))

    assert (bought.amount, bought.currency) == (98.0, "EUR")
    assert (sent.count, sent.recipients) == (2, ("projects@adriatic42.example",))


def test_a_price_that_moved_makes_the_version_another(context: HandlerContext, data_dir: Path):
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
def test_what_cannot_be_done_is_not_even_asked(context: HandlerContext, wanted, refusal):
    with pytest.raises(refusal):
        preview(context, wanted)


def test_an_assignment_tells_who_is_concerned_by_their_addresses(context: HandlerContext):
    given = preview(context, call("assign_task", task="TSK-104", assignee="Tom"))
    taken = preview(context, call("unassign_task", task="TSK-101", back_to="Ana"))

    assert given.recipients == ("tom@alcyone.example",)
    assert taken.recipients == ("tom@alcyone.example", "ana@alcyone.example")


# A number that named one thing never names another, or an old undo would take the wrong one.


def way_back(context: HandlerContext, name: str, told: Mapping[str, object]) -> None:
    undo = str(CATALOGUE[name]["undo"])
    slots = CATALOGUE[undo]["slots"]
    assert isinstance(slots, Mapping)
    getattr(handlers, undo)(anew(context), **{key: told[key] for key in told if key in slots})


@pytest.mark.parametrize(
    "added", [NOTED, NOTED_ON_ORDER, USED, PHOTO, ITEM, LINE, EXPORTED, UPLOADED, SUMMED], ids=named
)
def test_an_old_way_back_does_not_take_what_somebody_else_added(context: HandlerContext, added):
    old = do(context, added).undo
    assert old is not None
    way_back(context, added.action, old)
    ben = context.model_copy(update={"user": "ben"})
    new = do(ben, added).undo
    assert new is not None

    with pytest.raises(NotFound):
        way_back(context, added.action, old)

    way_back(ben, added.action, new)


# What the newer actions refuse: unknown things, ended things, numbers and days out of range.

ENDED = "WO-1017"


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        (call("create_work_order", equipment="warp drive", title="x"), NotFound),
        (call("create_work_order", equipment="generators", title="x"), BadInput),
        (call("create_work_order", equipment="radar", title=" "), BadInput),
        (call("create_work_order", equipment="radar", title="x", priority="asap"), BadInput),
        (call("update_work_order", work_order="WO-1041"), BadInput),
        (
            call("update_work_order", work_order="WO-1041", due="2026-07-01", due_moved="+1 week"),
            BadInput,
        ),
        (call("update_work_order", work_order=ENDED, priority="urgent"), Conflict),
        (call("update_work_order", work_order="WO-1041", priority="routine"), Conflict),
        (call("revert_work_order", work_order="WO-1041"), Conflict),
        (call("reopen_work_order", work_order="WO-1042"), Conflict),
        (call("cancel_work_order", work_order=ENDED), Conflict),
        (call("assign_work_order", work_order=ENDED, assignee="Tom"), Conflict),
        (call("assign_work_order", work_order="WO-1042", assignee="Ben Okafor"), Conflict),
        (call("assign_work_order", work_order="WO-1042", assignee="Davy Jones"), NotFound),
        (call("unassign_task", task="TSK-104"), Conflict),
        (call("complete_task", task="TSK-107"), Conflict),
        (call("reopen_task", task="TSK-101"), Conflict),
        (
            call("add_part_to_work_order", work_order="WO-1042", part="coolant", quantity=0),
            BadInput,
        ),
        (
            call("add_part_to_work_order", work_order="WO-1042", part="coolant", quantity=4),
            Conflict,
        ),
        (call("add_part_to_work_order", work_order=ENDED, part="coolant"), Conflict),
        (call("remove_part_from_work_order", work_order="WO-1042", part="coolant"), NotFound),
        (call("add_photo_to_work_order", work_order="WO-1042", photo=""), BadInput),
        (call("remove_attachment", number=99), NotFound),
        (call("remove_note", equipment="radar"), NotFound),
        (call("remove_from_handover", line=1), Conflict),
        (call("reopen_handover", handover="HO-312"), Conflict),
        (call("upload_document", title="Fire Plan"), Conflict),
        (call("upload_document", title="x" * 121), BadInput),
        (call("remove_upload", document="fire plan"), Conflict),
        (call("discard_report", UPLOADED, document="diver's invoice"), Conflict),
        (call("restore_document", document="fire plan"), Conflict),
        (call("share_document", document="DOC-021", recipient="Ana"), Conflict),
        (call("unshare_document", document="fire plan", recipient="Ana"), NotFound),
        (call("share_with_shipyard", work_orders=[]), BadInput),
        (call("share_with_shipyard", work_orders=["WO-1042", ENDED]), Conflict),
        (call("share_with_shipyard", work_orders=["WO-1042", "wo 1042"]), BadInput),
        (call("share_with_shipyard", work_orders=["WO-1042"], shipyard="Atlantis"), NotFound),
        (call("approve_purchase_order", purchase_order="PO-9999"), NotFound),
        (call("approve_purchase_order", purchase_order="PO-2001"), Conflict),
        (call("withdraw_purchase_approval", purchase_order="PO-2004"), Conflict),
        (call("cancel_purchase_order", purchase_order="PO-2001"), Conflict),
        (call("receive_purchase_order", purchase_order="PO-1998"), Conflict),
        (call("return_purchase_order", purchase_order="PO-2002"), Conflict),
        (call("create_purchase_order", part="spark plug", quantity=1), Conflict),
        (call("create_purchase_order", part="coolant", quantity=501), BadInput),
        (call("count_stock", part="coolant", quantity=-1), BadInput),
        (call("count_stock", part="oil filter", quantity=3), Conflict),
        (call("update_running_hours", equipment="watermaker", hours=5119), BadInput),
        (call("update_running_hours", equipment="watermaker", hours=50_000), BadInput),
        (call("clear_alarm", equipment="radar"), NotFound),
        (call("restore_alarm", equipment="galley fridge", fault_code="F-501"), Conflict),
        (call("log_hours_of_rest", crew="Tom"), BadInput),
        (call("log_hours_of_rest", crew="Tom", hours=24.5), BadInput),
        (call("log_hours_of_rest", crew="Tom", hours=10, day="2026-06-15"), BadInput),
        (call("log_hours_of_rest", crew="Tom", hours=10, day="2026-06-13"), Conflict),
        (call("log_hours_of_rest", crew="Tom", hours=9, periods="00:00-08:00"), BadInput),
        (call("log_hours_of_rest", RESTED, crew="Tom", hours=10), Conflict),
        (call("correct_hours_of_rest", crew="Tom", hours=10), NotFound),
        (call("withdraw_hours_of_rest", crew="Tom", day="2026-06-13"), Conflict),
        (call("submit_compliance_report", period="May"), BadInput),
        (call("submit_compliance_report", period="2020-01"), NotFound),
        (call("withdraw_compliance_report", period="2026-05"), NotFound),
        (call("update_certificate_metadata", certificate="radio licence"), BadInput),
        (
            call("update_certificate_metadata", certificate="CRT-05", expiry_moved="+1 year"),
            BadInput,
        ),
        (
            call("update_certificate_metadata", certificate="radio licence", expires="2020-01-01"),
            BadInput,
        ),
        (call("update_certificate_metadata", certificate="licence to kill", number="7"), NotFound),
        (call("upload_certificate_document", certificate="CRT-03", document="DOC-016"), Conflict),
        (call("remove_certificate_document", certificate="radio licence"), Conflict),
        (call("show_expiring_certificates", days=-1), BadInput),
        (call("check_off_item", checklist="departure checklist", number=1), Conflict),
        (call("check_off_item", checklist="departure checklist", number=99), NotFound),
        (call("uncheck_item", checklist="departure checklist", number=3), Conflict),
        (call("export_handover", day="2020-01-01"), NotFound),
        (call("export_compliance_logs", since="2027-01-01"), NotFound),
        (call("delete_export", export="EXP-001"), NotFound),
        (call("trace_fault"), BadInput),
    ],
    ids=lambda one: one.action if isinstance(one, Call) else "",
)
def test_a_refusal_has_a_name_and_changes_nothing(
    context: HandlerContext, contents: Contents, wanted: Call, refusal: type[AgentError]
):
    for earlier in wanted.after:
        do(context, earlier)
    before = contents()

    with pytest.raises(refusal):
        getattr(handlers, wanted.action)(anew(context), **wanted.arguments)

    assert contents() == before


def test_a_note_of_somebody_else_is_not_reworded(context: HandlerContext):
    do(context, NOTED_ON_ORDER)
    other = context.model_copy(update={"user": "tom"})

    with pytest.raises(NotFound):
        handlers.edit_note_on_work_order(anew(other), work_order="WO-1036", note="mine now")


def test_too_little_rest_is_logged_and_told(context: HandlerContext):
    result = handlers.log_hours_of_rest(
        anew(context), crew="Ben", periods="00:00-04:00, 15:00-18:00", day="2026-06-14"
    )

    assert "Too little" in result.text
    assert result.data["breaches"]


def test_what_the_certificates_say_about_their_end(context: HandlerContext):
    text = handlers.show_expiring_certificates(context, days=30).text

    assert "CRT-19 liferaft service certificate: expired 2026-06-09, 5 days ago" in text
    assert "CRT-11 EPIRB registration: until 2026-07-01, 17 days left" in text
    assert "radio licence" not in text
