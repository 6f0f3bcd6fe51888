"""Read what people say to the assistant of an invented domain, by the intent that it has."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

DOMAINS = Path(__file__).with_name("domains")
NONE = "none"
"""Heads the texts of a domain that none of its intents covers."""


def read_texts(file: Path) -> Mapping[str, list[str]]:
    """Read `## intent` and the texts under it, one a line."""
    found: dict[str, list[str]] = defaultdict(list)
    intent = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            intent = line.removeprefix("## ").strip()
        elif line.strip():
            found[intent].append(line.strip())
    return found
