"""Training data of the reader: messages with labels, as read from files and made of other sets.

The files stand in `evals/training/reader/`, a domain each; GUIDE.md there defines the labels.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.nlu.reader.reading import ACTS, CONTROLS, TAGS, WANTS

FOLDER = Path(__file__).with_name("reader")
_MARK = re.compile(r"\{(?:([a-z]) )?([^{}]*)\}")
_KINDS = {
    "negated": ("denied", "none"),
    "quoted": ("quoted", "none"),
    "hypothetical": ("hypothetical", "none"),
    "report": (None, "none"),
    "relayed_decision": (None, "none"),
    "future_self": ("statement", "none"),
    "plans": ("statement", "none"),
    "chat": ("statement", "none"),
    "opinion": ("statement", "none"),
    "reason_only": ("statement", "none"),
    "others": (None, "none"),
    "half": (None, "none"),
    "rhetorical": (None, "none"),
    "how_to": ("question", "info"),
    "past_question": ("question", "info"),
    "complaint_without_a_wish": ("complaint", "none"),
    "complaint": ("complaint", "none"),
}
"""Act and want of a kind of `evals/training/talk`; None: its texts differ in it."""


@dataclass(frozen=True)
class Labelled:
    """A message and what is true of it; None: not labelled."""

    text: str
    domain: str
    act: str | None = None
    want: str | None = None
    control: str | None = None
    spans: tuple[tuple[int, int, str], ...] | None = None
    """(start, end, letter of the tag), in characters of the text."""


def parse_line(line: str, domain: str) -> Labelled:
    """Read `act want control text`, parted by tabs, the text with `{k words}`.

    Raises:
        ValueError: a label or a mark is unknown.
    """
    act, want, control, marked = line.split("\t")
    if act not in ACTS or want not in WANTS or control not in CONTROLS:
        raise ValueError(f"unknown label in {line!r}")
    text, spans, last = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[last : match.start()]
        letter = match[1]
        if letter not in TAGS:
            raise ValueError(f"unknown tag in {line!r}")
        spans.append((len(text), len(text) + len(match[2]), letter))
        text += match[2]
        last = match.end()
    text += marked[last:]
    if "{" in text or "}" in text:
        raise ValueError(f"stray brace in {line!r}")
    return Labelled(text, domain, act, want, control, tuple(spans))


def read_domain(file: Path) -> Iterator[Labelled]:
    """Read one file; blank lines and those with `#` at their head are passed over."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield parse_line(line, file.stem)


def read_all(folder: Path = FOLDER) -> list[Labelled]:
    """Read every domain."""
    return [row for file in sorted(folder.glob("*.tsv")) for row in read_domain(file)]


_HELD_OUT = (
    "airline_desk", "city_complaints_office", "deutsch_buero", "film_production", "law_firm",
    "parcel_depot", "port_terminal", "school_office", "theatre_lighting",
)  # fmt: skip
"""Domains that measure, and that nothing is learnt from."""
_HELD_OUT_TALK = ("gym", "hotel", "law_office", "oncall")
_TALK, _DOMAINS = FOLDER.with_name("talk"), FOLDER.with_name("domains")
_WANTED = ("wanted", "request", "indirect")


@dataclass(frozen=True)
class Parts:
    """What is learnt from, and what measures: whole domains that nothing was learnt from."""

    learnt: Sequence[Labelled]
    held_out: Sequence[Labelled]
    held_out_talk: Sequence[Labelled]

    @property
    def all(self) -> Sequence[Labelled]:
        """Give every message."""
        return (*self.learnt, *self.held_out, *self.held_out_talk)


def read_parts() -> Parts:
    """Read every message that the reader is learnt from or measured with."""
    own, talk = read_all(), [row for file in sorted(_TALK.glob("*.tsv")) for row in read_talk(file)]
    return Parts(
        learnt=[
            *(row for row in own if row.domain not in _HELD_OUT),
            *(row for row in talk if row.domain not in _HELD_OUT_TALK),
        ],
        held_out=[row for row in own if row.domain in _HELD_OUT],
        held_out_talk=[row for row in talk if row.domain in _HELD_OUT_TALK],
    )


def read_talk(file: Path) -> Iterator[Labelled]:
    """Read what people say to the assistant of one domain, as far as its kind tells labels.

    The file begins with a line on its pack and one of the columns: split, kind, author, action and
    text. A wish has the want of its action's effect, where the actions are listed in `domains/`.
    """
    listed = _DOMAINS / f"{file.stem}.json"
    effects = {
        entry["name"]: entry["effect"]
        for entry in (json.loads(listed.read_text("utf-8")) if listed.exists() else ())
    }
    for line in file.read_text("utf-8").splitlines()[2:]:
        _split, kind, _author, action, text = line.split("\t")
        if not action and kind in _KINDS:
            act, want = _KINDS[kind]
            yield Labelled(text, file.stem, act, want)
        elif kind in _WANTED and action in effects:
            yield Labelled(text, file.stem, want="info" if effects[action] == "read" else "change")


def data_hash() -> str:
    """Name all that is learnt from and measured with."""
    digest = hashlib.sha256()
    for file in sorted((*FOLDER.glob("*.tsv"), *_TALK.glob("*.tsv"), *_DOMAINS.glob("*.json"))):
        digest.update(f"{file.parent.name}/{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def tags_at(row: Labelled, places: Sequence[tuple[int, int]]) -> list[int]:
    """Give the tag of what stands at each place, by its number; -1 where nothing is labelled."""
    if row.spans is None:
        return [-1] * len(places)
    numbers = {letter: number for number, letter in enumerate(TAGS)}
    return [
        -1
        if start == end
        else next((numbers[tag] for first, last, tag in row.spans if first <= start < last), 0)
        for start, end in places
    ]
