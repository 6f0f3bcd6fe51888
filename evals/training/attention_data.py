"""Training data of the judge of events: lines of many domains with labels, and who is whose twin.

The files stand in `evals/training/attention/`, a domain each; GUIDE.md there defines the labels.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.attention.judge import HARMS, LEVELS, REALITIES, STATES, judged_text
from tools.attention.situations import BUILTIN_SITUATIONS, builtin_kinds

FOLDER = Path(__file__).with_name("attention")
TWIN = "~"
"""Before the level of a line: it is the twin of the line above, and no reason to speak."""
HELD_OUT = frozenset({
    "museum", "water_works", "baby_nursery", "mmo_raid", "cloud_costs", "sailing_yacht",
    "vet_and_pets", "email_inbox", "football_manager_game", "construction_site",
})  # fmt: skip
"""Domains that measure, and that nothing is learnt from."""


@dataclass(frozen=True)
class EventLine:
    """An event and what is true of it; None: not labelled."""

    source: str
    text: str
    domain: str
    level: str
    harm: str | None = None
    state: str | None = None
    reality: str | None = None
    is_twin: bool = False
    """It is the twin of the line before it."""

    @property
    def read(self) -> str:
        """Give the text as the network reads it."""
        return judged_text(self.source, self.text) if self.source else self.text


def parse_line(line: str, domain: str) -> EventLine:
    """Read `level harm state reality source text`, parted by tabs.

    Raises:
        ValueError: a label is unknown, or a part is missing.
    """
    level, harm, state, reality, source, text = line.split("\t")
    is_twin = level.startswith(TWIN)
    level = level.removeprefix(TWIN)
    labels = ((level, LEVELS), (harm, HARMS), (state, STATES), (reality, REALITIES))
    if any(label not in known for label, known in labels) or not (source and text.strip()):
        raise ValueError(f"unknown label in {line!r}")
    return EventLine(source, text, domain, level, harm, state, reality, is_twin)


def read_domain(file: Path) -> Iterator[EventLine]:
    """Read one file; blank lines and those with `#` at their head are passed over."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield parse_line(line, file.stem)


def read_events(folder: Path = FOLDER) -> list[EventLine]:
    """Read every domain."""
    return [row for file in sorted(folder.glob("*.tsv")) for row in read_domain(file)]


def read_situations() -> list[EventLine]:
    """Read the described situations in which a word helps, or does not (situations.yaml)."""
    kinds = builtin_kinds()
    sides = ((kinds.wanted, "now"), (kinds.unwanted, "quiet"))
    return [
        EventLine("", text, "situations", level)
        for side, level in sides
        for kind in side.values()
        for text in kind.examples
    ]


def data_hash() -> str:
    """Name all that is learnt from and measured with."""
    digest = hashlib.sha256()
    for file in (*sorted(FOLDER.glob("*.tsv")), BUILTIN_SITUATIONS):
        digest.update(f"{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]
