"""A Markdown document cut into title, front matter and sections."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

_FRONT = re.compile(r"\A\ufeff?---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]{0,2000}\)")
_TOML = re.compile(r"\A\ufeff?\+\+\+\s*\n(.*?)\n\+\+\+\s*(?:\n|\Z)", re.DOTALL)
_UNDERLINE = re.compile(r"^ {0,3}(?:(=+)|-{3,})\s*$")
_NO_PARAGRAPH = re.compile(r"^\s*(?:[-*+>|#]|\d+[.)]\s|\S+\s*:)")
_NUMBERED = re.compile(r"^(?:[^\w\s]+\s*)?(?:\d+(?:\.\d+)*[.):]?\s+)?(?:the |our )?")
_MORE = re.compile(r"\s*(?:[:(/&,–—-]|\b(?:and|of|for|und|et|y|e|en|the)\b)")
"""What may follow a section's name without making another of it, as "Drivers" behind "Decision"."""
_CELL_NAME = re.compile(
    r"status|date|datum|fecha|authors?|author\(s\)|owners?|deciders?|decision[ -]makers?|title|id"
    r"|tags?|reviewers?|version",
    re.IGNORECASE,
)
"""A cell beside or below a name that is another name: the table goes the other way."""
_CELLS = re.compile(r"(?<!\\)\|")
_NOTHING = ("~", "null", "Null", "NULL")
_BULLET = re.compile(r"^\s{0,3}(?:[-*+]|\d+[.)])\s+(.*)$")


@dataclass(frozen=True)
class Section:
    """A heading, how deep it stands, and the text below it up to the next heading."""

    heading: str
    level: int
    body: str

    def is_named(self, *names: str) -> bool:
        """Tell whether its heading is one of these names, or goes on from one."""
        heading = _folded(self.heading)
        return heading in names or any(_goes_on(heading, name) for name in names)


@dataclass(frozen=True)
class Document:
    """A document's parts in order; what stands before the first heading is the lead."""

    front: Mapping[str, Any]  # YAML
    title: str
    lead: str
    sections: tuple[Section, ...]

    def under(self, *names: str, without: tuple[str, ...] = ()) -> str:
        """Give the text of the section of that name, with its parts.

        Args:
            names: the first that is a whole heading counts, else the first heading that goes on
                from a name without making another of it: "Decision and reasons".
            without: names of parts that are left out.
        """
        at = self._place(names)
        if at is None:
            return ""
        said = _after_name(self.sections[at].heading, names)
        return "\n\n".join([*said, *_with_parts(self.sections, at, without)]).strip()

    def facts(self, *names: str) -> Iterator[str]:
        """Give what the page says of a name before its sections, as it is written.

        In front matter, in a line "**Name**: …" or in a table, the name in its first row or column.
        """
        wanted = "|".join(map(re.escape, names))
        for key, value in self.front.items():
            if isinstance(value, str) and value and re.fullmatch(wanted, str(key), re.IGNORECASE):
                yield value
        label = re.compile(
            rf"^[^\w\n]*(?:{wanted})\b[*_ ]*:[*_ ]*(?P<value>\S.*)$", re.IGNORECASE | re.MULTILINE
        )
        yield from (found["value"].strip() for found in label.finditer(self.lead))
        for name, value in self._cells:
            is_name = _CELL_NAME.fullmatch(plain_words(value))
            if value and not is_name and re.fullmatch(wanted, name, re.IGNORECASE):
                yield value

    @cached_property
    def _cells(self) -> tuple[tuple[str, str], ...]:
        return tuple(_tabled(self.lead))

    def _place(self, names: tuple[str, ...]) -> int | None:
        headings = [_folded(one.heading) for one in self.sections]
        for name in names:
            if name in headings:
                return headings.index(name)
        return next(
            (at for at, one in enumerate(headings) for name in names if _goes_on(one, name)), None
        )


