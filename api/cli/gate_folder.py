"""The folder of a gate: a pack of one MCP server, the data, the agent's key and the port.

.prefrontal-gate/NAME/
NAME/mcp.yaml   how the server is started, and what each of its tools does: yours to edit
data/           the service's own: the ledger, keys, decisions
agent.key       the agent's key; whoever reads it may propose, and never approve
port            where the service listens, so that a client's configuration stays true
"""

import json
import os
import re
import socket
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from state.errors import AgentError, BadInput
from tools.catalog.pack_schema import McpServer
from tools.platform.texts import t

if TYPE_CHECKING:
    from state.action import Action
    from tools.platform.egress import Egress

PARENT = Path(".prefrontal-gate")
SECONDS = 25.0
"""For a call; a handler that takes 30 is left to itself (policy.toml)."""
START_SECONDS = 30.0
"""For the first list of tools, unless an option says otherwise."""
APPROVAL_MINUTES = 240.0

_LAUNCHERS = frozenset({"npx", "uvx", "bunx", "pipx", "node", "uv", "deno", "bun", "pnpm", "yarn"})
_VERBS = frozenset({"run", "exec", "dlx", "tool"})
_AFFIXES = re.compile(r"^(?:mcp_server_|server_|mcp_)(?=.)|(?<=.)(?:_mcp_server|_server|_mcp)$")


@dataclass(frozen=True)
class Gate:
    """One gate on disk."""

    folder: Path
    name: str

    @property
    def pack(self) -> Path:
        """The folder of its pack."""
        return self.folder / self.name

    @property
    def rules(self) -> Path:
        """The file that says what each tool does."""
        return self.pack / "mcp.yaml"

    @property
    def data(self) -> Path:
        """Everything that the service keeps."""
        return self.folder / "data"

    def server(self) -> McpServer | None:
        """Read what is gated; None: nothing yet.

        Raises:
            PackFaults: the file was edited to something that is no mcp.yaml.
        """
        if not self.rules.exists():
            return None
        from tools.catalog import load_pack

        return load_pack(self.pack).mcp[self.name]

    def write(self, server: McpServer, actions: Mapping[str, "Action"]) -> None:
        """Make the folder and write the pack, readable by its owner alone."""
        self.pack.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        _replace(self.folder / ".gitignore", "*\n")
        _replace(self.rules, _rules(self.name, server, actions))

    def agent_key(self) -> str | None:
        """Read the agent's key; None: there is none yet."""
        file = self.folder / "agent.key"
        return file.read_text("utf-8").strip() if file.exists() else None

    def keep_agent_key(self, key: str) -> None:
        """Write the agent's key for its owner alone."""
        _replace(self.folder / "agent.key", key)

    def port(self) -> int:
        """Find the port of the last start, or a free one where it is taken or there is none."""
        file = self.folder / "port"
        kept = file.read_text("utf-8").strip() if file.exists() else ""
        port = _free(int(kept)) if kept.isdecimal() and int(kept) <= 65_535 else None
        port = port or _free(0)
        if port is None:
            raise AgentError(t("gateway.no_port"))
        return port

    def keep_port(self, port: int) -> None:
        """Write down the port for the next start; only who has the data folder may."""
        _replace(self.folder / "port", str(port))


def _replace(file: Path, text: str) -> None:
    """Write a file for its owner alone; who reads it meanwhile reads the old text or the new."""
    descriptor, part = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(part).replace(file)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise


def _free(port: int) -> int | None:
    try:
        with socket.create_server(("127.0.0.1", port)) as found:
            number: int = found.getsockname()[1]
            return number
    except OSError:
        return None


def name_of(command: Sequence[str], url: str | None) -> str:
    """Find a name for a server in how it is started: `npx -y @x/server-files DIR` is `files`."""
    if url is not None:
        labels = (urlsplit(url).hostname or "").split(".")
        told = next((one for one in labels if one not in ("api", "mcp", "www")), "")
    else:
        told = _program(command)
    from tools.adapters.mcp.tool_effects import identifier

    plain = identifier(told)
    while (shorter := _AFFIXES.sub("", plain)) != plain:
        plain = shorter
    return plain[:40].strip("_") or "server"


