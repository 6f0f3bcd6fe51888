"""What `journal import` reads: conversations and decisions as JSON lines, records as Markdown."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from pydantic import JsonValue, ValidationError

from graph.cli.validating import faults_of
from state.errors import BadInput
from state.journal import Decision, JournalMessage
from tools.journal.conversation import Read
from tools.journal.records import read_record

_MARKDOWN = (".md", ".markdown")


def is_markdown(path: Path) -> bool:
    """Tell whether decision records are meant: a folder, or a Markdown file."""
    return path.is_dir() or path.suffix.lower() in _MARKDOWN


def records(path: Path, tenant_id: str) -> Iterator[Decision]:
    """Read every Markdown file below a folder, or one; a readme or an index is no record.

    Raises:
        BadInput: a file is not text, or much too long.
    """
    folder = path if path.is_dir() else path.parent
    files = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    for file in files:
        if path.is_dir() and file.stem.lower() in ("readme", "index", "template"):
            continue
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise BadInput(f"{file} is not UTF-8 text") from error
        if text.strip():
            yield read_record(text, file.relative_to(folder).as_posix(), tenant_id=tenant_id)


def lines(path: Path, tenant_id: str) -> Iterator[JournalMessage | Decision]:
    """Read JSON lines: messages, or decisions as `journal export --format jsonl` writes them.

    Raises:
        BadInput: a line is neither, with its number.
    """
    given = sys.stdin.buffer if str(path) == "-" else path.open("rb")
    with given as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _read(line, number, path, tenant_id)


def told(read: Read) -> dict[str, JsonValue]:
    """Give what a message was taken for as `journal import --json` tells it."""
    return {
        "message_id": read.message_id,
        "is_decision": read.is_decision,
        "confidence": read.confidence,
        "decision_id": read.decision_id,
        "reasons": list(read.reasons),
    }


def _read(line: bytes, number: int, path: Path, tenant_id: str) -> JournalMessage | Decision:
    try:
        row: Any = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"{path}:{number}: no JSON: {error}") from error
    if not isinstance(row, dict):
        raise BadInput(f"{path}:{number}: not an object; give one message a line")
    try:
        if "decision" in row and "content" not in row:
            return Decision.model_validate(row | {"tenant_id": tenant_id})
        return JournalMessage.model_validate({"message_id": f"line-{number}"} | row)
    except ValidationError as error:
        raise BadInput(f"{path}:{number}: {faults_of(error)}") from error
