#!/usr/bin/env python3
"""Find dialect, long sentences and long pages in docs and the Markdown files at the root.

`python scripts/prose.py` checks the tree and prints one line per finding, as `path:line: message`;
the exit status is 1 when there is any. The rules are in docs/style/vocabulary.toml.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "docs" / "style" / "vocabulary.toml"

_FENCE = re.compile(r"^\s*(```|~~~)")
_MARKUP = [
    (re.compile(r"`[^`]*`"), "Code"),
    (re.compile(r"<!--.*?-->|<[^>\n]+>"), ""),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\"[^\"\n]{0,160}\"|“[^”\n]{0,160}”"), "quotation"),
    (re.compile(r"[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}"), ""),
]
_END = re.compile(r"(?<=[.!?])[)\"”]*\s+(?=[A-Z\d(\"“])")
_BLOCK = re.compile(r"^\s*(?:[-*+]|\d+\.|>|#{1,6}|!!!.*)\s+")


@dataclass(frozen=True)
class Finding:
    """One fault of a text: the line it begins on, and what to write instead."""

    line: int
    message: str


@dataclass(frozen=True)
class Rules:
    """The vocabulary and the limits, compiled."""

    words: tuple[tuple[re.Pattern[str], str], ...]
    clauses: tuple[tuple[re.Pattern[str], str], ...]
    limits: dict[str, Any]

    @classmethod
    def read(cls, path: Path = RULES) -> "Rules":
        """Return the rules of a TOML file."""
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        words, clauses = (
            tuple((re.compile(pattern, re.IGNORECASE), said) for pattern, said in table.items())
            for table in (given["words"], given["clauses"])
        )
        return cls(words, clauses, given["limits"])


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield each paragraph, list item, heading and table cell with its line, without code."""
    start, gathered, fenced = 1, "", False
    for number, raw in enumerate(text.splitlines(), 1):
        fence = bool(_FENCE.match(raw))
        fenced ^= fence
        if fenced and not fence:
            continue
        line = "" if fence else raw
        is_row = line.lstrip().startswith("|")
        if not line.strip() or is_row or _BLOCK.match(line):
            if gathered:
                yield start, gathered
            gathered = ""
        if is_row:
            escaped = re.sub(r"`[^`]*`", "Code", line).replace(r"\|", " ")
            yield from ((number, cell.strip()) for cell in escaped.strip("| ").split(" | "))
            continue
        start = start if gathered else number
        gathered = f"{gathered} {_BLOCK.sub('', line).strip()}".strip()
    if gathered:
        yield start, gathered


def plain(text: str) -> str:
    """Return Markdown as a reader sees it: code is the word "code", a link its text."""
    for pattern, instead in _MARKUP:
        text = pattern.sub(instead, text)
    return text


def findings(text: str, rules: Rules) -> Iterator[Finding]:
    """Yield the faults of one Markdown text, in order."""
    most = int(rules.limits["sentence_words"])
    for line, paragraph in paragraphs(text):
        said = plain(paragraph)
        for pattern, instead in rules.words:
            yield from (
                Finding(line, f"{found[0]!r}: {instead}") for found in pattern.finditer(said)
            )
        for sentence in _END.split(said):
            if (words := len(re.findall(r"[\w'’.-]*\w", sentence))) > most:
                yield Finding(line, f"{words} words in a sentence (at most {most})")
            for pattern, instead in rules.clauses:
                if pattern.search(sentence):
                    yield Finding(line, f"{sentence[:40]!r}: {instead}")


def of_changelog(text: str, rules: Rules) -> Iterator[Finding]:
    """Yield the entries of a changelog that are too long."""
    most = int(rules.limits["changelog_words"])
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("- ") and (words := len(line[2:].split())) > most:
            yield Finding(number, f"{words} words in an entry (at most {most})")


def of_page(path: Path, rules: Rules, root: Path = ROOT) -> list[Finding]:
    """Return the faults of one page, its size included."""
    name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
    found = list(findings(text, rules))
    if name == "CHANGELOG.md":
        found += of_changelog(text, rules)
    size, most = len(text.encode()), int(rules.limits["page_bytes"])
    if size > most and not name.startswith(tuple(rules.limits["longer"])):
        found.append(Finding(1, f"{size} bytes in a page (at most {most}): split it"))
    return found


def pages(rules: Rules, root: Path = ROOT) -> list[Path]:
    """Return the pages that are checked."""
    left_out = tuple(rules.limits["unchecked"])
    every = [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]
    return [page for page in every if not page.relative_to(root).as_posix().startswith(left_out)]


def main() -> int:
    """Check every page; return 1 when one has a fault."""
    rules, count = Rules.read(), 0
    for page in pages(rules):
        for found in of_page(page, rules):
            count += 1
            sys.stdout.write(f"{page.relative_to(ROOT)}:{found.line}: {found.message}\n")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
