from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from packs.vessel import handlers
from packs.vessel.store import writing
from state.action import HandlerContext
from state.errors import AgentError, BadInput, Conflict, NotFound
from tests.packs.vessel.asking import anew

Ask = Callable[[str], list[tuple[object, ...]]]
Contents = Callable[[], dict[str, list[tuple[object, ...]]]]


def test_a_note_stands_on_the_work_order_with_its_author(context: HandlerContext, ask: Ask):
    result = handlers.add_note_to_work_order(anew(context), work_order="wo 1042", note=" no leaks ")

    assert result.changed == ("WO-1042: note added",)
    assert ask(
        "SELECT text, author, written_at FROM work_order_note WHERE work_order = 'WO-1042'"
        " ORDER BY id DESC LIMIT 1"
    ) == [("no leaks", "marta", "2026-06-14T17:30:00+00:00")]


def test_a_handover_line_goes_to_the_open_handover(context: HandlerContext):
    result = handlers.add_to_handover(anew(context), note="fridge defrosted", equipment="fridge")

    assert result.changed == ("HO-313: line added",)
    assert "- fridge defrosted (marta)" in handlers.view_handover(context).text


def test_a_line_opens_a_handover_when_all_are_signed(context: HandlerContext, data_dir: Path):
    with writing(data_dir) as connection:
        connection.execute("UPDATE handover SET state = 'signed'")

    result = handlers.add_to_handover(anew(context), note="quiet watch")

    assert result.changed == ("HO-314: opened", "HO-314: line added")
    assert "HO-314, 2026-06-14, evening watch, marta, open" in handlers.view_handover(context).text


def test_closing_a_work_order_enters_the_equipment_history(context: HandlerContext, ask: Ask):
    result = handlers.close_work_order(anew(context), work_order="WO-1042", note="filter changed")

    assert result.changed == (
        "WO-1042: open -> closed",
        "WO-1042: note added",
        "port generator: history entry added",
    )
    assert ask("SELECT state, closed, closed_by FROM work_order WHERE id = 'WO-1042'") == [
        ("closed", "2026-06-14", "marta")
    ]
    history = handlers.show_equipment_history(context, equipment="port generator")
    assert "Replace oil filter on port generator (WO-1042): filter changed" in history.text


def test_closing_needs_no_note(context: HandlerContext):
    result = handlers.close_work_order(anew(context), work_order="WO-1035")

    assert result.changed == (
        "WO-1035: in progress -> closed",
        "port generator: history entry added",
    )


def test_closing_tells_what_is_still_on_order(context: HandlerContext):
    result = handlers.close_work_order(anew(context), work_order="WO-1038")

    assert result.text.endswith("PO-2004 for it is still on order.")


def test_a_work_order_closes_once(context: HandlerContext, contents: Contents):
    handlers.close_work_order(anew(context), work_order="WO-1042")
    before = contents()

    with pytest.raises(Conflict) as refused:
        handlers.close_work_order(anew(context), work_order="WO-1042")

    assert refused.value.standing == "closed"
    assert contents() == before


def test_ordering_makes_a_purchase_order_with_its_amount(context: HandlerContext, ask: Ask):
    result = handlers.order_part(anew(context), part="oil filter", quantity=4, work_order="WO-1042")

    assert result.changed == (
        "PO-2009: ordered, 4 x oil filter (FLT-2104), EUR 98.00",
        "oil filter (FLT-2104): on order 0 -> 4",
    )
    assert result.data["total_cents"] == 9800
    assert ask("SELECT * FROM purchase_order WHERE id = 'PO-2009'") == [
        (
            *("PO-2009", "FLT-2104", 4, "ordered", "2026-06-14", "marta", "WO-1042"),
            *(2450, None, None),
        )
    ]
    assert "4 on order" in handlers.check_stock(context, part="oil filter").text


def test_each_order_has_an_id_of_its_own(context: HandlerContext):
    orders = [
        handlers.order_part(anew(context), part="coolant", quantity=1).data["purchase_order"]
        for _ in range(3)
    ]

    assert orders == ["PO-2009", "PO-2010", "PO-2011"]