class _Texts(yaml.BaseLoader):
    """Reads every value as the text it is: a date that there is none of is nobody's fault here.

    Aliases are refused: nine lines of them can stand for a gigabyte.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias in front matter")
        return super().compose_node(parent, index)

    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        """Give its text; what YAML means nothing by is an empty one, unless it is quoted."""
        text = str(super().construct_scalar(node))
        return "" if node.style is None and text in _NOTHING else text


def read_markdown(text: str) -> Document:
    """Read a document; one without a level-1 heading has no title."""
    front: Any = {}  # YAML
    if found := _TOML.match(text):
        text = text[found.end() :]
        with suppress(tomllib.TOMLDecodeError, RecursionError, ValueError):
            front = {key: _as_text(one) for key, one in tomllib.loads(found[1]).items()}
    elif found := _FRONT.match(text):
        text = text[found.end() :]
        try:
            front = yaml.load(found[1], _Texts)  # noqa: S506  # it makes nothing but texts
        except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
            # Not all it meets is an error of its own: of \UFFFFFFFF it asks chr() for a letter.
            front = {}
    title = ""
    lead: list[str] = []
    sections: list[tuple[str, int, list[str]]] = []
    body = lead
    fenced = False
    for line in _COMMENT.sub("", text).splitlines():
        fenced = fenced != bool(_FENCE.match(line))
        level, heading = (0, "") if fenced else _heading(line, body)
        if not level:
            body.append(line)
        elif level == 1 and not title:
            title = plain_words(heading)
        else:
            body = []
            sections.append((plain_words(heading), level, body))
    return Document(
        front=front if isinstance(front, dict) else {},
        title=title,
        lead="\n".join(lead).strip(),
        sections=tuple(Section(name, level, "\n".join(own)) for name, level, own in sections),
    )


def bullets(text: str) -> tuple[str, ...]:
    """List the bullets of a text, lines that go on joined to theirs."""
    found: list[str] = []
    for line in text.splitlines():
        if bullet := _BULLET.match(line):
            found.append(bullet[1].strip())
        elif found and line.strip() and line.startswith((" ", "\t")):
            found[-1] = f"{found[-1]} {line.strip()}"
        elif not line.strip():
            continue
        elif found:
            break
    return tuple(plain_words(one) for one in found if one)


def plain_words(text: str) -> str:
    """Leave out links' addresses and marks of emphasis."""
    return re.sub(r"[*`]+|(?<!\w)_+|_+(?!\w)", "", _LINK.sub(r"\1", text)).strip()


def _heading(line: str, before: list[str]) -> tuple[int, str]:
    """Read a heading's level and text, and take an underlined one off the text; 0: it is none."""
    if found := _HEADING.match(line):
        return len(found[1]), found[2]
    under = _UNDERLINE.match(line) if before and before[-1].strip() else None
    is_alone = len(before) < 2 or not before[-2].strip()
    if under is None or not is_alone or (not under[1] and _NO_PARAGRAPH.match(before[-1])):
        return 0, ""
    return (1 if under[1] else 2), before.pop().strip()


def _folded(heading: str) -> str:
    plain = " ".join(heading.lower().split()).strip(" :.*")
    return _NUMBERED.sub("", plain, count=1)


def _goes_on(heading: str, name: str) -> bool:
    return heading.startswith(name) and _MORE.match(heading[len(name) :]) is not None


def _after_name(heading: str, names: tuple[str, ...]) -> Iterator[str]:
    """Give what a heading says itself: of "Status: Rejected" the word behind the colon."""
    name, colon, said = heading.partition(":")
    if colon and said.strip() and _folded(name) in names:
        yield said.strip()


def _with_parts(sections: Sequence[Section], at: int, without: tuple[str, ...]) -> Iterator[str]:
    first = sections[at]
    yield first.body.strip()
    left_out = 0
    for section in sections[at + 1 :]:
        if section.level <= first.level:
            break
        if left_out and section.level > left_out:
            continue
        left_out = section.level if _folded(section.heading) in without else 0
        if not left_out:
            yield f"{section.heading}\n{section.body.strip()}"


def _tabled(text: str) -> Iterator[tuple[str, str]]:
    """Pair the cells of tables with their names, in a row above or in a column before them."""
    rows = [
        [cell.strip() for cell in _CELLS.split(line.strip().strip("|"))]
        for line in text.splitlines()
        if line.lstrip().startswith("|")
    ]
    for at, row in enumerate(rows):
        if len(row) == 2:
            yield _folded(plain_words(row[0])), row[1]
        is_head = at + 2 < len(rows) and not any(cell.strip("-: ") for cell in rows[at + 1])
        if is_head:
            yield from zip(map(_folded, map(plain_words, row)), rows[at + 2], strict=False)


def _as_text(value: Any) -> Any:  # TOML
    return [str(one) for one in value] if isinstance(value, list) else str(value)
