"""Normalise a text to tokens that know their characters in the original, and match phrases.

`normalise` gives the normal form; `Phrases` finds phrases of several words, the longest first.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Generic, NamedTuple, TypeVar

MAX_READ = 2_000
"""Characters that are read; a longer text is a document, not a request."""

_REPLACED = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u0060\u00b4\uff07", "'"),
    **dict.fromkeys('\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02"', '"'),
    **dict.fromkeys("\u2039\u203a\u300a\u300b\u300c\u300d\u300e\u300f", '"'),
    **dict.fromkeys("\x0b\x0c\x1c\x1d\x1e\x1f\x85", " "),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    "\u2028": "\n",
    "\u2029": "\n",
    "\r": "\n",
}
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Characters that make a text look different from what it says."""
_ALIKE = (
    "[\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03b1\u03bf\u03c1\u0400-\u04ff]"
)
_MIXED = re.compile(f"[A-Za-z]{_ALIKE}|{_ALIKE}[A-Za-z]")
"""Letters of another alphabet that look like ours, inside a word of ours: a `not` that is none."""
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*(?:[-./:](?=[^\W_]*\d)[^\W_]+)*")
_SAFE = re.compile(r"[\x20-\x5f\x61-\x7e\n]*")


class Token(NamedTuple):
    """A word or number of the normal text, with its place there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Normal:
    """A text in its normal form."""

    original: str
    text: str
    tokens: tuple[Token, ...]
    origin: tuple[int, ...] | None
    """For each character of `text`, and for its end, the place in `original`; None: the same."""
    is_cut: bool
    is_disguised: bool
    """It holds characters that turn the direction of writing, are not seen, or look like others."""

    @cached_property
    def words(self) -> list[str]:
        """List the words of `text`: made once, and only to be read."""
        return [token.text for token in self.tokens]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Say where a piece of the normal text stands in the original, end exclusive."""
        if self.origin is None or start == end:
            return (start, end) if self.origin is None else (self.origin[start],) * 2
        return self.origin[start], self.origin[end - 1] + 1

    def written(self, start: int, end: int) -> str:
        """Give a piece as the person wrote it."""
        first, last = self.span(start, end)
        return self.original[first:last]


@lru_cache(maxsize=64)  # a message passes many readers, and each looks at its normal form
def normalise(text: str) -> Normal:
    """Fold compatibility forms, case, quotes and dashes; drop what cannot be seen."""
    read = text[:MAX_READ]
    origin: tuple[int, ...] | None = None
    if _SAFE.fullmatch(read):
        normal = read.lower()
    else:
        normal, origin = _folded(read)
    is_long = len(normal) > MAX_READ  # a character may stand for eighteen
    if is_long and origin is not None:
        normal, origin = normal[:MAX_READ], origin[: MAX_READ + 1]
    return Normal(
        original=text,
        text=normal,
        tokens=tokens_of(normal),
        origin=origin,
        is_cut=is_long or len(text) > MAX_READ,
        is_disguised=not text.isascii() and bool(_TURNING.search(text) or _MIXED.search(text)),
    )


def fold(text: str) -> str:
    """Give only the normal form, for words of a pack rather than of a person."""
    return text.lower() if _SAFE.fullmatch(text) else _folded(text)[0]


def tokens_of(normal: str) -> tuple[Token, ...]:
    """Cut a normal text into words; numbers keep what joins them, as in wo-1042 and 2026-02-07."""
    return tuple(Token(match[0], *match.span()) for match in _TOKEN.finditer(normal))


def words_of(text: str) -> tuple[str, ...]:
    """Cut any text into normal words."""
    return tuple(_TOKEN.findall(fold(text).replace("_", " ")))


def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    pieces: list[str] = []
    origin: list[int] = []
    for place, character in enumerate(text):
        piece = _REPLACED.get(character)
        if piece is None:
            category = unicodedata.category(character)
            if category in ("Cf", "Cs") or (category == "Cc" and character not in "\n\t"):
                continue
            folded = unicodedata.normalize("NFKC", character).lower()
            piece = " " if folded.isspace() and folded != "\n" else folded
            if "\u2044" in piece and pieces and pieces[-1].isdigit():
                piece = f" {piece}"  # `10½` is no 101 halves
        pieces.append(piece)
        origin.extend([place] * len(piece))
    origin.append(len(text))
    return "".join(pieces), tuple(origin)