def test_a_task_moves_to_another_person(context: HandlerContext, ask: Ask):
    first = handlers.assign_task(anew(context), task="tender refuelling", assignee="Tom")
    second = handlers.assign_task(anew(context), task="TSK-104", assignee="the bosun")

    assert first.changed == ("TSK-104: nobody -> Tom Becker",)
    assert second.changed == ("TSK-104: Tom Becker -> Luca Moretti",)
    assert ask("SELECT assignee FROM task WHERE id = 'TSK-104'") == [("Luca Moretti",)]


def test_an_archived_document_is_kept_and_no_longer_found(context: HandlerContext, ask: Ask):
    assert "DOC-004" in handlers.search_documents(context, query="Ultra Whisper").text

    result = handlers.archive_document(anew(context), document="old watermaker manual")

    assert result.changed == ("DOC-004: current -> archived",)
    assert "DOC-004" not in handlers.search_documents(context, query="Ultra Whisper").text
    assert ask("SELECT state, archived_on, archived_by FROM document WHERE id = 'DOC-004'") == [
        ("archived", "2026-06-14", "marta")
    ]


@pytest.mark.parametrize(
    ("action", "arguments", "refusal"),
    [
        ("add_note_to_work_order", {"work_order": "WO-9999", "note": "x"}, NotFound),
        ("add_note_to_work_order", {"work_order": "", "note": "x"}, NotFound),
        ("add_note_to_work_order", {"work_order": "WO-1017", "note": "x"}, Conflict),
        ("add_note_to_work_order", {"work_order": "WO-1042", "note": " \n "}, BadInput),
        ("add_note_to_work_order", {"work_order": "WO-1042", "note": "x" * 8_001}, BadInput),
        ("add_note_to_work_order", {"work_order": "WO-1042", "note": "a\x00b"}, BadInput),
        ("add_note_to_work_order", {"work_order": "WO-1042", "note": "\ud800"}, BadInput),
        ("add_to_handover", {"note": ""}, BadInput),
        ("add_to_handover", {"note": "x", "equipment": "warp drive"}, NotFound),
        ("close_work_order", {"work_order": "WO-9999"}, NotFound),
        ("close_work_order", {"work_order": "WO-1017"}, Conflict),
        ("close_work_order", {"work_order": "WO-1011"}, Conflict),
        ("close_work_order", {"work_order": "WO-1042", "note": "x" * 8_001}, BadInput),
        ("order_part", {"part": "flux capacitor", "quantity": 1}, NotFound),
        ("order_part", {"part": "oil filter", "quantity": 0}, BadInput),
        ("order_part", {"part": "oil filter", "quantity": -4}, BadInput),
        ("order_part", {"part": "oil filter", "quantity": 501}, BadInput),
        ("order_part", {"part": "oil filter", "quantity": True}, BadInput),
        ("order_part", {"part": "spark plug", "quantity": 4}, Conflict),
        ("order_part", {"part": "coolant", "quantity": 1, "work_order": "WO-9999"}, NotFound),
        ("order_part", {"part": "coolant", "quantity": 1, "work_order": "WO-1017"}, Conflict),
        ("assign_task", {"task": "TSK-999", "assignee": "Tom Becker"}, NotFound),
        ("assign_task", {"task": "TSK-104", "assignee": "Davy Jones"}, NotFound),
        ("assign_task", {"task": "TSK-107", "assignee": "Ana Costa"}, Conflict),
        ("assign_task", {"task": "TSK-101", "assignee": "Tom Becker"}, Conflict),
        ("archive_document", {"document": "necronomicon"}, NotFound),
        ("archive_document", {"document": "2023 charter brochure"}, Conflict),
        ("archive_document", {"document": "fire plan"}, Conflict),
    ],
)
def test_a_refusal_has_a_name_and_changes_nothing(
    context: HandlerContext,
    contents: Contents,
    action: str,
    arguments: Mapping[str, object],
    refusal: type[AgentError],
):
    before = contents()

    with pytest.raises(refusal):
        getattr(handlers, action)(anew(context), **arguments)

    assert contents() == before
