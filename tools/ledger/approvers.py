"""Who may answer an approval: a person, with the role, and another one where four eyes are due."""

from state.action import Action
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import Forbidden
from state.principal import Principal


def approver_roles(action: Action) -> tuple[str, ...]:
    """Name the roles that may say yes to an action; empty: any."""
    return action.approvers.roles or action.roles


def demand_approver(
    standing: LedgerAction, principal: Principal, decision: str = "approve"
) -> None:
    """Let pass whoever may give this answer to an approval.

    With four eyes neither who asked nor who wrote the arguments may say yes to them; what somebody
    wrote they may still take back or write anew. What is said instead of an answer becomes a
    message of who says it, and other arguments are another request of who writes them: their key
    has to be good for asking then.

    Raises:
        Forbidden: not a person, without the role, or one of the two where four eyes are due.
    """
    if principal.kind != "person":
        raise Forbidden("only a person may answer an approval, never a service")
    if "approve" not in principal.scopes:
        raise Forbidden("this key is not good for answering approvals; use one that is")
    if decision in ("respond", "edit") and "ask" not in principal.scopes:
        said = "a response" if decision == "respond" else "an edit"
        raise Forbidden(f"{said} asks for something else, and this key is not good for asking")
    if not principal.has_any(standing.approver_roles):
        raise Forbidden(
            f"answering this needs one of the roles {', '.join(standing.approver_roles)}"
        )
    if not standing.four_eyes:
        return
    if principal.user == standing.requester:
        raise Forbidden(f"{standing.action} needs another person than the one who asked for it")
    if principal.user == standing.editor and decision == "approve":
        raise Forbidden(f"{standing.action} needs another person than the one who edited it")


def counts_as_yes(standing: LedgerAction, principal: Principal, answer: ApprovalAnswer) -> bool:
    """Tell whether an edit is also its editor's yes: not where four eyes are due."""
    return answer.decision == "approve" or not (
        standing.four_eyes and principal.user in (standing.requester, standing.editor)
    )
