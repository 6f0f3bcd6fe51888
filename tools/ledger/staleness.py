"""Is what was approved still what would run, and does a yes still stand behind it?"""

from sqlalchemy import Connection

from state.action import Action
from state.approval import LedgerAction
from state.errors import Conflict, NotFound
from tools.catalogue.catalogue import Catalogue
from tools.ledger.approvers import approvers_of
from tools.ledger.digest import Policies, digest_of
from tools.ledger.duplicates import running_duplicate
from tools.ledger.frozen_rows import is_as_proposed
from tools.ledger.rows import read_action
from tools.ledger.votes import may_still_ask, standing_yeses
from tools.storage.database import Database


def why_stale(
    connection: Connection,
    database: Database,
    catalogue: Catalogue,
    policies: Policies,
    standing: LedgerAction,
) -> str | None:
    """Say why an approved action must not be started any more; None: it may."""
    try:
        action = catalogue.action(standing.action)
    except NotFound:
        return "the action is no longer in the catalogue"
    if (withheld := catalogue.why_withheld(action.name)) is not None:
        return withheld
    if policies.of(action).phase == "shadow":
        return "the action is in shadow now: it is computed and not done"
    if standing.schema_hash != catalogue.schema_hash(action.name):
        return "the catalogue has changed since it was approved; ask again"
    if standing.policy_version != policies.version_of(action):
        return "the policy has changed since it was approved; ask again"
    if standing.digest != digest_now(catalogue, policies, standing):
        return "it is not what was approved: its row was changed"
    if not catalogue.may_ask(action.name, standing.requester_roles):
        return "the one who asked may no longer ask for it"
    if standing.execution_class < action.floor:
        return "its class is higher now; ask again"
    if standing.execution_class == "A":
        return None
    return _why_without_a_yes(connection, database, action, standing)


def _why_without_a_yes(
    connection: Connection, database: Database, action: Action, standing: LedgerAction
) -> str | None:
    if not may_still_ask(connection, database, standing, action.roles):
        return "the one who asked may no longer ask for it"
    if not is_as_proposed(connection, database, standing.action_id):
        return "it is not what was approved: its row was changed"
    asks_people = standing.execution_class == "C"
    if asks_people and (same := running_duplicate(connection, standing)):
        return f"the same is being done at this moment ({same}); ask again if it is due twice"
    undone = read_action(connection, standing.undo_of) if standing.undo_of else None
    if undone is not None and standing.execution_class < undone.execution_class:
        return "its class is higher now; ask again"
    # Who and how many: from the catalogue, which is the one it was approved under.
    try:
        approvers = approvers_of(action, undone)
    except Conflict as conflict:
        return str(conflict)
    roles = approvers.roles if asks_people else action.roles
    needed = approvers.quorum if asks_people else 1
    four_eyes = approvers.four_eyes
    if standing_yeses(connection, database, standing, roles, four_eyes=four_eyes) < needed:
        return "no yes stands behind it, or not by everybody it takes"
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
