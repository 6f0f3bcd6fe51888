"""Find the things of the pack's world that a text names: lists, patterns, and the pack's store."""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from tools.catalogue.catalogue import Catalogue
from tools.catalogue.models import EntityType
from tools.routing.lookups import MOST_FOLDERS, LookedUp, Lookups
from tools.routing.names import LONG_WORD, Kind, Names
from tools.routing.normalise import Normal, words_of
from tools.routing.phrases import singular

MOST_MENTIONS = 100
_TYPO_RATIO = 90.0
_NEAR = 80.0
"""Below this ratio not even one letter of a long word is wrong."""
_MOST_CHOICES = 5_000
"""Among more names every word is near to some name, and the search takes milliseconds."""
_MOST_TYPOS = 8
_WINDOW = 4
LAST_WORD_CONFIDENCE = 0.6


@dataclass(frozen=True)
class Mention:
    """Something named at words `first` to `end`; `is_known` when it was found to exist."""

    kind: Kind
    value: str
    confidence: float
    first: int
    end: int
    is_known: bool = True


class EntityFinder:
    """Finds mentions; the stores are asked again only when their files have changed."""

    def __init__(
        self,
        catalogue: Catalogue,
        known_words: Iterable[str] = (),
        verb_words: Iterable[str] = (),
    ) -> None:
        self.types: Mapping[Kind, EntityType] = {
            Kind(pack.name, name): entity
            for pack in catalogue.packs
            for name, entity in pack.entities.items()
        }
        self._patterns = [
            (kind, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), re.compile(pattern))
            for kind, entity in self.types.items()
            for pattern in entity.patterns
        ]
        self._lookups = Lookups(catalogue)
        self._known_words = frozenset(known_words)
        self._verb_words = frozenset(verb_words)
        self._collected: OrderedDict[int, tuple[LookedUp, Names]] = OrderedDict()
        self._collecting = threading.Lock()

    def names(self, data_dir: Path | None) -> Names:
        """Collect the names of this moment; texts of several tenants are read at once."""
        with self._collecting:
            found = self._lookups.names(data_dir)
            known = self._collected.get(id(found))
            if known is None or known[0] is not found:
                known = (found, self._collect(found))
                self._collected[id(found)] = known
                while len(self._collected) > MOST_FOLDERS:
                    self._collected.popitem(last=False)
        return known[1]

    def _collect(self, found: LookedUp) -> Names:
        names = Names(failed=found.failed)
        for kind, entity in self.types.items():
            for canonical, aliases in entity.names.items():
                names.add(kind, canonical, aliases)
            looked_up = found.by_type.get((kind.pack, kind.type))
            if looked_up is None:
                continue
            for canonical, others in looked_up.items():
                names.add(kind, canonical, others)
            ids = (*entity.names, *looked_up)
            names.canonical[kind] = {canonical.casefold(): canonical for canonical in ids}
        return names

    def find(self, normal: Normal, names: Names) -> tuple[Mention, ...]:
        """Find what a text names: exact names and patterns, the longest first, then slips."""
        words = [token.text for token in normal.tokens]
        taken = [False] * len(words)
        found = [
            *self._by_pattern(normal, names),
            *_by_name(words, names),
            *_by_number(words, names),
        ]
        found.sort(key=lambda mention: (mention.first - mention.end, mention.first))
        kept: list[Mention] = []
        for mention in found:
            place = range(mention.first, mention.end)
            twins = [o for o in kept if (o.first, o.end) == (mention.first, mention.end)]
            if any((twin.kind, twin.value) == (mention.kind, mention.value) for twin in twins):
                continue
            if twins or not any(taken[word] for word in place):
                kept.append(mention)
                for word in place:
                    taken[word] = True
        kept += self._by_slip(words, taken, names)
        kept += _by_last_word(words, taken, names, self._verb_words)
        return tuple(sorted(kept, key=lambda mention: mention.first)[:MOST_MENTIONS])

    def _by_pattern(self, normal: Normal, names: Names) -> Iterable[Mention]:
        for kind, pattern, exact in self._patterns:
            for match in pattern.finditer(normal.text):
                inside = [
                    place
                    for place, token in enumerate(normal.tokens)
                    if token.start >= match.start() and token.end <= match.end()
                ]
                if not inside:
                    continue
                value = _spelt(normal.written(match.start(), match.end()), exact)
                known = names.canonical.get(kind)
                proper = known.get(value.casefold()) if known is not None else value
                yield Mention(
                    kind,
                    proper or value,
                    0.5 if proper is None else 0.95 if known is None else 1.0,
                    inside[0],
                    inside[-1] + 1,
                    is_known=proper is not None,
                )

    def _by_slip(self, words: list[str], taken: list[bool], names: Names) -> list[Mention]:
        """Find names with a letter wrong; a word that means something already is no slip."""
        known = self._known_words
        odd = [
            place
            for place, word in enumerate(words)
            if not taken[place] and len(word) >= LONG_WORD and word.isalpha() and word not in known
        ]
        found: list[Mention] = []
        for place in odd[:_MOST_TYPOS]:
            if taken[place]:
                continue
            for length in range(min(_WINDOW, len(words)), 0, -1):
                mention = _slip_near(words, taken, place, length, names)
                if mention is not None:
                    found.append(mention)
                    for word in range(mention.first, mention.end):
                        taken[word] = True
                    break
        return found


