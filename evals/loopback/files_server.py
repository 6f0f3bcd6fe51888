"""An MCP server over a folder of text files, for tasks of agents; on stdio."""

import sys
from pathlib import Path

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd()
server = FastMCP("files")
_READS = ToolAnnotations(readOnlyHint=True)
_WRITES = ToolAnnotations(readOnlyHint=False, destructiveHint=False)
_DESTROYS = ToolAnnotations(readOnlyHint=False, destructiveHint=True)


@server.tool(annotations=_READS)
def list_files(folder: str = ".") -> list[str]:
    """List the files of a folder and of those in it."""
    return sorted(str(one.relative_to(ROOT)) for one in _in(folder).rglob("*") if one.is_file())


@server.tool(annotations=_READS)
def read_file(path: str) -> str:
    """Read a file."""
    return _in(path).read_text("utf-8")


@server.tool(annotations=_READS)
def search_files(query: str) -> list[str]:
    """Find the lines that hold a text, each with its file."""
    return [
        f"{name}: {line}"
        for name in list_files()
        for line in _in(name).read_text("utf-8").splitlines()
        if query.casefold() in line.casefold()
    ]


@server.tool(annotations=_DESTROYS)
def write_file(path: str, content: str) -> str:
    """Write a file, in the place of one that is there."""
    _in(path).parent.mkdir(parents=True, exist_ok=True)
    _in(path).write_text(content, "utf-8")
    return f"wrote {path}"


@server.tool(annotations=_WRITES)
def append_to_file(path: str, line: str) -> str:
    """Add a line to a file."""
    with _in(path).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return f"added to {path}"


@server.tool(annotations=_DESTROYS)
def move_file(source: str, target: str) -> str:
    """Move a file."""
    _in(target).parent.mkdir(parents=True, exist_ok=True)
    _in(source).rename(_in(target))
    return f"moved {source} to {target}"


@server.tool(annotations=_DESTROYS)
def delete_file(path: str) -> str:
    """Delete a file."""
    _in(path).unlink()
    return f"deleted {path}"


def _in(path: str) -> Path:
    whole = (ROOT / path).resolve()
    if not whole.is_relative_to(ROOT.resolve()):
        raise ValueError(f"{path} leads out of the folder")
    return whole


if __name__ == "__main__":
    server.run("stdio")
