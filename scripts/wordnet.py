"""Write the part of WordNet 3.0 that tools/response/thesaurus.py compares words by.

Usage: python scripts/wordnet.py FOLDER, where the files index.*, data.*, *.exc and cntlist.rev are.
"""

import gzip
import re
import sys
from collections import defaultdict
from pathlib import Path

TARGET = Path(__file__).parents[1] / "tools" / "response" / "wordnet.txt.gz"
PARTS = {"v": "verb", "a": "adj", "n": "noun", "r": "adv"}
PARTICLES = (
    *("up", "down", "on", "off", "in", "out", "over", "away", "back", "through"),
    *("by", "under", "apart", "along"),
)
KINDS = {"&": "~", "+": "+", "!": "!", "@": "^", "*": ">", ">": ">", "=": "+", "\\": "+"}
"""WordNet's signs of relations, and ours."""
KINDS |= {"$": "~", "^": "+"}
FEWEST, MOST = 3, 8
"""Senses of a word: those that its texts have, between these."""
Key = tuple[str, str]
"""Part of speech and word, or part of speech and place of a set of synonyms."""


def read_sets(folder: Path) -> dict[Key, list[tuple[str, Key]]]:
    """Read every set of synonyms: the kinds of its relations, and to which sets."""
    found: dict[Key, list[tuple[str, Key]]] = {}
    for part, name in PARTS.items():
        for line in (folder / f"data.{name}").read_text("latin-1").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split("|")[0].split()
            start = 4 + 2 * int(fields[3], 16)
            pointers = fields[start + 1 : start + 1 + 4 * int(fields[start])]
            found[part, fields[0]] = [
                (sign, ("a" if to == "s" else to, place))
                for sign, place, to in zip(
                    pointers[::4], pointers[1::4], pointers[2::4], strict=True
                )
            ]
    return found


def read_counts(folder: Path) -> dict[Key, int]:
    """Count how often a word stands as a part of speech in the texts that were read for it."""
    parts = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
    counts: dict[Key, int] = defaultdict(int)
    for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
        sense, _number, times = line.split()
        word, _, rest = sense.partition("%")
        counts[parts[rest[0]], word] += int(times)
    return counts


def choose(
    folder: Path, sets: dict[Key, list[tuple[str, Key]]], counts: dict[Key, int]
) -> dict[Key, list[str]]:
    """Choose words with their senses: those in use, with an opposite, or with a particle."""
    chosen: dict[Key, list[str]] = {}
    for part, name in PARTS.items():
        for line in (folder / f"index.{name}").read_text("utf-8").splitlines():
            if line.startswith(" ") or not re.match(r"[a-z]+(?:[-_][a-z]+)? ", line):
                continue
            fields = line.split()
            word, pointers = fields[0], int(fields[3])
            tagged, places = int(fields[5 + pointers]), fields[6 + pointers :]
            opposed = [
                place for place in places if any(sign == "!" for sign, _ in sets[part, place])
            ]
            _verb, _, particle = word.partition("_")
            is_phrasal = part == "v" and particle in PARTICLES
            if (particle and not is_phrasal) or not (counts[part, word] or opposed or is_phrasal):
                continue
            first = places[: max(tagged, FEWEST)][:MOST]
            chosen[part, word] = [*first, *(place for place in opposed if place not in first)]
    return chosen


def main() -> None:
    """Write the file."""
    folder = Path(sys.argv[1])
    sets, counts = read_sets(folder), read_counts(folder)
    chosen = choose(folder, sets, counts)
    numbers: dict[Key, int] = {}
    for (part, _word), places in chosen.items():
        for place in places:
            numbers.setdefault((part, place), len(numbers))
    lines = [
        f"{part} {word} {counts[part, word]} {' '.join(str(numbers[part, one]) for one in places)}"
        for (part, word), places in sorted(chosen.items())
    ]
    for key, number in numbers.items():
        related = {
            f"{KINDS[sign]}{numbers[other]}"
            for sign, other in sets[key]
            if sign in KINDS and other in numbers and (sign != "@" or key[0] == "v")
        }
        if related:
            lines.append(f"{number} {' '.join(sorted(related))}")
    for part, name in PARTS.items():
        for line in sorted((folder / f"{name}.exc").read_text("utf-8").splitlines()):
            form, *bases = line.split()
            known = [base for base in bases if (part, base) in chosen]
            if known and "_" not in form:
                lines.append(f"={part} {form} {' '.join(known)}")
    text = "\n".join(lines) + "\n"
    TARGET.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


if __name__ == "__main__":
    main()
