"""An MCP server over a mailbox, a file of JSON for each message; on stdio."""

import json
import sys
from pathlib import Path

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd()
"""Holds the folders inbox, sent and archive."""
server = FastMCP("mail")
_READS = ToolAnnotations(readOnlyHint=True)
_WRITES = ToolAnnotations(readOnlyHint=False, destructiveHint=False)
_DESTROYS = ToolAnnotations(readOnlyHint=False, destructiveHint=True)


@server.tool(annotations=_READS)
def list_messages(folder: str = "inbox") -> list[str]:
    """List the messages of a folder: id, sender, recipient and subject."""
    return [
        f"{file.stem}: {said['from']} to {said['to']}: {said['subject']}"
        for file in sorted((ROOT / Path(folder).name).glob("*.json"))
        for said in [json.loads(file.read_text("utf-8"))]
    ]


@server.tool(annotations=_READS)
def read_message(message_id: str) -> str:
    """Read a message."""
    said = json.loads(_file(message_id).read_text("utf-8"))
    return f"From: {said['from']}\nSubject: {said['subject']}\n\n{said['body']}"


@server.tool(annotations=_WRITES)
def send_message(to: str, subject: str, text: str) -> str:
    """Send a message."""
    number = sum(1 for _ in (ROOT / "sent").glob("*.json")) + 1
    said = {"from": "me", "to": to, "subject": subject, "body": text}
    (ROOT / "sent" / f"s{number}.json").write_text(json.dumps(said), "utf-8")
    return f"sent to {to}"


@server.tool(annotations=_WRITES)
def archive_message(message_id: str) -> str:
    """Move a message to the archive."""
    file = _file(message_id)
    file.rename(ROOT / "archive" / file.name)
    return f"archived {message_id}"


@server.tool(annotations=_DESTROYS)
def delete_message(message_id: str) -> str:
    """Delete a message for good."""
    _file(message_id).unlink()
    return f"deleted {message_id}"


def _file(message_id: str) -> Path:
    found = [ROOT / each / f"{Path(message_id).name}.json" for each in ("inbox", "sent", "archive")]
    there = [file for file in found if file.is_file()]
    if not there:
        raise ValueError(f"there is no message {message_id}")
    return there[0]


if __name__ == "__main__":
    server.run("stdio")
