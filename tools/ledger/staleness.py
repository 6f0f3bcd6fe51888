"""Is what was approved still what would run, and does a yes still stand behind it?"""

from sqlalchemy import Connection

from state.approval import LedgerAction
from state.errors import NotFound
from tools.catalogue.catalogue import Catalogue
from tools.ledger.digest import Policies, digest_of
from tools.ledger.rows import yes_votes


def why_stale(
    connection: Connection, catalogue: Catalogue, policies: Policies, standing: LedgerAction
) -> str | None:
    """Say why an approved action must not be started any more; None: it may."""
    try:
        action = catalogue.action(standing.action)
    except NotFound:
        return "the action is no longer in the catalogue"
    if standing.digest != digest_now(catalogue, policies, standing):
        return "the catalogue has changed since it was approved; ask again"
    if not catalogue.may_ask(action.name, standing.requester_roles):
        return "the one who asked may no longer ask for it"
    if standing.execution_class < action.floor:
        return "its class is higher now; ask again"
    needed = standing.quorum if standing.execution_class == "C" else 1
    if standing.execution_class != "A" and yes_votes(connection, standing.action_id) < needed:
        return "nobody's yes stands behind it"
    return None


def digest_now(catalogue: Catalogue, policies: Policies, standing: LedgerAction) -> str:
    """Hash an action as it would run under this catalogue and this policy.

    Raises:
        NotFound: the catalogue does not hold it.
    """
    return digest_of(
        tenant_id=standing.tenant_id,
        action=standing.action,
        schema_hash=catalogue.schema_hash(standing.action),
        policy_version=policies.version_of(catalogue.action(standing.action)),
        arguments=standing.arguments,
        targets=standing.target_versions,
    )
