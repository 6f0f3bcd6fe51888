"""Recognise entities in a text by list, pattern and store; tell counts apart from numeric ids."""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from tools.catalog import Catalogue
from tools.nlu.entities.entity_index import (
    MOST_FOLDERS,
    EntityIndex,
    EntityLookups,
    LookupResult,
    NamesOfType,
    names_of,
)
from tools.nlu.entities.names import (
    LONG_WORD,
    Names,
    NamesOfEntityType,
    PackEntityType,
    by_number,
    by_part,
    near_name,
)
from tools.nlu.lexicon.cue_phrases import LEAD
from tools.nlu.lexicon.normalization import Normal, singular, word_set
from tools.nlu.lexicon.politeness import REQUEST

SAYS_NUMBER = word_set("number no nr num")
_BETWEEN = word_set("of the those these our my more extra additional further new spare other")
"""Between a number and what it counts."""


def is_said_as_number(normal: Normal, place: int) -> bool:
    """Tell `number 1000`, `no. 1000` and `#1000`."""
    before = normal.tokens[place - 1].text if place else ""
    sign = normal.text[: normal.tokens[place].start].rstrip()[-1:]
    return before in SAYS_NUMBER or sign == "#"


def counts_things(
    normal: Normal,
    span: range,
    words: Sequence[str],
    names: Names,
    verb_words: Set[str],
    nouns: Set[tuple[str, ...]],
) -> bool:
    """Tell `1000 oil filters` from `1000`, `work order 1000` and `1000, oil filters`.

    In `order 1000 filters` the order is a verb, though a kind of thing may be called so too.

    Args:
        span: the words that would name the thing.
        nouns: what kinds of things are called: `show 1042 parts` may be of 1042.
    """
    last = span.stop - 1
    is_bare = len(span) == 1 and not is_said_as_number(normal, last)
    is_of_verb = len(span) == 2 and words[span.start] in verb_words and _opens(words[: span.start])
    is_free = words[last].isdigit() and (is_bare or is_of_verb)
    return is_free and _counts(normal, words, last, names, nouns)


def _opens(before: Sequence[str]) -> bool:
    """Tell whether nothing but what leads to an order stands before it."""
    led = " ".join(before)
    for lead in (LEAD, REQUEST):
        found = lead.match(led)
        led = led[found.end() :] if found else led
    return not led


def _counts(
    normal: Normal, words: Sequence[str], place: int, names: Names, nouns: Set[tuple[str, ...]]
) -> bool:
    """Tell whether things of a name that is said in the plural stand right behind a number."""
    place += 1
    while words[place : place + 1] and words[place] in _BETWEEN and stands_right_at(normal, place):
        place += 1
    if place >= len(words) or not stands_right_at(normal, place):
        return False
    found = names.at(words, place)
    end = found.end if found is not None else place + 1
    if not _is_plural(words[end - 1]) or tuple(words[place:end]) in nouns:
        return False
    if found is None:
        return bool(names.with_head[words[place]])
    one = (*words[place : end - 1], singular(words[end - 1]))
    return any(names.of(kind).is_name(thing, one) for kind, thing in found.payloads)


def stands_right_at(normal: Normal, place: int) -> bool:
    """Tell whether nothing but a space parts a word from the one before it."""
    return normal.text[normal.tokens[place - 1].end : normal.tokens[place].start] == " "


def _is_plural(word: str) -> bool:
    return singular(word) != word


MOST_MENTIONS = 100
_MOST_TYPOS = 8
_WINDOW = 4
LAST_WORD_CONFIDENCE = 0.6
_COORDINATES = frozenset({"and", "or"})
POSSESSIVE = "'s"
"""It is not part of a name, and stands outside its span."""


