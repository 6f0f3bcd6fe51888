"""The function behind each action of the catalogue, each in the file of its idea."""

from .alarms import (
    clear_alarm,
    restore_alarm,
    revert_running_hours,
    show_alarms,
    trace_fault,
    update_running_hours,
)
from .assignments import assign_work_order, unassign_work_order
from .certificates import (
    remove_certificate_document,
    revert_certificate_metadata,
    show_certificates,
    show_expiring_certificates,
    update_certificate_metadata,
    upload_certificate_document,
)
from .checklists import (
    add_item_to_checklist,
    check_off_item,
    remove_item_from_checklist,
    show_checklist,
    uncheck_item,
)
from .compliance import (
    delete_export,
    export_compliance_logs,
    export_handover,
    submit_compliance_report,
    withdraw_compliance_report,
)
from .crew import show_crew
from .document_changes import (
    archive_document,
    remove_upload,
    restore_document,
    share_document,
    unshare_document,
    upload_document,
)
from .documents import open_document, search_documents
from .effects import was_done
from .equipment import show_equipment_history, show_equipment_overview
from .faults import diagnose_fault
from .handovers import (
    add_to_handover,
    remove_from_handover,
    reopen_handover,
    sign_handover,
    view_handover,
)
from .materials import (
    add_document_to_checklist,
    add_document_to_handover,
    add_document_to_work_order,
    add_part_to_work_order,
    add_photo_to_handover,
    add_photo_to_work_order,
    remove_attachment,
    remove_part_from_work_order,
)
from .notes import (
    add_note,
    add_note_to_work_order,
    edit_note_on_work_order,
    remove_note,
    remove_note_from_work_order,
)
from .purchase_views import show_purchase_orders
from .purchasing import (
    approve_purchase_order,
    cancel_purchase_order,
    create_purchase_order,
    order_part,
    receive_purchase_order,
    return_purchase_order,
    withdraw_purchase_approval,
)
from .reports import discard_report, generate_audit_pack, generate_summary
from .rest import (
    check_hours_of_rest,
    correct_hours_of_rest,
    log_hours_of_rest,
    show_hours_of_rest,
    withdraw_hours_of_rest,
)
from .shipyard import share_with_shipyard, unshare_with_shipyard
from .stock import check_stock, count_stock, revert_stock_count, scan_part, trace_part
from .tasks import (
    assign_task,
    cancel_task,
    complete_task,
    create_task,
    reopen_task,
    show_tasks,
    unassign_task,
)
from .work_order_views import show_work_order, show_work_orders
from .work_orders import (
    cancel_work_order,
    close_work_order,
    create_work_order,
    reopen_work_order,
    revert_work_order,
    update_work_order,
)

__all__ = [
    "add_document_to_checklist",
    "add_document_to_handover",
    "add_document_to_work_order",
    "add_item_to_checklist",
    "add_note",
    "add_note_to_work_order",
    "add_part_to_work_order",
    "add_photo_to_handover",
    "add_photo_to_work_order",
    "add_to_handover",
    "approve_purchase_order",
    "archive_document",
    "assign_task",
    "assign_work_order",
    "cancel_purchase_order",
    "cancel_task",
    "cancel_work_order",
    "check_hours_of_rest",
    "check_off_item",
    "check_stock",
    "clear_alarm",
    "close_work_order",
    "complete_task",
    "correct_hours_of_rest",
    "count_stock",
    "create_purchase_order",
    "create_task",
    "create_work_order",
    "delete_export",
    "diagnose_fault",
    "discard_report",
    "edit_note_on_work_order",
    "export_compliance_logs",
    "export_handover",
    "generate_audit_pack",
    "generate_summary",
    "log_hours_of_rest",
    "open_document",
    "order_part",
    "receive_purchase_order",
    "remove_attachment",
    "remove_certificate_document",
    "remove_from_handover",
    "remove_item_from_checklist",
    "remove_note",
    "remove_note_from_work_order",
    "remove_part_from_work_order",
    "remove_upload",
    "reopen_handover",
    "reopen_task",
    "reopen_work_order",
    "restore_alarm",
    "restore_document",
    "return_purchase_order",
    "revert_certificate_metadata",
    "revert_running_hours",
    "revert_stock_count",
    "revert_work_order",
    "scan_part",
    "search_documents",
    "share_document",
    "share_with_shipyard",
    "show_alarms",
    "show_certificates",
    "show_checklist",
    "show_crew",
    "show_equipment_history",
    "show_equipment_overview",
    "show_expiring_certificates",
    "show_hours_of_rest",
    "show_purchase_orders",
    "show_tasks",
    "show_work_order",
    "show_work_orders",
    "sign_handover",
    "submit_compliance_report",
    "trace_fault",
    "trace_part",
    "unassign_task",
    "unassign_work_order",
    "uncheck_item",
    "unshare_document",
    "unshare_with_shipyard",
    "update_certificate_metadata",
    "update_running_hours",
    "update_work_order",
    "upload_certificate_document",
    "upload_document",
    "view_handover",
    "was_done",
    "withdraw_compliance_report",
    "withdraw_hours_of_rest",
    "withdraw_purchase_approval",
]
