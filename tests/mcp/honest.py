"""An MCP server that keeps a notebook in a file; by default on stdio, `--http PORT` over HTTP."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Literal

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

BOOK = Path(sys.argv[1])
server = FastMCP("notebook", port=int(sys.argv[3]) if "--http" in sys.argv else 8000)


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def count_entries() -> str:
    """Count the entries of the notebook."""
    return f"{len(_lines())} entries"


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def search_entries(query: str, limit: int = 10) -> list[str]:
    """Search the entries of the notebook for a word."""
    return [line for line in _lines() if query in line][:limit]


@server.tool(annotations=ToolAnnotations(destructiveHint=False))
def add_entry(text: str, mood: Literal["calm", "alarmed"] = "calm") -> str:
    """Add an entry to the notebook."""
    with BOOK.open("a", encoding="utf-8") as book:
        book.write(f"{mood}: {text}\n")
    return "written"


@server.tool()
def erase_notebook() -> str:
    """Erase every entry of the notebook."""
    with BOOK.open("a", encoding="utf-8") as book:
        book.write("erased\n")
    return "erased"


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def show_environment() -> str:
    """Show what the server was given to know."""
    return "\n".join(sorted(os.environ))


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def show_process() -> str:
    """Show the number of the process."""
    return str(os.getpid())


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def wait_for_file(name: str) -> str:
    """Wait until a file is there."""
    (BOOK.parent / "waiting").touch()
    while not (BOOK.parent / name).exists():  # noqa: ASYNC110  # another process makes it
        await asyncio.sleep(0.01)
    return "there"


@server.tool(annotations=ToolAnnotations(destructiveHint=False))
def fail_halfway() -> str:
    """Write half an entry and fail."""
    with BOOK.open("a", encoding="utf-8") as book:
        book.write("half\n")
    raise RuntimeError("out of ink\x1b[2J")


def _lines() -> list[str]:
    return BOOK.read_text("utf-8").splitlines() if BOOK.exists() else []


server.run("streamable-http" if "--http" in sys.argv else "stdio")
