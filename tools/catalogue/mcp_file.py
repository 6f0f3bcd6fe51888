"""What mcp.yaml may hold: the MCP servers whose tools become actions of the pack."""

import re
from collections.abc import Mapping
from typing import Literal, Self

from pydantic import Field, model_validator

from state.action import Approvers, Effect
from state.noun import Name, Noun

_SERVER = re.compile(r"[a-z][a-z0-9_]{0,39}")


class McpToolRule(Noun):
    """What we say about one tool beyond what its server says; it can only become more careful."""

    leave_out: bool = False
    effect: Effect | None = Field(default=None, description="raises the class, never lowers it")
    words: tuple[Name, ...] = Field(default=(), description="verbs and phrases that ask for it")
    examples: tuple[str, ...] = ()
    roles: tuple[Name, ...] = Field(default=(), description="instead of the server's")
    summary: str | None = Field(default=None, min_length=1, description="template over the slots")


class McpServer(Noun):
    """One server: how to reach it, and who may use what it offers."""

    transport: Literal["stdio", "streamable_http", "sse"]
    command: str | None = Field(default=None, min_length=1, description="of stdio; no shell")
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(
        default_factory=dict, description="values may name a secret of the deployment: ${NAME}"
    )
    cwd: str | None = Field(default=None, description="default: the pack's folder")
    url: str | None = Field(default=None, min_length=1, description="of the other transports")
    headers: Mapping[str, str] = Field(
        default_factory=dict, description="values may name a secret of the deployment: ${NAME}"
    )
    seconds: float = Field(default=20.0, gt=0, le=600, description="for a call, its start included")
    roles: tuple[Name, ...] = Field(default=(), description="who may ask; empty: anyone")
    approvers: Approvers = Approvers()
    trusted: bool = Field(
        default=False,
        description="what the server says of its own tools may lower their class, to A as well",
    )
    tools: Mapping[Name, McpToolRule] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_its_transport(self) -> Self:
        if self.transport == "stdio":
            if self.command is None or self.url is not None or self.headers:
                raise ValueError("stdio takes command, args, env and cwd, and no url or headers")
        elif self.url is None or self.command is not None or self.args or self.env or self.cwd:
            raise ValueError(f"{self.transport} takes url and headers, and no command")
        return self


class McpFile(Noun):
    """All of mcp.yaml."""

    servers: Mapping[Name, McpServer] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_are_prefixes(self) -> Self:
        for name in self.servers:
            if not _SERVER.fullmatch(name):
                raise ValueError(f"server {name!r}: use small letters, digits and _ (at most 40)")
        return self
