"""What holds for every action alike: it runs, once for a key, is previewed truly, is taken back."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from packs.vessel import handlers
from state.action import HandlerContext
from state.errors import Conflict
from tests.packs.vessel.asking import (
    CALLS,
    CATALOGUE,
    CHANGING,
    CLOSED,
    CLOSED_TO_READING,
    FORWARD,
    NUMBERED,
    Call,
    anew,
    call,
    do,
    named,
    prepare,
)

Contents = Callable[[], dict[str, list[tuple[object, ...]]]]
pytestmark = pytest.mark.usefixtures("made_store")
BOOKS = ("effect", "document_text_")
"""How tables begin that keep what was done, or are the index's own."""


def test_every_action_is_called_here() -> None:
    assert {one.action for one in CALLS} == set(CATALOGUE)


@pytest.mark.parametrize("wanted", CALLS, ids=named)
def test_an_action_does_what_its_effect_says(
    context: HandlerContext, contents: Contents, wanted: Call
) -> None:
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
def test_a_key_makes_an_effect_happen_once(
    context: HandlerContext, contents: Contents, wanted: Call
) -> None:
    prepare(context, wanted)
    key = anew(context)
    handler = getattr(handlers, wanted.action)
    assert handlers.was_done(key) is None

    first = handler(key, **wanted.arguments)
    standing = contents()
    second = handler(key, **wanted.arguments)

    assert second == first == handlers.was_done(key)
    assert contents() == standing


@pytest.mark.parametrize("wanted", FORWARD, ids=named)
def test_undo_restores_the_rows_that_were_changed(
    context: HandlerContext, contents: Contents, wanted: Call
) -> None:
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


def test_a_key_used_for_something_else_is_refused(context: HandlerContext) -> None:
    key = anew(context)
    handlers.order_part(key, part="coolant", quantity=1)

    with pytest.raises(Conflict, match="stands for another"):
        handlers.order_part(key, part="coolant", quantity=2)
    with pytest.raises(Conflict, match="stands for another"):
        handlers.create_purchase_order(key, part="coolant", quantity=1)


def test_two_threads_with_one_key_order_once(context: HandlerContext, contents: Contents) -> None:
    before, key, at_once = contents(), anew(context), Barrier(2)

    def order(_number: int) -> object:
        at_once.wait(timeout=30)
        return handlers.order_part(key, part="coolant", quantity=1)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(order, range(2))

    assert first == second
    assert len(contents()["purchase_order"]) == len(before["purchase_order"]) + 1


def test_a_refusal_uses_no_key_up(context: HandlerContext) -> None:
    key = anew(context)
    with pytest.raises(Conflict):
        handlers.reopen_work_order(key, work_order="WO-1042")
    do(context, CLOSED)

    assert handlers.was_done(key) is None
    assert handlers.reopen_work_order(key, work_order="WO-1042").text.endswith("open again.")


def test_what_moved_on_since_is_not_taken_back(context: HandlerContext) -> None:
    do(context, call("count_stock", part="oil filter", quantity=9))
    do(context, call("add_part_to_work_order", work_order="WO-1042", part="oil filter"))

    with pytest.raises(Conflict, match="changed since"):
        do(context, call("revert_stock_count", part="oil filter"))
