"""Who may answer an approval: a person, with the role, and another one where four eyes are due."""

from state.approval import LedgerAction
from state.errors import Forbidden
from state.principal import Principal


def demand_approver(standing: LedgerAction, principal: Principal) -> None:
    """Let pass whoever may answer an approval.

    Raises:
        Forbidden: not a person, without the role, or the asker where four eyes are due.
    """
    if principal.kind != "person":
        raise Forbidden("only a person may answer an approval, never a service")
    if not principal.has_any(standing.approver_roles):
        raise Forbidden(
            f"answering this needs one of the roles {', '.join(standing.approver_roles)}"
        )
    if standing.four_eyes and principal.user == standing.requester:
        raise Forbidden(f"{standing.action} needs another person than the one who asked for it")
