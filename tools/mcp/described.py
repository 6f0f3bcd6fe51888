"""A tool as its server describes it, and the hash that binds an approval to that description."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tools.catalogue.mcp_file import McpServer
from tools.secrecy import without_secrets

if TYPE_CHECKING:
    from mcp.types import Tool


@dataclass(frozen=True)
class DescribedTool:
    """What a server says of one tool; all of it is data, none of it is trusted."""

    name: str
    title: str
    description: str
    schema: Mapping[str, Any]
    """JSON Schema of its arguments."""
    annotations: Mapping[str, Any]

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
    return DescribedTool(
        name=tool.name,
        title=tool.title or str(annotations.get("title") or ""),
        description=tool.description or "",
        schema=tool.inputSchema,
        annotations=annotations,
    )
