"""Runs that a LangGraph server starts for a client: whose key started one, and its id."""

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from pydantic import ValidationError

from state.principal import Principal

_USER = "langgraph_auth_user"


def is_hosted(config: RunnableConfig) -> bool:
    """Tell whether a server runs this for one of its clients; it names the user in every run.

    Without that it is a run of ours, whose event was attributed where it came in.
    """
    return _USER in config.get("configurable", {})


def caller_of(config: RunnableConfig) -> Principal | None:
    """Read whose key a run was started with; None: nobody's, or it is a run of ours."""
    return principal_of(config.get("configurable", {}).get(_USER))


def principal_of(user: Any) -> Principal | None:  # a user, as the server has it
    """Read the holder of one of our keys; None for a visitor and for whatever else there is."""
    if user is None or not getattr(user, "is_authenticated", False):
        return None
    given = user.get("principal") if hasattr(user, "get") else None
    if not isinstance(given, Mapping):
        return None
    try:
        return Principal.model_validate({**given, "roles": tuple(given.get("roles", ()))})
    except (ValidationError, TypeError):
        return None


def run_id_of(config: RunnableConfig) -> str | None:
    """Name the run; None: it is one of ours, which nobody outside can answer through."""
    run_id = config.get("run_id") or config.get("metadata", {}).get("run_id")
    return None if run_id is None else str(run_id)
