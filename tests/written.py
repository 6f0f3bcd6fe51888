"""What a pack's files say, as they are written: not as the product reads them."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def written_in(file: Path) -> dict[str, Any]:
    """Read a file; by libyaml, for ours is long and every worker reads it."""
    content: dict[str, Any] = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return content


def entries_of(file: Path) -> dict[str, dict[str, Any]]:
    """Give the actions of an `actions.yaml`."""
    entries: dict[str, dict[str, Any]] = written_in(file)["actions"]
    return entries
