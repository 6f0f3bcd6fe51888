"""Whose a thread on a LangGraph server is: kept in its metadata, which our authorization reads."""

TENANT = "tenant_id"
STARTED_BY = "started_by"

NOBODY = ""
"""No user is called this."""


def belonging(tenant_id: str, user: str | None = None) -> dict[str, str]:
    """Say that a thread is a tenant's, and who started it; None: a visitor."""
    return {TENANT: tenant_id, STARTED_BY: user or NOBODY}
