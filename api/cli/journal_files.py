"""Read the files of `journal import`: messages and decisions as JSON lines, records as Markdown."""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from state.errors import BadInput
from state.journal import Decision, JournalMessage
from tools.journal import RecordText
from tools.platform.serialization import faults_of

_MARKDOWN = (".md", ".markdown")
_NO_RECORD = re.compile(r"readme|index|.*template", re.IGNORECASE)


def is_markdown(path: Path) -> bool:
    """Tell whether decision records are meant: a folder, or a Markdown file."""
    return str(path) != "-" and (path.is_dir() or path.suffix.lower() in _MARKDOWN)


def records(paths: Sequence[Path]) -> list[RecordText]:
    """Read Markdown files and those below folders, each once; a folder's readme is no record.

    A record is named by its path in its repository, else from the working directory, whichever
    argument it came by.

    Raises:
        BadInput: a file is not text.
    """
    files = dict.fromkeys(file.resolve() for path in paths for file in _files(path))
    found = []
    for file in files:
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise BadInput(f"{file} is not UTF-8 text") from error
        if text.strip():
            found.append(RecordText(path=_named(file), text=text))
    return found


def lines(path: Path, tenant_id: str) -> Iterator[JournalMessage | Decision]:
    """Read JSON lines: messages, or decisions as `journal export` writes them.

    Raises:
        BadInput: a line is neither, with its number.
    """
    given = sys.stdin.buffer if str(path) == "-" else path.open("rb")
    with given as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _read(line, number, path, tenant_id)


def read_message(line: bytes, number: int, path: Path) -> JournalMessage:
    """Read one line that has to be a message.

    Raises:
        BadInput: it is none, with its number.
    """
    read = _read(line, number, path, "default")
    if isinstance(read, Decision):
        raise BadInput(f"{path}:{number}: a decision, no message; `journal import` takes those")
    return read


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() in _MARKDOWN
        and file.is_file()
        and not _NO_RECORD.fullmatch(file.stem)
    )


def _named(file: Path) -> str:
    """Name a record by its path in its repository, wherever it is read from."""
    root = next((one for one in file.parents if (one / ".git").exists()), None)
    root = root or Path.cwd().resolve()
    return (file.relative_to(root) if file.is_relative_to(root) else file).as_posix()


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