def _program(command: Sequence[str]) -> str:
    """Give the word that names the program: behind a launcher, the first that is no option."""
    first = Path(command[0]).name
    is_launched = first in _LAUNCHERS or first.startswith("python")
    if first in ("docker", "podman"):
        return command[-1].rpartition("/")[2].partition(":")[0]
    rest = [one for one in command[1:] if not one.startswith("-") and one not in _VERBS]
    word = rest[0] if is_launched and rest else first
    return re.sub(r"@[\w.]+$", "", word).rpartition("/")[2].removesuffix(".py").removesuffix(".js")


def described(
    command: Sequence[str], url: str | None, headers: Sequence[str], secrets: Sequence[str]
) -> dict[str, object]:
    """Describe how a server is reached, as mcp.yaml does.

    Args:
        headers: `Name: value`, in which `${NAME}` stands for a secret.
        secrets: variables of this process that a server which we start is given.

    Raises:
        BadInput: neither or both of command and URL, or a header without a colon.
    """
    if bool(command) == (url is not None):
        raise BadInput(t("gateway.one_server"))
    if url is None:
        if headers:
            raise BadInput(t("gateway.no_headers"))
        return {
            "transport": "stdio",
            "command": command[0],
            "args": list(command[1:]),
            "env": {name: f"${{{name}}}" for name in secrets},
            "cwd": str(Path.cwd()),
        }
    if secrets:
        raise BadInput(t("gateway.no_env"))
    sent: dict[str, str] = {}
    for header in headers:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise BadInput(t("gateway.header", header=header))
        sent[name.strip()] = value.strip()
    return {"transport": "streamable_http", "url": url, "headers": sent}


async def read_tools(  # what a start needs, and who hears of it
    name: str,
    server: McpServer,
    folder: Path,
    egress: "Egress",
    seconds: float,
    tell: Callable[[str], None],
) -> tuple[Mapping[str, "Action"], tuple[str, ...]]:
    """List a server's tools as the actions they become, and what is wrong with others.

    Args:
        seconds: for the start and the list.
        tell: hears each line that the server writes besides messages.

    Raises:
        AgentError: it cannot be started or reached, or does not answer in time.
    """
    from tools.adapters import McpConnection
    from tools.adapters.mcp.tool_actions import to_actions

    patient = server.model_copy(update={"seconds": seconds})
    connection = McpConnection(name, patient, egress, folder, tell)
    try:
        converted = to_actions(name, name, server, await connection.tools())
    finally:
        await connection.close()
    return converted.actions, tuple(filter(None, (connection.trouble, *converted.troubles)))


def _rules(name: str, server: McpServer, actions: Mapping[str, "Action"]) -> str:
    """Write mcp.yaml: YAML with comments, its values as JSON, which YAML is a superset of."""
    how = server.model_dump(
        mode="json", include={"transport", "command", "args", "env", "cwd", "url", "headers"}
    )
    lines = [
        *(f"# {line}".rstrip() for line in t("gateway.rules", name=name).splitlines()),
        "servers:",
        f"  {name}:",
        *(f"    {key}: {_json(value)}" for key, value in how.items() if value not in (None, {})),
        f"    seconds: {server.seconds:g}",
        f"    approvers: {{expires_minutes: {server.approvers.expires_minutes:g}}}",
        f"    trusted: {_json(server.trusted)}",
        f"    reads_run: {_json(server.reads_run)}",
        "    tools:" if actions else "    tools: {}",
    ]
    for action in actions.values():
        if action.mcp is not None:
            rule = f"      {_json(action.mcp.tool)}: {{effect: {action.effect}}}"
            lines.append(f"{rule}  # {t(f'gateway.runs.{action.floor}')}")
    return "\n".join([*lines, ""])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
