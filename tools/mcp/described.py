"""A tool as its server describes it, and the hashes that bind a pin and an approval to that."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from state.noun import clean_text
from tools.catalogue.mcp_file import McpServer
from tools.secrecy import without_secrets
from tools.visible import visible

if TYPE_CHECKING:
    from mcp.types import Tool


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
        told: Any = without_secrets(asdict(self), secrets)
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


def described(tool: "Tool") -> DescribedTool:
    """Take what we use from a tool of the protocol's own types."""
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
    return DescribedTool(visible(tool.name[:MAX_NAME]), "", "", {}, {}, problem)


def _problem(tool: DescribedTool) -> str:
    try:
        clean_text(tool.name)
        size = len(json.dumps([tool.title, tool.description, tool.schema, tool.annotations]))
    except (ValueError, RecursionError, TypeError):
        return "its description cannot be read"
    if len(tool.name) > MAX_NAME:
        return "its name is empty or too long"
    return "its description is too large" if size > MAX_DESCRIPTION_BYTES else ""
