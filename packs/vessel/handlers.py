"""The function behind each action of the catalogue: one short transaction each."""

from state.action import ActionResult, HandlerContext

from .documents import archive, search
from .equipment import history, overview
from .faults import diagnose
from .handovers import add, view
from .stock import check, order
from .store import reading, writing
from .tasks import assign
from .work_orders import add_note, close


def show_equipment_overview(
    context: HandlerContext, *, equipment: str | None = None
) -> ActionResult:
    """Show one piece of equipment, a family, or all of them."""
    with reading(context.data_dir) as connection:
        return overview(connection, equipment, context.now)


def show_equipment_history(
    context: HandlerContext, *, equipment: str, since: str | None = None
) -> ActionResult:
    """Show what was done to a piece of equipment or a family."""
    with reading(context.data_dir) as connection:
        return history(connection, equipment, since)


def search_documents(context: HandlerContext, *, query: str) -> ActionResult:
    """Search the current documents for words."""
    with reading(context.data_dir) as connection:
        return search(connection, query)


def check_stock(context: HandlerContext, *, part: str | None = None) -> ActionResult:
    """Check the stock of one part, or list what runs low."""
    with reading(context.data_dir) as connection:
        return check(connection, part)


def view_handover(context: HandlerContext, *, day: str | None = None) -> ActionResult:
    """View the newest handover or those of one day."""
    with reading(context.data_dir) as connection:
        return view(connection, day)


def diagnose_fault(
    context: HandlerContext,
    *,
    equipment: str | None = None,
    fault_code: str | None = None,
    symptom: str | None = None,
) -> ActionResult:
    """Name likely causes and remedies of a fault code, a symptom or a piece of equipment."""
    with reading(context.data_dir) as connection:
        return diagnose(connection, equipment, fault_code, symptom)


def add_note_to_work_order(context: HandlerContext, *, work_order: str, note: str) -> ActionResult:
    """Write a note on a work order."""
    with writing(context.data_dir) as connection:
        return add_note(connection, work_order, note, author=context.user, now=context.now)


def add_to_handover(
    context: HandlerContext, *, note: str, equipment: str | None = None
) -> ActionResult:
    """Add a line to the open handover."""
    with writing(context.data_dir) as connection:
        return add(connection, note, equipment, author=context.user, now=context.now)


def close_work_order(
    context: HandlerContext, *, work_order: str, note: str | None = None
) -> ActionResult:
    """Close a work order."""
    with writing(context.data_dir) as connection:
        return close(connection, work_order, note, author=context.user, now=context.now)


def order_part(
    context: HandlerContext, *, part: str, quantity: int, work_order: str | None = None
) -> ActionResult:
    """Order some pieces of a part."""
    with writing(context.data_dir) as connection:
        return order(connection, part, quantity, work_order, author=context.user, now=context.now)


def assign_task(context: HandlerContext, *, task: str, assignee: str) -> ActionResult:
    """Give a task to a member of the crew."""
    with writing(context.data_dir) as connection:
        return assign(connection, task, assignee)


def archive_document(context: HandlerContext, *, document: str) -> ActionResult:
    """Take a document out of circulation."""
    with writing(context.data_dir) as connection:
        return archive(connection, document, author=context.user, now=context.now)
