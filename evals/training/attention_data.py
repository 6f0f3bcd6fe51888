"""Training data of the judge of events: lines of many domains with labels, and who is whose twin.

The files stand in `evals/training/attention/`, a domain each; GUIDE.md there defines the labels.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tools.attention.judge import HARMS, LEVELS, REALITIES, SAME_MATTER, STATES, judged_text
from tools.attention.situations import BUILTIN_SITUATIONS, builtin_kinds
from tools.platform.text_comparison import words_in_common

FOLDER = Path(__file__).with_name("attention")
TWIN = "~"
"""Before the level of a line: it is the twin of the line above, and no reason to speak."""
HELD_OUT = frozenset({
    "museum", "water_works", "baby_nursery", "mmo_raid", "cloud_costs", "sailing_yacht",
    "vet_and_pets", "email_inbox", "football_manager_game", "construction_site",
    "series_observatory", "series_garden_centre", "digest_goat_dairy_farm", "digest_homelab",
    "digest_deutsch_zuhause",
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

    befores: tuple[str, ...] = ()
    """What may have been said before of the same matter: its neighbours in the file."""

    @property
    def read(self) -> str:
        """Give the text as the network reads it."""
        return judged_text(self.source, self.text)


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
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [parse_line(one, file.stem) for one in lines if one.strip() and one[0] != "#"]
    for at, row in enumerate(rows):
        # The line above, and the twin below: what was grave may be well, and the other way round.
        near = [*rows[max(0, at - 1) : at], *(one for one in rows[at + 1 : at + 2] if one.is_twin)]
        alike = (one.text for one in near if is_same_matter(row.source, row.text, one))
        yield replace(row, befores=tuple(alike))


def is_same_matter(source: str, text: str, other: EventLine) -> bool:
    """Tell whether two events are of one source and share most words, but are not the same."""
    shared = words_in_common(text, other.text)
    return other.source == source and other.text != text and shared >= SAME_MATTER


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
