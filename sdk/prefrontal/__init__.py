"""Prefrontal for programs: a client of its service, a gate for agents, and what a pack imports."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefrontal.async_client import AsyncClient
    from prefrontal.client import Answer, Client, Refused, StreamNotice
    from prefrontal.gate import AsyncGate, Gate
    from prefrontal.outcomes import CallRefused, Outcome, ToolCall

_PLACES = {
    **dict.fromkeys(("Answer", "Client", "Refused", "StreamNotice"), "client"),
    "AsyncClient": "async_client",
    **dict.fromkeys(("AsyncGate", "Gate"), "gate"),
    **dict.fromkeys(("CallRefused", "Outcome", "ToolCall"), "outcomes"),
}
__all__ = [
    "Answer",
    "AsyncClient",
    "AsyncGate",
    "CallRefused",
    "Client",
    "Gate",
    "Outcome",
    "Refused",
    "StreamNotice",
    "ToolCall",
]


def __getattr__(name: str) -> Any:  # whatever the module holds
    """Load a client when it is used: a pack and the server start without its HTTP library."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"prefrontal.{_PLACES[name]}"), name)
