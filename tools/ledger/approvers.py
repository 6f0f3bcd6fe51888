"""Who may answer an approval: a person, with the role, and another one where four eyes are due.

Whoever asked may take it back.
"""

from state.action import Action, Approvers
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import BadInput, Conflict, Forbidden
from state.principal import Principal


def approver_roles(action: Action) -> tuple[str, ...]:
    """Name the roles that may say yes to an action; empty: any."""
    return action.approvers.roles or action.roles


def approvers_of(action: Action, undone: LedgerAction | None) -> Approvers:
    """Settle who says yes to an action; to the undo of an approved one nobody less than to that.

    Args:
        undone: the action that it takes back, if any.

    Raises:
        Conflict: the two are approved by other roles, so that nobody's yes is enough.
    """
    own = action.approvers
    if undone is None or undone.execution_class != "C":
        return own.model_copy(update={"roles": approver_roles(action)})
    roles = undone.approver_roles or approver_roles(action)
    if own.roles and undone.approver_roles:
        roles = tuple(role for role in undone.approver_roles if role in own.roles)
        if not roles:
            raise Conflict(
                f"{undone.summary}: not undone, since {action.name} is approved by other roles; "
                "ask for that by its own name",
                "no_approver",
            )
    return own.model_copy(
        update={
            "roles": roles,
            "quorum": max(own.quorum, undone.quorum),
            "four_eyes": own.four_eyes or undone.four_eyes,
        }
    )


def demand_answerer(standing: LedgerAction, principal: Principal, answer: ApprovalAnswer) -> None:
    """Let pass whoever may give an approval this answer: an approver, or who takes it back.

    Taking back is a plain no of who asked. One that stands for what comes like it binds others too,
    and is an approver's.

    Raises:
        Forbidden: neither of the two.
    """
    if not takes_back(standing, principal, answer):
        demand_approver(standing, principal, answer.decision)


def takes_back(standing: LedgerAction, principal: Principal, answer: ApprovalAnswer) -> bool:
    """Tell whether who asked calls it off; that is heard before it is asked, too."""
    is_theirs = principal.kind == "person" and principal.user == standing.requester
    is_plain = answer.decision == "reject" and answer.standing is None
    return is_theirs and is_plain and "ask" in principal.scopes


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


def demand_whole(answer: ApprovalAnswer) -> None:
    """Let pass an answer that carries what it needs, and nothing else.

    Raises:
        BadInput: it does not.
    """
    if (answer.decision == "edit") != (answer.arguments is not None):
        raise BadInput("an edit carries all arguments of the action; other answers carry none")
    if answer.standing is not None and answer.decision != "reject":
        raise BadInput("only a no can stand for what comes later; send `standing` with reject")
    if answer.decision == "respond" and not (answer.reason or "").strip():
        raise BadInput("say what you want instead; send it as `reason`")
