"""Relate English words: the same, close, or opposite; from a part of WordNet 3.0.

Words that WordNet does not have are related to nothing but themselves.
"""

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Literal

from tools.nlu.lexicon.antonyms import has_antonyms

FILE = Path(__file__).with_name("wordnet.txt.gz")
"""Written by scripts/wordnet.py; its licence stands beside it."""
STATES = Path(__file__).with_name("states.txt")
"""What things are like and what becomes of them; WordNet relates few of these phrases."""

Part = Literal["v", "a", "n", "r"]
"""Verb, adjective, noun, adverb."""
Relation = Literal["same", "synonym", "close", "opposite"]

_ENDINGS: Mapping[Part, Sequence[tuple[str, str]]] = {
    "n": (("s", ""), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ies", "y")),
    "v": (
        *(("s", ""), ("ies", "y"), ("ied", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
        *(("ing", "e"), ("ing", "")),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")),
    "r": (),
}
_NEGATIVE = ("un", "in", "im", "ir", "il", "dis", "non", "de")
_STEM = 6
"""Letters that two words of one stem share at their beginning."""
_SHORT = 4
_SUFFIXES = frozenset(
    {*("en", "ened", "ening", "n", "ned", "ity", "ness", "ly", "y", "al", "ing", "ed")}
)
_PLAIN = re.compile(r"(?:ing|ed|es|s)$")


@dataclass(frozen=True)
class _Dictionary:
    senses: Mapping[tuple[str, str], tuple[int, ...]]
    """(part, word) → its sets of synonyms"""
    counts: Mapping[tuple[str, str], int]
    """(part, word) → how often it stands so in text"""
    irregular: Mapping[tuple[str, str], tuple[str, ...]]
    related: Mapping[int, Mapping[str, tuple[int, ...]]]
    """set of synonyms → kind of relation → sets: `!` opposite, `~` similar, `^` a verb's wider one,
    `+` derived, `>` caused or entailed"""


@cache
def _dictionary() -> _Dictionary:
    senses, counts, irregular = {}, {}, {}
    related: dict[int, dict[str, tuple[int, ...]]] = {}
    for line in gzip.decompress(FILE.read_bytes()).decode().splitlines():
        first, *rest = line.split(" ")
        if first.isdigit():
            kinds: dict[str, tuple[int, ...]] = {}
            for each in rest:
                kinds[each[0]] = (*kinds.get(each[0], ()), int(each[1:]))
            related[int(first)] = kinds
        elif first.startswith("="):
            irregular[first[1:], rest[0]] = tuple(rest[1:])
        else:
            senses[first, rest[0]] = tuple(map(int, rest[2:]))
            counts[first, rest[0]] = int(rest[1])
    return _Dictionary(senses, counts, irregular, related)


@dataclass(frozen=True)
class _States:
    sides: Mapping[str, frozenset[tuple[int, int]]]
    """word or phrase → the lines it stands in, and on which side of the bar"""
    phrases: Mapping[str, Sequence[tuple[str, ...]]]
    """first word → phrases that begin with it, the longest first"""


@cache
def _states() -> _States:
    sides: dict[str, set[tuple[int, int]]] = {}
    phrases: dict[str, list[tuple[str, ...]]] = {}
    lines = STATES.read_text("utf-8").splitlines()
    for line, written in enumerate(one for one in lines if not one.startswith("#")):
        for side, names in enumerate(written.split(" | ")):
            for name in names.split(", "):
                sides.setdefault(name.replace(" ", "_"), set()).add((line, side))
                if " " in name:
                    phrases.setdefault(name.split()[0], []).append(tuple(name.split()))
    ordered = {
        word: sorted(set(those), key=lambda one: (-len(one), one))
        for word, those in phrases.items()
    }
    return _States({name: frozenset(those) for name, those in sides.items()}, ordered)


def warm_up() -> None:
    """Read what words are looked up in, so that the first comparison is not late; it blocks."""
    _dictionary(), _states()


@dataclass(frozen=True)
class Entry:
    """A word as it stands in a text: what it may be the form of."""

    text: str
    bases: Mapping[Part, tuple[str, ...]]
    """Base forms by part of speech; empty: the word is unknown."""

    @cached_property
    def names(self) -> frozenset[str]:
        """List its base forms and itself."""
        return frozenset({self.text, *(base for each in self.bases.values() for base in each)})

    def count(self, part: Part) -> int:
        """Tell how often it is used as this part of speech, in WordNet's counted texts."""
        known = _dictionary().counts
        return max((known[part, base] for base in self.bases.get(part, ())), default=-1)


@lru_cache(maxsize=8192)
def entry_of(word: str) -> Entry:
    """Look a word up; `call_off` is a verb with its particle."""
    known, found = _dictionary(), {}
    parts: tuple[Part, ...] = ("v", "a", "n", "r")
    for part in parts:
        bases = [*known.irregular.get((part, word), ()), word, *_stripped(word, part)]
        real = tuple(dict.fromkeys(base for base in bases if (part, base) in known.senses))
        if real:
            found[part] = real
    if not found and "_" not in word and (shorter := _PLAIN.sub("", word)) and len(shorter) > 2:
        return Entry(shorter, {})
    return Entry(word, found)


def with_particle(word: str, particle: str) -> str | None:
    """Name the verb that a form of a verb and a particle are together: `called`, `off`."""
    verbs = entry_of(word).bases.get("v", ())
    known = _dictionary().senses
    return next((name for verb in verbs if ("v", name := f"{verb}_{particle}") in known), None)


def phrase_at(tokens: Sequence[str]) -> tuple[str, int] | None:
    """Find the phrase that tokens begin with, and how many of them it takes."""
    known = _states().phrases
    for base in sorted(entry_of(tokens[0]).names):
        for words in known.get(base, ()):
            rest = tokens[1 : len(words)]
            if len(rest) + 1 == len(words) and all(
                word in entry_of(token).names for word, token in zip(words[1:], rest, strict=True)
            ):
                return "_".join(words), len(words)
    return None


@lru_cache(maxsize=65536)
def relation(one: str, other: str) -> Relation | None:
    """Relate two words or verbs with their particle; None: nothing is known of them together.

    In doubt an opposite counts before what is merely close; what is the same in one sense and
    the contrary in another is unrelated.
    """
    first, second = entry_of(one), entry_of(other)
    if first.names & second.names:
        return "same"
    agrees, opposes = _stated(first, second)
    if agrees or opposes:
        return None if agrees and opposes else "synonym" if agrees else "opposite"
    if _is_negative(first, second) or _is_negative(second, first) or has_antonyms(one, other):
        return "opposite"
    mine, its = _sets(one), _sets(other)
    if mine & its:
        return "synonym"
    if _opposites(one) & its or _opposites(other) & mine:
        return "opposite"
    is_near = bool(_near(one) & its or _near(other) & mine) or _share_a_stem(one, other)
    return "close" if is_near else None


@lru_cache(maxsize=8192)
def _sides(word: str) -> frozenset[tuple[int, int]]:
    known = _states().sides
    return frozenset(each for name in entry_of(word).names for each in known.get(name, ()))


def _stated(one: Entry, other: Entry) -> tuple[bool, bool]:
    """Tell whether two words mean the same in some line of states, and the contrary in some."""
    mine, its = _sides(one.text), _sides(other.text)
    return bool(mine & its), any((line, 1 - side) in its for line, side in mine)


def _stripped(word: str, part: Part) -> Iterator[str]:
    for ending, instead in _ENDINGS[part]:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            base = word[: -len(ending)] + instead
            yield base
            if not instead and len(base) > 3 and base[-1] == base[-2]:
                yield base[:-1]


def _share_a_stem(one: str, other: str) -> bool:
    """Tell whether two words differ in their endings alone, or by `re`: `ripe`, `ripened`."""
    short, long = sorted((one, other), key=len)
    if long.startswith(f"re{short}") or (long.startswith(("in_", "on_")) and long[3:] == short):
        return True
    if len(short) >= _SHORT and long.startswith(short) and long[len(short) :] in _SUFFIXES:
        return True
    is_shared = len(one) >= _STEM and one[:_STEM] == other[:_STEM]
    return is_shared and not one.endswith("less") and not other.endswith("less")


def _is_negative(one: Entry, other: Entry) -> bool:
    return not _negatives(one.text).isdisjoint(other.names)


@lru_cache(maxsize=8192)
def _negatives(word: str) -> frozenset[str]:
    """List what a word is called when it is denied by a prefix: `secured`, `unsecured`."""
    return frozenset(
        f"{prefix}{base}{ending}"
        for base in entry_of(word).names
        if len(base) > 3
        for prefix in _NEGATIVE
        for ending in ("", "able", "ible")
    )


@lru_cache(maxsize=8192)
def _sets(word: str) -> frozenset[int]:
    known, entry = _dictionary().senses, entry_of(word)
    return frozenset(
        each for part, bases in entry.bases.items() for base in bases for each in known[part, base]
    )


@lru_cache(maxsize=8192)
def _opposites(word: str) -> frozenset[int]:
    """Find what is opposite to a word, to a similar adjective, or to a verb's wider sense."""
    mine = _sets(word)
    wider = mine | _followed(mine, "~^")
    direct = _followed(wider, "!")
    return direct | _followed(direct, "~")


@lru_cache(maxsize=8192)
def _near(word: str) -> frozenset[int]:
    return _followed(_sets(word), "~+")


def _followed(sets: frozenset[int], kinds: str) -> frozenset[int]:
    related = _dictionary().related
    return frozenset(
        each
        for one in sets
        for kind, those in related.get(one, {}).items()
        if kind in kinds
        for each in those
    )
