"""Tool descriptions as servers send them, their hashes, and the pins that detect a change.

A pinned tool stays what it was when first seen until a person accepts its change.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Protocol

from pydantic import ValidationError

from state.noun import clean_text
from state.tool_pin import ToolChange
from tools.catalog import ToolKey, WithheldTools
from tools.catalog.pack_schema import McpServer
from tools.platform.redaction import redact_secrets
from tools.platform.unicode_safety import show_hidden

MAX_NAME = 200
MAX_DESCRIPTION_BYTES = 256 * 1024
"""Of all that a server says of one tool, as JSON; a longer description is not kept."""


@dataclass(frozen=True)
class DescribedTool:
    """What a server says of one tool; all of it is data, none of it is trusted."""

    name: str
    title: str
    description: str
    schema: Mapping[str, Any]
    """JSON Schema of its arguments."""
    annotations: Mapping[str, Any]
    problem: str = ""
    """Why the description is not kept, and the tool never used; the fields are empty then."""

    @property
    def is_read_only(self) -> bool:
        """Tell whether it claims to change nothing, and does not contradict itself."""
        is_harmful = self.annotations.get("destructiveHint") is True
        return self.annotations.get("readOnlyHint") is True and not is_harmful

    @property
    def is_additive(self) -> bool:
        """Tell whether it says outright that what it changes is nothing destructive."""
        return self.annotations.get("destructiveHint") is False

    def without(self, secrets: Iterable[str]) -> "DescribedTool":
        """Blot the deployment's secrets out of what the server says of it."""
        told: Any = redact_secrets(asdict(self), secrets)
        return DescribedTool(**told)

    @cached_property
    def pin_sha256(self) -> str:
        """Hash all that the server says of it, in whatever order it writes the keys."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    def sha256(self, server: McpServer) -> str:
        """Hash the description together with where it comes from; secrets are no part of it."""
        source = server.model_dump(
            mode="json", include={"transport", "command", "args", "env", "cwd", "url", "headers"}
        )
        whole = {
            "server": source,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "schema": self.schema,
            "annotations": self.annotations,
        }
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def describe_tool(sent: Any) -> DescribedTool:  # any JSON
    """Take what we use from a tool as a server sent it; one of another form has a problem."""
    from mcp.types import Tool

    try:
        tool = Tool.model_validate(sent)
    except ValidationError as error:
        name = str(sent.get("name")) if isinstance(sent, dict) else ""
        field = ".".join(map(str, error.errors()[0]["loc"])) or "name"
        problem = f"its {field} is not as the protocol wants it"
        return DescribedTool(show_hidden(name[:MAX_NAME]), "", "", {}, {}, problem)
    annotations = tool.annotations.model_dump(exclude_none=True) if tool.annotations else {}
    found = DescribedTool(
        name=tool.name,
        title=tool.title or str(annotations.get("title") or ""),
        description=tool.description or "",
        schema=tool.inputSchema,
        annotations=annotations,
    )
    problem = _problem(found)
    if not problem:
        return found
    return DescribedTool(show_hidden(tool.name[:MAX_NAME]), "", "", {}, {}, problem)


def _problem(tool: DescribedTool) -> str:
    try:
        clean_text(tool.name)
        size = len(json.dumps([tool.title, tool.description, tool.schema, tool.annotations]))
    except (ValueError, RecursionError, TypeError):
        return "its description cannot be read"
    if len(tool.name) > MAX_NAME:
        return "its name is empty or too long"
    return "its description is too large" if size > MAX_DESCRIPTION_BYTES else ""


@dataclass(frozen=True)
class Pin:
    """What was seen first or accepted last."""

    sha256: str
    tool: DescribedTool


class Pins(Protocol):
    """The pins of this deployment. See tools/gate/approvals/tool_pins.py."""

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
        self, pack: str, server: str, withheld: WithheldTools, loaded: Mapping[str, str]
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
                self._withheld.withhold(key, accepted_reason(key))
            else:
                self._withheld.withhold(key, changed_reason(key))
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


def changed_reason(key: ToolKey) -> str:
    """Say that a tool is not what was accepted, and what to do about it."""
    tool, server = show_hidden(key.tool), key.server
    return (
        f"The tool {tool} of {server} has changed since it was accepted, and is not used until a "
        f"person accepts the change (prefrontal tools show {show_hidden(key.id)})."
    )


def accepted_reason(key: ToolKey) -> str:
    """Say that a tool waits for a start, because its change was accepted after the last one."""
    return f"The change of {show_hidden(key.tool)} of {key.server} is accepted; restart to use it."


def differences(before: DescribedTool, after: DescribedTool) -> tuple[ToolChange, ...]:
    """List every field in which two descriptions differ, with what stands there, uncut."""
    old, new = dict(_leaves(asdict(before))), dict(_leaves(asdict(after)))
    return tuple(
        ToolChange(field=show_hidden(path), before=old.get(path), after=new.get(path))
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
        yield path, show_hidden(json.dumps(value, ensure_ascii=False, sort_keys=True))
