"""What the newer actions refuse: unknown things, ended things, numbers and days out of range."""

from collections.abc import Callable

import pytest

from packs.vessel import handlers
from state.action import HandlerContext
from state.errors import AgentError, BadInput, Conflict, NotFound
from tests.packs.vessel.asking import NOTED_ON_ORDER, RESTED, UPLOADED, Call, anew, call, do

Contents = Callable[[], dict[str, list[tuple[object, ...]]]]
pytestmark = pytest.mark.usefixtures("made_store")
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
) -> None:
    for earlier in wanted.after:
        do(context, earlier)
    before = contents()

    with pytest.raises(refusal):
        getattr(handlers, wanted.action)(anew(context), **wanted.arguments)

    assert contents() == before


def test_a_note_of_somebody_else_is_not_reworded(context: HandlerContext) -> None:
    do(context, NOTED_ON_ORDER)
    other = context.model_copy(update={"user": "tom"})

    with pytest.raises(NotFound):
        handlers.edit_note_on_work_order(anew(other), work_order="WO-1036", note="mine now")


def test_too_little_rest_is_logged_and_told(context: HandlerContext) -> None:
    result = handlers.log_hours_of_rest(
        anew(context), crew="Ben", periods="00:00-04:00, 15:00-18:00", day="2026-06-14"
    )

    assert "Too little" in result.text
    assert result.data["breaches"]


def test_what_the_certificates_say_about_their_end(context: HandlerContext) -> None:
    text = handlers.show_expiring_certificates(context, days=30).text

    assert "CRT-19 liferaft service certificate: expired 2026-06-09, 5 days ago" in text
    assert "CRT-11 EPIRB registration: until 2026-07-01, 17 days left" in text
    assert "radio licence" not in text
