"""What a look at the set-up finds of closed sessions: a slip in a name closes the wrong ones."""

import time
from collections.abc import Iterator, Sequence

from sqlalchemy import create_engine, select
from sqlalchemy.exc import SQLAlchemyError

from graph.assembly.thresholds import read_tuning
from graph.cli.set_up.finding import Finding
from graph.cli.stored import has_database
from graph.settings import Settings
from state.errors import BadInput
from state.principal import Principal
from state.reader import ClosedSessions
from tools.callers.readers import Readers
from tools.storage.tables.decisions import api_key


def sessions_found(settings: Settings) -> Finding:
    """Say whether each table of `[[sessions]]` is of a tenant, and of somebody, with a key."""
    try:
        rules = read_tuning(settings.policy_file).sessions
        holders = _holders(settings) if rules else []
    except (SQLAlchemyError, BadInput) as error:
        return Finding("sessions", "degraded", f"cannot be looked at: {type(error).__name__}")
    if not rules:
        return Finding("sessions", "ok", "none is closed: each is open to its tenant")
    closed = ", ".join(dict.fromkeys(name for one in rules for name in one.names))
    if settings.oidc_file:  # tokens name tenants, users and roles that nothing here knows of
        return Finding("sessions", "ok", f"closed: {closed}; tokens tell who reads them")
    if slips := [told for one in rules for told in _slips(one, holders)]:
        return Finding("sessions", "degraded", f"[[sessions]] of policy.toml: {'; '.join(slips)}")
    return Finding("sessions", "ok", f"closed: {closed}; somebody with a key reads each")


def _slips(rule: ClosedSessions, holders: Sequence[Principal]) -> Iterator[str]:
    names = ", ".join(rule.names)
    of_it = [one for one in holders if rule.tenant in (None, one.tenant_id)]
    if rule.tenant is not None and not of_it:
        yield f"{names}: closed in the tenant {rule.tenant} alone, of which nobody has a key"
    elif all(Readers((rule,)).of(one).closed for one in of_it):
        yield f"{names}: nobody with a key reads it"


def _holders(settings: Settings) -> list[Principal]:
    if not has_database(settings):
        return []
    key = api_key.c
    query = select(key.tenant_id, key.user, key.roles, key.kind).where(
        key.revoked_at.is_(None), (key.expires_at.is_(None)) | (key.expires_at > time.time())
    )
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
    finally:
        engine.dispose()
    return [Principal.model_validate(dict(row)) for row in rows]
