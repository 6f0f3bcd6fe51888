"""An MCP server of two tools over a folder, in the place of one that npm would fetch."""

import sys
from pathlib import Path

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

FOLDER = Path(sys.argv[1])
server = FastMCP("files")


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def read_text_file(path: str) -> str:
    """Read the complete contents of a file as text."""
    return (FOLDER / path).read_text("utf-8")


@server.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=True))
def write_file(path: str, content: str) -> str:
    """Create a new file or completely overwrite an existing file."""
    (FOLDER / path).write_text(content, "utf-8")
    return f"Successfully wrote to {path}"


server.run("stdio")
