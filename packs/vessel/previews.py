"""Previews of the vessel's actions.

Each runs its handler on a read-only connection and reports the changes.
"""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from prefrontal.pack import ActionResult, Change, Fact, HandlerContext, Preview

from . import handlers
from .formatting import column_in_words, shown
from .store import reading
from .unit_of_work import RowChange, UnitOfWork, version_of

MOST_CHANGES = 500
MOST_FACTS = 50
_NOT_SHOWN = frozenset({"also", "content", "id", "name", "number"})
_NO_TARGETS = frozenset({"document_text"})
"""Tables that only serve another one."""


def preview_of(handler: Callable[..., ActionResult]) -> Callable[..., Preview]:
    """Make the preview of a handler: the same function, the same refusals, and no change."""
    work = inspect.unwrap(handler)

    def preview(context: HandlerContext, **arguments: Any) -> Preview:  # by slot type
        with reading(context.data_dir) as connection:
            connection.execute("PRAGMA query_only = ON")  # a slip of ours is an error, not a write
            unit = UnitOfWork.of(connection, context, is_trial=True)
            work(unit, **arguments)
        return _told(unit)

    return preview


def _told(unit: UnitOfWork) -> Preview:
    for change in unit.changes:
        if change.before is not None and change.table not in _NO_TARGETS:
            word = change.table.replace("_", " ")
            unit.seen.setdefault(f"{word} {change.key}", version_of(change.before))
    lines = [line for change in unit.changes for line in _lines(change)]
    facts = [Fact(label=label, value=value) for label, value in unit.facts[:MOST_FACTS]]
    return Preview(
        facts=tuple(facts),
        changes=tuple(lines[:MOST_CHANGES]),
        count=unit.count,
        amount=None if unit.cents is None else unit.cents / 100,
        currency="" if unit.cents is None else "EUR",
        recipients=tuple(unit.recipients),
        versions=unit.seen,
    )


def _lines(change: RowChange) -> Iterator[Change]:
    """Tell a change column by column; what stays as it is, is left out."""
    if change.table in _NO_TARGETS:
        return
    before, after = change.before or {}, change.after or {}
    word = change.table.replace("_", " ")
    target = f"new {word}" if change.before is None else f"{word} {change.key}"
    for column in before or after:
        if column in _NOT_SHOWN or before.get(column) == after.get(column):
            continue
        yield Change(
            target=target,
            field=column_in_words(column),
            before=shown(column, before.get(column)),
            after=shown(column, after.get(column)),
        )


add_document_to_checklist = preview_of(handlers.add_document_to_checklist)
add_document_to_handover = preview_of(handlers.add_document_to_handover)
add_document_to_work_order = preview_of(handlers.add_document_to_work_order)
add_item_to_checklist = preview_of(handlers.add_item_to_checklist)
add_note = preview_of(handlers.add_note)
add_note_to_work_order = preview_of(handlers.add_note_to_work_order)
add_part_to_work_order = preview_of(handlers.add_part_to_work_order)
add_photo_to_handover = preview_of(handlers.add_photo_to_handover)
add_photo_to_work_order = preview_of(handlers.add_photo_to_work_order)
add_to_handover = preview_of(handlers.add_to_handover)
approve_purchase_order = preview_of(handlers.approve_purchase_order)
archive_document = preview_of(handlers.archive_document)
assign_task = preview_of(handlers.assign_task)
assign_work_order = preview_of(handlers.assign_work_order)
cancel_purchase_order = preview_of(handlers.cancel_purchase_order)
cancel_task = preview_of(handlers.cancel_task)
cancel_work_order = preview_of(handlers.cancel_work_order)
check_off_item = preview_of(handlers.check_off_item)
clear_alarm = preview_of(handlers.clear_alarm)
close_work_order = preview_of(handlers.close_work_order)
complete_task = preview_of(handlers.complete_task)
correct_hours_of_rest = preview_of(handlers.correct_hours_of_rest)
count_stock = preview_of(handlers.count_stock)
create_purchase_order = preview_of(handlers.create_purchase_order)
create_task = preview_of(handlers.create_task)
create_work_order = preview_of(handlers.create_work_order)
delete_export = preview_of(handlers.delete_export)
discard_report = preview_of(handlers.discard_report)
edit_note_on_work_order = preview_of(handlers.edit_note_on_work_order)
export_compliance_logs = preview_of(handlers.export_compliance_logs)
export_handover = preview_of(handlers.export_handover)
generate_audit_pack = preview_of(handlers.generate_audit_pack)
generate_summary = preview_of(handlers.generate_summary)
log_hours_of_rest = preview_of(handlers.log_hours_of_rest)
order_part = preview_of(handlers.order_part)
receive_purchase_order = preview_of(handlers.receive_purchase_order)
remove_attachment = preview_of(handlers.remove_attachment)
remove_certificate_document = preview_of(handlers.remove_certificate_document)
remove_from_handover = preview_of(handlers.remove_from_handover)
remove_item_from_checklist = preview_of(handlers.remove_item_from_checklist)
remove_note = preview_of(handlers.remove_note)
remove_note_from_work_order = preview_of(handlers.remove_note_from_work_order)
remove_part_from_work_order = preview_of(handlers.remove_part_from_work_order)
remove_upload = preview_of(handlers.remove_upload)
reopen_handover = preview_of(handlers.reopen_handover)
reopen_task = preview_of(handlers.reopen_task)
reopen_work_order = preview_of(handlers.reopen_work_order)
restore_alarm = preview_of(handlers.restore_alarm)
restore_document = preview_of(handlers.restore_document)
return_purchase_order = preview_of(handlers.return_purchase_order)
revert_certificate_metadata = preview_of(handlers.revert_certificate_metadata)
revert_running_hours = preview_of(handlers.revert_running_hours)
revert_stock_count = preview_of(handlers.revert_stock_count)
revert_work_order = preview_of(handlers.revert_work_order)
share_document = preview_of(handlers.share_document)
share_with_shipyard = preview_of(handlers.share_with_shipyard)
sign_handover = preview_of(handlers.sign_handover)
submit_compliance_report = preview_of(handlers.submit_compliance_report)
unassign_task = preview_of(handlers.unassign_task)
unassign_work_order = preview_of(handlers.unassign_work_order)
uncheck_item = preview_of(handlers.uncheck_item)
unshare_document = preview_of(handlers.unshare_document)
unshare_with_shipyard = preview_of(handlers.unshare_with_shipyard)
update_certificate_metadata = preview_of(handlers.update_certificate_metadata)
update_running_hours = preview_of(handlers.update_running_hours)
update_work_order = preview_of(handlers.update_work_order)
upload_certificate_document = preview_of(handlers.upload_certificate_document)
upload_document = preview_of(handlers.upload_document)
withdraw_compliance_report = preview_of(handlers.withdraw_compliance_report)
withdraw_hours_of_rest = preview_of(handlers.withdraw_hours_of_rest)
withdraw_purchase_approval = preview_of(handlers.withdraw_purchase_approval)
