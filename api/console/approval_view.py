"""What an approval shows a person: permitted answers, changes before and after, long parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from api.console.forms import fields_of
from api.console.grants import grantable_arguments
from api.console.rendering import spaced
from api.http.problems import INVALID, Problem
from graph.executive import Executive
from state.approval import ApprovalAnswer
from state.dialog import ShownApproval
from state.errors import Forbidden
from state.preview import Change
from state.principal import Principal
from tools.gate.approvals.approval_rules import demand_approver, takes_back
from tools.gate.approvals.dialog import MOST_LINES
from tools.platform.texts import t
from tools.platform.unicode_safety import neutralize_and_warn, neutralize_value


@dataclass(frozen=True)
class AnswerOptions:
    """Which answers the ledger would hear from somebody; it is asked again when one comes."""

    approve: str
    """Why not; empty: a yes would be heard."""
    others: str
    """Why neither a no, nor an edit, nor other words; empty: they would be."""
    voted: bool = False
    """Whether this person's yes counts already, and others are awaited."""
    edit_counts: bool = False
    """Whether an edit is its editor's yes too."""
    edit_approves: bool = False
    """Whether no other yes would be needed for it."""
    take_back: bool = False
    """Whether this person asked for it, and may call it off."""
    settle: str = ""
    """Why this person may not say what became of it; empty: they may."""


@dataclass(frozen=True)
class ChangeRow:
    """One value before and after, with everything hidden written out; empty: it is not there."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class ChangedThing:
    """What changes in one thing."""

    target: str
    rows: tuple[ChangeRow, ...]

    @property
    def size(self) -> int:
        """Count the values that change in it."""
        return len(self.rows)

    @property
    def is_new(self) -> bool:
        """Tell whether nothing of it was there."""
        return not any(row.before for row in self.rows)


def approval_view(
    executive: Executive, principal: Principal, shown: ShownApproval
) -> dict[str, Any]:  # what _approval.html is drawn of
    """Put together a question with what somebody may answer to it."""
    action = executive.governed.of_tenant(shown.tenant_id).actions.get(shown.action)
    return {
        "shown": shown,
        "slot": "panel",
        "told": "",
        "is_late": False,
        "by_link": False,
        "changes": changes_of(shown.preview.changes[:MOST_LINES] if shown.preview else ()),
        "further": changes_of(shown.preview.changes[MOST_LINES:] if shown.preview else ()),
        "asked_by": _asked_by(shown),
        "answering": answer_options(shown, principal),
        "grantable": grantable_arguments(executive, shown),
        "has_amount": executive.grants.has_amount(shown),
        "fields": fields_of(action, shown.arguments) if action else (),
    }


def answer_options(shown: ShownApproval, principal: Principal) -> AnswerOptions:
    """Tell what somebody could answer, for the page alone."""
    if shown.dialog is None:
        lacking = t("console.approval.no_pack")
        return AnswerOptions(lacking, lacking, settle=_why_not(shown, principal, "approve"))
    approve = _why_not(shown, principal, "approve")
    edit_counts = not approve and not shown.four_eyes
    return AnswerOptions(
        approve,
        _why_not(shown, principal, "reject"),
        voted=principal.user in shown.said_yes,
        edit_counts=edit_counts,
        edit_approves=edit_counts and shown.quorum == 1,
        take_back=takes_back(shown, principal, _plain_no(shown)),
        settle=approve,
    )


def require_long_parts_read(shown: ShownApproval, seen: str) -> None:
    """Let nobody say yes to a question with long parts that they did not say they have read.

    Args:
        seen: the digest of the question whose long parts were read; empty: none.

    Raises:
        Problem: 422, it has long parts, and they were not read.
    """
    if shown.dialog is not None and shown.dialog.long and seen != shown.digest:
        parts = ", ".join(shown.dialog.long)
        raise Problem(INVALID, t("console.approval.read_first", parts=parts))


def changes_of(changes: Sequence[Change]) -> tuple[ChangedThing, ...]:
    """Draw what the dialog says of changes, a thing after the other, in its order."""
    return tuple(
        ChangedThing(
            neutralize_and_warn(target),
            tuple(
                ChangeRow(neutralize_and_warn(each.field), _value(each.before), _value(each.after))
                for each in of_it
            ),
        )
        for target, of_it in groupby(changes, key=lambda each: each.target)
    )


def _plain_no(shown: ShownApproval) -> ApprovalAnswer:
    return ApprovalAnswer(decision="reject", digest=shown.digest)


def _value(value: str | None) -> str:
    return "" if value is None else neutralize_value(value)


def _asked_by(shown: ShownApproval) -> str:
    """Write the roles of who asked as words; what is part of a name stays as it is."""
    if shown.dialog is None:
        return ""
    name, roles = (
        neutralize_and_warn(shown.requester, is_exact=True),
        ", ".join(map(neutralize_and_warn, shown.requester_roles)),
    )
    told = shown.dialog.asked_by.removeprefix(name)
    return name + told.replace(f"({roles})", f"({spaced(roles)})", 1)


def _why_not(shown: ShownApproval, principal: Principal, decision: str) -> str:
    try:
        demand_approver(shown, principal, decision)
    except Forbidden as why:
        return str(why)
    return ""
