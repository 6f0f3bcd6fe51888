"""Pins: a tool stays what it was when it was first seen, until a person accepts what it became."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from state.tool_pin import ToolChange
from tools.catalogue.withheld import ToolKey, Withheld
from tools.mcp.described import DescribedTool
from tools.visible import visible


@dataclass(frozen=True)
class Pin:
    """What was seen first or accepted last."""

    sha256: str
    tool: DescribedTool


class Pins(Protocol):
    """The pins of this deployment. See tools/ledger/tool_pins.py."""

    async def sight(
        self, pack: str, server: str, tools: Sequence[DescribedTool]
    ) -> Mapping[str, Pin]:
        """Pin the tools that are new and note which differ; return every tool's pin by name."""


class NoPins:
    """Takes every tool for pinned as it is: a look at servers that nothing is kept of."""

    async def sight(
        self, pack: str, server: str, tools: Sequence[DescribedTool]
    ) -> Mapping[str, Pin]:
        """Return each tool as it is."""
        del pack, server
        return {tool.name: Pin(tool.pin_sha256, tool) for tool in tools}


class ToolWatch:
    """Holds one server's tools against their pins whenever it lists them.

    A tool counts as pinned while the server describes it as the pin does *and* as it was when its
    action was made: what a person accepts meanwhile becomes an action at the next start.
    """

    def __init__(
        self, pack: str, server: str, withheld: Withheld, loaded: Mapping[str, str]
    ) -> None:
        """Watch the tools that became actions.

        Args:
            loaded: tool → hash of the description that its action was made of.
        """
        self.pins: Pins = NoPins()
        self._pack, self._server = pack, server
        self._withheld = withheld
        self._loaded = loaded
        self._last: Mapping[str, str] = {}

    async def look(self, tools: Sequence[DescribedTool]) -> None:
        """Hold what a server lists now against the pins; the same list again costs nothing."""
        if _hashes(tools) != self._last:
            self.hold(tools, await self.pins.sight(self._pack, self._server, tools))

    def hold(self, tools: Sequence[DescribedTool], pins: Mapping[str, Pin]) -> None:
        """Withhold what changed, and release what is again as it was."""
        listed = _hashes(tools)
        for name, made_of in self._loaded.items():
            if name not in listed:
                continue  # it is gone, and a call to it says so
            key = ToolKey(self._pack, self._server, name)
            if listed[name] == made_of and pins[name].sha256 == made_of:
                self._withheld.release(key)
            elif listed[name] == pins[name].sha256:
                self._withheld.withhold(key, accepted(key))
            else:
                self._withheld.withhold(key, changed(key))
        self._last = listed

    def is_withheld(self, tool: str) -> bool:
        """Tell whether a tool may not be called for now."""
        return ToolKey(self._pack, self._server, tool) in self._withheld


def _hashes(tools: Sequence[DescribedTool]) -> Mapping[str, str]:
    """Map names to hashes; of two of one name nobody knows which would be called."""
    found: dict[str, str] = {}
    for tool in tools:
        found[tool.name] = "listed twice" if tool.name in found else tool.pin_sha256
    return found


def changed(key: ToolKey) -> str:
    """Say that a tool is not what was accepted, and what to do about it."""
    tool, server = visible(key.tool), key.server
    return (
        f"The tool {tool} of {server} has changed since it was accepted, and is not used until a "
        f"person accepts the change (prefrontal tools show {visible(key.id)})."
    )


def accepted(key: ToolKey) -> str:
    """Say that a tool waits for a start, because its change was accepted after the last one."""
    return f"The change of {visible(key.tool)} of {key.server} is accepted; restart to use it."


def differences(before: DescribedTool, after: DescribedTool) -> tuple[ToolChange, ...]:
    """List every field in which two descriptions differ, with what stands there, uncut."""
    old, new = dict(_leaves(asdict(before))), dict(_leaves(asdict(after)))
    return tuple(
        ToolChange(field=visible(path), before=old.get(path), after=new.get(path))
        for path in dict.fromkeys((*old, *new))
        if old.get(path) != new.get(path) and not _is_filled(path, old, new)
    )


def _is_filled(path: str, *sides: Mapping[str, str]) -> bool:
    """Tell whether an empty object only got fields, or lost them: those are listed themselves."""
    is_empty = all(side.get(path, "{}") == "{}" for side in sides)
    return is_empty and any(key.startswith(f"{path}.") for side in sides for key in side)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:  # JSON
    if isinstance(value, Mapping) and value:
        for key, inside in value.items():
            yield from _leaves(inside, f"{path}.{key}" if path else str(key))
    else:
        yield path, visible(json.dumps(value, ensure_ascii=False, sort_keys=True))
