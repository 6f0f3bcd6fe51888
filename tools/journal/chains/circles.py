"""Why a decision cannot replace another: it is not in force, or the chain would be a circle."""

from sqlalchemy import Connection

from state.journal import DecisionStatus
from tools.journal.keeping.link_rows import links_of
from tools.journal.keeping.rows import kept_decision
from tools.journal.records.formats import status_words

_NOT_IN_FORCE = (DecisionStatus.PROPOSED, DecisionStatus.REJECTED, DecisionStatus.UNKNOWN)


def why_not(connection: Connection, tenant_id: str, newer: str, older: str) -> str:
    """Say why a decision cannot replace another; empty: it can."""
    replacing = kept_decision(connection, newer, tenant_id)
    if replacing is not None and replacing.status in _NOT_IN_FORCE:
        return f"{newer} is {status_words(replacing)}: only a decision in force replaces another"
    reached: set[str] = set()
    waiting = {older}
    while waiting:
        if newer in waiting:
            return f"{older} came after {newer} already: a chain goes one way"
        reached |= waiting
        waiting = _olders(connection, tenant_id, waiting) - reached
    return ""


def _olders(connection: Connection, tenant_id: str, ids: set[str]) -> set[str]:
    linked = {one.older for one in links_of(connection, tenant_id, ids) if one.newer in ids}
    known = (kept_decision(connection, one, tenant_id) for one in ids)
    return linked | {one.supersedes for one in known if one is not None and one.supersedes}
