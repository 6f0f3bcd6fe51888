"""Prefrontal for programs: a client of its service, and what the Python of a pack imports."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefrontal.client import Answer, Client, Refused, StreamNotice

__all__ = ["Answer", "Client", "Refused", "StreamNotice"]


def __getattr__(name: str) -> Any:  # whatever the client's module holds
    """Load the client when it is used: a pack and the server start without its HTTP library."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from prefrontal import client

    return getattr(client, name)
