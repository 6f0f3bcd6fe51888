"""What every framework's agent has in these tests: tools, a scripted model, and a way to run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

from prefrontal import AsyncGate

_IDS = count(1)


@dataclass(frozen=True)
class Call:
    """One call that the scripted model makes."""

    name: str
    arguments: dict[str, Any]
    id: str = field(default_factory=lambda: f"call_{next(_IDS):06}")


Script = Sequence[Sequence[Call]]
"""Batches of calls, one an answer of the model; after the last it says `done`."""


class Tools:
    """The agent's functions. `ran` is what reached them.

    The tool that nobody else has is named after the framework, for each describes it otherwise,
    and a tool that was used and is described anew waits for a person.
    """

    def __init__(self, framework: str) -> None:
        self.own = f"sink_barge_{framework}"
        self.ran: list[tuple[str, dict[str, Any]]] = []

    def show_lock(self, lock: str) -> str:
        """Show a lock."""
        self.ran.append(("show_lock", {"lock": lock}))
        return "local"

    def close_lock(self, lock: str, minutes: int | None = None) -> str:
        """Close a lock for some minutes."""
        self.ran.append(("close_lock", {"lock": lock, "minutes": minutes}))
        return "local"

    def all(self) -> list[Any]:
        """Return the functions."""

        def sink_barge(barge: str, depth: int = 3) -> str:
            """Sink a barge."""
            self.ran.append((self.own, {"barge": barge, "depth": depth}))
            return f"{barge} lies at {depth} m"

        sink_barge.__name__ = sink_barge.__qualname__ = self.own
        return [self.show_lock, self.close_lock, sink_barge]


class Driver(Protocol):
    """Runs one conversation of a framework's agent behind the gate."""

    async def __call__(
        self,
        script: Script,
        gate: AsyncGate,
        tools: Tools,
        *,
        stream: bool = False,
        nested: bool = False,
    ) -> dict[str, str]:
        """Return what the model was told of each call, by the call's id."""
        ...
