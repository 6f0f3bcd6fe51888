"""A Markdown document cut into title, front matter and sections."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

_FRONT = re.compile(r"\A\ufeff?---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]{0,2000}\)")
_NOTHING = ("~", "null", "Null", "NULL")
_BULLET = re.compile(r"^\s{0,3}(?:[-*+]|\d+[.)])\s+(.*)$")


@dataclass(frozen=True)
class Section:
    """A heading, how deep it stands, and the text below it up to the next heading."""

    heading: str
    level: int
    body: str


@dataclass(frozen=True)
class Document:
    """A document's parts in order; what stands before the first heading is the lead."""

    front: Mapping[str, Any]  # YAML
    title: str
    lead: str
    sections: tuple[Section, ...]

    def under(self, *names: str) -> str:
        """Give the text of the first section whose heading begins with a name, with its parts."""
        for at, section in enumerate(self.sections):
            if _folded(section.heading).startswith(names):
                return "\n\n".join(_with_parts(self.sections, at)).strip()
        return ""


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
    if found := _FRONT.match(text):
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
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            body.append(line)
        elif len(heading[1]) == 1 and not title:
            title = plain_words(heading[2])
        else:
            body = []
            sections.append((plain_words(heading[2]), len(heading[1]), body))
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


def _folded(heading: str) -> str:
    return " ".join(heading.lower().split()).strip(" :.")


def _with_parts(sections: Sequence[Section], at: int) -> list[str]:
    first = sections[at]
    found = [first.body.strip()]
    for section in sections[at + 1 :]:
        if section.level <= first.level:
            break
        found.append(f"{section.heading}\n{section.body.strip()}")
    return found