Payload = TypeVar("Payload")

_REMEMBERED = 16_384
"""Words whose other number is kept: as many as people use."""


class Match(NamedTuple, Generic[Payload]):
    """A phrase found at words `first` to `end`, end exclusive, with all that it stands for."""

    first: int
    end: int
    payloads: tuple[Payload, ...]


@dataclass
class Phrases(Generic[Payload]):
    """A set of phrases, each standing for one thing or more."""

    _by_first: dict[str, dict[tuple[str, ...], tuple[Payload, ...]]] = field(default_factory=dict)
    _lengths: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Of the phrases that begin with a word, the longest first."""

    def add(self, words: Sequence[str], payload: Payload) -> None:
        """Let a phrase stand for `payload`, beside what it stood for already."""
        if not words:
            return
        own = self._by_first.setdefault(words[0], {})
        payloads = own.get(tuple(words), ())
        if payload not in payloads:
            own[tuple(words)] = (*payloads, payload)
        lengths = self._lengths.get(words[0], ())
        if len(words) not in lengths:
            self._lengths[words[0]] = tuple(sorted((*lengths, len(words)), reverse=True))

    def at(self, words: Sequence[str], first: int) -> Match[Payload] | None:
        """Find the longest phrase that begins at one word; there is none beyond the last."""
        phrases = self._by_first.get(words[first]) if first < len(words) else None
        if phrases is None:
            return None
        for length in self._lengths[words[first]]:
            end = first + length
            payloads = phrases.get(tuple(words[first:end])) if end <= len(words) else None
            if payloads is not None:
                return Match(first, end, payloads)
        return None

    def __contains__(self, word: str) -> bool:
        """Tell whether a phrase begins with a word."""
        return word in self._by_first

    def find(
        self, words: Sequence[str], is_free: Callable[[int], bool] = lambda place: True
    ) -> list[Match[Payload]]:
        """Find phrases from left to right, none over another, none over a word that is not free."""
        found = []
        place = 0
        while place < len(words):
            is_opening = words[place] in self._by_first and is_free(place)
            match = self.at(words, place) if is_opening else None
            if match is not None and all(is_free(word) for word in range(match.first, match.end)):
                found.append(match)
                place = match.end
            else:
                place += 1
        return found

    def words(self) -> set[str]:
        """List every word of every phrase."""
        return {
            word for phrases in self._by_first.values() for phrase in phrases for word in phrase
        }

    def openings(self) -> set[str]:
        """List the first word of every phrase."""
        return set(self._by_first)

    def opens(self, word: str) -> bool:
        """Tell whether a phrase begins with a word."""
        return word in self._by_first

    def single(self) -> dict[str, tuple[Payload, ...]]:
        """List the phrases of one word."""
        return {
            phrase[0]: payloads
            for phrases in self._by_first.values()
            for phrase, payloads in phrases.items()
            if len(phrase) == 1
        }


def with_plural(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Give a phrase with its last word in one number and in the other."""
    *front, last = words
    forms = {last, plural(last), singular(last)}
    return [(*front, form) for form in sorted(forms)]


def plural(word: str) -> str:
    """Guess the plural of a noun; a number or a short mark stays as it is."""
    if not word.isalpha() or len(word) < 3 or word.endswith("s"):
        return word
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("x", "ch", "sh", "z")) else f"{word}s"


@lru_cache(_REMEMBERED)
def singular(word: str) -> str:
    """Guess the singular of a noun."""
    if not word.isalpha() or len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("xes", "ches", "shes", "zes")):
        return word[:-2]
    return word if word.endswith(("us", "is")) else word[:-1]


def word_set(words: str) -> frozenset[str]:
    """Make a set of the words of a string."""
    return frozenset(words.split())


def phrases_of(phrases: str) -> Phrases[None]:
    """Make phrases to be found of a string, parted by semicolons."""
    made = Phrases[None]()
    for phrase in phrases.split(";"):
        made.add(phrase.split(), None)
    return made
