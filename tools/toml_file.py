"""A file of TOML that an operator writes: what is wrong with it is a line that says what to do."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from state.errors import BadInput


def read_toml(path: Path, setting: str, table: str | None = None) -> dict[str, Any]:
    """Read it.

    Args:
        path: where it is.
        setting: what names it in the environment.
        table: the only name in it, of `[[tables]]`, at least one; None: any.

    Raises:
        BadInput: it cannot be read, is no TOML, or holds something else.
    """
    read = toml_of(text_of(path, setting), path, setting)
    if table is not None:
        if unknown := sorted(read.keys() - {table}):
            named = ", ".join(unknown)
            raise BadInput(f"{setting}: {path}: unknown {named}; it holds [[{table}]] tables alone")
        if not read.get(table):
            raise BadInput(
                f"{setting}: {path}: holds no [[{table}]]; write one, or unset {setting}"
            )
    return read


def text_of(path: Path, setting: str) -> str:
    """Read its text.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        return path.read_text("utf-8")
    except OSError as error:
        reason = f"{path}: {error.strerror}"
        raise BadInput(f"{setting}: {reason}; name a file that can be read") from error
    except UnicodeDecodeError as error:
        place = f"byte {error.start}"
        raise BadInput(f"{setting}: {path}: is not UTF-8 ({place}); save it as UTF-8") from error


def toml_of(text: str, path: Path, setting: str) -> dict[str, Any]:
    """Read what a text of such a file holds.

    Raises:
        BadInput: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{setting}: {path}: is not TOML: {error}") from error


def told_of(setting: str, path: Path, error: ValidationError) -> BadInput:
    """Say of each value that does not fit where it stands and what is wrong."""
    faults = "; ".join(
        f"{'.'.join(map(str, one['loc']))}: {one['msg'].removeprefix('Value error, ')}"
        for one in error.errors()
    )
    return BadInput(f"{setting}: {path}: {faults}")