def _by_name(words: list[str], names: Names) -> Iterable[Mention]:
    for match in names.phrases.find(words):
        for kind, canonical in match.payloads:
            yield Mention(kind, canonical, 1.0, match.first, match.end)


def _by_number(words: list[str], names: Names) -> Iterable[Mention]:
    """Read `work order 1042` as the one work order with that number."""
    for place, word in enumerate(words):
        if not word.isdigit() or place == 0:
            continue
        for kind, ids in names.canonical.items():
            own = words_of(kind.type)
            first = place - len(own)
            if first < 0 or tuple(words[first:place]) != own:
                continue
            fitting = [value for value in ids.values() if re.findall(r"\d+", value) == [word]]
            if len(fitting) == 1:
                yield Mention(kind, fitting[0], 0.95, first, place + 1)


def _by_last_word(
    words: list[str], taken: list[bool], names: Names, verb_words: frozenset[str]
) -> list[Mention]:
    """Find words that several things of a kind end with: which one is meant stays open."""
    found = []
    for place, word in enumerate(words):
        if taken[place] or word in verb_words:
            continue
        for kind, canonical in names.heads.get(word, {}).items():
            if len(canonical) > 1:
                found.append(
                    Mention(
                        kind,
                        singular(word),
                        LAST_WORD_CONFIDENCE,
                        place,
                        place + 1,
                        is_known=False,
                    )
                )
    return found


def _slip_near(
    words: list[str], taken: list[bool], place: int, length: int, names: Names
) -> Mention | None:
    choices = names.by_length.get(length)
    if not choices or len(choices) > _MOST_CHOICES:
        return None
    for first in range(max(0, place - length + 1), min(place, len(words) - length) + 1):
        if any(taken[first : first + length]):
            continue
        text = " ".join(words[first : first + length])
        best = process.extractOne(text, choices.keys(), scorer=fuzz.ratio, score_cutoff=_NEAR)
        if best is not None and _is_slip(text, best[0], best[1]):
            kind, canonical = choices[best[0]]
            return Mention(kind, canonical, 0.9 * best[1] / 100, first, first + length)
    return None


def _is_slip(text: str, name: str, ratio: float) -> bool:
    """Numbers are never slips of each other; below the ratio only one letter may be wrong."""
    if re.findall(r"\d+", text) != re.findall(r"\d+", name) or text[0] != name[0]:
        return False
    return ratio >= _TYPO_RATIO or (len(text) > LONG_WORD and OSA.distance(text, name) == 1)


def _spelt(written: str, pattern: re.Pattern[str]) -> str:
    """Spell an id as its pattern does: `wo-1042` is WO-1042."""
    forms = (written, written.upper(), written.lower())
    return next((form for form in forms if pattern.fullmatch(form)), written)