@dataclass(frozen=True)
class Mention:
    """Something named at words `first` to `end`; `is_known` when it was found to exist."""

    kind: PackEntityType
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
        listed: EntityIndex | None = None,
    ) -> None:
        """Prepare to find; `listed` is what the catalogue lists, if that was collected before."""
        self._listed = listed or EntityIndex.of(catalogue)
        self._lookups = EntityLookups(catalogue)
        self._known_words = frozenset(known_words)
        self._verb_words = frozenset(verb_words)
        self._collected: OrderedDict[Path | None, tuple[LookupResult, Names]] = OrderedDict()
        """Of each folder the newest: what was before its last change is held for nobody."""
        self._collecting = threading.Lock()

    def names(self, data_dir: Path | None) -> Names:
        """Collect the names of this moment; texts of several tenants are read at once."""
        with self._collecting:
            found = self._lookups.names(data_dir)
            known = self._collected.get(data_dir)
            if known is None or known[0] is not found:
                known = (found, self._collect_all(found))
                self._collected[data_dir] = known
                while len(self._collected) > MOST_FOLDERS:
                    self._collected.popitem(last=False)
        return known[1]

    def _collect_all(self, found: LookupResult) -> Names:
        """Collect the kinds whose names are others than before; the rest stays as it was built."""
        kinds = dict(self._listed.names)
        for (pack, type_), looked_up in found.by_type.items():
            kind = PackEntityType(pack, type_)
            kinds[kind] = self._built_before(kind, looked_up) or names_of(
                kind, self._listed.types[kind], looked_up
            )
        return Names(kinds, found.failed)

    def _built_before(
        self, kind: PackEntityType, looked_up: NamesOfType
    ) -> NamesOfEntityType | None:
        before = (
            names.kinds[kind]
            for found, names in reversed(self._collected.values())
            if found.by_type.get(kind) is looked_up
        )
        return next(before, None)

    def find(self, normal: Normal, names: Names) -> tuple[Mention, ...]:
        """Find what a text names: exact names and patterns, the longest first, then slips."""
        if not names.kinds and not self._listed.patterns:
            return ()
        words = [token.text.removesuffix(POSSESSIVE) for token in normal.tokens]
        taken = [False] * len(words)
        found = [
            *_by_name(words, names),
            *self._by_pattern(normal, names),
            *self._by_number(normal, words, names),
        ]
        found.sort(key=lambda mention: (mention.first - mention.end, mention.first))
        kept: list[Mention] = []
        for mention in found:
            place = range(mention.first, mention.end)
            twins = [o for o in kept if (o.first, o.end) == (mention.first, mention.end)]
            if any(_is_same(mention, twin) for twin in twins):
                continue
            if twins or not any(taken[word] for word in place):
                kept.append(mention)
                for word in place:
                    taken[word] = True
        for one in by_part(words, taken, names, self._listed.nouns, self._verb_words):
            kept.append(Mention(*one))
            taken[one.first : one.end] = [True] * (one.end - one.first)
        kept += _by_shared_head(words, kept, taken, names)
        kept += self._by_slip(words, taken, names)
        ended = {(mention.kind, mention.end) for mention in kept if mention.is_known}
        kept += [
            mention  # in `the seal job` the job is the one that was just named
            for mention in _by_last_word(words, taken, names, self._verb_words)
            if (mention.kind, mention.first) not in ended
        ]
        return tuple(sorted(kept, key=lambda mention: mention.first)[:MOST_MENTIONS])

    def _by_number(self, normal: Normal, words: list[str], names: Names) -> Iterable[Mention]:
        for one in by_number(words, names, self._listed.nouns):
            span = range(one.first, one.end)
            if not counts_things(normal, span, words, names, self._verb_words, self._listed.called):
                yield Mention(*one)

    def _by_pattern(self, normal: Normal, names: Names) -> Iterable[Mention]:
        for kind, pattern, exact in self._listed.patterns:
            for match in pattern.finditer(normal.text):
                inside = [
                    place
                    for place, token in enumerate(normal.tokens)
                    if token.start >= match.start() and token.end <= match.end()
                ]
                if not inside:
                    continue
                value = _spelt(normal.written(match.start(), match.end()), exact)
                known = names.of(kind).canonical
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
        if not names.kinds:
            return []
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
                slip = near_name(words, taken, place, length, names)
                if slip is not None:
                    end = slip.first + length
                    sure = 0.9 * slip.ratio / 100
                    found.append(Mention(slip.kind, slip.canonical, sure, slip.first, end))
                    taken[slip.first : end] = [True] * length
                    break
        return found


def _is_same(mention: Mention, twin: Mention) -> bool:
    """Tell whether words that name a thing already name it again: by an id it also has."""
    is_again = not mention.is_known or mention.value == twin.value
    return mention.kind == twin.kind and is_again


def _by_name(words: list[str], names: Names) -> Iterable[Mention]:
    for match in names.find(words):
        for kind, canonical in match.payloads:
            yield Mention(kind, canonical, 1.0, match.first, match.end)


def _by_shared_head(
    words: list[str], named: Sequence[Mention], taken: list[bool], names: Names
) -> list[Mention]:
    """Find names that leave their end to the next one: `the front and back door`.

    What the words name by themselves they name as well: the hall of `hall and bedroom lamp`.
    """
    spans = {(one.first, one.end) for one in named}
    found: list[Mention] = []
    for one in named:
        first, heads = one.first, range(one.first + 1, one.end)
        while one.is_known and first > 1 and words[first - 1] in _COORDINATES:
            shared = next(
                (
                    Mention(kind, canonical, one.confidence, start, first - 1)
                    for head in heads
                    for start in range(max(0, first - 1 - _WINDOW), first - 1)
                    if (start, first - 1) in spans or not any(taken[start : first - 1])
                    for match in names.find([*words[start : first - 1], *words[head : one.end]])
                    if (match.first, match.end) == (0, first - 1 - start + one.end - head)
                    for kind, canonical in match.payloads
                    if kind == one.kind
                ),
                None,
            )
            if shared is None:
                break
            found.append(shared)
            first = shared.first
    for one in found:
        taken[one.first : one.end] = [True] * (one.end - one.first)
    return found


def _by_last_word(
    words: list[str], taken: list[bool], names: Names, verb_words: frozenset[str]
) -> list[Mention]:
    """Find words that several things of a kind end with: which one is meant stays open."""
    return [
        Mention(
            of_kind.kind, singular(word), LAST_WORD_CONFIDENCE, place, place + 1, is_known=False
        )
        for place, word in enumerate(words)
        if not taken[place] and word not in verb_words
        for of_kind in names.with_head[word]
        if len(of_kind.heads[word]) > 1
    ]


def _spelt(written: str, pattern: re.Pattern[str]) -> str:
    """Spell an id as its pattern does: `wo-1042` is WO-1042."""
    forms = (written, written.upper(), written.lower())
    return next((form for form in forms if pattern.fullmatch(form)), written)
