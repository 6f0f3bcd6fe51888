"""Read the journal's configuration from a TOML or YAML file of contexts."""

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from state.errors import BadInput
from state.journal_config import MODULE, JournalConfig

_OPENS = re.compile(r"^(\s*)config\s*=\s*\{\s*$")
_CLOSES = re.compile(r"^\s*\}\s*$")


def read_config(path: Path) -> JournalConfig:
    """Read what a file says of `context-decision-journal`; without it everything is as usual.

    The specification writes `config = {` over several lines, which TOML 1.0 does not know: it is
    read as the table that is meant.

    Raises:
        BadInput: neither TOML nor YAML, an unknown key, or something this journal cannot do.
    """
    try:
        text = path.read_text("utf-8")
        is_yaml = path.suffix.lower() in (".yaml", ".yml")
        document: Any = yaml.safe_load(text) if is_yaml else tomllib.loads(_as_tables(text))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, yaml.YAMLError) as error:
        raise BadInput(f"{path}: cannot be read: {error}") from error
    contexts = document.get("contexts", []) if isinstance(document, dict) else []
    named = (one for one in contexts if isinstance(one, dict) and one.get("module") == MODULE)
    given = next((one.get("config") or {} for one in named), {})
    try:
        return JournalConfig.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise BadInput(f"{path}: {where or 'config'}: {fault['msg']}") from error


def _as_tables(text: str) -> str:
    lines, inside = [], False
    for line in text.splitlines():
        if not inside and _OPENS.match(line):
            lines.append("[contexts.config]")
            inside = True
        elif inside and _CLOSES.match(line):
            inside = False
        else:
            lines.append(line)
    return "\n".join(lines)
