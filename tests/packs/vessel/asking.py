"""One natural call of every action: what makes it possible first, and its arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import packs.vessel
from packs.vessel import handlers
from state.action import ActionResult, HandlerContext
from tests.written import entries_of

Arguments = Mapping[str, object]
ACTIONS = Path(packs.vessel.__file__).with_name("actions.yaml")
CATALOGUE: Mapping[str, Mapping[str, Any]] = entries_of(ACTIONS)


@dataclass(frozen=True)
class Call:
    """An action with arguments, and the calls that have to come before it."""

    action: str
    arguments: Arguments = field(default_factory=dict)
    after: tuple["Call", ...] = ()


def named(one: Call) -> str:
    """Name the test of a call."""
    return one.action


def anew(context: HandlerContext) -> HandlerContext:
    """Ask with a key of its own, as the ledger does for every action."""
    return context.model_copy(update={"idempotency_key": uuid4().hex})


def prepare(context: HandlerContext, wanted: Call) -> None:
    """Do what has to come first."""
    for earlier in wanted.after:
        do(context, earlier)


def do(context: HandlerContext, wanted: Call) -> ActionResult:
    """Do what has to come first, and then this."""
    prepare(context, wanted)
    result: ActionResult = getattr(handlers, wanted.action)(anew(context), **wanted.arguments)
    return result


def call(action: str, *after: Call, **arguments: object) -> Call:
    """Write a call in one line."""
    return Call(action, arguments, after)


CLOSED = call("close_work_order", work_order="WO-1042", note="filter changed")
UPDATED = call("update_work_order", work_order="WO-1041", priority="urgent", due="2026-06-25")
UPLOADED = call("upload_document", title="diver's invoice", text="Two hours at the fin.")
SUMMED = call("generate_summary", equipment="port generator")
ARCHIVED = call("archive_document", document="DOC-019")
NOTED = call("add_note", equipment="radar", note="picture drifts")
NOTED_ON_ORDER = call("add_note_to_work_order", work_order="WO-1036", note="float moves freely")
USED = call("add_part_to_work_order", work_order="WO-1042", part="oil filter", quantity=2)
PHOTO = call("add_photo_to_work_order", work_order="WO-1038", photo="seal weeping")
ITEM = call("add_item_to_checklist", checklist="arrival checklist", item="pilot ladder ready")
COUNTED = call("count_stock", part="coolant", quantity=5)
CLEARED = call("clear_alarm", equipment="galley fridge")
READ_OFF = call("update_running_hours", equipment="watermaker", hours=5133)
RESTED = call("log_hours_of_rest", crew="Tom", periods="00:00-06:00, 13:00-17:30", day="2026-06-14")
REPORTED = call("submit_compliance_report", period="2026-05")
COPIED = call("upload_certificate_document", certificate="radio licence")
EXTENDED = call(
    "update_certificate_metadata", certificate="radio licence", expires="2027-07-31", number="X-1"
)
SHARED = call("share_document", document="fire plan", recipient="Ana Costa")
YARD = call("share_with_shipyard", work_orders=["WO-1038", "WO-1031"])
APPROVED = call("approve_purchase_order", purchase_order="PO-1998")
ORDERED = call("order_part", part="oil filter", quantity=4, work_order="WO-1042")
ASKED_FOR = call("create_purchase_order", part="fuel injector", quantity=2)
RECEIVED = call("receive_purchase_order", purchase_order="PO-2005")
LINE = call("add_to_handover", note="tender needs fuel", equipment="main tender")
EXPORTED = call("export_compliance_logs", since="2026-06-01")
ASSIGNED = call("assign_task", task="TSK-104", assignee="Tom Becker")
GIVEN = call("assign_work_order", work_order="WO-1042", assignee="Priya Nair")
NEW_TASK = call("create_task", title="polish the bell", assignee="Ana", due="2026-06-20")
DONE = call("complete_task", task="TSK-101")
TICKED = call("check_off_item", checklist="departure checklist", number=3)
SIGNED = call("sign_handover")
OPENED = call("create_work_order", equipment="radar", title="scanner squeaks", priority="urgent")
DROPPED = call("cancel_work_order", work_order="WO-1032")

CALLS = (
    call("show_equipment_overview"),
    call("show_equipment_history", equipment="port generator", since="2026-01-01"),
    call("search_documents", query="impeller"),
    call("check_stock", part="FLT-2104"),
    call("view_handover"),
    call("diagnose_fault", fault_code="F-117"),
    call("show_work_order", work_order="WO-1038"),
    call("show_work_orders", equipment="generators", assignee="Ben Okafor", state="overdue"),
    call("open_document", document="fire plan"),
    call("show_crew", crew="Hugo"),
    call("show_certificates"),
    call("show_expiring_certificates", days=60),
    call("show_hours_of_rest", crew="Ben", since="2026-06-01"),
    call("check_hours_of_rest"),
    call("show_purchase_orders", state="requested"),
    call("show_tasks", assignee="Tom"),
    call("show_checklist", checklist="departure checklist"),
    call("show_alarms"),
    call("trace_fault", fault_code="F-117", equipment="port generator"),
    call("scan_part", part="IMP-3310"),
    call("trace_part", part="zinc anode"),
    SUMMED,
    call("generate_audit_pack"),
    call("discard_report", SUMMED, document="DOC-061"),
    NOTED,
    call("remove_note", NOTED, equipment="radar"),
    NOTED_ON_ORDER,
    call("edit_note_on_work_order", NOTED_ON_ORDER, work_order="WO-1036", note="float sticks"),
    call("remove_note_from_work_order", NOTED_ON_ORDER, work_order="WO-1036"),
    UPLOADED,
    call("remove_upload", UPLOADED, document="diver's invoice"),
    ARCHIVED,
    call("restore_document", document="2023 charter brochure"),
    USED,
    call("remove_part_from_work_order", USED, work_order="WO-1042", part="oil filter"),
    PHOTO,
    call("add_document_to_work_order", work_order="WO-1038", document="DOC-005"),
    call("add_photo_to_handover", photo="hatch"),
    call("add_document_to_handover", document="DOC-012"),
    call("add_document_to_checklist", checklist="CHK-03", document="DOC-007"),
    call("remove_attachment", PHOTO, number=1),
    ITEM,
    call("remove_item_from_checklist", ITEM, checklist="arrival checklist", number=9),
    TICKED,
    call("uncheck_item", TICKED, checklist="departure checklist", number=3),
    OPENED,
    UPDATED,
    call("revert_work_order", UPDATED, work_order="WO-1041"),
    CLOSED,
    call("reopen_work_order", CLOSED, work_order="WO-1042"),
    DROPPED,
    GIVEN,
    call("unassign_work_order", work_order="WO-1042"),
    ASSIGNED,
    call("unassign_task", task="TSK-101"),
    NEW_TASK,
    call("cancel_task", task="TSK-106"),
    DONE,
    call("reopen_task", task="TSK-107"),
    LINE,
    call("remove_from_handover", LINE),
    SIGNED,
    call("reopen_handover", SIGNED, handover="HO-313"),
    COUNTED,
    call("revert_stock_count", COUNTED, part="coolant"),
    CLEARED,
    call("restore_alarm", CLEARED, equipment="galley fridge", fault_code="F-501"),
    READ_OFF,
    call("revert_running_hours", READ_OFF, equipment="watermaker"),
    RESTED,
    call("correct_hours_of_rest", crew="Tom", hours=11, day="2026-06-12"),
    call("withdraw_hours_of_rest", RESTED, crew="Tom"),
    REPORTED,
    call("withdraw_compliance_report", REPORTED, period="2026-05"),
    COPIED,
    call("remove_certificate_document", COPIED, certificate="radio licence"),
    EXTENDED,
    call("revert_certificate_metadata", EXTENDED, certificate="radio licence"),
    SHARED,
    call("unshare_document", SHARED, document="fire plan", recipient="Ana Costa"),
    YARD,
    call("unshare_with_shipyard", YARD, work_orders=["WO-1038"]),
    APPROVED,
    call("withdraw_purchase_approval", APPROVED, purchase_order="PO-1998"),
    ASKED_FOR,
    ORDERED,
    call("cancel_purchase_order", purchase_order="PO-2005"),
    RECEIVED,
    call("return_purchase_order", RECEIVED, purchase_order="PO-2005"),
    EXPORTED,
    call("export_handover", day="2026-06-13"),
    call("delete_export", EXPORTED, export="EXP-001"),
)
"""Every action of the catalogue, once."""

CHANGING = tuple(one for one in CALLS if CATALOGUE[one.action]["effect"] != "read")

NUMBERED = frozenset({"create_work_order", "create_task", "order_part", "create_purchase_order"})
"""What these write keeps its number when it is taken back: cancelled, and not gone."""
CLOSED_TO_READING = frozenset({"share_document", "share_with_shipyard", "submit_compliance_report"})
"""What was sent is withdrawn, and stays on record."""
FORWARD = (
    *(SUMMED, NOTED, NOTED_ON_ORDER, UPLOADED, ARCHIVED, USED, PHOTO, ITEM, TICKED, OPENED),
    *(UPDATED, CLOSED, DROPPED, GIVEN, ASSIGNED, NEW_TASK, DONE, LINE, SIGNED, COUNTED, CLEARED),
    *(READ_OFF, RESTED, REPORTED, COPIED, EXTENDED, SHARED, YARD, APPROVED, ASKED_FOR, ORDERED),
    *(RECEIVED, EXPORTED, call("correct_hours_of_rest", crew="Tom", hours=11, day="2026-06-12")),
    *(call("assign_task", task="TSK-101", assignee="Ana"), call("unassign_task", task="TSK-101")),
    *(call("unassign_work_order", work_order="WO-1042"), call("cancel_task", task="TSK-106")),
    call("generate_audit_pack"),
    call("add_document_to_checklist", checklist="CHK-03", document="DOC-007"),
)
"""What a person does, and may want to undo."""
