"""Short ways to name one thing: the number of its id, a part of its name, its acronym."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from tools.routing.things.names import Kind, Names, NamesOfKind
from tools.routing.words.calendar import MONTHS
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import with_plural, word_set
from tools.routing.words.signs import FUNCTION_WORDS

_LEAST_DIGITS = 3
"""Fewer digits without the word for their kind are an amount."""
_YEARS = range(1900, 2100)
_BEFORE_YEARS = word_set("in since from before after until till by during year years and to of")
_MONTHS = frozenset(chain.from_iterable(MONTHS))
_UNITS = word_set(
    "h hr hrs hours hour minutes min mins seconds days weeks months years times euro euros eur usd"
    " dollars pounds litres liters l kg t tons tonnes m mm cm metres meters miles nm bar psi rpm"
    " volts v amps a watts kw percent degrees papers results words pages citations"
)
_LONGEST_PART = 5
_SURE, _LIKELY = 0.95, 0.85


class Nickname(NamedTuple):
    """Words `first` to `end` that can mean one thing only."""

    kind: Kind
    value: str
    confidence: float
    first: int
    end: int


class Nouns(NamedTuple):
    """What a kind of thing is called: `work order`, `job`, `WO`; each in both numbers."""

    kind: Kind
    phrases: frozenset[tuple[str, ...]]


def nouns_of(kind: Kind, others: Sequence[str]) -> Nouns:
    """Collect what a kind is called."""
    called = [words_of(name) for name in (kind.type, *others)]
    return Nouns(kind, frozenset(form for words in called if words for form in with_plural(words)))


def by_number(
    words: Sequence[str], names: Names, nouns: Mapping[Kind, Nouns]
) -> Iterator[Nickname]:
    """Read `work order 1042`, `WO 1042`, `wo1042`, and `1042` where it is the number of one id."""
    for place, word in enumerate(words):
        if not word.isdigit():
            letters = word.rstrip("0123456789")
            if letters.isalpha() and letters != word:
                yield from _prefixed(letters, word[len(letters) :], place, place + 1, names)
            continue
        before = words[place - 1] if place else ""
        named = [
            Nickname(of_kind.kind, value, _SURE, first, place + 1)
            for of_kind in names.kinds.values()
            if of_kind.kind in nouns
            for first in _noun_before(words, place, nouns[of_kind.kind])
            for value in _only(of_kind.by_number.get(int(word), ()))
        ]
        named += _prefixed(before, word, place - 1, place + 1, names) if before.isalpha() else []
        yield from named or _bare(words, place, names)


def by_part(
    words: Sequence[str],
    taken: Sequence[bool],
    names: Names,
    nouns: Mapping[Kind, Nouns],
    verb_words: frozenset[str],
) -> Iterator[Nickname]:
    """Read `the attention paper`, `Deep Residual Learning`, `BERT`: parts that one name has."""
    place = 0
    while place < len(words):
        found = None
        if not taken[place] and words[place] not in FUNCTION_WORDS:
            found = _part_at(words, taken, place, names, nouns, verb_words)
        if found is not None:
            yield found
        place = found.end if found is not None else place + 1


def _prefixed(letters: str, digits: str, first: int, end: int, names: Names) -> list[Nickname]:
    return [
        Nickname(of_kind.kind, value, _SURE, first, end)
        for of_kind in names.kinds.values()
        for value in _only(of_kind.by_number.get(int(digits), ()))
        if value.casefold().startswith(letters) and not value[len(letters)].isalpha()
    ]


def _noun_before(words: Sequence[str], place: int, nouns: Nouns) -> Iterator[int]:
    lengths = [
        len(phrase)
        for phrase in nouns.phrases
        if len(phrase) <= place and tuple(words[place - len(phrase) : place]) == phrase
    ]
    if lengths:
        yield place - max(lengths)


def _bare(words: Sequence[str], place: int, names: Names) -> list[Nickname]:
    word = words[place]
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    if len(word) < _LEAST_DIGITS or after in _UNITS or {before, after} & _MONTHS:
        return []
    if int(word) in _YEARS and before in _BEFORE_YEARS - {"of", "to"}:
        return []
    fitting = [
        (of_kind.kind, value)
        for of_kind in names.kinds.values()
        for value in of_kind.by_number.get(int(word), ())
        if value.endswith(word)
    ]
    if len(fitting) != 1:
        return []
    ((kind, value),) = fitting
    return [Nickname(kind, value, _LIKELY, place, place + 1)]


def _part_at(
    words: Sequence[str],
    taken: Sequence[bool],
    place: int,
    names: Names,
    nouns: Mapping[Kind, Nouns],
    verb_words: frozenset[str],
) -> Nickname | None:
    kinds = names.with_word.get(words[place])
    if kinds is None:
        return None
    stop = place
    while stop < min(len(words), place + _LONGEST_PART) and not taken[stop]:
        stop += 1
    for end in range(stop, place, -1):
        part = words[place:end]
        if part[-1] in FUNCTION_WORDS:
            continue
        fitting = [
            Nickname(of_kind.kind, value, _LIKELY, place, last)
            for of_kind in kinds
            for last in _told_apart(words, place, end, of_kind, nouns, verb_words)
            for value in _only(of_kind.resolve_best(part))
        ]
        if len({(one.kind, one.value) for one in fitting}) == 1:
            return fitting[0]
    return None


def _told_apart(
    words: Sequence[str],
    first: int,
    end: int,
    of_kind: NamesOfKind,
    nouns: Mapping[Kind, Nouns],
    verb_words: frozenset[str],
) -> Iterator[int]:
    """Give where the name ends when its part is enough to mean the thing, and nothing else."""
    part = tuple(words[first:end])
    own = nouns[of_kind.kind].phrases if of_kind.kind in nouns else frozenset()
    if not set(part) & verb_words:
        for length in (2, 1):
            noun = tuple(words[end : end + length])
            if noun in own:
                yield end + len(noun)
                return
        if words[end : end + 1] == ["one"]:
            yield end
            return
    is_acronym = len(part) == 1 and part[0] in of_kind.acronyms
    if is_acronym or (len(part) > 1 and of_kind.is_beginning(part)):
        yield end


def _only(found: Sequence[str] | frozenset[str] | set[str]) -> list[str]:
    return list(found) if len(found) == 1 else []
