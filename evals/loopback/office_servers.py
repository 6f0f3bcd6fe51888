"""Two MCP servers on stdio for tasks of agents: text files, and a mailbox of JSON files.

`office_servers.py files FOLDER` or `office_servers.py mail FOLDER`; a mailbox has the folders
inbox, sent and archive.
"""

import json
import sys
from pathlib import Path

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

ROOT = Path(sys.argv[2]) if len(sys.argv) > 2 else Path.cwd()
files, mail = FastMCP("files"), FastMCP("mail")
_READS = ToolAnnotations(readOnlyHint=True)
_WRITES = ToolAnnotations(readOnlyHint=False, destructiveHint=False)
_DESTROYS = ToolAnnotations(readOnlyHint=False, destructiveHint=True)


@files.tool(annotations=_READS)
def list_files(folder: str = ".") -> list[str]:
    """List the files of a folder and of those in it."""
    return sorted(str(one.relative_to(ROOT)) for one in _in(folder).rglob("*") if one.is_file())


@files.tool(annotations=_READS)
def read_file(path: str) -> str:
    """Read a file."""
    return _in(path).read_text("utf-8")


@files.tool(annotations=_READS)
def search_files(query: str) -> list[str]:
    """Find the lines that hold a text, each with its file."""
    return [
        f"{name}: {line}"
        for name in list_files()
        for line in _in(name).read_text("utf-8").splitlines()
        if query.casefold() in line.casefold()
    ]


@files.tool(annotations=_DESTROYS)
def write_file(path: str, content: str) -> str:
    """Write a file, in the place of one that is there."""
    _in(path).parent.mkdir(parents=True, exist_ok=True)
    _in(path).write_text(content, "utf-8")
    return f"wrote {path}"


@files.tool(annotations=_WRITES)
def append_to_file(path: str, line: str) -> str:
    """Add a line to a file."""
    with _in(path).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return f"added to {path}"


@files.tool(annotations=_DESTROYS)
def move_file(source: str, target: str) -> str:
    """Move a file."""
    _in(target).parent.mkdir(parents=True, exist_ok=True)
    _in(source).rename(_in(target))
    return f"moved {source} to {target}"


@files.tool(annotations=_DESTROYS)
def delete_file(path: str) -> str:
    """Delete a file."""
    _in(path).unlink()
    return f"deleted {path}"


@mail.tool(annotations=_READS)
def list_messages(folder: str = "inbox") -> list[str]:
    """List the messages of a folder: id, sender, recipient and subject."""
    return [
        f"{file.stem}: {said['from']} to {said['to']}: {said['subject']}"
        for file in sorted((ROOT / Path(folder).name).glob("*.json"))
        for said in [json.loads(file.read_text("utf-8"))]
    ]


@mail.tool(annotations=_READS)
def read_message(message_id: str) -> str:
    """Read a message."""
    said = json.loads(_file(message_id).read_text("utf-8"))
    return f"From: {said['from']}\nSubject: {said['subject']}\n\n{said['body']}"


@mail.tool(annotations=_WRITES)
def send_message(to: str, subject: str, text: str) -> str:
    """Send a message."""
    number = sum(1 for _ in (ROOT / "sent").glob("*.json")) + 1
    said = {"from": "me", "to": to, "subject": subject, "body": text}
    (ROOT / "sent" / f"s{number}.json").write_text(json.dumps(said), "utf-8")
    return f"sent to {to}"


@mail.tool(annotations=_WRITES)
def archive_message(message_id: str) -> str:
    """Move a message to the archive."""
    file = _file(message_id)
    file.rename(ROOT / "archive" / file.name)
    return f"archived {message_id}"


@mail.tool(annotations=_DESTROYS)
def delete_message(message_id: str) -> str:
    """Delete a message for good."""
    _file(message_id).unlink()
    return f"deleted {message_id}"


def _in(path: str) -> Path:
    whole = (ROOT / path).resolve()
    if not whole.is_relative_to(ROOT.resolve()):
        raise ValueError(f"{path} leads out of the folder")
    return whole


def _file(message_id: str) -> Path:
    found = [ROOT / each / f"{Path(message_id).name}.json" for each in ("inbox", "sent", "archive")]
    there = [file for file in found if file.is_file()]
    if not there:
        raise ValueError(f"there is no message {message_id}")
    return there[0]


if __name__ == "__main__":
    {"files": files, "mail": mail}[sys.argv[1]].run("stdio")
